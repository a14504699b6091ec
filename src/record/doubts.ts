import { DateTime } from "effect"
import type { BundleEntity } from "../../schema/bundle.ts"

/** An entity's value that can be stored but is hardly true, and what to write instead. */
export interface Doubt {
  readonly field: string
  readonly message: string
}

const day = 24 * 3600 * 1000

/**
 * Doubtful dates of a meeting: held in the future, or starting on another day than its own. A day of grace covers every
 * time zone.
 */
export const doubtsOf = (entity: BundleEntity, now: DateTime.Utc): ReadonlyArray<Doubt> => {
  if (entity.type !== "meeting") return []
  const { date, starts_at, status } = entity
  const midnight = Date.parse(date)
  const isToCome = midnight - DateTime.toEpochMillis(now) > day
  const start = starts_at === undefined ? midnight : Date.parse(starts_at)
  const isElsewhere = start - midnight > 2 * day || midnight - start > day
  return [
    ...(status === "held" && isToCome
      ? [{ field: "status", message: `is held, but ${date} is still to come; write upcoming or correct the date` }]
      : []),
    ...(isElsewhere
      ? [{ field: "starts_at", message: `is ${starts_at}, but the meeting is on ${date}; correct one of them` }]
      : [])
  ]
}
