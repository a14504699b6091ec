import type { Segment } from "../../../schema/transcript.ts"

/** Words in one chunk that search looks through: about half a minute of speech. */
const chunkWords = 100
/** Words that a chunk repeats from the one before, so that a phrase across the boundary is found. */
const overlapWords = 12

interface Chunk {
  readonly text: string
  /** The second at which each word of `text` (split at white space) begins; its segment's where the word has no time. */
  readonly starts: ReadonlyArray<number>
}

interface SpokenWord {
  readonly text: string
  readonly start: number
}

/** Every word of a segment, with the second at or after which it is known to be said. */
const spokenWords = (segment: Segment): ReadonlyArray<SpokenWord> => {
  const words = segment.text.split(/\s+/).filter((word) => word !== "")
  const timed = segment.words ?? []
  // Where every word was timed, the words of the text and the timed words are the same list. Otherwise both are walked
  // together, and a word without a time has the time of the one before it.
  let next = 0
  let start = segment.start
  return words.map((text) => {
    const found = timed.slice(next, next + 4).findIndex((word) => word.text.trim() === text)
    const word = found === -1 ? undefined : timed[next + found]
    if (word !== undefined) {
      next += found + 1
      start = word.start
    }
    return { text, start }
  })
}

/** Cuts a transcript into the chunks in which search finds moments. */
export const chunksOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Chunk> => {
  const spoken = segments.flatMap(spokenWords)
  const chunks: Array<Chunk> = []
  for (let at = 0; at < spoken.length; at += chunkWords) {
    const words = spoken.slice(Math.max(0, at - overlapWords), at + chunkWords)
    chunks.push({ text: words.map((word) => word.text).join(" "), starts: words.map((word) => word.start) })
  }
  return chunks
}

export const wordCount = (segments: ReadonlyArray<Segment>): number =>
  segments.reduce((count, segment) => count + (segment.text.match(/\S+/g)?.length ?? 0), 0)
