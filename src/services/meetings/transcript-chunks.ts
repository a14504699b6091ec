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

const chunkOf = (words: ReadonlyArray<SpokenWord>): Chunk => ({
  text: words.map((word) => word.text).join(" "),
  starts: words.map((word) => word.start)
})

/** Cuts a transcript into the chunks in which search finds moments, holding the words of one chunk at a time. */
export function* chunksOf(segments: ReadonlyArray<Segment>): Generator<Chunk> {
  let words: Array<SpokenWord> = []
  /** How many of them are repeated from the chunk before. */
  let repeated = 0
  for (const segment of segments) {
    for (const word of spokenWords(segment)) {
      words.push(word)
      if (words.length < chunkWords + repeated) continue
      yield chunkOf(words)
      words = words.slice(-overlapWords)
      repeated = words.length
    }
  }
  if (words.length > repeated) yield chunkOf(words)
}

/** The elements of a sequence, so many at a time. */
export function* inGroups<A>(elements: Iterable<A>, size: number): Generator<ReadonlyArray<A>> {
  let group: Array<A> = []
  for (const element of elements) {
    group.push(element)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

export const wordCount = (segments: ReadonlyArray<Segment>): number =>
  segments.reduce((count, segment) => count + (segment.text.match(/\S+/g)?.length ?? 0), 0)
