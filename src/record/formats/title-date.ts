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

/** The one date that a title states (`YYYY-MM-DD`); undefined if it states none, or several. */
export const dateOfTitle = (title: string): string | undefined => {
  const dates = new Set(
    spellings.flatMap(([pattern, read]) => [...title.matchAll(pattern)].flatMap((match) => read(match.slice(1))))
  )
  return dates.size === 1 ? [...dates][0] : undefined
}
