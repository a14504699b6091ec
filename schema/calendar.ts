import { Schema } from "effect"
import { CalendarDate, Instant, NonEmptyText, TimeZone, WebAddress } from "./primitives.ts"

/**
 * The calendar of a source of kind `json` (docs/calendar.md), for bodies whose software publishes no other readable
 * calendar. Drills serve the same shape (contract section 9).
 */
const optional = Schema.optionalKey

const line = NonEmptyText.check(Schema.isMaxLength(1000, { message: "must have at most 1000 characters" }))

/** A meeting of the calendar. Its details win over the schedule. */
const meeting = {
  /** The meeting's stable id in this calendar; it survives every other change. */
  id: line,
  /** The body's name as the public knows it. */
  body: line,
  /** The body's stable id in this calendar; it survives a rename. */
  body_id: optional(line),
  title: line,
  /** The day it takes place, in local time. */
  date: CalendarDate,
  starts_at: optional(Instant),
  /** It will not take place, or did not take place. */
  cancelled: optional(Schema.Boolean),
  location: optional(line),
  join_url: optional(WebAddress),
  /** The meeting's page for people. */
  source_url: optional(WebAddress),
  /** A PDF. */
  agenda_url: optional(WebAddress),
  minutes_url: optional(WebAddress),
  /** Its other documents; one that is called a packet is the packet. */
  attachments: optional(Schema.Array(Schema.Struct({ title: line, url: WebAddress }))),
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
  /** The time zone of the meetings; the place's zone unless given. */
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
