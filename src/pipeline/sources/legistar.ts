import { Effect, Result, Schema } from "effect"
import { meetingId } from "../../record/formats/ids.ts"
import { badAddresses, detailsOf } from "../../record/formats/legistar/details.ts"
import { type LegistarEvent, readEvent } from "../../record/formats/legistar/event.ts"
import { isCalledOff, whenOf } from "../../record/formats/legistar/status.ts"
import { instantIn, titleOf } from "../../record/formats/legistar/title.ts"
import { tidy } from "../../record/formats/text.ts"
import type { CrawlableSource } from "../../services/sources/crawls.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { type CalendarReader, NoCalendar } from "./calendar.ts"
import { jsonPage, logLeftOut } from "./json-page.ts"

/** The most events that the Web API returns at a time. */
const pageSize = 1000
const mostPages = 20

const decodePage = Schema.decodeUnknownResult(Schema.Array(Schema.Unknown))

const pageAddress = (url: string, { from, to }: { readonly from: string; readonly to: string }, skip: number) => {
  const address = new URL(url)
  address.searchParams.set("$filter", `EventDate ge datetime'${from}' and EventDate le datetime'${to}T23:59:59'`)
  address.searchParams.set("$orderby", "EventId")
  address.searchParams.set("$top", String(pageSize))
  address.searchParams.set("$skip", String(skip))
  return address.href
}

/** The Web API's address for the items of an event, with their notes. */
const itemsAddress = (url: string, event: number) => {
  const address = new URL(url)
  address.pathname = `${address.pathname.replace(/\/+$/, "")}/${event}/eventitems`
  for (const wanted of ["AgendaNote", "MinutesNote", "Attachments"]) address.searchParams.set(wanted, "1")
  return address.href
}

const sourceMeeting = (
  event: LegistarEvent,
  { url, place, timezone }: CrawlableSource & { readonly timezone: string }
): SourceMeeting | undefined => {
  const when = whenOf(event)
  if (when === undefined) return undefined
  const key = event.GUID?.toLowerCase() ?? `${place.slug} ${event.ID}`
  const body = tidy(event.BodyName)
  const { attachments, ...details } = detailsOf(event)
  return {
    ...details,
    // The same id that an imported archive of these events would give it.
    id: meetingId("legistar", key),
    external_id: key,
    source_body: body,
    body_external_id: typeof event.BodyID === "number" ? String(event.BodyID) : undefined,
    title: titleOf(body, tidy(event.Comment)),
    date: when.date,
    starts_at: instantIn(when, timezone),
    timezone,
    is_cancelled: isCalledOff(event),
    items_url: itemsAddress(url, event.ID)
  }
}

/**
 * Legistar's Web API (`https://webapi.legistar.com/v1/{client}/events`), page by page. An event of unknown shape is
 * left out and counted in the log; a page on which every event is of unknown shape is not a calendar.
 */
export const legistarCalendar: CalendarReader = {
  read: Effect.fn("LegistarCalendar.read")(function* (source, days, web) {
    const meetings: Array<SourceMeeting> = []
    let isWhole = true
    for (let at = 0; at < mostPages; at++) {
      const page = yield* jsonPage(web, pageAddress(source.url, days, at * pageSize))
      const listed = decodePage(page?.value)
      if (Result.isFailure(listed)) return yield* new NoCalendar({ message: "The calendar is not a list of events." })
      const read = listed.success.map(readEvent)
      const sound = read.flatMap((event) => (Result.isSuccess(event) ? [event.success] : []))
      const broken = read.length - sound.length
      if (broken > 0) {
        // One of them may be a meeting that is already known.
        isWhole = false
        if (sound.length === 0) return yield* new NoCalendar({ message: "The calendar's events are not Legistar's." })
        yield* Effect.logWarning(`${broken} events of the calendar are not in Legistar's shape`)
      }
      for (const { value: event, leftOut } of sound) {
        yield* logLeftOut([...leftOut, ...badAddresses(event)])
        const meeting = sourceMeeting(event, source)
        if (meeting !== undefined) meetings.push(meeting)
      }
      if (read.length < pageSize) return { meetings, isWhole, namesBodies: true, validators: {} }
    }
    return { meetings, isWhole: false, namesBodies: true, validators: {} }
  })
}
