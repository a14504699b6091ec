import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import type { SourceKind } from "../../../schema/agent/directory.ts"
import { firstLine } from "../queue/task-events.ts"
import { type CrawlableSource, placeOfSource } from "./crawls.ts"

/** An address at which a place is thought to have a calendar. */
export interface Candidate {
  readonly id: string
  readonly url: string
  readonly place: CrawlableSource["place"]
}

/** The calendar at an address: the bodies that it names, and its meetings from a year ago to a year from now. */
export interface FoundCalendar {
  readonly kind: SourceKind
  readonly bodies: ReadonlyArray<string>
  readonly meetings: number
}

/** Candidates to be probed, and what was found at their addresses. Writes run in the caller's transaction. */
export class Candidates extends Context.Service<
  Candidates,
  {
    /** The candidates of the place that a flow `probe` is about, which have not been probed. */
    readonly waiting: (flow: string) => Effect.Effect<ReadonlyArray<Candidate>, SqlError.SqlError>
    /** The same in the transaction that ends the task: nobody files another one until it has committed. */
    readonly hold: (flow: string) => Effect.Effect<ReadonlyArray<Candidate>, SqlError.SqlError>
    readonly found: (id: string, calendar: FoundCalendar) => Effect.Effect<void, SqlError.SqlError>
    /** `reason` is a fixed sentence without fetched text. */
    readonly unreadable: (id: string, reason: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/Candidates") {
  static readonly layer = Layer.effect(
    Candidates,
    Effect.gen(function* () {
      const db = yield* Db

      const waiting = Effect.fn("Candidates.waiting")(
        (flow: string) => db<Candidate>`
          select c.id, c.url, ${placeOfSource(db)} as place
          from flow f join completion_run r on r.id = f.run_id join candidate c on c.place_id = r.place_id
          join place p on p.id = c.place_id
          where f.id = ${flow} and c.probed_at is null order by c.id limit 200`
      )

      return {
        waiting,
        hold: Effect.fn("Candidates.hold")(function* (flow) {
          yield* db`
            select from completion_run where id = (select run_id from flow where id = ${flow}) for no key update`
          return yield* waiting(flow)
        }),
        found: Effect.fn("Candidates.found")(function* (id, { kind, bodies, meetings }) {
          yield* db`
            update candidate set probed_at = clock_timestamp(), calendar = ${kind}, bodies = ${bodies}::text[],
              meetings = ${meetings} where id = ${id}`
        }),
        unreadable: Effect.fn("Candidates.unreadable")(function* (id, reason) {
          yield* db`
            update candidate set probed_at = clock_timestamp(), failure = ${firstLine(reason)} where id = ${id}`
        })
      }
    })
  )
}
