import { callsOff } from "../../record/formats/legistar/status.ts"
import { tidy } from "../../record/formats/text.ts"

const bodyWords =
  /\b(councils?|boards?|commissions?|commissioners|committees?|subcommittees?|authority|trustees|supervisors|aldermen|selectmen|task force)\b/i

/** The part of a title after the body's name: "Regular Meeting", "Special Work Session". */
const occasion =
  /\s*\b((regular|special|called|annual|monthly|joint|emergency|organi[sz]ational|virtual|public|budget|study|work|closed|executive)\s+)*(meetings?|hearings?|sessions?|workshops?|retreat)\b.*$/i

const cancelled = /\b(?:cancel+ed|postponed|deferred)\b/i

/** Whether a title says that the meeting will not take place. */
export const titleCallsOff = (title: string): boolean => callsOff(title) || cancelled.test(title)

/** A title without its cancellation notice. */
export const plainTitle = (title: string): string =>
  tidy(title.replace(/[\s([*–-]*\b(?:cancel+ed|postponed)\b[\s)\]*:–-]*/gi, " "))

/**
 * The body named in the title of a calendar entry: "Planning Commission - Regular Meeting" is a meeting of the Planning
 * Commission. Undefined if it names none, because city calendars also list holidays and markets.
 */
export const bodyOfTitle = (title: string): string | undefined =>
  plainTitle(title)
    .split(/\s+[-–—|]\s+|[:;(]|,\s+(?=\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d)/i)
    .map((part) => tidy(part.replace(occasion, "").replace(/[\d/.,-]+$/, "")))
    .find((part) => bodyWords.test(part))
