import type { Token, TokenSpan, Tokens } from "./tokens.ts"

/** The most words that are read before a span, of its own, and after it. */
const [before, own, after] = [40, 10, 30]

/** Digits that are told apart: of a number only how many it has. */
const mostDigits = 6

/** A word with what ends after it: nothing (0), a sentence (1), a question (2) or a clause (3). */
export const wordOf = ({ word, asks, breaks }: Token): string => {
  const ending = asks ? 2 : breaks === "" ? 0 : breaks === "sentence" ? 1 : 3
  return `${ending}${/^\d/u.test(word) ? `#${Math.min(mostDigits, word.length)}` : word}`
}

/** The words before a span, its own and those after it, as `wordOf` writes them. */
export type Nearby = readonly [ReadonlyArray<string>, ReadonlyArray<string>, ReadonlyArray<string>]

/** The words around and within a span of tokens. */
export const nearbyOf = (tokens: Tokens, { from, to }: TokenSpan): Nearby => [
  tokens.slice(Math.max(0, from - before), from).map(wordOf),
  tokens.slice(from, Math.min(to, from + own)).map(wordOf),
  tokens.slice(to, to + after).map(wordOf)
]
