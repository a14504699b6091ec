import { DateTime, Option } from "effect"

export type Cadence = "daily" | "weekly"

/** The time zone of readers who have not set one. */
export const defaultZone = "America/Chicago"

/** Mails are sent at seven in the morning, weekly ones on Monday. */
const morning = { hour: 7, minute: 0, second: 0, millisecond: 0 }
const monday = 1
const days = { daily: 1, weekly: 7 } as const

/** The last moment up to `now` at which a digest is sent, by the wall clock of a zone, across its clock changes. */
export const latestSlot = (now: DateTime.Utc, timezone: string, cadence: Cadence): DateTime.Utc => {
  const zone = Option.getOrElse(DateTime.zoneMakeNamed(timezone), () => DateTime.zoneMakeNamedUnsafe(defaultZone))
  const today = DateTime.setParts(DateTime.setZone(now, zone), morning)
  const sinceMonday = (DateTime.getPart(today, "weekDay") - monday + 7) % 7
  const slot = cadence === "daily" ? today : DateTime.subtract(today, { days: sinceMonday })
  return DateTime.toUtc(DateTime.isGreaterThan(slot, now) ? DateTime.subtract(slot, { days: days[cadence] }) : slot)
}
