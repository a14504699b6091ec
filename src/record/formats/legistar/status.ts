import { Result, Schema } from "effect"
import { decoder } from "../decode.ts"

/** Words that follow "the meeting" in a note that cancels it. */
const calledOff =
  "(?:cancel+ed|deferred(?!\\s+(?:items?|matters?|maintenance|compensation|business))|postponed|re-?scheduled\\s+(?:to|for|until))\\b"

/** A sentence that cancels the meeting it is attached to, and not one about another meeting. */
const calling = new RegExp(
  `^\\W*(?:(?:please\\s+)?(?:note|be advised)\\W+(?:that\\s+)?)?(?:(?:this|the|today's)\\s+)?(?:(?:committee|council|board|commission|public|regular|special)\\s+)*` +
    `(?:meeting|hearing|session|event|tour)?\\s*(?:(?:has|have|had)\\s+been|was|is|will\\s+be)?\\s*${calledOff}` +
    "|^\\W*no\\s+meeting\\b|^\\W*(?:the\\s+|this\\s+)?(?:meeting|hearing)\\s+(?:will\\s+not|did\\s+not)\\b",
  "i"
)

/**
 * Whether a note cancels the meeting it is attached to: "CANCELLED DUE TO SNOW", "This hearing has been deferred to May
 * 3". A note that only mentions another meeting ("Rescheduled from May 3", "In place of the meeting cancelled on May
 * 3") does not.
 */
export const callsOff = (note: string | null | undefined): boolean =>
  (note ?? "").split(/[.;!\n\r]+|\s[-–—*]+\s/).some((sentence) => calling.test(sentence))

const off = /^(?:cancel+ed|deferred|postponed)$/i

/** Whether an event was cancelled, by the status of its agenda or minutes, or only by its text. */
export const isCalledOff = (event: {
  readonly AgendaStatusName?: string | null
  readonly MinutesStatusName?: string | null
  readonly Comment?: string | null
  readonly Location?: string | null
}): boolean =>
  [event.AgendaStatusName, event.MinutesStatusName].some((status) => off.test(status?.trim() ?? "")) ||
  callsOff(event.Comment) ||
  callsOff(event.Location)

const decodePassed = decoder(Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/)))

/** The local day and time of a Legistar date, and its instant where it has an offset. */
export interface When {
  readonly date: string
  /** Minutes after midnight; undefined if the source has no time, which it writes as midnight. */
  readonly minutes: number | undefined
  readonly instant: string | undefined
}

const clock = /^\s*(\d{1,2}):(\d{2})\s*([ap])\.?\s*m\b/i

const minutesOf = (time: string | null | undefined): number | undefined => {
  const [, hour, minute, half] = clock.exec(time ?? "") ?? []
  if (hour === undefined || minute === undefined) return undefined
  return (Number(hour) % 12) * 60 + Number(minute) + (half?.toLowerCase() === "p" ? 720 : 0)
}

/**
 * When an event takes place: `Date` as `2019-07-29T09:30:00-04:00`, or at midnight with `Time` beside it. Undefined if
 * the date is missing or a placeholder such as `0001-01-01`.
 */
export const whenOf = (event: { readonly Date?: string | null; readonly Time?: string | null }): When | undefined => {
  const written = decodePassed(event.Date ?? undefined)
  if (Result.isFailure(written) || written.success < "1800") return undefined
  const date = written.success.slice(0, 10)
  const [hour = "0", minute = "0"] = written.success.slice(11, 16).split(":")
  const ofDate = Number(hour) * 60 + Number(minute)
  const hasOffset = /(?:Z|[+-]\d{2}:?\d{2})$/.test(written.success)
  const instant = ofDate > 0 && hasOffset ? new Date(written.success) : undefined
  return {
    date,
    minutes: ofDate > 0 ? ofDate : minutesOf(event.Time),
    instant:
      instant === undefined || Number.isNaN(instant.getTime()) ? undefined : instant.toISOString().replace(".000Z", "Z")
  }
}
