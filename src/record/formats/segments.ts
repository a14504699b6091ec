import { roundSeconds } from "../../../schema/primitives.ts"
import type { Segment, Word } from "../../../schema/transcript.ts"
import { tidy } from "./text.ts"

/** A span of time, its end not before its start, to the millisecond. */
const span = (start: number, end: number) => {
  const from = roundSeconds(Math.max(0, start))
  return { start: from, end: Math.max(from, roundSeconds(end)) }
}

export const wordOf = (start: number, end: number, text: string): ReadonlyArray<Word> => {
  const said = tidy(text)
  return said === "" ? [] : [{ ...span(start, end), text: said }]
}

/** A segment, or none if nothing is said; `words` only if the source timed some. */
export const segmentOf = (
  start: number,
  end: number,
  text: string,
  words: ReadonlyArray<Word> = [],
  speaker?: string | null
): ReadonlyArray<Segment> => {
  const said = tidy(text)
  const name = tidy(speaker)
  if (said === "") return []
  return [
    {
      ...span(start, end),
      ...(name === "" ? {} : { speaker: name }),
      text: said,
      ...(words.length === 0 ? {} : { words })
    }
  ]
}

/** A word of a recognizer, in seconds. */
export interface TimedWord {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly speaker?: string | undefined
}

/** How long the silence is, in seconds, before which a sentence ends without a full stop. */
const silence = 2

/** Groups timed words into sentences: one ends with a full stop, before a silence, or where another speaks. */
export const sentencesOf = (words: ReadonlyArray<TimedWord>): ReadonlyArray<Segment> => {
  const sentences: Array<Array<TimedWord>> = []
  for (const word of words) {
    const open = sentences.at(-1)
    const last = open?.at(-1)
    const goesOn =
      last !== undefined &&
      last.speaker === word.speaker &&
      !/[.?!]["”)]?$/.test(last.text.trim()) &&
      word.start - last.end < silence
    if (open !== undefined && goesOn) open.push(word)
    else sentences.push([word])
  }
  return sentences.flatMap((sentence) => {
    const said = sentence.flatMap(({ start, end, text }) => wordOf(start, end, text))
    const first = said[0]
    const text = said.map((word) => word.text).join(" ")
    return first === undefined
      ? []
      : segmentOf(first.start, said.at(-1)?.end ?? first.end, text, said, sentence[0]?.speaker)
  })
}

/** The longest meeting, in seconds, of which there may be a transcript. */
const longestMeeting = 48 * 3600

/** Segments in spoken order, without those whose times are no time of a meeting; and how many those are. */
export const orderly = (segments: ReadonlyArray<Segment>) => {
  const sound = segments.filter(
    ({ start, end }) => Number.isFinite(start) && Number.isFinite(end) && end <= longestMeeting
  )
  const isInOrder = sound.every(({ start }, at) => start >= (sound[at - 1]?.start ?? 0))
  return {
    segments: isInOrder ? sound : sound.toSorted((a, b) => a.start - b.start),
    leftOut: segments.length - sound.length
  }
}
