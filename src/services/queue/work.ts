import { Context, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { AgentLive, AgentTask, AgentTaskEvents, AgentWorkers } from "../../../schema/agent/task.ts"
import { type NotFound, taskNotFound } from "../failures.ts"
import { idOf } from "../meetings/sql.ts"
import { sent } from "../wire.ts"
import type { TaskEvent } from "./task-events.ts"
import { tasksWhere, taskWithId } from "./task-view.ts"

interface WorkerRow {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly build: string
  readonly stages: ReadonlyArray<string>
  readonly jobs: number
  readonly state: "running" | "stopped" | "silent"
  readonly started_at: Date
  readonly seen_at: Date
  readonly ended_at: Date | null
}

interface LaneRow {
  readonly name: string
  readonly at_once: number
  readonly running: number
  readonly waiting: number
  readonly later: number
  readonly oldest_due_at: Date | null
}

/** Tasks per page. */
export const taskPage = 50

/** Filters on tasks; an omitted field does not filter. */
export interface TaskQuery {
  readonly state?: AgentTask["state"] | undefined
  readonly stage?: string | undefined
  readonly lane?: string | undefined
  /** The kind of flow, such as `meeting` or `clip`. */
  readonly kind?: string | undefined
  /** From 1. */
  readonly page: number
}

/** The current state of the pipeline, computed from its rows on each request. */
export class Work extends Context.Service<
  Work,
  {
    /** The running tasks, and how full each lane is. */
    readonly live: Effect.Effect<AgentLive>
    /** Live workers, then ended ones, newest first; at most 200. */
    readonly workers: Effect.Effect<AgentWorkers>
    /** A task with its events, oldest first: at most the last 1,000. */
    readonly task: (id: string) => Effect.Effect<AgentTaskEvents, NotFound>
    /** The tasks of one flow, in the order in which they started. */
    readonly flow: (id: string) => Effect.Effect<ReadonlyArray<AgentTask>>
    /** One page of the tasks that match, by when they ended, started or are due, latest first. */
    readonly tasks: (
      query: TaskQuery
    ) => Effect.Effect<{ readonly total: number; readonly tasks: ReadonlyArray<AgentTask> }>
  }
>()("civic-record/Work") {
  static readonly layer = Layer.effect(
    Work,
    Effect.gen(function* () {
      const db = yield* Db

      const running = tasksWhere(db, db`t.state = 'running'`, { order: db`t.started_at, t.id`, limit: 1000 })

      const live = Effect.gen(function* () {
        const [clock] = yield* db<{ at: Date; open: number; failed: number }>`
          select clock_timestamp() as at, count(*) filter (where state = 'open')::int as open,
            count(*) filter (where state = 'failed')::int as failed
          from flow`
        const lanes = yield* db<LaneRow>`
          select l.name, l.at_once, count(t.id) filter (where t.state = 'running')::int as running,
            count(t.id) filter (where t.state = 'waiting' and t.due_at <= now())::int as waiting,
            count(t.id) filter (where t.state = 'waiting' and t.due_at > now())::int as later,
            min(t.due_at) filter (where t.state = 'waiting' and t.due_at <= now()) as oldest_due_at
          from lane l left join task t on t.lane = l.name and t.state in ('running', 'waiting')
          group by l.name order by l.name`
        return {
          at: (clock?.at ?? new Date(0)).toISOString(),
          running: yield* running,
          lanes: lanes.map(sent),
          flows: { open: clock?.open ?? 0, failed: clock?.failed ?? 0 }
        }
      }).pipe(dbDies, Effect.withSpan("Work.live"))

      const workers = Effect.gen(function* () {
        const rows = yield* db<WorkerRow>`
          select id, host, pid, build, stages, jobs, coalesce(ended_how, 'running') as state,
            started_at, seen_at, ended_at
          from worker order by ended_at is not null, started_at desc, id limit 200`
        const held = Map.groupBy(yield* running, (task) => task.worker_id)
        return { workers: rows.map((row) => ({ ...sent(row), tasks: held.get(row.id) ?? [] })) }
      }).pipe(dbDies, Effect.withSpan("Work.workers"))

      const task = Effect.fn("Work.task")(function* (ref: string) {
        const id = idOf(ref)
        const found = yield* taskWithId(db, id)
        if (found === undefined) return yield* taskNotFound(ref)
        const events = yield* db<TaskEvent>`
          select id::float8 as id, at, kind, worker_id, detail from task_event where task_id = ${id}
          order by id desc limit 1000`
        return { task: found, events: events.toReversed().map(sent) }
      }, dbDies)

      const flow = Effect.fn("Work.flow")(
        (id: string) =>
          tasksWhere(db, db`t.flow_id = ${idOf(id)}`, { order: db`t.started_at nulls last, t.id`, limit: 100 }),
        dbDies
      )

      const tasks = Effect.fn("Work.tasks")(function* ({ state, stage, lane, kind, page }: TaskQuery) {
        const asked = db.and([
          db`true`,
          ...(state === undefined ? [] : [db`t.state = ${state}`]),
          ...(stage === undefined ? [] : [db`t.stage = ${stage}`]),
          ...(lane === undefined ? [] : [db`t.lane = ${lane}`]),
          ...(kind === undefined ? [] : [db`f.kind = ${kind}`])
        ])
        const [counted] = yield* db<{ total: number }>`
          select count(*)::int as total from task t join flow f on f.id = t.flow_id where ${asked}`
        const found = yield* tasksWhere(db, asked, {
          order: db`coalesce(t.ended_at, t.started_at, t.due_at) desc, t.id`,
          limit: taskPage,
          offset: (page - 1) * taskPage
        })
        return { total: counted?.total ?? 0, tasks: found }
      }, dbDies)

      return { live, workers, task, flow, tasks }
    })
  )
}
