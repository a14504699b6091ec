import { DateTime, Option } from "effect"

/** The zone of every place of the sample. */
export const zone = "America/Chicago"

const onDay = (date: string) => DateTime.makeUnsafe(`${date}T00:00:00Z`)

/** The day that many days after another, both `YYYY-MM-DD`. */
const dayAfter = (date: string, days: number): string => DateTime.formatIsoDateUtc(DateTime.add(onDay(date), { days }))

/** The nth given weekday (0 is Sunday) strictly before (-n) or after (n) a day. */
export const weekdayFrom = (today: string, weekday: number, weeks: number): string => {
  const now = DateTime.toPartsUtc(onDay(today)).weekDay
  const ahead = (weekday - now + 7) % 7 || 7
  const behind = (now - weekday + 7) % 7 || 7
  return dayAfter(today, weeks > 0 ? ahead + 7 * (weeks - 1) : 7 * (weeks + 1) - behind)
}

/** The instant of a wall-clock time (`HH:MM`) on a day in the sample's zone. */
export const instantOf = (date: string, at: string): DateTime.Utc => {
  const local = DateTime.makeZoned(`${date}T${at}:00Z`, { timeZone: zone, adjustForTimeZone: true })
  return DateTime.toUtc(Option.getOrThrow(local))
}

/** "Tuesday, March 10, 2026", or "March 10". */
export const spokenDay = (date: string, style: "long" | "short"): string =>
  DateTime.formatUtc(onDay(date), {
    locale: "en-US",
    month: "long",
    day: "numeric",
    ...(style === "long" ? { weekday: "long", year: "numeric" } : {})
  })

/** Fills in the days that a text names: `{+14}` is 14 days after `date`, `{year}` its year. */
export const withDays = (text: string, date: string): string =>
  text
    .replace(/\{([+-]\d+)\}/g, (_, days: string) => spokenDay(dayAfter(date, Number(days)), "short"))
    .replace(/\{year(?:\+(\d+))?\}/g, (_, years: string | undefined) =>
      String(Number(date.slice(0, 4)) + Number(years ?? 0))
    )
