import { Schema } from "effect"
import type { BundleEntity, BundleMeeting } from "../../../schema/bundle.ts"
import { MeetingId } from "../../../schema/primitives.ts"

/** What makes an entity impossible to store: the dotted path of a field, and what to write there instead. */
export interface Flaw {
  readonly field: string
  readonly message: string
}

const isMeetingId = Schema.is(MeetingId)

/** No recording is longer, in seconds; a value beyond it is usually in milliseconds. */
const longestRecording = 7 * 24 * 3600

/** The first year in which a body on record can have met. */
const firstYear = 1600

/** The most pixels that a picture is wide or high. */
const mostPixels = 100_000

type Check = readonly [field: string, isSound: boolean, message: string]

const firstFlaw = (checks: Iterable<Check>): Flaw | undefined => {
  for (const [field, isSound, message] of checks) if (!isSound) return { field, message }
  return undefined
}

const length = (field: string, seconds: number | undefined): Check => [
  field,
  seconds === undefined || seconds <= longestRecording,
  `is more than ${longestRecording} (a week); write seconds from the start of the recording`
]

const pixels = (field: string, count: number | undefined): Check => [
  field,
  count === undefined || count <= mostPixels,
  `is more than ${mostPixels}; write a number of pixels`
]

/** Values of a list that must differ; `field` is the path of the value at a position. */
function* differ(values: ReadonlyArray<string>, field: (at: number) => string): Generator<Check> {
  const first = new Map<string, number>()
  for (const [at, value] of values.entries()) {
    const earlier = first.get(value)
    yield [field(at), earlier === undefined, `repeats ${field(earlier ?? at)}; each must be different`]
    first.set(value, at)
  }
}

function* ofMeeting({ date, duration, agenda_items, chapters }: BundleMeeting): Generator<Check> {
  yield ["date", Number(date.slice(0, 4)) >= firstYear, `is before ${firstYear}; correct the year`]
  yield length("duration", duration)
  yield* differ(
    agenda_items.map(({ id }) => id),
    (at) => `agenda_items.${at}.id`
  )
  for (const [at, { start }] of agenda_items.entries()) yield length(`agenda_items.${at}.start`, start)
  for (const [at, { start, end }] of chapters.entries()) {
    yield length(`chapters.${at}.start`, start)
    yield length(`chapters.${at}.end`, end)
    yield [`chapters.${at}.end`, end >= start, "is before start; write the second at which the chapter ends"]
  }
}

function* checksOf(entity: BundleEntity): Generator<Check> {
  switch (entity.type) {
    case "agency":
      return yield* differ(entity.places, (at) => `places.${at}`)
    case "meeting":
      return yield* ofMeeting(entity)
    case "transcript":
      yield length("duration", entity.duration)
      for (const [at, { start, end }] of entity.segments.entries()) {
        yield length(`segments.${at}.start`, start)
        yield length(`segments.${at}.end`, end)
      }
      return
    case "claims":
      yield* differ(
        entity.claims.map(({ id }) => id),
        (at) => `claims.${at}.id`
      )
      for (const [at, { verdict, checked_at }] of entity.claims.entries()) {
        const isSound = (verdict === undefined) === (checked_at === undefined)
        yield [`claims.${at}.checked_at`, isSound, "must be written where there is a verdict, and only there"]
      }
      return
    case "removed": {
      const isOfMeeting = entity.what !== "agency"
      yield ["id", !isOfMeeting || isMeetingId(entity.id), `must be the id (a UUID) of the meeting`]
      return
    }
    case "clip":
      yield length("start", entity.start)
      yield length("end", entity.end)
      return yield ["end", entity.end > entity.start, "is not after start; write the second at which the clip ends"]
    case "media": {
      const isOfPart = entity.role === "figure" || entity.role === "clip"
      yield length("duration", entity.duration)
      yield pixels("width", entity.width)
      yield pixels("height", entity.height)
      return yield ["subject", isOfPart || entity.subject === undefined, `must be left out for a ${entity.role}`]
    }
  }
}

/** The first value of an entity that no column can store, whatever is on record; undefined if it is sound. */
export const flawOf = (entity: BundleEntity): Flaw | undefined => firstFlaw(checksOf(entity))
