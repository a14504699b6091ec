import type { Segment, Word } from "../../../schema/transcript.ts"

/** A pause this long ends a segment, in seconds. */
const longPause = 1
/** In words: a sentence end closes a segment that has at least the first number; the second is the maximum. */
const shortestSegment = 8
const longestSegment = 40

/**
 * Groups words into segments, split at pauses, sentence ends and where another voice speaks, so that each can be read
 * and cited by itself. A voice, where it is known, becomes the speaker.
 */
export const segmentsOf = (words: ReadonlyArray<Word & { readonly voice?: string }>): ReadonlyArray<Segment> => {
  const segments: Array<Array<(typeof words)[number]>> = []
  for (const word of words) {
    const current = segments.at(-1)
    const last = current?.at(-1)
    const ends =
      current === undefined ||
      last === undefined ||
      word.voice !== last.voice ||
      word.start - last.end >= longPause ||
      current.length >= longestSegment ||
      (current.length >= shortestSegment && /[.?!]["')]?$/.test(last.text))
    if (ends) segments.push([word])
    else current.push(word)
  }
  return segments.map((spoken) => ({
    start: spoken[0]?.start ?? 0,
    end: spoken.reduce((end, word) => Math.max(end, word.end), 0),
    ...(spoken[0]?.voice === undefined ? {} : { speaker: spoken[0].voice }),
    text: spoken.map(({ text }) => text).join(" "),
    words: spoken.map(({ start, end, text }) => ({ start, end, text }))
  }))
}
