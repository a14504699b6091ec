import type { RemovalKind } from "../../schema/transcript.ts"

/** Times, dates and lengths in words for people. Machines get the exact value in an attribute beside them. */

/** Seconds into a recording: `1:02:03`, or `2:03`. */
export const clock = (seconds: number): string => {
  const [hours, minutes, rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor)
  const two = (value = 0) => String(value).padStart(2, "0")
  return hours === 0 ? `${minutes}:${two(rest)}` : `${hours}:${two(minutes)}:${two(rest)}`
}

/** A length of time in at most two units, with no-break spaces: `69 sec`, `42 min`, `2 h 5 min`. */
export const length = (seconds: number): string => {
  const minutes = Math.round(seconds / 60)
  if (seconds < 90) return `${Math.round(seconds)}\u00a0sec`
  return minutes < 60 ? `${minutes}\u00a0min` : `${Math.floor(minutes / 60)}\u00a0h ${minutes % 60}\u00a0min`
}

/** Calendar dates (`YYYY-MM-DD`) belong to the place that met: they are the same day whatever the reader's zone. */
const dates = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...options })
  return (date: string): string => format.format(new Date(`${date}T00:00:00Z`))
}

/** `Monday, November 9, 2026` */
export const longDate = dates({ weekday: "long", month: "long", day: "numeric", year: "numeric" })
/** `November 9, 2026` */
export const plainDate = dates({ month: "long", day: "numeric", year: "numeric" })
/** `Nov 9` */
export const shortDate = dates({ month: "short", day: "numeric" })
/** `Mon` */
export const weekday = dates({ weekday: "short" })
/** `November 2026` */
export const month = dates({ month: "long", year: "numeric" })

/** An instant by the clock of a place, and which clock that is: `7:00 PM` and `CST`. */
export const hourAndZone = (instant: string, timeZone: string): readonly [hour: string, zone: string] => {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short"
  }).formatToParts(new Date(instant))
  const of = (...types: ReadonlyArray<string>) =>
    parts.filter(({ type }) => types.includes(type)).map(({ value }) => value)
  return [`${of("hour", "minute").join(":")}\u00a0${of("dayPeriod").join("")}`, of("timeZoneName").join("")]
}

/** `7:00 PM CST` */
export const timeOfDay = (instant: string, timeZone: string): string => hourAndZone(instant, timeZone).join(" ")

/** An instant's day by the calendar of a place: `November 9, 2026`. */
export const dayAt = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-US", { timeZone, month: "long", day: "numeric", year: "numeric" }).format(
    new Date(instant)
  )

/** The text in place of a list if the record has no meetings. */
export const nothingHeld = "No held meeting is on record yet."

export const number = (count: number): string => count.toLocaleString("en-US")

/** `1 meeting`, `1,204 meetings` */
export const plural = (count: number, one: string, more = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : more}`

/** The kinds of what is taken out of a transcript: one of them, and several. */
export const removalKinds: Readonly<Record<RemovalKind, readonly [one: string, more: string]>> = {
  home: ["home address", "home addresses"],
  box: ["P.O. box", "P.O. boxes"],
  phone: ["phone number", "phone numbers"],
  email: ["e-mail address", "e-mail addresses"],
  other: ["other passage", "other passages"]
}
