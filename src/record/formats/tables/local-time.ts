import { DateTime, Option } from "effect"

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const dayOf = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1850 && year <= 2150
  return isReal ? date.toISOString().slice(0, 10) : undefined
}

/** A day as Americans and spreadsheets write it: `2026-02-10`, `2/10/2026`, `Feb 10, 2026`, or days since 1899. */
export const dayIn = (text: string): string | undefined => {
  const said = text.trim()
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/.exec(said) ?? []
  if (year !== undefined) return dayOf(Number(year), Number(month), Number(day))
  const [, first, second, third = ""] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:\s.*)?$/.exec(said) ?? []
  if (first !== undefined)
    return dayOf(Number(third.length === 2 ? `20${third}` : third), Number(first), Number(second))
  const [, name = "", date, full] =
    /^(?:[a-z]+,?\s+)?([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?:\s.*)?$/i.exec(said) ?? []
  if (full !== undefined) return dayOf(Number(full), months.indexOf(name.slice(0, 3).toLowerCase()) + 1, Number(date))
  // Excel counts days from the last of 1899, and a 29 February 1900 that was none.
  const serial = /^\d{5}(?:\.\d+)?$/.test(said) ? Math.floor(Number(said)) : Number.NaN
  return serial > 10_000 && serial < 90_000
    ? new Date(Date.UTC(1899, 11, 30) + serial * 86_400_000).toISOString().slice(0, 10)
    : undefined
}

/** Minutes after midnight of `6:30 PM`, `18:30`, `2026-02-10T18:30`, or a fraction of a day. */
export const minutesIn = (text: string): number | undefined => {
  const [, hour, minute = "00", half] =
    /(?:^|[T\s])(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*(?:([ap])\.?\s*m\.?)?$/i.exec(text.trim()) ?? []
  const fraction = /^(?:\d{5})?0?\.\d+$/.test(text.trim()) ? Number(text) % 1 : undefined
  if (fraction !== undefined) return Math.round(fraction * 1440)
  if (hour === undefined || (half === undefined && !/\d:\d{2}/.test(text))) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === "p" ? 12 : 0)
  return hours < 24 && Number(minute) < 60 ? hours * 60 + Number(minute) : undefined
}

/** The instant of a local time. */
export const instantOf = (date: string, minutes: number, timeZone: string): string | undefined => {
  const clock = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`
  return Option.getOrUndefined(
    Option.map(DateTime.makeZoned(`${date}T${clock}:00Z`, { timeZone, adjustForTimeZone: true }), (at) =>
      DateTime.formatIso(DateTime.toUtc(at)).replace(".000Z", "Z")
    )
  )
}
