import { Schema } from "effect"
import { CalendarDate, Instant, NonEmptyText, TimeZone, WebAddress } from "./primitives.ts"

/**
 * The calendar of a source of the kind `json` (docs/calendar.md), for bodies whose software has no calendar that others
 * can read. Drills serve the same shape (contract section 9).
 */
const optional = Schema.optionalKey

const line = NonEmptyText.check(Schema.isMaxLength(1000, { message: "must have at most 1000 characters" }))

/** A meeting of the calendar. What its details say counts more than what the schedule says. */
const meeting = {
  /** What identifies the meeting in this calendar forever, whatever else about it changes. */
  id: line,
  /** The body's name as the public knows it. */
  body: line,
  /** What identifies the body in this calendar forever: a body that is renamed keeps it. */
  body_id: optional(line),
  title: line,
  /** The day it takes place, where it takes place. */
  date: CalendarDate,
  starts_at: optional(Instant),
  /** It will not take place, or did not. */
  cancelled: optional(Schema.Boolean),
  location: optional(line),
  join_url: optional(WebAddress),
  /** The meeting's page for people. */
  source_url: optional(WebAddress),
  /** A PDF. */
  agenda_url: optional(WebAddress),
  minutes_url: optional(WebAddress),
  /** The recording as a file. */
  video_url: optional(WebAddress),
  /** WebVTT or SRT. */
  captions_url: optional(WebAddress)
}

/** One meeting, at its `details_url`. */
export const CalendarMeeting = Schema.Struct(meeting).annotate({
  identifier: "CalendarMeeting",
  description: "One meeting of a calendar that is crawled."
})
export interface CalendarMeeting extends Schema.Schema.Type<typeof CalendarMeeting> {}

/** Everything that is scheduled or was held, in any order. */
export const CalendarSchedule = Schema.Struct({
  /** Where the bodies meet; the zone of the place unless given. */
  timezone: optional(TimeZone),
  meetings: Schema.Array(
    Schema.Struct({
      ...meeting,
      /** Where the meeting's details are, as a `CalendarMeeting`. */
      details_url: optional(WebAddress)
    })
  )
}).annotate({ identifier: "CalendarSchedule", description: "A calendar that is crawled." })
export interface CalendarSchedule extends Schema.Schema.Type<typeof CalendarSchedule> {}
