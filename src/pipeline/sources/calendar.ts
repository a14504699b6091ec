import type { CheerioAPI } from "cheerio/slim"
import { Data, type Effect } from "effect"
import type { BundleMeeting } from "../../../schema/bundle.ts"
import type { AgendaItemId } from "../../../schema/primitives.ts"
import type { VoteResult } from "../../../schema/vote.ts"
import type { CrawlableSource } from "../../services/sources/crawls.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import type { WebFailed } from "../web/failure.ts"
import type { Manners } from "../web/paced-host.ts"
import type { PoliteWeb, Validators } from "../web/polite-web.ts"

/** The fetched page is not a calendar. `message` is written by us and contains nothing that was fetched. */
export class NoCalendar extends Data.TaggedError("NoCalendar")<{ readonly message: string }> {}

/** The requested days, inclusive: `YYYY-MM-DD`. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** Whether a date is one of these days. */
export const isWithin = ({ from, to }: Days, date: string): boolean => date >= from && date <= to

/** The contents of a calendar. */
interface CalendarList {
  readonly meetings: ReadonlyArray<SourceMeeting>
  /** Whether the list has every meeting of the requested days, so that a missing one has been withdrawn. */
  readonly isWhole: boolean
  /** Whether bodies are named explicitly rather than inferred from titles. */
  readonly namesBodies: boolean
  readonly validators: Validators
}

/** A vote on an item of an agenda, in the words of its source. */
export interface ItemVote {
  readonly item: AgendaItemId
  readonly motion?: string
  readonly result?: VoteResult
  readonly moved_by?: string
  readonly seconded_by?: string
  readonly ballots: ReadonlyArray<{ readonly name: string; readonly word: string }>
}

/** The items of an agenda, in order; ids are unique. */
interface ItemList {
  readonly items: BundleMeeting["agenda_items"]
  /** The votes on them, in order, where the source has them; they are asked for if the list changed. */
  readonly votes?: Effect.Effect<ReadonlyArray<ItemVote>, WebFailed>
  readonly validators: Validators
}

/** Reads the items of one agenda where a vendor publishes them. */
interface ItemsReader {
  /** Whether an address is one of those that the reader of the calendar gives its meetings. */
  readonly isAt: (address: URL) => boolean
  /** Empty if there are none; undefined if the page has not changed since it had these validators. */
  readonly read: (
    web: PoliteWeb["Service"],
    address: string,
    validators: Validators
  ) => Effect.Effect<ItemList | undefined, WebFailed | NoCalendar>
}

/** Reads calendars of one kind. */
export interface CalendarReader {
  /**
   * The calendar to which an address leads, if the address alone tells that it is one of this kind: a meeting's page or
   * a document of the vendor's leads to it too.
   */
  readonly calendarAt?: (address: URL) => string | undefined
  /** The calendar that a page is or leads to, by what stands in it, whatever its address. */
  readonly calendarIn?: ($: CheerioAPI, url: string) => string | undefined
  readonly manners?: Manners
  readonly items?: ItemsReader
  /**
   * How many days of the past one reading can ask for; a year if it does not say. 0: the calendar lists only what is
   * new, whatever days are asked for.
   */
  readonly pastDays?: number
  /**
   * Undefined if the calendar has not changed since the last crawl. Times are in `timezone` unless they name another.
   */
  readonly read: (
    source: CrawlableSource & { readonly timezone: string },
    days: Days,
    web: PoliteWeb["Service"]
  ) => Effect.Effect<CalendarList | undefined, WebFailed | NoCalendar>
}

/** The largest calendar, in bytes after decompression. */
export const longestCalendar = 32_000_000
