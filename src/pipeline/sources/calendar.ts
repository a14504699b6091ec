import { Data, type Effect } from "effect"
import type { SourceMeeting } from "../../services/completion/discovered-meetings.ts"
import type { CrawlableSource } from "../../services/operations/crawls.ts"
import type { WebFailed } from "../web/failure.ts"
import type { PoliteWeb, Validators } from "../web/polite-web.ts"

/** A calendar was fetched and is none. `message` is a sentence of ours that holds nothing that was fetched. */
export class NoCalendar extends Data.TaggedError("NoCalendar")<{ readonly message: string }> {}

/** The days, inclusive, whose meetings are of interest: `YYYY-MM-DD`. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** What a calendar lists. */
export interface CalendarList {
  readonly meetings: ReadonlyArray<SourceMeeting>
  /** Whether every meeting of the days asked for is in the list, so that one that is missing was withdrawn. */
  readonly isWhole: boolean
  /** Whether bodies are named for themselves, and not read out of titles. */
  readonly namesBodies: boolean
  readonly validators: Validators
}

/** Reads calendars of one kind. */
export interface CalendarReader {
  /** Undefined where the calendar has not changed since the source was last crawled. Times are in `timezone` unless they say more. */
  readonly read: (
    source: CrawlableSource & { readonly timezone: string },
    days: Days,
    web: PoliteWeb["Service"]
  ) => Effect.Effect<CalendarList | undefined, WebFailed | NoCalendar>
}

/** The most that a calendar may have in bytes, decompressed. */
export const longestCalendar = 32_000_000
