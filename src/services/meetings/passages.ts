import type { Segment } from "../../../schema/transcript.ts"

/** Words per passage: about half a minute of speech. */
export const passageWords = 100
/** Words shared with the previous passage, so that a phrase across the boundary is found. */
export const overlapWords = 12

/** A part of a transcript that search indexes separately, so that a match has a time in the recording. */
export interface Passage<W> {
  readonly words: ReadonlyArray<W>
  /** The start of each word in seconds; that of the segment or of an earlier word if the word has no time. */
  readonly starts: ReadonlyArray<number>
  /** The number of leading words shared with the previous passage. */
  readonly repeated: number
}

/** Whether a character is white space. ASCII is the fast path, because nearly all texts are ASCII. */
export const isSpace = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : /\s/.test(text.charAt(at))
}

/** The start of the next word, given an offset between words. */
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

export const textOf = (words: ReadonlyArray<{ readonly text: string }>): string =>
  words.map(({ text }) => text).join(" ")

/** The word at an offset of a text. */
export const plainWord = (text: string, from: number) => ({ text: text.slice(from, wordEnd(text, from)) })

/**
 * Splits a transcript into passages, with the words of only one in memory. `wordAt` makes a word of the text from an
 * offset up to the next white space.
 */
export function* passagesOf<W extends { readonly text: string }>(
  segments: ReadonlyArray<Segment>,
  wordAt: (text: string, from: number) => W
): Generator<Passage<W>> {
  let words: Array<W> = []
  let starts: Array<number> = []
  let repeated = 0
  for (const { text, words: timed = [], start } of segments) {
    // If every word was timed, the text's words and the timed words match one to one. Otherwise both lists are walked
    // together, and a word without a time gets the time of the one before it.
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

/** Splits a sequence into groups of `size`. */
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
