import { callsOff } from "../../record/formats/legistar/status.ts"
import { tidy } from "../../record/formats/text.ts"
import { bodyName, isMeeting } from "../../text/body-name/body-name.ts"

const month = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?"
/** A day as titles write it: `12/2/2026`, `11-16-26`, `December 2nd`, `Tue., Dec. 2, 2026`. */
const day = `(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\\.?,?\\s+)?(?:\\d{4}[-./_]\\d{1,2}[-./_]\\d{1,2}|\\d{1,2}(?:[-./]\\d{1,2}[-./](?:\\d{4}|\\d{2})|/\\d{1,2})(?![\\d]|[-./]\\d)|${month}\\s+\\d{1,2}(?:st|nd|rd|th)?\\b(?:,?\\s+(?:\\d{4}|'?\\d{2}(?![\\d:])))?|\\d{1,2}(?:st|nd|rd|th)?\\s+${month}\\s+\\d{4})`
const hour =
  "\\d{1,2}(?::\\d{2}\\s*(?:[ap]\\.?m\\b\\.?)?|\\s*[ap]\\.?m\\b\\.?)(?:\\s*[-–]\\s*\\d{1,2}(?::\\d{2})?\\s*(?:[ap]\\.?m\\b\\.?)?)?"
const when = new RegExp(`[\\s,@(–-]*(?:\\b(?:on|at|for|of)\\s+)?(?<![\\w/.])(?:${day}|${hour})\\)?`, "gi")

const called = "cancel+ed|cancel+ation|postponed|deferred|re-?scheduled|moved"
/** What becomes of a meeting, as titles say it, with its day, place or reason up to the next mark. */
const notice = new RegExp(
  `[\\s([*–—:,-]*(?:\\b(?:this |the )?(?:meeting |hearing )?(?:has been |is |was )?)?\\b(?:${called})\\b(?:\\s+(?:to|from|until|till|due|because|for|by)\\b[^)\\]*:;–—]*?(?=[)\\]*:;–—]|\\s-\\s|--|$))?[\\s)\\]*:!,–—-]*|[\\s(]*\\bno meeting\\b[)\\s–:-]*|[\\s,(–-]*\\b(?:due to|because of)\\b[^)]*\\)?`,
  "gi"
)
const off = new RegExp(
  `\\b(?:cancel+ed|cancel+ation|postponed|deferred)\\b|\\bno meeting\\b|\\bre-?scheduled\\s+(?:to|for|until)\\b|\\bmoved\\s+(?:to|until)\\s+(?=${day})`,
  "i"
)

/**
 * Whether a title says that the meeting will not take place, or not on its day: "CANCELLED", "(RESCHEDULED to Dec 9)",
 * "MOVED TO 12/9". One that was moved to another room, or to this day, takes place.
 */
export const titleCallsOff = (title: string): boolean => callsOff(title) || off.test(title)

/** A title without notices of what becomes of the meeting. */
export const plainTitle = (title: string): string =>
  tidy(title.replace(notice, " - ")).replace(/^[\s/–-]+|[\s/–-]+$/g, "")

/** A title without its notices, days and hours. */
export const withoutDays = (title: string): string => tidy(plainTitle(title).replace(when, " "))

/**
 * The body named in the title of a calendar entry: "Planning Commission - Regular Meeting" is a meeting of the Planning
 * Commission. Undefined if it names none, because city calendars also list holidays and markets.
 */
export const bodyOfTitle = (title: string): string | undefined => bodyName(withoutDays(title))

/** A body's name without the place's: "City of Springfield Library Board" at Springfield is the Library Board. */
const atPlace = (name: string, place: string): string => {
  const [, rest] = /^(?:city|town|village|township|borough|county)\s+of\s+(.+)$/i.exec(name) ?? []
  const isHere = rest?.toLowerCase().startsWith(`${place.toLowerCase()} `) ?? false
  return rest !== undefined && isHere ? rest.slice(place.length + 1) : name
}

/**
 * The body that a calendar entry is a meeting of: the one its title names. Where a title says only that somebody meets
 * ("Regular Meeting"), what it stands in (its category, its calendar's name) may name who.
 */
export const bodyOfEntry = (title: string, context: ReadonlyArray<string>, place: string): string | undefined => {
  const named = bodyOfTitle(title)
  const around = named === undefined && isMeeting(withoutDays(title)) ? context.map((text) => bodyOfTitle(text)) : []
  const body = named ?? around.find((name) => name !== undefined)
  return body === undefined ? undefined : atPlace(body, place)
}
