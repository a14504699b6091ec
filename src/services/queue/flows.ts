import { Context, Data, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db/db.ts"
import { fromStageOn, type Stage } from "./stages.ts"
import { recordTaskEvents } from "./task-events.ts"
import { endFlow, unblock } from "./tasks.ts"

/** No flow has the id, or none that does the stage. */
export class UnknownFlow extends Data.TaggedError("UnknownFlow")<{ readonly flow: string }> {}

/** No task has the id. */
export class UnknownTask extends Data.TaggedError("UnknownTask")<{ readonly task: string }> {}

/** The flow is over, and `flow` is under way for the same subject: that is the one to look at. */
export class NewerFlow extends Data.TaggedError("NewerFlow")<{ readonly flow: string }> {}

/**
 * Gives up stages of a flow whose row the caller's transaction holds, because there is nothing for them to work on. What is
 * done or running stays as it is.
 */
export const cancelStages = Effect.fnUntraced(function* (
  db: Sql,
  flow: string,
  names: ReadonlyArray<Stage>,
  reason: string
) {
  const cancelled = yield* db<{ id: string }>`
    update task set state = 'cancelled', ended_at = clock_timestamp()
    where flow_id = ${flow} and stage = any(${names}::text[]) and state in ('blocked', 'waiting') returning id`
  yield* recordTaskEvents(db, "cancelled", cancelled, { detail: reason })
  yield* endFlow(db, flow)
})

/** How long a flow that is over is kept, in days. */
const keptDays = 90

/** Flows as operators see them: what is under way is cancelled, what failed is tried again, what is stale is done again. */
export class Flows extends Context.Service<
  Flows,
  {
    /** Stops a flow: what is worked on is interrupted, what waits never starts. One that is over is left as it is. */
    readonly cancel: (flow: string) => Effect.Effect<void, UnknownFlow | SqlError.SqlError>
    /**
     * Does a stage again with everything that comes after it, and what was cancelled. What is worked on is interrupted. It
     * waits for what it needs, as ever.
     */
    readonly rerun: (flow: string, stage: Stage) => Effect.Effect<void, UnknownFlow | NewerFlow | SqlError.SqlError>
    /** Gives a task that has failed all of its tries again; any other is left as it is. */
    readonly retry: (task: string) => Effect.Effect<void, UnknownTask | NewerFlow | SqlError.SqlError>
    /** Removes flows that have been over for 90 days, but of a meeting's always the last. */
    readonly prune: Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/Flows") {
  static readonly layer = Layer.effect(
    Flows,
    Effect.gen(function* () {
      const db = yield* Db

      /** Opens a flow, whose row the transaction holds, where it is over. */
      const reopen = Effect.fnUntraced(function* (flow: string) {
        const [other] = yield* db<{ id: string }>`
          select other.id from flow f join flow other on other.kind = f.kind and other.subject = f.subject
          where f.id = ${flow} and other.id <> f.id and other.state = 'open'`
        if (other !== undefined) return yield* new NewerFlow({ flow: other.id })
        yield* db`update flow set state = 'open', ended_at = null where id = ${flow} and state <> 'open'`
      })

      const cancel = Effect.fnUntraced(function* (flow: string) {
        const [row] = yield* db<{ state: string }>`select state from flow where id = ${flow} for no key update`
        if (row === undefined) return yield* new UnknownFlow({ flow })
        if (row.state !== "open") return
        const stopped = yield* db<{ id: string }>`
          with ours as (
            select id from task where flow_id = ${flow} and state in ('blocked', 'waiting', 'running')
            order by id for update)
          update task t set state = 'cancelled', held_by = null, claim = null, ended_at = clock_timestamp()
          from ours where t.id = ours.id returning t.id`
        yield* recordTaskEvents(db, "cancelled", stopped)
        yield* db`update flow set state = 'cancelled', ended_at = clock_timestamp() where id = ${flow}`
        yield* db`notify task, 'lost'`
      }, db.withTransaction)

      const rerun = Effect.fnUntraced(function* (flow: string, stage: Stage) {
        yield* db`select from flow where id = ${flow} for no key update`
        const has = yield* db`select from task where flow_id = ${flow} and stage = ${stage}`
        if (has.length === 0) return yield* new UnknownFlow({ flow })
        yield* reopen(flow)
        const again = yield* db<{ id: string }>`
          with ours as (
            select id from task
            where flow_id = ${flow} and (stage = any(${[...fromStageOn(stage)]}) or state = 'cancelled')
            order by id for update)
          update task t set state = 'blocked', held_by = null, claim = null, attempts = 0, progress = 0, failure = null,
            started_at = null, ended_at = null
          from ours where t.id = ours.id returning t.id`
        yield* recordTaskEvents(db, "rerun", again)
        yield* unblock(db, flow)
        yield* endFlow(db, flow)
        yield* db`notify task, 'lost'`
      }, db.withTransaction)

      const retry = Effect.fnUntraced(function* (task: string) {
        const [row] = yield* db<{ flow: string }>`select flow_id as flow from task where id = ${task}`
        if (row === undefined) return yield* new UnknownTask({ task })
        yield* db`select from flow where id = ${row.flow} for no key update`
        const failed = yield* db<{ id: string }>`select id from task where id = ${task} and state = 'failed' for update`
        if (failed.length === 0) return
        yield* reopen(row.flow)
        yield* db`
          update task set state = 'waiting', attempts = 0, failure = null, due_at = clock_timestamp(), ended_at = null
          where id = ${task}`
        yield* recordTaskEvents(db, "ready", failed, { detail: "an operator asked for it" })
        yield* db`notify task`
      }, db.withTransaction)

      return {
        cancel: Effect.fn("Flows.cancel")(cancel),
        rerun: Effect.fn("Flows.rerun")(rerun),
        retry: Effect.fn("Flows.retry")(retry),
        prune: db`
          delete from flow f where ended_at < now() - ${keptDays}::int * interval '1 day' and (kind <> 'meeting' or exists (
            select from flow newer
            where newer.meeting_id = f.meeting_id and newer.kind = f.kind and newer.created_at > f.created_at))`.pipe(
          Effect.asVoid,
          Effect.withSpan("Flows.prune")
        )
      }
    })
  )
}
