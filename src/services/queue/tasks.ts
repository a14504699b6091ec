import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, dbDies, type Sql } from "../../../layers/db/db.ts"
import type { ClipId, MeetingId, UserClipId } from "../../../schema/primitives.ts"
import type { LackKind, ModelRole } from "./model-patience.ts"
import { edges, type Lane, type Stage } from "./stages.ts"
import { firstLine, recordTaskEvents, type TaskEvent, type TaskEventKind } from "./task-events.ts"

/** A task that a worker has claimed. Only the holder of `claim` may settle it. */
export interface ClaimedTask {
  readonly id: string
  readonly claim: string
  readonly worker: string
  readonly flow: string
  readonly stage: Stage
  /** Includes this attempt. */
  readonly attempts: number
  /** The meeting of the flow or of its clip. */
  readonly meetingId: MeetingId | null
  readonly userClipId: UserClipId | null
  readonly clipId: ClipId | null
  readonly sourceId: string | null
  /** How often its model was away, and how often its answers were of no use, in earlier attempts. */
  readonly modelAway: number
  readonly modelUnusable: number
  /** Seconds since its model first failed it; 0 if it never has. */
  readonly modelWaited: number
  /** The span that added the flow (W3C Trace Context). */
  readonly traceparent: string | null
}

/** The capacity that a worker has left. */
export interface Room {
  readonly worker: string
  /** The stages that this worker can run; others are left to builds that know them. */
  readonly stages: ReadonlyArray<Stage>
  /** Tasks that it can still take. */
  readonly free: number
  /** Tasks that it can still take per lane; it takes none of a lane that is missing here. */
  readonly lanes: ReadonlyMap<Lane, number>
}

/** How a model failed a task: the next try is in `seconds`. */
export interface ModelFailure {
  readonly kind: Exclude<LackKind, "none">
  readonly role: ModelRole
  /** The model that is configured. */
  readonly model: string
  readonly message: string
  readonly seconds: number
  /** Whether it gave an answer before it failed: then it is counted as away for the first time. */
  readonly hasAnswered: boolean
}

/**
 * Unblocks the tasks of a flow whose needs are met. The caller's transaction holds the flow's row. Tasks queue by the
 * age of their flow, not by when they were unblocked, so flows finish in the order in which they began.
 */
export const unblock = Effect.fnUntraced(function* (db: Sql, flow: string) {
  const ready = yield* db<{ id: string }>`
    update task t set state = 'waiting', due_at = f.created_at from flow f
    where f.id = ${flow} and t.flow_id = f.id and t.state = 'blocked' and not exists (
      select from json_to_recordset(${JSON.stringify(edges)}::json) as edge (stage text, need text)
      join task n on n.flow_id = t.flow_id and n.stage = edge.need
      where edge.stage = t.stage and n.state <> 'done')
    returning t.id`
  yield* recordTaskEvents(db, "ready", ready)
  if (ready.length > 0) yield* db`notify task`
})

/** Ends a flow with nothing left to run. The caller's transaction holds the flow's row. */
export const endFlow = (db: Sql, flow: string) => db`
  update flow f set ended_at = clock_timestamp(), state = case
    when exists (select from task where flow_id = f.id and state <> 'done') then 'failed' else 'done' end
  where id = ${flow} and state = 'open' and not exists (
    select from task where flow_id = f.id and state in ('waiting', 'running'))`

/**
 * Tasks as workers see them: claimed, run outside any transaction, and settled in one. Every way of settling returns
 * false and changes nothing if the claim was lost because the task was cancelled, rerun or taken over, or its subject
 * deleted.
 */
export class Tasks extends Context.Service<
  Tasks,
  {
    /**
     * Claims due tasks, by priority and then by age, up to the capacity of the worker and of the lanes. A worker that
     * counts as silent gets none until its next heartbeat.
     */
    readonly claim: (room: Room) => Effect.Effect<ReadonlyArray<ClaimedTask>, SqlError.SqlError>
    /** Writes part of the stage's results while the task is still running. */
    readonly during: <E, R>(
      task: ClaimedTask,
      put: Effect.Effect<void, E, R>
    ) => Effect.Effect<boolean, E | SqlError.SqlError, R>
    /**
     * Marks the task as done and unblocks the next stages, in the same transaction as `put`, which writes the stage's
     * results. If `put` fails, nothing is settled.
     */
    readonly finish: <E, R>(
      task: ClaimedTask,
      put: Effect.Effect<void, E, R>
    ) => Effect.Effect<boolean, E | SqlError.SqlError, R>
    /** Schedules another attempt in this many seconds. */
    readonly retry: (task: ClaimedTask, seconds: number, reason: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Fails the task for good, and runs `also` in the same transaction. */
    readonly fail: (
      task: ClaimedTask,
      reason: string,
      also: Effect.Effect<void, SqlError.SqlError>
    ) => Effect.Effect<boolean, SqlError.SqlError>
    /** Reschedules a task that is held up through no fault of its own: like `retry`, but the attempt is not counted. */
    readonly postpone: (task: ClaimedTask, seconds: number, reason: string) => Effect.Effect<boolean, SqlError.SqlError>
    /** Reschedules a task whose model has failed it; what its model does is counted apart from its attempts. */
    readonly awaitModel: (task: ClaimedTask, failed: ModelFailure) => Effect.Effect<boolean, SqlError.SqlError>
    /** Releases the claim of a worker that is stopping; the attempt is not counted. */
    readonly giveBack: (task: ClaimedTask) => Effect.Effect<boolean, SqlError.SqlError>
    /** The events of a task, oldest first; empty if there is no such task. */
    readonly events: (id: string) => Effect.Effect<ReadonlyArray<TaskEvent>>
  }
>()("civic-record/Tasks") {
  static readonly layer = Layer.effect(
    Tasks,
    Effect.gen(function* () {
      const db = yield* Db

      const claim = Effect.fn("Tasks.claim")(({ worker, stages, free, lanes }: Room) => {
        const open = [...lanes].filter(([, most]) => most > 0)
        return db<ClaimedTask>`
          select * from claim_tasks(${worker}, ${stages}::text[], ${free}::int, ${open.map(([lane]) => lane)}::text[],
            ${open.map(([, most]) => most)}::int[])`
      })

      /**
       * Locks in the same order as a deletion: meeting, clip, source, flow, task. The flow's lock serializes sibling
       * tasks that end at the same time, so that the second sees that the first is done.
       */
      const settle = <E, R>(task: ClaimedTask, settling: Effect.Effect<void, E, R>) =>
        db.withTransaction(
          Effect.gen(function* () {
            // A published clip changes its meeting, so the meeting is locked as it is when a clip is published.
            yield* task.clipId === null
              ? db`select from meeting where id = ${task.meetingId} for key share`
              : db`select from meeting where id = ${task.meetingId} for no key update`
            if (task.userClipId !== null)
              yield* db`select from user_clip where id = ${task.userClipId} for no key update`
            if (task.clipId !== null) yield* db`select from clip where id = ${task.clipId} for no key update`
            // Adding the crawl of a source locks the source too.
            if (task.sourceId !== null) yield* db`select from source where id = ${task.sourceId} for no key update`
            yield* db`select from flow where id = ${task.flow} for no key update`
            const mine = yield* db`select from task where id = ${task.id} and claim = ${task.claim} for update`
            if (mine.length === 0) return false
            yield* settling
            return true
          })
        )

      const told = (task: ClaimedTask, kind: TaskEventKind, reason?: string) =>
        recordTaskEvents(db, kind, [task], {
          worker: task.worker,
          ...(reason === undefined ? {} : { detail: firstLine(reason) })
        })

      /** Makes the task wait for this many seconds; an attempt that does not count is subtracted again. */
      const waitAgain = (task: ClaimedTask, kind: TaskEventKind, counted: boolean, seconds: number, reason?: string) =>
        settle(
          task,
          Effect.gen(function* () {
            yield* db`
              update task set state = 'waiting', held_by = null, claim = null,
                attempts = attempts - ${counted ? 0 : 1}::int,
                failure = ${reason === undefined ? null : firstLine(reason)},
                due_at = case when ${seconds}::float8 > 0
                  then clock_timestamp() + ${seconds}::float8 * interval '1 second' else due_at end
              where id = ${task.id}`
            yield* told(task, kind, reason)
            if (seconds <= 0) yield* db`notify task`
          })
        )

      return {
        claim,
        during: Effect.fn("Tasks.during")(settle),
        finish: Effect.fn("Tasks.finish")((task, put) =>
          settle(
            task,
            Effect.gen(function* () {
              yield* db`
                update task set state = 'done', held_by = null, claim = null,
                  ended_at = clock_timestamp(), progress = 1,
                  failure = null, model_role = null, model = null
                where id = ${task.id}`
              yield* told(task, "done")
              yield* unblock(db, task.flow)
              yield* endFlow(db, task.flow)
              yield* put
            })
          )
        ),
        retry: Effect.fn("Tasks.retry")((task, seconds, reason) => waitAgain(task, "retried", true, seconds, reason)),
        postpone: Effect.fn("Tasks.postpone")((task, seconds, reason) =>
          waitAgain(task, "waits", false, seconds, reason)
        ),
        awaitModel: Effect.fn("Tasks.awaitModel")((task, { kind, role, model, message, seconds, hasAnswered }) =>
          settle(
            task,
            Effect.gen(function* () {
              yield* db`
                update task set state = 'waiting', held_by = null, claim = null, attempts = attempts - 1,
                  failure = ${firstLine(message)},
                  due_at = clock_timestamp() + ${seconds}::float8 * interval '1 second',
                  model_away = case when ${hasAnswered} then 0 else model_away end + ${kind === "away" ? 1 : 0}::int,
                  model_unusable = model_unusable + ${kind === "unusable" ? 1 : 0}::int,
                  model_since = coalesce(model_since, clock_timestamp()), model_role = ${role}, model = ${model}
                where id = ${task.id}`
              yield* told(task, kind === "budget" ? "waits" : "retried", message)
            })
          )
        ),
        giveBack: Effect.fn("Tasks.giveBack")((task) => waitAgain(task, "given_back", false, 0)),
        fail: Effect.fn("Tasks.fail")((task, reason, also) =>
          settle(
            task,
            Effect.gen(function* () {
              yield* db`
                update task set state = 'failed', held_by = null, claim = null, ended_at = clock_timestamp(),
                  failure = ${firstLine(reason)}
                where id = ${task.id}`
              yield* told(task, "failed", reason)
              yield* endFlow(db, task.flow)
              yield* also
            })
          )
        ),
        events: Effect.fn("Tasks.events")(
          (id) => db<TaskEvent>`
            select id::float8 as id, at, kind, worker_id, detail from task_event where task_id = ${id} order by id`,
          dbDies
        )
      }
    })
  )
}
