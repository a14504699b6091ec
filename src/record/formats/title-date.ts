import { Result } from "effect"
import { CalendarDate } from "../../../schema/primitives.ts"
import { decoder } from "./decode.ts"

const decodeDate = decoder(CalendarDate)

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

const written = (year: string, month: string, day: string): ReadonlyArray<string> => {
  const full = year.length === 2 ? `20${year}` : year
  const date = `${full}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
  return Result.isSuccess(decodeDate(date)) ? [date] : []
}

const monthNumber = (name: string): string => String(months.indexOf(name.slice(0, 3).toLowerCase()) + 1)

const monthName = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?"

/** The ways in which titles write a date, each with the dates it may mean. */
const spellings: ReadonlyArray<readonly [RegExp, (groups: ReadonlyArray<string>) => ReadonlyArray<string>]> = [
  // 2010-01-24, 2010_01_24
  [
    /(?<!\d)(\d{4})[-_./](\d{1,2})[-_./](\d{1,2})(?!\d)/g,
    ([year = "", month = "", day = ""]) => written(year, month, day)
  ],
  // 12/2/2026, 12.2.2026, 11-16-26
  [
    /(?<![\d/.-])(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d]|[-/.]\d)/g,
    ([month = "", , day = "", year = ""]) => written(year, month, day)
  ],
  // 070122
  [/(?<!\d)(\d{2})(\d{2})(\d{2})(?!\d)/g, ([year = "", month = "", day = ""]) => written(year, month, day)],
  // January 24, 2010; Jan 24 10
  [
    new RegExp(`\\b${monthName}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,\\s*|\\s+)(\\d{4}|\\d{2})(?!\\d)`, "gi"),
    ([month = "", day = "", year = ""]) => written(year, monthNumber(month), day)
  ],
  // Jan 2410
  [
    new RegExp(`\\b${monthName}\\s+(\\d{2})(\\d{2})(?!\\d)`, "gi"),
    ([month = "", day = "", year = ""]) => written(year, monthNumber(month), day)
  ]
]

/** A day without a year: `December 2nd`, `12/2`. */
const yearless = new RegExp(
  `\\b${monthName}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?!\\d|,?\\s+\\d{4})|(?<![\\d/.-])(\\d{1,2})/(\\d{1,2})(?![\\d/.-])`,
  "gi"
)

/** The day of a year that is nearest to `near`: a recording of "December 30th" that is published in January. */
const nearest = (title: string, near: string): ReadonlyArray<string> =>
  [...title.matchAll(yearless)].flatMap(([, name, ofName = "", number = "", ofNumber = ""]) => {
    const [month, day] = name === undefined ? [number, ofNumber] : [monthNumber(name), ofName]
    const distance = (date: string) => Math.abs(Date.parse(date) - Date.parse(near))
    return [-1, 0, 1]
      .flatMap((years) => written(String(Number(near.slice(0, 4)) + years), month, day))
      .toSorted((one, other) => distance(one) - distance(other))
      .slice(0, 1)
  })

/**
 * The one date that a title states (`YYYY-MM-DD`); undefined if it states none, or several. A day without a year counts
 * only where the title is known to be from about the day `near`.
 */
export const dateOfTitle = (title: string, near?: string): string | undefined => {
  const stated = spellings.flatMap(([pattern, read]) =>
    [...title.matchAll(pattern)].flatMap((match) => read(match.slice(1)))
  )
  const dates = new Set(stated.length > 0 || near === undefined ? stated : nearest(title, near))
  return dates.size === 1 ? [...dates][0] : undefined
}
