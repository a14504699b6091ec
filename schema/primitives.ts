import { Schema } from "effect"

/**
 * Identifiers are UUIDs in lower case (RFC 9562); each resource brands its own, so that one cannot be passed for
 * another.
 */
const uuid = Schema.String.check(Schema.isUUID())
export const isUuid = Schema.is(uuid)

export const MeetingId = uuid.pipe(Schema.brand("MeetingId")).annotate({
  description: "The meeting's id. It does not change when the same record is imported again.",
  examples: ["3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90" as never]
})
export type MeetingId = typeof MeetingId.Type

export const AgendaItemId = uuid.pipe(Schema.brand("AgendaItemId"))
export type AgendaItemId = typeof AgendaItemId.Type

export const ClipId = uuid.pipe(Schema.brand("ClipId"))
export type ClipId = typeof ClipId.Type

export const ClaimId = uuid.pipe(Schema.brand("ClaimId"))
export type ClaimId = typeof ClaimId.Type

export const FigureId = uuid.pipe(Schema.brand("FigureId"))
export type FigureId = typeof FigureId.Type

export const UserClipId = uuid.pipe(Schema.brand("UserClipId"))
export type UserClipId = typeof UserClipId.Type

export const AccountId = uuid.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** Whether `YYYY-MM-DD` is a day that exists. */
export const calendarDate = (value: string): boolean => {
  const instant = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(value)
}

/** A day in the calendar of the place that met, `YYYY-MM-DD` (ISO 8601); days that do not exist are refused. */
export const CalendarDate = Schema.String.check(
  Schema.makeFilter((value) => calendarDate(value) || "must be a day that exists"),
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u, { message: "must be a date written YYYY-MM-DD" })
).annotate({ description: "A date, `YYYY-MM-DD`.", examples: ["2026-03-10"] })

/** An instant in UTC, ISO 8601 with `Z`. */
export const Instant = Schema.String.check(
  Schema.makeFilter((value) => calendarDate(value.slice(0, 10)) || "must be a day that exists"),
  Schema.makeFilter((value) => !Number.isNaN(Date.parse(value)) || "must be a time of day that exists"),
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/u, {
    message: "must be an instant in UTC, written like 2026-03-10T23:30:00Z"
  })
).annotate({ description: "An instant, ISO 8601 in UTC with `Z`.", examples: ["2026-03-10T23:30:00Z"] })

/** Seconds from the start of a recording, or a length in seconds; at most 3 decimals on the wire. */
export const Seconds = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
  description: "Seconds: an offset into the recording or a duration, with at most 3 decimals.",
  examples: [754.32]
})

/** Seconds as they may be written in JSON: a JSON number cannot be Infinity or NaN. */
export const roundSeconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

export const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ examples: [12] })

/** The words of a name in lower case, joined by hyphens, for use in addresses. */
export const Slug = Schema.String.check(
  Schema.isPattern(/^[a-z0-9]+(-[a-z0-9]+)*$/u, { message: "must be lowercase words joined by hyphens" }),
  Schema.isMaxLength(160)
).annotate({ description: "Lowercase words joined by hyphens.", examples: ["springfield-city-council"] })

/** A US state or territory by its two capital letters (USPS Publication 28). */
export const StateCode = Schema.String.check(
  Schema.isPattern(/^[A-Z]{2}$/u, { message: "must be the two capital letters of a state" })
).annotate({ description: "A US state, by its two-letter code.", examples: ["IL"] })

const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * Zones already validated. Validating one takes 0.1 ms, and every meeting on a page has one. Names ignore case, so
 * there are more spellings than the 600 zones; past the bound, a name is validated each time.
 */
const goodZones = new Set<string>()
const mostGoodZones = 2000

const isGoodZone = (name: string): boolean => {
  if (goodZones.has(name)) return true
  if (!isZone(name)) return false
  if (goodZones.size < mostGoodZones) goodZones.add(name)
  return true
}

/** A time zone by its IANA name, from this runtime's tz database. */
export const TimeZone = Schema.String.check(
  Schema.makeFilter((value) => isGoodZone(value) || "must be an IANA time zone such as America/Chicago"),
  Schema.isPattern(/^[A-Za-z0-9_+/-]+$/u, { message: "must be an IANA time zone such as America/Chicago" })
).annotate({ description: "An IANA time zone.", examples: ["America/Chicago"] })

/**
 * A web address, which pages and cards take apart. Only http and https, so that no page ever links to a script.
 */
export const WebAddress = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s]+$/u, { message: "must be an http or https address" }),
  Schema.makeFilter((value) => URL.canParse(value) || "must be an address with a host and port that can exist"),
  Schema.isMaxLength(2048)
).annotate({ examples: ["https://example.gov/agenda.pdf"] })
export const isWebAddress = Schema.is(WebAddress)

/** A path on this origin. */
export const PagePath = Schema.String.annotate({
  description: "A path on this origin.",
  examples: ["/in/springfield/city-council"]
})

export const NonEmptyText = Schema.String.check(Schema.isPattern(/\S/u, { message: "must not be empty" }))

/** The name of a place, a body or a meeting. Every list shows it, so it is one line. */
export const Name = NonEmptyText.check(Schema.isMaxLength(1000, { message: "must have at most 1000 characters" }))

export const Language = Schema.String.check(
  Schema.isPattern(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/u, { message: "must be a BCP 47 language tag such as en-US" })
).annotate({ description: "A BCP 47 language tag.", examples: ["en-US"] })
