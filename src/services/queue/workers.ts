import { Context, Effect, Layer, Queue, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import type { Stage } from "./stages.ts"

/** A process that runs tasks. */
export interface WorkerProcess {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly build: string
  readonly stages: ReadonlyArray<Stage>
  readonly jobs: number
}

/** Seconds between a worker's heartbeats. */
export const beatSeconds = 3
/** After this many seconds without a heartbeat a worker counts as silent, and its tasks are taken over. */
export const silentSeconds = 3 * beatSeconds

/** Days for which the row of an ended worker is kept. */
const keptDays = 30

/**
 * The processes that run tasks, known by their heartbeats. Tasks of a silent worker become claimable again; a worker
 * that was merely frozen learns at its next heartbeat that its claims are gone.
 */
export class Workers extends Context.Service<
  Workers,
  {
    /**
     * Records a heartbeat and the progress of the worker's tasks (0 to 1, by claim), frees the tasks of silent workers,
     * and returns the claims that this worker still holds. Any other claim it thinks it holds is lost.
     */
    readonly beat: (
      worker: WorkerProcess,
      progress: ReadonlyMap<string, number>
    ) => Effect.Effect<ReadonlySet<string>, SqlError.SqlError>
    /** Marks the worker as stopped; it must have given its tasks back. */
    readonly stop: (id: string) => Effect.Effect<void, SqlError.SqlError>
    /**
     * Subscribes, within the scope, to task notifications; each `take` stands for one or more. `lost`: some claims are
     * gone.
     */
    readonly listen: Effect.Effect<
      Effect.Effect<{ readonly lost: boolean }, SqlError.SqlError>,
      SqlError.SqlError,
      Scope.Scope
    >
    /** Stages with due tasks that no live worker can run, with the number of tasks. */
    readonly unserved: Effect.Effect<
      ReadonlyArray<{ readonly stage: string; readonly waiting: number }>,
      SqlError.SqlError
    >
    /** Deletes workers that ended more than 30 days ago. */
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
        // Each statement commits by itself, so a heartbeat neither waits for other transactions nor blocks them.
        yield* db`
          insert into worker (id, host, pid, build, stages, jobs)
          values (${id}, ${host}, ${pid}, ${build}, ${stages}, ${jobs})
          on conflict (id) do update set seen_at = clock_timestamp(), ended_at = null, ended_how = null`
        yield* db`
          update worker set ended_at = clock_timestamp(), ended_how = 'silent' where id in (
            select id from worker
            where ended_at is null and seen_at < clock_timestamp() - ${silentSeconds}::int * interval '1 second'
            for update skip locked)`
        // A task that its slow worker is settling right now is skipped until the next heartbeat. Due times stay, so
        // that freed tasks do not go to the back of the queue.
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
