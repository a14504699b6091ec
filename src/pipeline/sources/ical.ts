import { DateTime, Effect, Option } from "effect"
import ICAL from "ical.js"
import { meetingId } from "../../record/formats/ids.ts"
import { detailsOf } from "../../record/formats/legistar/details.ts"
import { shorten, tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { bodyOfTitle, plainTitle, titleCallsOff } from "./body-of-title.ts"
import { type CalendarReader, type Days, NoCalendar } from "./calendar.ts"
import { faultsOfAddresses, logLeftOut, validatorsOf } from "./json-page.ts"

const longestFile = 8_000_000
/** The most occurrences of one event to examine: ten years of days. */
const mostOccurrences = 3660

/** When an event begins; a whole-day event has no time. */
interface Begin {
  readonly date: string
  readonly startsAt: string | undefined
}

const written = (instant: Date) => instant.toISOString().replace(".000Z", "Z")

const isZone = (name: string) => Option.isSome(DateTime.zoneMakeNamed(name))

/** A time in the zone that the calendar defines, else in the zone it names, else in the place's zone. */
const beginOf = (time: ICAL.Time, timezone: string): Begin | undefined => {
  const date = time.toString().slice(0, 10)
  if (time.isDate) return { date, startsAt: undefined }
  const zone = time.zone
  const isDefined = zone !== null && (zone.tzid === "UTC" || zone.component !== null)
  const { year, month, day, hour, minute } = time
  const timeZone = zone !== null && isZone(zone.tzid) ? zone.tzid : timezone
  const instant = isDefined
    ? Option.some(DateTime.makeUnsafe(time.toJSDate()))
    : Option.map(
        DateTime.makeZoned({ year, month, day, hour, minute }, { timeZone, adjustForTimeZone: true }),
        DateTime.toUtc
      )
  return Option.getOrUndefined(
    Option.map(instant, (at) => ({
      date: Option.getOrElse(
        Option.map(DateTime.setZoneNamed(at, timezone), (zoned) => DateTime.formatIsoDate(zoned)),
        () => date
      ),
      startsAt: written(DateTime.toDateUtc(at))
    }))
  )
}

/** The occurrences of an event on these days, each with an id of its own. */
const occurrences = function* (event: ICAL.Event, days: Days) {
  if (!event.isRecurring()) {
    yield { item: event, start: event.startDate, id: event.uid }
    return
  }
  const times = event.iterator()
  for (let at = 0; at < mostOccurrences; at++) {
    const next = times.next()
    // A day of slack, because zones differ.
    if (next === undefined || next === null || next.toString().slice(0, 10) > days.to) return
    const { item, startDate, recurrenceId } = event.getOccurrenceDetails(next)
    yield { item, start: startDate, id: `${event.uid} ${recurrenceId.toString()}` }
  }
}

const text = (event: ICAL.Event, property: string): string => {
  const value = event.component.getFirstPropertyValue(property)
  return typeof value === "string" ? value : ""
}

/** The agenda among an event's attachments: a PDF. */
const agendaOf = (event: ICAL.Event): string | undefined =>
  event.component
    .getAllProperties("attach")
    .map((attachment) => String(attachment.getFirstValue()))
    .find((address) => /\.pdf([?#]|$)/i.test(address))

/** The faults of the addresses in a calendar. */
const badUrlsOf = (root: ICAL.Component) =>
  root.getAllSubcomponents("vevent").flatMap((component) => {
    const event = new ICAL.Event(component)
    return faultsOfAddresses({ url: text(event, "url"), attach: agendaOf(event) })
  })

const sourceMeetings = (root: ICAL.Component, url: string, days: Days, timezone: string): Array<SourceMeeting> => {
  const found: Array<SourceMeeting> = []
  const events = root.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component))
  for (const event of events) {
    if (event.isRecurrenceException() || event.startDate === null) continue
    for (const { item, start, id } of occurrences(event, days)) {
      const begin = beginOf(start, timezone)
      const title = tidy(item.summary)
      const body = bodyOfTitle(text(item, "categories")) ?? bodyOfTitle(title)
      if (begin === undefined || body === undefined || begin.date < days.from || begin.date > days.to) continue
      const { attachments, ...details } = detailsOf(
        {
          ID: 0,
          BodyName: body,
          Location: item.location,
          Comment: item.description,
          InSiteURL: text(item, "url"),
          AgendaFile: agendaOf(item) ?? null
        },
        []
      )
      found.push({
        ...details,
        id: meetingId("ical", url, id),
        external_id: id,
        source_body: body,
        title: shorten(plainTitle(title) || `${body} Meeting`, 300),
        date: begin.date,
        starts_at: begin.startsAt,
        timezone,
        is_cancelled: text(item, "status").toUpperCase() === "CANCELLED" || titleCallsOff(title)
      })
    }
  }
  return found
}

/** iCalendar (RFC 5545). An entry that names no body is not a meeting: city calendars also list holidays. */
export const icalCalendar: CalendarReader = {
  read: Effect.fn("IcalCalendar.read")(function* (source, days, web) {
    const page = yield* web.page(source.url, {
      accept: "text/calendar",
      types: /^(text\/(calendar|plain)|application\/octet-stream)\b/i,
      bytes: longestFile,
      validators: validatorsOf(source)
    })
    if (page === undefined) return undefined
    const { meetings, leftOut } = yield* Effect.try({
      try: () => {
        const root = new ICAL.Component(ICAL.parse(page.body.toString("utf8")))
        return { meetings: sourceMeetings(root, source.url, days, source.timezone), leftOut: badUrlsOf(root) }
      },
      catch: () => new NoCalendar({ message: "The calendar is not iCalendar (RFC 5545)." })
    })
    yield* logLeftOut(leftOut)
    return { meetings, isWhole: true, namesBodies: false, validators: page.validators }
  })
}
