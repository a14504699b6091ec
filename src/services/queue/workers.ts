import { Context, Effect, Layer, Queue, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import type { Stage } from "./stages.ts"

/** A process that does tasks. */
export interface WorkerProcess {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly build: string
  readonly stages: ReadonlyArray<Stage>
  readonly jobs: number
}

/** How often a worker says that it is there, in seconds. */
export const beatSeconds = 3
/** A worker that has said nothing for so long is silent, and what it was at is taken over, in seconds. */
export const silentSeconds = 3 * beatSeconds

/** How long a worker that is gone is kept, in days. */
const keptDays = 30

/**
 * The processes that do tasks, by their heartbeats. What a silent one was at waits again for others; if it was only
 * frozen, it finds at its next beat that it holds nothing any longer.
 */
export class Workers extends Context.Service<
  Workers,
  {
    /**
     * Says that the worker is there and how far its tasks are (0 to 1, by claim), takes over what silent workers were
     * at, and answers the claims that this worker still holds: whatever else it is at, it has lost.
     */
    readonly beat: (
      worker: WorkerProcess,
      progress: ReadonlyMap<string, number>
    ) => Effect.Effect<ReadonlySet<string>, SqlError.SqlError>
    /** The worker is gone, having given back what it was at. */
    readonly stop: (id: string) => Effect.Effect<void, SqlError.SqlError>
    /**
     * Waits, within the scope, for word of tasks; each `take` is at least one. `lost`: some that were claimed no longer
     * are.
     */
    readonly listen: Effect.Effect<
      Effect.Effect<{ readonly lost: boolean }, SqlError.SqlError>,
      SqlError.SqlError,
      Scope.Scope
    >
    /** Stages of which tasks are due and no worker that is there can do them, with how many wait. */
    readonly unserved: Effect.Effect<
      ReadonlyArray<{ readonly stage: string; readonly waiting: number }>,
      SqlError.SqlError
    >
    /** Removes workers that have been gone for a month. */
    readonly prune: Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/Workers") {
  static readonly layer = Layer.effect(
    Workers,
    Effect.gen(function* () {
      const db = yield* Db

      const beat = Effect.fn("Workers.beat")(function* (
        { id, host, pid, build, stages, jobs }: WorkerProcess,
        progress: ReadonlyMap<string, number>
      ) {
        // Each statement commits by itself: a beat waits for nobody, and nobody for it.
        yield* db`
          insert into worker (id, host, pid, build, stages, jobs)
          values (${id}, ${host}, ${pid}, ${build}, ${stages}, ${jobs})
          on conflict (id) do update set seen_at = clock_timestamp(), ended_at = null, ended_how = null`
        yield* db`
          update worker set ended_at = clock_timestamp(), ended_how = 'silent' where id in (
            select id from worker
            where ended_at is null and seen_at < clock_timestamp() - ${silentSeconds}::int * interval '1 second'
            for update skip locked)`
        // One that is just being settled, by a worker that only was slow, is skipped; the next beat looks again. Its
        // due time stays, so that what was rescued does not wait behind everybody.
        yield* db`
          with lost as (
            select t.id, t.held_by from task t join worker w on w.id = t.held_by
            where w.ended_at is not null order by t.id for update of t skip locked),
          free as (
            update task t set state = 'waiting', held_by = null, claim = null from lost where t.id = lost.id
            returning t.id, lost.held_by),
          told as (insert into task_event (task_id, kind, worker_id) select id, 'taken_over', held_by from free)
          select pg_notify('task', '') from (select from free limit 1) as any_at_all`
        if (progress.size > 0) {
          yield* db`
            update task t set progress = told.share
            from json_to_recordset(${JSON.stringify([...progress].map(([claim, share]) => ({ claim, share })))}::json)
              as told (claim uuid, share real)
            where t.held_by = ${id} and t.claim = told.claim`
        }
        const held = yield* db<{ claim: string }>`select claim from task where held_by = ${id}`
        return new Set(held.map((task) => task.claim))
      })

      return {
        beat,
        stop: Effect.fn("Workers.stop")(
          (id: string) => db`update worker set ended_at = clock_timestamp(), ended_how = 'stopped' where id = ${id}`,
          Effect.asVoid
        ),
        listen: Effect.map(db.listen("task"), (notices) =>
          Effect.map(Queue.takeAll(notices), (heard) => ({ lost: heard.some(({ payload }) => payload === "lost") }))
        ),
        unserved: db<{ stage: string; waiting: number }>`
          select stage, count(*)::int as waiting from task t
          where state = 'waiting' and due_at <= now() and not exists (
            select from worker w where w.ended_at is null and t.stage = any(w.stages))
          group by stage order by stage`.pipe(Effect.withSpan("Workers.unserved")),
        prune: db`
          delete from worker w where ended_at < now() - ${keptDays}::int * interval '1 day'
            and not exists (select from task where held_by = w.id)`.pipe(
          Effect.asVoid,
          Effect.withSpan("Workers.prune")
        )
      }
    })
  )
}
