import { DateTime, Effect } from "effect"
import { zoneOfPlace } from "../../record/formats/place-zone.ts"
import { readable } from "../../record/readable.ts"
import type { CrawlableSource } from "../../services/sources/crawls.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import { type Days, NoCalendar } from "./calendar.ts"
import { readers } from "./readers.ts"

/** The days before and after today to request from a calendar. */
const daysBack = 365
const daysAhead = 365

/** The days around an instant that are requested. */
export const aroundNow = (now: DateTime.Utc): Days => ({
  from: DateTime.formatIsoDate(DateTime.subtract(now, { days: daysBack })),
  to: DateTime.formatIsoDate(DateTime.add(now, { days: daysAhead }))
})

const readableMeeting = (meeting: SourceMeeting): SourceMeeting => ({
  ...meeting,
  title: readable(meeting.title),
  source_body: readable(meeting.source_body),
  location: meeting.location === undefined ? undefined : readable(meeting.location),
  attachments: meeting.attachments?.map(({ title, url }) => ({ title: readable(title), url }))
})

/** The days of the past that one reading of a source asks for; 0 if its calendar has no past. */
export const pastDaysOf = ({ kind }: CrawlableSource): number => readers[kind].pastDays ?? 366

/**
 * Reads a source's calendar: its meetings from a year ago to a year from now, or of the days that are asked for, along
 * with those days. Undefined if it has not changed since the last crawl.
 */
export const readCalendar = Effect.fn("Calendar.read")(function* (
  source: CrawlableSource,
  web: PoliteWeb["Service"],
  asked?: Days
) {
  const { state, kind, name, county } = source.place
  const zone = yield* zoneOfPlace({
    ...{ state, place: name, place_kind: kind },
    ...(county === null ? {} : { county })
  })
  if (zone === undefined) return yield* new NoCalendar({ message: "The place's state has no time zone." })
  const { timezone, note } = zone
  if (note !== undefined) yield* Effect.logInfo(`The time zone of the calendar's place ${note}`)
  const days = asked ?? aroundNow(yield* DateTime.now)
  const list = yield* readers[source.kind].read({ ...source, timezone }, days, web)
  return list === undefined ? undefined : { ...list, days, meetings: list.meetings.map(readableMeeting) }
})
