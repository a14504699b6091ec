import { DateTime, Effect, Option } from "effect"
import ICAL from "ical.js"
import { eventsOf, occurrences, textIn } from "../../record/formats/ical-events.ts"
import { meetingId } from "../../record/formats/ids.ts"
import { detailsOf } from "../../record/formats/legistar/details.ts"
import { shorten, tidy, webAddress } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { bodyOfEntry, plainTitle, titleCallsOff } from "./body-of-title.ts"
import { type CalendarReader, type Days, isWithin, NoCalendar } from "./calendar.ts"
import { faultsOfAddresses, logLeftOut, validatorsOf } from "./json-page.ts"
import { linkedIn, longestDescription, withoutHtml } from "./links.ts"
import { zoneNamed } from "./zone-name.ts"

const longestFile = 8_000_000
/** The most occurrences of one event to examine: ten years of days. */
const mostOccurrences = 3660

type ReadSource = Parameters<CalendarReader["read"]>[0]

/** When an event begins; a whole-day event has no time. */
interface Begin {
  readonly date: string
  readonly startsAt: string | undefined
}

const written = (instant: Date) => instant.toISOString().replace(".000Z", "Z")

/**
 * A time in the zone that the calendar names, whose own definition of it is often wrong about summer; else in the zone
 * that it defines, else in the place's zone.
 */
const beginOf = (time: ICAL.Time, timezone: string): Begin | undefined => {
  const date = time.toString().slice(0, 10)
  if (time.isDate) return { date, startsAt: undefined }
  const zone = time.zone
  const named = zone === null ? undefined : zoneNamed(zone.tzid)
  const isDefined = zone !== null && (zone.tzid === "UTC" || (named === undefined && zone.component !== null))
  const { year, month, day, hour, minute } = time
  const timeZone = named ?? timezone
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

/** The files attached to an event, with their names. */
const attachmentsOf = (event: ICAL.Event) =>
  event.component.getAllProperties("attach").flatMap((attachment) => {
    const url = webAddress(String(attachment.getFirstValue()))
    const name = attachment.getParameter("filename") ?? attachment.getParameter("x-filename") ?? ""
    return url === undefined ? [] : [{ label: String(name), url }]
  })

/** What is said about an event, in HTML where there is no other text. */
const descriptionOf = (event: ICAL.Event): string =>
  (textIn(event.component, "description") || textIn(event.component, "x-alt-desc")).slice(0, longestDescription)

/** The faults of the addresses in a calendar. */
const badUrlsOf = (root: ICAL.Component) =>
  root.getAllSubcomponents("vevent").flatMap((component) => {
    const attach = component.getAllProperties("attach").map((attachment) => String(attachment.getFirstValue()))
    return [
      ...faultsOfAddresses({ url: textIn(component, "url") }),
      // A file within the calendar is no address.
      ...attach.filter((value) => /^\w+:/.test(value)).flatMap((value) => faultsOfAddresses({ attach: value }))
    ]
  })

const sourceMeetings = (root: ICAL.Component, source: ReadSource, days: Days): Array<SourceMeeting> => {
  const { url, timezone, place } = source
  const found: Array<SourceMeeting> = []
  // A day of slack, because zones differ.
  const beyond = (next: ICAL.Time) => next.toString().slice(0, 10) > days.to
  const calendar = root.getFirstPropertyValue("x-wr-calname")
  for (const event of eventsOf(root)) {
    for (const { item, start, id } of occurrences(event, { most: mostOccurrences, beyond })) {
      const begin = beginOf(start, timezone)
      const title = shorten(tidy(item.summary), 300)
      const context = [textIn(item.component, "categories"), typeof calendar === "string" ? calendar : ""].map((name) =>
        name.slice(0, 300)
      )
      const body = bodyOfEntry(title, context, place.name)
      if (begin === undefined || body === undefined || !isWithin(days, begin.date)) continue
      const description = descriptionOf(item)
      const { agenda, minutes, film, player } = linkedIn(description, attachmentsOf(item))
      const { attachments, ...details } = detailsOf({
        ID: 0,
        BodyName: body,
        Location: item.location,
        Comment: withoutHtml(description),
        InSiteURL: player ?? textIn(item.component, "url"),
        AgendaFile: agenda ?? null,
        MinutesFile: minutes ?? null,
        VideoPath: film ?? null
      })
      found.push({
        ...details,
        id: meetingId("ical", url, id),
        external_id: id,
        source_body: body,
        title: plainTitle(title) || `${body} Meeting`,
        date: begin.date,
        starts_at: begin.startsAt,
        timezone,
        is_cancelled: textIn(item.component, "status").toUpperCase() === "CANCELLED" || titleCallsOff(title)
      })
    }
  }
  return found
}

/** iCalendar (RFC 5545). An entry that names no body is not a meeting: city calendars also list holidays. */
export const icalCalendar: CalendarReader = {
  // One file has all that it has.
  pastDays: 36_500,
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
        return { meetings: sourceMeetings(root, source, days), leftOut: badUrlsOf(root) }
      },
      catch: () => new NoCalendar({ message: "The calendar is not iCalendar (RFC 5545)." })
    })
    yield* logLeftOut(leftOut)
    return { meetings, isWhole: true, namesBodies: false, validators: page.validators }
  })
}
