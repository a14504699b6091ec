import type { Conjunction, Phrase } from "../types.ts"

/** The distinct wanted lexemes of a conjunction, as they first stand in the query. */
export const wantedOf = ({ lexemes = [], phrases = [], layout }: Conjunction): Phrase => {
  const words =
    layout ?? [...lexemes.map((lexeme) => ({ lexeme })), ...phrases.flat()].map(({ lexeme }, at) => ({ lexeme, at }))
  return [...new Map(words.toReversed().map((word) => [word.lexeme, word])).values()]
}
