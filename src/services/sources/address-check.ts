import { Context, Data, type Effect } from "effect"
import type { SourceKind } from "../../../schema/agent/directory.ts"
import type { TypedPlace } from "./typed-places.ts"

/** What was typed is no calendar of its kind. `message` is a sentence of ours without anything that was fetched. */
export class NoCalendarThere extends Data.TaggedError("NoCalendarThere")<{
  readonly message: string
  /** Whether nobody can say, because its server did not answer. */
  readonly isUnread?: boolean
}> {}

/** What answers at the address of each kind of calendar, as people know it. */
export const kindNames: Readonly<Record<SourceKind, string>> = {
  legistar: "Legistar's Web API",
  legistar_page: "Legistar's calendar page",
  civicclerk: "CivicClerk",
  agendacenter: "CivicPlus AgendaCenter",
  granicus: "Granicus",
  primegov: "PrimeGov",
  escribe: "eScribe",
  swagit: "Swagit",
  iqm2: "IQM2",
  municode: "Municode Meetings",
  boarddocs: "BoardDocs",
  novusagenda: "NovusAgenda",
  youtube: "YouTube",
  internet_archive: "the Internet Archive",
  ical: "iCalendar",
  rss: "RSS or Atom",
  json: "the calendar format of docs/calendar.md"
}

/** A meeting as a calendar lists it, in short. */
export interface GlimpsedMeeting {
  readonly date: string
  /** The local time, `HH:MM`. */
  readonly time: string | undefined
  readonly body: string
  readonly title: string
  readonly isCancelled: boolean
  /** What the calendar has of it: "agenda", "packet", "minutes", "items", "recording", "captions". */
  readonly parts: ReadonlyArray<string>
}

/** A calendar that was found and read. Meetings are from a year ago to a year from now. */
export interface FoundSource {
  readonly kind: SourceKind
  readonly url: string
  readonly bodies: ReadonlyArray<string>
  readonly total: number
  /** The ten meetings that are nearest to today, by date. */
  readonly meetings: ReadonlyArray<GlimpsedMeeting>
}

/** Something that seems to be a calendar and was not read. Sentences of ours. */
export interface UnreadAddress {
  readonly url: string
  /** What it seems to be, and why it is not read. */
  readonly seems: string
  readonly nextStep: string
}

export interface Finding {
  readonly found: ReadonlyArray<FoundSource>
  readonly unread: ReadonlyArray<UnreadAddress>
}

/** Asks an address once whether it is what an operator says, before it is saved. */
export class AddressCheck extends Context.Service<
  AddressCheck,
  {
    /** How many meetings the calendar at the address has. Takes seconds, and no longer. */
    readonly check: (source: {
      readonly kind: SourceKind
      readonly url: string
      readonly place: TypedPlace
    }) => Effect.Effect<number, NoCalendarThere>
    /**
     * Finds the calendars behind an address: by the address itself, by what answers there, and by what that links to.
     * Keeps nothing of it.
     */
    readonly find: (url: string) => Effect.Effect<Finding>
  }
>()("civic-record/AddressCheck") {}
