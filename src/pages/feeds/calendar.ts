import { Effect } from "effect"
import ical, { ICalEventStatus, ICalEventTransparency } from "ical-generator"
import { Environment } from "../../../layers/config/config.ts"
import type { AccountFollows } from "../../../schema/account.ts"
import { bodyKindLabels } from "../../../schema/agency.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { Calendars } from "../../services/directory/calendars.ts"
import { Directory } from "../../services/directory/directory.ts"
import { type AnnouncedQuery, Upcoming } from "../../services/directory/upcoming.ts"
import { nameAfterBody } from "../../text/meeting-name.ts"
import { bodyAt } from "../parts/body-at.ts"
import { withQuery } from "../query.ts"
import { nameOfAnnounced } from "../upcoming.ts"
import type { LoadFile } from "./feed-file.ts"

export interface CalendarView {
  readonly name: string
  /** A description of the calendar, in a sentence. */
  readonly description: string
  /** The path of the web page with the same meetings. */
  readonly html: string
  readonly meetings: ReadonlyArray<MeetingCard>
}

const calendarType = "text/calendar; charset=utf-8"

/** Suggested refresh interval, in seconds. */
const refreshEvery = 3600

/** Seconds since 2020, so that they fit the 32 bits of an INTEGER (RFC 5545, section 3.3.8) until 2088. */
const secondsSince2020 = (instant: string): number =>
  Math.floor((Date.parse(instant) - Date.parse("2020-01-01T00:00:00Z")) / 1000)

/** A text property may contain no control character but a line break (RFC 5545, section 3.3.11). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
const plain = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, " ").toWellFormed()

/**
 * The library escapes the texts of events (RFC 5545, section 3.3.11), but not the name and description of the calendar.
 */
const escaped = (text: string): string =>
  plain(text)
    .replace(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n")

const after = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + Math.round(seconds * 1000)).toISOString()

/** The description of an event: the decision, then links to read, join and look up. */
const descriptionOf = ({ headline, join_url, agenda_url, path }: MeetingCard, base: string): string =>
  [
    headline,
    join_url === undefined ? undefined : `Join: ${join_url}`,
    agenda_url === undefined ? undefined : `Agenda: ${agenda_url}`,
    `On Civic Record: ${base}${path}`
  ]
    .filter((line) => line !== undefined)
    .join("\n")

const eventOf = (card: MeetingCard, base: string) => {
  const { id, date, starts_at, duration, status, location, type, path, updated_at } = card
  return {
    id: `urn:uuid:${id}`,
    // Meetings have no revision counter; the second of the last change rises with each change.
    sequence: secondsSince2020(updated_at),
    stamp: updated_at,
    lastModified: updated_at,
    start: starts_at ?? date,
    allDay: starts_at === undefined,
    ...(starts_at === undefined || duration === undefined ? {} : { end: after(starts_at, duration) }),
    summary: plain(nameAfterBody(card)),
    description: plain(descriptionOf(card, base)),
    ...(location === undefined ? {} : { location: plain(location) }),
    url: base + path,
    categories: [{ name: bodyKindLabels[type] }],
    status: status === "cancelled" ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    transparency: ICalEventTransparency.TRANSPARENT
  }
}

/**
 * Meetings as a calendar to subscribe to (RFC 5545). Times are instants in UTC, which every program shows by its own
 * clock; a meeting without a time is an all-day event. A cancelled meeting stays, marked as such. `base` is the address
 * of the service, without a trailing slash.
 */
export const calendarOf = ({ name, description, html, meetings }: CalendarView, base: string): string =>
  ical({
    prodId: { company: "Civic Record", product: "Calendar", language: "EN" },
    name: escaped(name),
    description: escaped(description),
    url: base + html,
    ttl: refreshEvery,
    events: meetings.map((card) => eventOf(card, base))
  }).toString()

/** The most meetings in the calendar of announced ones; beyond that, the last are left out. */
const mostAnnounced = 2000

/** `/upcoming.ics`: announced meetings, by the filters of `/upcoming`. */
export const announcedCalendar = Effect.fn("AnnouncedCalendar.load")(function* (query: AnnouncedQuery) {
  const { meetings } = yield* (yield* Upcoming).calendar(query, { offset: 0, limit: mostAnnounced })
  const { places } = yield* (yield* Directory).places
  const name = nameOfAnnounced(query, places)
  return yield* fileOf({
    name,
    description: `${name}, on Civic Record.`,
    html: withQuery("/upcoming", query),
    meetings
  })
})

const fileOf = Effect.fnUntraced(function* (view: CalendarView) {
  const { baseUrl } = yield* Environment
  return { contentType: calendarType, text: calendarOf(view, baseUrl) }
})

/** `/in/{place}.ics`: the calendar of a place. */
export const loadPlaceCalendar: LoadFile<Calendars | Directory | Environment> = Effect.fn("PlaceCalendar.load")(
  function* ({ params }) {
    const { slug, name, path } = yield* (yield* Directory).place(params.place ?? "")
    const meetings = yield* (yield* Calendars).of({ agencies: [], places: [slug] })
    return yield* fileOf({ name, description: `Public meetings in ${name}.`, html: path, meetings })
  }
)

/** `/in/{place}/{body}.ics`: the calendar of one body. */
export const loadBodyCalendar: LoadFile<Calendars | Directory | Environment> = Effect.fn("BodyCalendar.load")(
  function* ({ params }) {
    const body = yield* bodyAt(params.place ?? "", params.body ?? "")
    if ("movedTo" in body) return { movedTo: `${body.movedTo}.ics` }
    const { slug, name, path } = body
    const meetings = yield* (yield* Calendars).of({ agencies: [slug], places: [] })
    return yield* fileOf({ name, description: `Meetings of ${name}.`, html: path, meetings })
  }
)

/** `/calendar/{token}.ics`: the calendar of one account's follows. It does not reveal the account. */
export const ownCalendar = Effect.fn("OwnCalendar.load")(function* (follows: AccountFollows) {
  const meetings = yield* (yield* Calendars).of(follows)
  const description = "Meetings of the places and public bodies that you follow."
  return yield* fileOf({ name: "Civic Record: what you follow", description, html: "/account", meetings })
})
