import type { Segment } from "../../../schema/transcript.ts"
import { clampAtWord } from "../../text/clamp.ts"

/** Labels that recognizers give to unidentified voices. */
const unnamed = /^(speaker|spk|voice|unknown)[ _-]*\d*$/i

/** Whether nothing is known of a speaker but that it is a voice of its own, or not even that. */
export const isUnnamed = (speaker: string | undefined): boolean => speaker === undefined || unnamed.test(speaker)

/** More names than any meeting has speakers. */
const mostSpeakers = 1000
const longestName = 200

/** The moments that are kept of a speaker in a meeting, and the most characters of one. */
const mostMoments = 3
const longestMoment = 240

/** A label as a name: on one line, and not longer than names are. */
const nameOf = (label: string): string => [...label.replace(/\s+/gu, " ").trim()].slice(0, longestName).join("").trim()

/** What somebody says without a break. */
interface Said {
  readonly start: number
  end: number
  text: string
  length: number
}

/** A speaker of a transcript; times in seconds. */
export interface Speaker {
  readonly name: string
  /** The second at which they first speak. */
  readonly start: number
  /** When each of their turns begins, in the order of time, and when it ends (`until`, at the same place). */
  readonly turns: ReadonlyArray<number>
  readonly until: ReadonlyArray<number>
  /** What they say in their longest turns, from the beginning of each. */
  readonly moments: ReadonlyArray<{ readonly start: number; readonly text: string }>
}

const speaker = (name: string, said: ReadonlyArray<Said>): Speaker => {
  const turns = said.toSorted((a, b) => a.start - b.start)
  return {
    name,
    start: turns[0]?.start ?? 0,
    turns: turns.map(({ start }) => start),
    until: turns.map(({ end }) => end),
    moments: turns
      .toSorted((a, b) => b.length - a.length)
      .slice(0, mostMoments)
      .toSorted((a, b) => a.start - b.start)
      .map(({ start, text }) => ({ start, text: clampAtWord(text, longestMoment) }))
  }
}

/** The speakers of a transcript by name. */
export const speakersOf = (segments: ReadonlyArray<Segment>): ReadonlyArray<Speaker> => {
  const said = new Map<string, Array<Said>>()
  let [before, turn]: [string | undefined, Said | undefined] = [undefined, undefined]
  for (const { speaker: label, start, end, text } of segments) {
    if (label !== undefined && label === before && turn !== undefined) {
      turn.end = Math.max(turn.end, end)
      turn.length += text.length
      if (turn.text.length <= longestMoment) turn.text += ` ${text}`
      continue
    }
    ;[before, turn] = [label, undefined]
    const name = label === undefined ? "" : nameOf(label)
    if (name === "" || isUnnamed(name)) continue
    const turns = said.get(name)
    if (turns === undefined && said.size >= mostSpeakers) continue
    turn = { start, end, text, length: text.length }
    if (turns === undefined) said.set(name, [turn])
    else turns.push(turn)
  }
  return [...said].map(([name, turns]) => speaker(name, turns))
}
