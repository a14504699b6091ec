import { Effect, Result, Schema } from "effect"
import { CalendarMeeting, CalendarSchedule } from "../../../schema/calendar.ts"
import { decoder, type Fault, tolerantDecoder } from "../../record/formats/decode.ts"
import { meetingId } from "../../record/formats/ids.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { jsonPage, logLeftOut, validatorsOf } from "./json-page.ts"

/** The most meeting details that one crawl fetches; the newest come first. */
const mostDetails = 100

const decodeSchedule = decoder(Schema.Struct({ ...CalendarSchedule.fields, meetings: Schema.Array(Schema.Unknown) }))
const decodeListed = tolerantDecoder(CalendarSchedule.fields.meetings.value)
const decodeMeeting = tolerantDecoder(CalendarMeeting)

const noCalendar = ({ field, message }: Fault) =>
  new NoCalendar({ message: `The calendar is not one: ${field || "it"} ${message}.` })

const sourceMeeting = (meeting: CalendarMeeting, url: string, timezone: string): SourceMeeting => {
  const { id, body, body_id, cancelled, ...rest } = meeting
  return {
    ...rest,
    id: meetingId("json", url, id),
    external_id: id,
    source_body: body,
    body_external_id: body_id,
    timezone,
    is_cancelled: cancelled === true
  }
}

/** The project's own calendar format (docs/calendar.md), including details at separate addresses. */
export const jsonCalendar: CalendarReader = {
  // One page has all that it has.
  pastDays: 36_500,
  read: Effect.fn("JsonCalendar.read")(function* (source, days, web) {
    const page = yield* jsonPage(web, source.url, validatorsOf(source))
    if (page === undefined) return undefined
    const schedule = decodeSchedule(page.value)
    if (Result.isFailure(schedule)) return yield* noCalendar(schedule.failure)
    const { timezone = source.timezone } = schedule.success
    const meetings: Array<(typeof CalendarSchedule.Type)["meetings"][number]> = []
    for (const [at, value] of schedule.success.meetings.entries()) {
      const listed = decodeListed(value)
      if (Result.isFailure(listed)) {
        const { field, message } = listed.failure
        return yield* noCalendar({ field: `meetings.${at}${field === "" ? "" : `.${field}`}`, message })
      }
      yield* logLeftOut(listed.success.leftOut)
      meetings.push(listed.success.value)
    }
    const wanted = meetings.filter(({ date }) => isWithin(days, date))
    const detailed = wanted
      .toSorted((a, b) => (a.date < b.date ? 1 : -1))
      .filter(({ details_url }) => details_url !== undefined)
      .slice(0, mostDetails)
    const details = new Map<string, CalendarMeeting>()
    for (const { id, details_url = "" } of detailed) {
      const found = yield* jsonPage(web, details_url)
      const meeting = decodeMeeting(found?.value)
      // The schedule alone is enough to list the meeting.
      if (Result.isSuccess(meeting) && meeting.success.value.id === id) {
        yield* logLeftOut(meeting.success.leftOut)
        details.set(id, meeting.success.value)
      } else yield* Effect.logWarning("The details of a meeting are not in the calendar's shape", { url: details_url })
    }
    return {
      meetings: wanted.map(({ details_url, ...meeting }) =>
        sourceMeeting(details.get(meeting.id) ?? meeting, source.url, timezone)
      ),
      isWhole: true,
      namesBodies: true,
      // Details can change while the schedule does not.
      validators: detailed.length > 0 ? {} : page.validators
    }
  })
}
