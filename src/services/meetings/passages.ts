import type { Segment } from "../../../schema/transcript.ts"

/** Words in one passage: about half a minute of speech. */
const passageWords = 100
/** Words that a passage repeats from the one before, so that a phrase across the boundary is found. */
const overlapWords = 12

/** A part of a transcript that search finds by itself, so that a match has a second in the recording. */
export interface Passage<W> {
  readonly words: ReadonlyArray<W>
  /** The second at which each word begins; its segment's where the word has no time. */
  readonly starts: ReadonlyArray<number>
  /** How many of its words, its first ones, are also the last ones of the passage before. */
  readonly repeated: number
}

/** Whether a character is white space; all but a few texts are ASCII. */
export const isSpace = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : /\s/.test(text.charAt(at))
}

/** The start of the next word, from a place between words; white space separates words. */
const wordStart = (text: string, from: number): number => {
  let at = from
  while (at < text.length && isSpace(text, at)) at++
  return at
}

const wordEnd = (text: string, from: number): number => {
  let at = from
  while (at < text.length && !isSpace(text, at)) at++
  return at
}

/** The text of a passage. */
export const textOf = (words: ReadonlyArray<{ readonly text: string }>): string =>
  words.map(({ text }) => text).join(" ")

/** The word that begins at a place of a text. */
export const plainWord = (text: string, from: number) => ({ text: text.slice(from, wordEnd(text, from)) })

/**
 * Cuts a transcript into passages, with the words of one passage in memory at a time. `wordAt` makes a word of the text
 * from a place up to the next white space.
 */
export function* passagesOf<W extends { readonly text: string }>(
  segments: ReadonlyArray<Segment>,
  wordAt: (text: string, from: number) => W
): Generator<Passage<W>> {
  let words: Array<W> = []
  let starts: Array<number> = []
  let repeated = 0
  for (const { text, words: timed = [], start } of segments) {
    // Where every word was timed, the words of the text and the timed words are the same list. Otherwise both are
    // walked together, and a word without a time has the time of the one before it.
    let next = 0
    let second = start
    for (let from = wordStart(text, 0); from < text.length; ) {
      const word = wordAt(text, from)
      for (let at = next; at < Math.min(next + 4, timed.length); at++) {
        const match = timed[at]
        if (match?.text.trim() !== word.text) continue
        next = at + 1
        second = match.start
        break
      }
      words.push(word)
      starts.push(second)
      from = wordStart(text, from + word.text.length)
      if (words.length < passageWords + repeated) continue
      yield { words, starts, repeated }
      words = words.slice(-overlapWords)
      starts = starts.slice(-overlapWords)
      repeated = overlapWords
    }
  }
  if (words.length > repeated) yield { words, starts, repeated }
}

/** The elements of a sequence in groups of `size`. */
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

export const wordCount = (segments: ReadonlyArray<Segment>): number => {
  let count = 0
  for (const { text } of segments) {
    for (let at = wordStart(text, 0); at < text.length; at = wordStart(text, wordEnd(text, at))) count++
  }
  return count
}
