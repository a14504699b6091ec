import { Data, type Effect } from "effect"
import type { CrawlableSource } from "../../services/sources/crawls.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import type { WebFailed } from "../web/failure.ts"
import type { PoliteWeb, Validators } from "../web/polite-web.ts"

/** The fetched page is not a calendar. `message` is written by us and contains nothing that was fetched. */
export class NoCalendar extends Data.TaggedError("NoCalendar")<{ readonly message: string }> {}

/** The requested days, inclusive: `YYYY-MM-DD`. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** The contents of a calendar. */
interface CalendarList {
  readonly meetings: ReadonlyArray<SourceMeeting>
  /** Whether the list has every meeting of the requested days, so that a missing one has been withdrawn. */
  readonly isWhole: boolean
  /** Whether bodies are named explicitly rather than inferred from titles. */
  readonly namesBodies: boolean
  readonly validators: Validators
}

/** Reads calendars of one kind. */
export interface CalendarReader {
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
