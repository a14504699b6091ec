import type { Segment } from "../../../schema/transcript.ts"
import { type Word, wordsOf } from "../verify/words.ts"

/** A word that was said, and where. */
export interface Token extends Word {
  readonly segment: number
  /** Whether a sentence or another speaker begins here. The end of a caption alone is no end of a sentence. */
  readonly opens: boolean
  /** Whether it is the first word of its segment. */
  readonly leads: boolean
}

const ended = /[.?!…:;]["”’)\]]*\s*$/u

/** The words of a transcript in order. */
export const tokensOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  for (const [segment, { text, speaker }] of segments.entries()) {
    const before = segments[segment - 1]
    const isNew = before === undefined || before.speaker !== speaker || ended.test(before.text)
    for (const [at, word] of wordsOf(text).entries()) {
      tokens.push({ ...word, segment, leads: at === 0, opens: at === 0 ? isNew : word.first })
    }
  }
  return tokens
}

/**
 * Whether names stand out by their capitals. They do not in captions that are all in capitals, nor in those of a
 * recognizer that writes none.
 */
export const showsNames = (tokens: ReadonlyArray<Token>): boolean => {
  const capitals = tokens.filter(({ capital }) => capital).length / Math.max(1, tokens.length)
  return capitals > 0.01 && capitals < 0.7
}
