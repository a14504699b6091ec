import { Stream } from "effect"
import { type Item, type Origin, repeated } from "./item.ts"

/** Entities that a source has already named. */
export interface Seen {
  /** Places and bodies by type and slug, and warnings that are given once. */
  readonly names: Set<string>
  /** Where each meeting was first found, by id. */
  readonly meetings: Map<string, Origin>
  /** The repetitions of meetings that were left out, by file, line and id. */
  readonly repetitions: Set<string>
}

export const nothingSeen = (): Seen => ({ names: new Set(), meetings: new Map(), repetitions: new Set() })

const firstOf = (seen: Seen, name: string, item: Item): Item | undefined => {
  if (seen.names.has(name)) return undefined
  seen.names.add(name)
  return item
}

const withoutRepeat = (seen: Seen, item: Item): Item | undefined => {
  const { result } = item
  if (result._tag === "Warning" && result.isOnce)
    return firstOf(seen, `warning ${result.field} ${result.message}`, item)
  if (result._tag !== "Entity") return item
  const { entity } = result
  if (entity.type === "removed") return item
  if (entity.type === "place" || entity.type === "agency" || entity.type === "person" || entity.type === "matter") {
    return firstOf(seen, `${entity.type} ${entity.slug}`, item)
  }
  if (entity.type === "membership" || entity.type === "vote") return firstOf(seen, `${entity.type} ${entity.id}`, item)
  if (entity.type !== "meeting") {
    return seen.repetitions.has(`${item.file} ${item.line} ${entity.meeting_id}`) ? undefined : item
  }
  const first = seen.meetings.get(entity.id)
  if (first === undefined) {
    seen.meetings.set(entity.id, item)
    return item
  }
  seen.repetitions.add(`${item.file} ${item.line} ${entity.id}`)
  return repeated(item, `repeats the meeting of line ${first.line} of ${first.file}`)
}

/**
 * Leaves out places and bodies that were named before, so that a format may name them with every meeting, and reports a
 * meeting that was found before, with its parts. The first line about something wins, so that reading the same source
 * again gives the same result.
 */
export const withoutRepeats =
  (seen: Seen) =>
  <E, R>(items: Stream.Stream<Item, E, R>): Stream.Stream<Item, E, R> =>
    items.pipe(
      Stream.map((item) => withoutRepeat(seen, item)),
      Stream.filter((item) => item !== undefined)
    )
