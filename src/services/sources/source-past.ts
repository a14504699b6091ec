import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AgentTask } from "../../../schema/agent/task.ts"
import { type NotFound, sourceNotFound } from "../failures.ts"
import { recordAction } from "../history.ts"
import { idOf } from "../meetings/sql.ts"
import { addFlows } from "../queue/add-flows.ts"
import { tasksWhere } from "../queue/task-view.ts"

/** The days of a source's past that were asked for, `YYYY-MM-DD`. */
export interface Past {
  readonly from: string
  readonly to: string
  /** The newest day that was not listed yet; null once all were. */
  readonly left: string | null
}

/** How far the past of a source is. */
export interface PastProgress extends Past {
  /** The share of its days that were listed, from 0 to 1. */
  readonly share: number
  readonly days_left: number
  /** Its meetings that were listed so far, those of them that are on record, and those whose work is under way. */
  readonly listed: number
  readonly on_record: number
  readonly making: number
  /** The task that lists it, or did. */
  readonly task?: AgentTask
}

/** Which days of the past are brought on record, and how far, for operators. */
export const pastSaid = ({ from, to, left }: Past): string =>
  `${from} to ${to}, ${left === null ? "all of it listed" : `still to be listed up to ${left}`}`

/** What the past of a source costs, as far as the record tells. */
export interface PastRates {
  /** The average length of a recording of its bodies, in seconds; null if none is on record. */
  readonly seconds: number | null
  /** What language models cost for a meeting on average, in millionths of a US dollar; null if none was paid for. */
  readonly model_micros: number | null
}

/** The past of sources: which days operators asked for, and how far they have been listed. */
export class SourcePast extends Context.Service<
  SourcePast,
  {
    readonly of: (source: string) => Effect.Effect<Past | undefined, SqlError.SqlError>
    readonly progress: (source: string) => Effect.Effect<PastProgress | undefined>
    /** Asks for the meetings of these days. The same days again go on where they were; returns the newest day left. */
    readonly ask: (source: string, from: string, to: string) => Effect.Effect<string, NotFound>
    /** Notes, in the caller's transaction, that the days back to `from` were listed, up to the newest that was not. */
    readonly listed: (source: string, from: string, to: string) => Effect.Effect<void, SqlError.SqlError>
    readonly rates: (source: string) => Effect.Effect<PastRates>
  }
>()("civic-record/SourcePast") {
  static readonly layer = Layer.effect(
    SourcePast,
    Effect.gen(function* () {
      const db = yield* Db

      const of = Effect.fn("SourcePast.of")(function* (source: string) {
        const [past] = yield* db<Past>`
          select past_from::text as from, past_to::text as to, past_left::text as left from source
          where id = ${idOf(source)} and past_from is not null`
        return past
      })

      const progress = Effect.fn("SourcePast.progress")(function* (source: string) {
        const id = idOf(source)
        const [past] = yield* db<Omit<PastProgress, "task">>`
          select past_from::text as from, past_to::text as to, past_left::text as left,
            coalesce(past_left - past_from + 1, 0) as days_left,
            1 - coalesce(past_left - past_from + 1, 0)::float8 / (past_to - past_from + 1) as share, counted.*
          from source s, lateral (
            select count(*)::int as listed, count(d.imported_at)::int as on_record, count(*) filter (where exists (
              select from flow f where f.meeting_id = d.id and f.state = 'open'))::int as making
            from discovered d where d.source_id = s.id and d.date between s.past_from and s.past_to) counted
          where s.id = ${id} and past_from is not null`
        if (past === undefined) return undefined
        const [task] = yield* tasksWhere(db, db`f.source_id = ${id} and f.kind = 'history'`, {
          ...{ order: db`f.created_at desc`, limit: 1 }
        })
        return { ...past, ...(task === undefined ? {} : { task }) }
      }, dbDies)

      const ask = Effect.fn("SourcePast.ask")(function* (source: string, from: string, to: string) {
        return yield* db.withTransaction(
          Effect.gen(function* () {
            const [asked] = yield* db<{ left: string }>`
              update source set past_from = ${from}, past_to = ${to}, past_left = case
                when past_from = ${from} and past_to = ${to} then coalesce(past_left, ${to}::date) else ${to}::date end
              where id = ${idOf(source)} returning past_left::text as left`
            if (asked === undefined) return yield* sourceNotFound(source)
            yield* addFlows(db, "history", [{ source_id: source }])
            yield* recordAction(db, "source.past", source, { from, to })
            return asked.left
          })
        )
      }, dbDies)

      const listed = Effect.fn("SourcePast.listed")(
        (source: string, from: string, to: string) =>
          db`
            update source set past_left = case when past_from < ${from} then ${from}::date - 1 end
            where id = ${source} and past_left = ${to}`,
        Effect.asVoid
      )

      const rates = Effect.fn("SourcePast.rates")(function* (source: string) {
        const [found] = yield* db<PastRates>`
          select (select avg(d.duration)::float8 from source_body sb join meeting m on m.body_id = sb.body_id
              join media d on d.meeting_id = m.id and d.role = 'source' where sb.source_id = ${idOf(source)}) as seconds,
            (select avg(spent)::float8 from (
              select sum(cost) * 1000000 as spent from model_usage
              where meeting_id is not null and purpose <> 'transcribe' and cost > 0 group by meeting_id) each)
              as model_micros`
        return found ?? { seconds: null, model_micros: null }
      }, dbDies)

      return { of, progress, ask, listed, rates }
    })
  )
}
