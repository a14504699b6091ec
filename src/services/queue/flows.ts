import { Context, Data, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { type NotFound, taskNotFound } from "../failures.ts"
import { recordAction } from "../history.ts"
import { idOf } from "../meetings/sql.ts"
import { addFlows, addStages } from "./add-flows.ts"
import { fromStageOn, type Stage } from "./stages.ts"
import { recordTaskEvents } from "./task-events.ts"
import { endFlow, unblock } from "./tasks.ts"

/** No flow has this id, or the flow lacks the stage. */
export class UnknownFlow extends Data.TaggedError("UnknownFlow")<{ readonly flow: string }> {}

/** The outcome of an operator's change to a task, worded the same at every door. */
export interface TaskChange {
  readonly task: string
  readonly changed: boolean
  readonly said: string
}

interface Staged {
  readonly stage: string
  readonly state: string
}

/** The outcome of a retry; `state` is the task's if nothing changed. */
export const saidOfRetry = (changed: boolean, { stage, state }: Staged) =>
  changed
    ? `${stage} will be tried again, with a fresh count.`
    : `${stage} is ${state}: only a task that failed or waits until later is retried.`

/** The outcome of repeating a stage; `state` is the task's if nothing changed. */
export const saidOfRerun = (changed: boolean, { stage, state }: Staged) =>
  changed ? `${stage} is repeated, with everything after it.` : `${stage} is ${state} already, and is left alone.`

/** The flow has ended, and `flow` is now under way for the same subject: look at that one. */
export class NewerFlow extends Data.TaggedError("NewerFlow")<{ readonly flow: string }> {}

/** Forgets how a task's model has failed it. */
const freshModels = (db: Sql) => db`
  model_away = 0, model_unusable = 0, model_since = null, model_role = null, model = null`

/** Days for which an ended flow is kept. */
const keptDays = 90

/**
 * Cancels, retries and repeats flows, or tasks by their id on behalf of operators. A change to a task writes its line
 * of history in the same transaction; repeating the request changes nothing and says so.
 */
export class Flows extends Context.Service<
  Flows,
  {
    /** Cancels a flow: running tasks are interrupted, waiting ones never start. False if it had already ended. */
    readonly cancel: (flow: string) => Effect.Effect<boolean, UnknownFlow | SqlError.SqlError>
    /**
     * Repeats a stage, everything after it, and every cancelled stage. Running tasks are interrupted. The stage still
     * waits for the stages that it needs.
     */
    readonly rerun: (flow: string, stage: Stage) => Effect.Effect<void, UnknownFlow | NewerFlow | SqlError.SqlError>
    /**
     * Makes a meeting again from these stages on, in the caller's transaction: in its open flow, as far as that has
     * come to them, or in a new one.
     */
    readonly makeAgain: (
      meeting: MeetingId,
      from: ReadonlyArray<Stage>
    ) => Effect.Effect<void, UnknownFlow | NewerFlow | SqlError.SqlError>
    /** Retries a task that failed or waits until later, now and with a fresh count; any other stays unchanged. */
    readonly retryTask: (task: string) => Effect.Effect<TaskChange, NotFound | NewerFlow | SqlError.SqlError>
    /** Cancels the flow of a task. */
    readonly cancelTask: (task: string) => Effect.Effect<TaskChange, NotFound | SqlError.SqlError>
    /** Repeats the stage of a task with everything after it, unless the stage is pending or running. */
    readonly rerunTask: (task: string) => Effect.Effect<TaskChange, NotFound | NewerFlow | SqlError.SqlError>
    /** Deletes flows that ended more than 90 days ago, except the newest of each meeting. */
    readonly prune: Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/Flows") {
  static readonly layer = Layer.effect(
    Flows,
    Effect.gen(function* () {
      const db = yield* Db

      /** Reopens a flow that has ended. The transaction holds the flow's row. */
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
        if (row.state !== "open") return false
        const stopped = yield* db<{ id: string }>`
          with ours as (
            select id from task where flow_id = ${flow} and state in ('blocked', 'waiting', 'running')
            order by id for update)
          update task t set state = 'cancelled', held_by = null, claim = null, ended_at = clock_timestamp()
          from ours where t.id = ours.id returning t.id`
        yield* recordTaskEvents(db, "cancelled", stopped)
        yield* db`update flow set state = 'cancelled', ended_at = clock_timestamp() where id = ${flow}`
        yield* db`notify task, 'lost'`
        return true
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
            started_at = null, ended_at = null, without_model = null, ${freshModels(db)}
          from ours where t.id = ours.id returning t.id`
        yield* recordTaskEvents(db, "rerun", again)
        yield* unblock(db, flow)
        yield* endFlow(db, flow)
        yield* db`notify task, 'lost'`
      }, db.withTransaction)

      const makeAgain = Effect.fnUntraced(function* (meeting: MeetingId, from: ReadonlyArray<Stage>) {
        const [open] = yield* db<{ id: string }>`
          select id from flow where meeting_id = ${meeting} and kind = 'meeting' and state = 'open' for no key update`
        if (open === undefined) return yield* Effect.asVoid(addFlows(db, "meeting", [{ meeting_id: meeting }], ...from))
        yield* addStages(db, open.id, "meeting", ...from)
        const begun = yield* db<{ stage: Stage }>`
          select stage from task where flow_id = ${open.id} and stage = any(${[...fromStageOn(...from)]})
            and state not in ('blocked', 'waiting')`
        // What has not begun reads the record when it does.
        const again = from.filter((stage) => begun.some((one) => fromStageOn(stage).has(one.stage)))
        yield* Effect.forEach(again, (stage) => rerun(open.id, stage), { discard: true })
        yield* unblock(db, open.id)
      }, db.withTransaction)

      /** A task by its id, with its flow locked; a flow is always locked before its tasks. */
      const locked = Effect.fnUntraced(function* (ref: string) {
        yield* db`select from flow where id = (select flow_id from task where id = ${idOf(ref)}) for no key update`
        // A separate statement, so that it sees what was committed while it waited for the lock.
        const [row] = yield* db<{ id: string; flow: string; stage: Stage; state: string; isLater: boolean }>`
          select id, flow_id as flow, stage, state, state = 'waiting' and due_at > clock_timestamp() as "isLater"
          from task where id = ${idOf(ref)} for update`
        return row ?? (yield* taskNotFound(ref))
      })

      const retryTask = Effect.fnUntraced(function* (ref: string) {
        const { id, flow, stage, state, isLater } = yield* locked(ref)
        const changed = state === "failed" || isLater
        const answer = { task: id, changed, said: saidOfRetry(changed, { stage, state }) }
        if (!changed) return answer
        yield* reopen(flow)
        yield* db`
          update task set state = 'waiting', attempts = 0, failure = null, due_at = clock_timestamp(), ended_at = null,
            ${freshModels(db)}
          where id = ${id}`
        yield* recordTaskEvents(db, "ready", [{ id }], { detail: "retried by an operator" })
        yield* db`notify task`
        yield* recordAction(db, "task.retry", id, { stage })
        return answer
      }, db.withTransaction)

      const cancelTask = Effect.fnUntraced(function* (ref: string) {
        const { id, flow, stage } = yield* locked(ref)
        const changed = yield* Effect.catchTag(cancel(flow), "UnknownFlow", Effect.die)
        if (changed) yield* recordAction(db, "task.cancel", id, { stage, flow })
        const said = changed
          ? "The flow is cancelled: running tasks stop, and the rest never start."
          : "The flow is over already: there is nothing left to cancel."
        return { task: id, changed, said }
      }, db.withTransaction)

      const rerunTask = Effect.fnUntraced(function* (ref: string) {
        const { id, flow, stage, state } = yield* locked(ref)
        const changed = state === "failed" || state === "done" || state === "cancelled"
        if (changed) {
          yield* Effect.catchTag(rerun(flow, stage), "UnknownFlow", Effect.die)
          yield* recordAction(db, "task.rerun", id, { stage, flow })
        }
        return { task: id, changed, said: saidOfRerun(changed, { stage, state }) }
      }, db.withTransaction)

      return {
        cancel: Effect.fn("Flows.cancel")(cancel),
        rerun: Effect.fn("Flows.rerun")(rerun),
        makeAgain: Effect.fn("Flows.makeAgain")(makeAgain),
        retryTask: Effect.fn("Flows.retryTask")(retryTask),
        cancelTask: Effect.fn("Flows.cancelTask")(cancelTask),
        rerunTask: Effect.fn("Flows.rerunTask")(rerunTask),
        prune: db`
          delete from flow f where ended_at < now() - ${keptDays}::int * interval '1 day'
            and (kind <> 'meeting' or exists (
            select from flow newer
            where newer.meeting_id = f.meeting_id and newer.kind = f.kind and newer.created_at > f.created_at))`.pipe(
          Effect.asVoid,
          Effect.withSpan("Flows.prune")
        )
      }
    })
  )
}
