import { DateTime, Option } from "effect"
import type { BundleEntity } from "../../schema/bundle.ts"

/** An entity's value that is hardly true, and what to write instead. */
export interface Doubt {
  readonly field: string
  readonly message: string
}

/** When something takes place; its day is one of its own time zone. */
interface When {
  readonly date: string
  readonly starts_at?: string | undefined
  readonly timezone: string
}

/** Whether an instant is missing or on its meeting's day. */
export const isOnItsDay = ({ date, starts_at, timezone }: When): boolean =>
  starts_at === undefined ||
  Option.match(
    Option.flatMap(DateTime.make(starts_at), (at) => DateTime.setZoneNamed(at, timezone)),
    { onNone: () => true, onSome: (at) => DateTime.formatIsoDate(at) === date }
  )

const day = 24 * 3600 * 1000

/**
 * A meeting without an instant that contradicts its day, and its doubts: that instant, and being held in the future. A
 * day of grace covers every time zone.
 */
export const withoutDoubts = (
  entity: BundleEntity,
  now: DateTime.Utc
): { readonly entity: BundleEntity; readonly doubts: ReadonlyArray<Doubt> } => {
  if (entity.type !== "meeting") return { entity, doubts: [] }
  const { starts_at, ...rest } = entity
  const { date, status, timezone } = entity
  const isToCome = Date.parse(date) - DateTime.toEpochMillis(now) > day
  const held =
    status === "held" && isToCome
      ? [{ field: "status", message: `is held, but ${date} is still to come; write upcoming or correct the date` }]
      : []
  if (isOnItsDay(entity)) return { entity, doubts: held }
  const message = `is ${starts_at}, but the meeting is on ${date} (${timezone}); it is left out, correct one of them`
  return { entity: rest, doubts: [...held, { field: "starts_at", message }] }
}
