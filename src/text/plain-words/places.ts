import type { BundleMeeting } from "../../../schema/bundle.ts"
import type { Segment } from "../../../schema/transcript.ts"
import type { SpokenVote } from "../roll-calls/roll-calls.ts"
import { type OnRecord, tied } from "./tied.ts"

type Agenda = ReadonlyArray<BundleMeeting["agenda_items"][number]>

/** A part of a meeting that is about one matter, with its seconds if they are known. */
export interface Place extends OnRecord {
  readonly from: number
  readonly to: number
}

/** The seconds before and after a vote in which its matter is spoken of, where no item is known to have begun. */
const [before, after] = [300, 15]

const within = (segments: ReadonlyArray<Segment>, from: number, to: number) =>
  segments.filter(({ start, end }) => end > from && start < to)

/** What the agenda says of an item. */
export const aboutItem = ({ number = "", title, description = "" }: Agenda[number]): string =>
  `${number}. ${title}. ${description}`

/**
 * The matters of a meeting: its items, each with what was said and voted from when it began until the next one did.
 * Votes that belong to no item make a matter of their own, and so does what was said before the first item.
 */
export const placesOf = (
  agenda: Agenda,
  segments: ReadonlyArray<Segment>,
  votes: ReadonlyArray<SpokenVote>
): ReadonlyArray<Place> => {
  const starts = agenda.flatMap(({ start }) => (start === undefined ? [] : [start])).toSorted((a, b) => a - b)
  const end = Math.max(0, ...segments.map((segment) => segment.end))
  const items = agenda.map((item, at): Place => {
    const from = item.start ?? Number.POSITIVE_INFINITY
    const to = starts.find((start) => start > from) ?? Math.max(end, from)
    const own = votes.filter((vote) => vote.item === at)
    return { from, to, item: aboutItem(item), said: within(segments, from, to), votes: own }
  })
  const loose = votes
    .filter(({ item }) => item === undefined)
    .map((vote): Place => {
      const [from, to] = [vote.start - before, vote.end + after]
      return { from, to, item: "", said: within(segments, from, to), votes: [vote] }
    })
  const first = starts[0] ?? end
  return [...items, ...loose, { from: 0, to: first, item: "", said: within(segments, 0, first), votes: [] }]
}

/** Whether a text is tied to one of these matters. */
export const tiedIn = (text: string, places: ReadonlyArray<Place>): boolean => places.some((place) => tied(text, place))

/** The matters that a second belongs to. */
export const placesAt = (places: ReadonlyArray<Place>, second: number): ReadonlyArray<Place> =>
  places.filter(({ from, to }) => from <= second && second < to)
