import type { Span } from "../../../schema/briefing.ts"
import type { Chapter } from "../../../schema/meeting.ts"
import { roundSeconds } from "../../../schema/primitives.ts"
import type { Segment, Word } from "../../../schema/transcript.ts"
import type { Part } from "./script.ts"

/** A script as spoken; times are seconds from the start of the recording. */
export interface Spoken {
  readonly segments: ReadonlyArray<TimedSegment>
  readonly chapters: ReadonlyArray<Chapter>
  /** When each agenda item began, by number. */
  readonly starts: ReadonlyMap<string, number>
  /** The turns with a label, and what was said. */
  readonly labelled: ReadonlyMap<string, Span & { readonly quote: string }>
  readonly duration: number
}

type TimedSegment = Segment & { readonly speaker: string; readonly words: ReadonlyArray<Word> }

/** Seconds: before the first word, between two turns, before a new part, after the last word. */
const pauses = { first: 2.5, turn: 0.45, part: 1.6, last: 2.5 }

/** The seconds that a word takes: some to begin, some per letter; a digit is spoken as most of a word. */
const lengthOf = (word: string): number => {
  const digits = word.replace(/\D/g, "").length
  const letters = word.replace(/[^\p{L}]/gu, "").length
  return 0.12 + 0.046 * letters + 0.2 * digits
}

const pauseAfter = (word: string): number => (/[.?!]["”)]?$/u.test(word) ? 0.32 : /[,;:—]$/u.test(word) ? 0.14 : 0.02)

/** Some people speak faster than others: 0.92 to 1.08 of the usual length, by name. */
const paceOf = (speaker: string): number => {
  const sum = [...speaker].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return 0.92 + (sum % 17) / 100
}

const speak = (text: string, start: number, pace: number): ReadonlyArray<Word> => {
  let at = start
  return text.split(/\s+/).map((word) => {
    const begin = at
    const end = begin + lengthOf(word) * pace
    at = end + pauseAfter(word)
    return { start: roundSeconds(begin), end: roundSeconds(end), text: word }
  })
}

/** Times every word of a script at a usual pace of speech. `named` gives the name shown for one in the script. */
export const speakScript = (parts: ReadonlyArray<Part>, named: (speaker: string) => string): Spoken => {
  const segments: Array<TimedSegment> = []
  const begun: Array<{ readonly title: string; readonly start: number }> = []
  const starts = new Map<string, number>()
  const labelled = new Map<string, Span & { readonly quote: string }>()
  let at = pauses.first - pauses.part
  for (const part of parts) {
    at += pauses.part
    const start = roundSeconds(at)
    begun.push({ title: part.title, start })
    if (part.number !== undefined) starts.set(part.number, start)
    for (const turn of part.turns) {
      const words = speak(turn.text, at, paceOf(turn.speaker))
      const span = { start: words[0]?.start ?? at, end: words.at(-1)?.end ?? at }
      segments.push({ ...span, speaker: named(turn.speaker), text: turn.text, words })
      if (turn.label !== undefined) labelled.set(turn.label, { ...span, quote: turn.text })
      at = span.end + pauses.turn
    }
  }
  const duration = Math.ceil(at + pauses.last)
  const chapters = begun.map((chapter, position) => ({ ...chapter, end: begun[position + 1]?.start ?? duration }))
  return { segments, chapters, starts, labelled, duration }
}

/** What speech recognizers make of the words of a council. */
const oftenMisheard: Readonly<Record<string, string>> = {
  aye: "i",
  alderman: "older man",
  alderwoman: "older woman",
  ordinance: "ordnance",
  bylaw: "by law",
  rezoning: "re zoning",
  mayor: "mare",
  culvert: "cold vert",
  stormwater: "storm water",
  counsel: "council",
  abatement: "a bateman",
  levy: "levee"
}

const plain = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, "")

/** Words per segment of untouched speech recognition. */
const rawRun = 14

/**
 * The same speech as a recognizer writes it down: lower case, no punctuation, no speakers, misheard names, in runs of
 * words that ignore who speaks. A word heard as several divides its time among them.
 */
export const asHeard = (
  segments: ReadonlyArray<TimedSegment>,
  misheard: Readonly<Record<string, string>>
): ReadonlyArray<Segment> => {
  const words = segments
    .flatMap((segment) => segment.words)
    .flatMap(({ start, end, text }) => {
      const word = plain(text)
      const heard = (misheard[word] ?? oftenMisheard[word] ?? word).split(" ").filter((one) => one !== "")
      const share = (end - start) / heard.length
      return heard.map((one, at) => ({
        start: roundSeconds(start + at * share),
        end: roundSeconds(start + (at + 1) * share),
        text: one
      }))
    })
  return Array.from({ length: Math.ceil(words.length / rawRun) }, (_, run) => {
    const said = words.slice(run * rawRun, (run + 1) * rawRun)
    return {
      start: said[0]?.start ?? 0,
      end: said.at(-1)?.end ?? 0,
      text: said.map(({ text }) => text).join(" "),
      words: said
    }
  })
}
