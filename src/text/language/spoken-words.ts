import type { Segment, Word } from "../../../schema/transcript.ts"

/** A word of a transcript, with its time and the number of its segment. */
export interface SpokenWord extends Word {
  readonly segment: number
  /** Its form for comparison: letters and digits in lower case. */
  readonly key: string
}

/** The form in which words are compared: without case, punctuation and accents. Empty for a dash or an ellipsis. */
export const keyOf = (word: string): string =>
  word
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

export const wordsOfText = (text: string): ReadonlyArray<string> =>
  text.split(/\s+/).filter((word) => keyOf(word) !== "")

/** The words of a text, spread over a span in proportion to their length, for text without word times. */
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

/** Every word of a transcript in order, with its own time or, where a segment has none, spread over the segment. */
export const spokenWords = (segments: ReadonlyArray<Segment>): ReadonlyArray<SpokenWord> =>
  segments.flatMap((segment, at) =>
    (segment.words ?? spread(segment.text, segment.start, segment.end))
      .map((word) => ({ ...word, segment: at, key: keyOf(word.text) }))
      .filter(({ key }) => key !== "")
  )

/** The fewest and most words of a quote: fewer could be found anywhere, and more is no quote. */
const shortestQuote = 3
const longestQuote = 120

/**
 * Where a quote is said word for word, in seconds. It begins in one of the segments `from` up to but not including
 * `to`, and may run on into the next. Undefined if nobody says it, or if it is too short or too long.
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
