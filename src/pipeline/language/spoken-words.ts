import type { Segment, Word } from "../../../schema/transcript.ts"

/** A word of a transcript, with when it is said and the number of its segment. */
export interface SpokenWord extends Word {
  readonly segment: number
  /** The word as it is compared: lower case letters and digits. */
  readonly key: string
}

/** A word as it is compared with another: without case, punctuation and accents. Empty for a dash or an ellipsis. */
export const keyOf = (word: string): string =>
  word
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

export const wordsOfText = (text: string): ReadonlyArray<string> =>
  text.split(/\s+/).filter((word) => keyOf(word) !== "")

/** The words of a text spread over a span by their length, where nobody has measured them. */
export const spread = (text: string, start: number, end: number): ReadonlyArray<Word> => {
  const words = wordsOfText(text)
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0)
  let at = 0
  return words.map((word) => {
    const from = start + ((end - start) * at) / letters
    at += word.length + 1
    return { start: from, end: start + ((end - start) * at) / letters, text: word }
  })
}

/** Every word of a transcript in order: as timed, or spread over its segment where the segment has no times. */
export const spokenWords = (segments: ReadonlyArray<Segment>): ReadonlyArray<SpokenWord> =>
  segments.flatMap((segment, at) =>
    (segment.words ?? spread(segment.text, segment.start, segment.end))
      .map((word) => ({ ...word, segment: at, key: keyOf(word.text) }))
      .filter(({ key }) => key !== "")
  )

/** The shortest and longest passage that can be cited, in words: fewer are found anywhere, more are no passage. */
const shortestQuote = 3
const longestQuote = 120

/**
 * Where a passage is said word for word, as the first and the last second of it, in one of the segments `from` to `to` (the
 * second is not one of them) and those that it runs on into. Undefined where nobody says it, or it is no passage.
 */
export const spanOfQuote = (
  words: ReadonlyArray<SpokenWord>,
  quote: string,
  from = 0,
  to = Number.POSITIVE_INFINITY
): { readonly start: number; readonly end: number } | undefined => {
  const keys = wordsOfText(quote).map(keyOf)
  if (keys.length < shortestQuote || keys.length > longestQuote) return undefined
  const at = words.findIndex(
    (word, first) =>
      word.segment >= from && word.segment < to && keys.every((key, offset) => words[first + offset]?.key === key)
  )
  const [first, last] = [words[at], words[at + keys.length - 1]]
  return at === -1 || first === undefined || last === undefined
    ? undefined
    : { start: first.start, end: Math.max(last.end, first.start) }
}
