import { firstDayOf } from "../../schema/search-query.ts"

/** The days that somebody typed among the words of a search. */
export interface TypedDates {
  /** As typed: `october 23, 2025`. */
  readonly text: string
  /** The first and the last of the days, `YYYY-MM-DD`. */
  readonly from: string
  readonly to: string
  /** The query without them. */
  readonly q: string
}

const months = [
  "jan(?:uary)?",
  "feb(?:ruary)?",
  "mar(?:ch)?",
  "apr(?:il)?",
  "may",
  "june?",
  "july?",
  "aug(?:ust)?",
  "sept?(?:ember)?",
  "oct(?:ober)?",
  "nov(?:ember)?",
  "dec(?:ember)?"
]
const month = `(?:${months.join("|")})\\.?`
const dayOfMonth = "\\d{1,2}(?:st|nd|rd|th)?"
const year = "(?:19|20)\\d{2}"

/**
 * Only what can hardly be anything else: `2025`, `2025-10` and `10/2` are as likely fiscal years, ordinances and items
 * of an agenda, and `may` and `march` are words.
 */
const shapes = [
  `(?<iso>${year}[-/]\\d{1,2}[-/]\\d{1,2})`,
  `(?<us>\\d{1,2}[-/]\\d{1,2}[-/]${year})`,
  `(?<day>${month} +${dayOfMonth},? +${year}|\\d{1,2}(?:st|nd|rd|th)? +${month},? +${year})`,
  `(?<month>${month},? +${year})`,
  `(?<which>last|this) +(?<unit>month|year|${month})`
]

/** A preposition goes along. After those that make it a bound, the date is left to the words and to `after:`. */
const dates = new RegExp(
  `(?<![^\\s(])(?<!(?:before|after|since|until|till|through|by|between):? +)(?:(?:in|on|of|from|during) +)?(?:${shapes.join("|")})(?=[,.;)?]*(?:\\s|$))[,.;)?]*`,
  "giu"
)

const dayText = (at: Date): string => at.toISOString().slice(0, 10)
const utc = (inYear: number, inMonth: number, day: number): string => dayText(new Date(Date.UTC(inYear, inMonth, day)))

/** The first and the last day of a month, which counts from 0. */
const wholeMonth = (inYear: number, inMonth: number) =>
  ({ from: utc(inYear, inMonth, 1), to: utc(inYear, inMonth + 1, 0) }) as const

/** `last september`: the one before this month; `this september`: that of this year. */
const relative = (which: string, unit: string, today: Date) => {
  const thisYear = today.getUTCFullYear()
  const thisMonth = today.getUTCMonth()
  const isLast = which.toLowerCase() === "last"
  if (unit.toLowerCase() === "year") {
    const inYear = isLast ? thisYear - 1 : thisYear
    return { from: utc(inYear, 0, 1), to: utc(inYear, 11, 31) }
  }
  if (unit.toLowerCase() === "month") return wholeMonth(thisYear, isLast ? thisMonth - 1 : thisMonth)
  const named = months.findIndex((one) => new RegExp(`^(?:${one})\\.?$`, "iu").test(unit))
  return wholeMonth(isLast && named >= thisMonth ? thisYear - 1 : thisYear, named)
}

const readDate = (groups: Record<string, string | undefined>, today: Date) => {
  const { iso, us, day, month: named, which, unit } = groups
  if (which !== undefined && unit !== undefined) return relative(which, unit, today)
  const written = iso ?? us?.replaceAll("-", "/") ?? day?.replace(/(?<=\d)(?:st|nd|rd|th)/iu, "").replaceAll(",", "")
  if (written !== undefined) {
    const one = firstDayOf(written.replaceAll(/ +/gu, " ").replace(/^(\d+ \p{L}+)\./u, "$1"))
    return one === undefined ? undefined : { from: one, to: one }
  }
  const first = named === undefined ? undefined : firstDayOf(named.replaceAll(",", ""))
  if (first === undefined) return undefined
  const at = new Date(`${first}T00:00:00Z`)
  return wholeMonth(at.getUTCFullYear(), at.getUTCMonth())
}

/** Blanks what is in quotes, and everything in a query with `or`, where a date would belong to one side only. */
const unquoted = (q: string): string =>
  q
    .replace(/[“”„‟«»]/gu, '"')
    .replace(/\S*"[^"]*"?/gu, (quoted) => "\u0000".repeat(quoted.length))
    .replace(/^.*(?<!\S)or(?!\S).*$/isu, (whole) => "\u0000".repeat(whole.length))

/**
 * The date among the words of a search: a day, a month with its year, or one that is counted from `today`. None where
 * there are several, for nobody meets on both; in quotes, and beside `or`, they are words.
 */
export const datesIn = (q: string, today: Date): TypedDates | undefined => {
  const found = [...unquoted(q).matchAll(dates)].flatMap((match) => {
    const days = readDate(match.groups ?? {}, today)
    return days === undefined ? [] : [{ ...days, at: match.index, length: match[0].length }]
  })
  const [one] = found
  if (one === undefined || found.length > 1) return undefined
  const { from, to, at, length } = one
  const rest = `${q.slice(0, at)} ${q.slice(at + length)}`
  return {
    text: q.slice(at, at + length).trim(),
    from,
    to,
    q: rest.trim().replaceAll(/\s+/gu, " ")
  }
}
