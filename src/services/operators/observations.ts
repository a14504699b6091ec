import { Context, DateTime, Effect, Layer, Option } from "effect"
import { DbHealth } from "../../../layers/db/db.ts"
import { gauge, type Reading } from "../../../layers/telemetry/metrics.ts"
import { silentSeconds } from "../queue/workers.ts"

/** The maximum age of a reading, so that several scrapers cost no more than one. */
const shortly = "5 seconds"
/** The same for readings that scan whole tables. */
const seldom = "10 minutes"

/** Metrics that come from the database: tasks, workers, mail, model calls, media, sizes. */
export class Observations extends Context.Service<
  Observations,
  {
    /**
     * Readings, up to ten minutes old for sizes and five seconds for the rest. If the database is down, the only
     * reading says so.
     */
    readonly read: Effect.Effect<ReadonlyArray<Reading>>
  }
>()("civic-record/Observations") {
  /** Uses the connections for health checks, so that readings arrive even when readers hold all the others. */
  static readonly layer = Layer.effect(
    Observations,
    Effect.gen(function* () {
      const { db, replica } = yield* DbHealth

      // One query per state, because each state has an index of its own and finished tasks are many.
      const tasks = Effect.gen(function* () {
        const rows = yield* db<{ stage: string; lane: string; state: string; tasks: number; overdue: number }>`
          select stage, lane, 'waiting' as state, count(*)::int as tasks,
            greatest(0, extract(epoch from now() - min(due_at)))::float8 as overdue
          from task where state = 'waiting' group by stage, lane
          union all
          select stage, lane, 'running', count(*)::int, 0 from task where state = 'running' group by stage, lane
          union all
          select stage, lane, 'failed', count(*)::int, 0 from task where state = 'failed' group by stage, lane`
        return rows.flatMap(({ stage, lane, state, tasks, overdue }) => [
          gauge("tasks", "Tasks by stage, lane and state", tasks, { stage, lane, state }),
          ...(state === "waiting"
            ? [gauge("task_overdue_seconds", "How long the oldest waiting task is due", overdue, { stage, lane })]
            : [])
        ])
      })

      const workers = Effect.gen(function* () {
        const rows = yield* db<{ id: string; host: string; silence: number }>`
          select id, host, extract(epoch from clock_timestamp() - seen_at)::float8 as silence
          from worker where ended_at is null order by id limit 1000`
        const unserved = yield* db<{ stage: string; waiting: number }>`
          select stage, count(*)::int as waiting from task t
          where state = 'waiting' and due_at <= now() and not exists (
            select from worker w where w.ended_at is null and t.stage = any(w.stages))
          group by stage order by stage`
        const heard = rows.filter(({ silence }) => silence <= silentSeconds).length
        return [
          gauge("workers", "Workers that have not stopped", heard, { state: "alive" }),
          gauge("workers", "Workers that have not stopped", rows.length - heard, { state: "silent" }),
          ...rows.map(({ id, host, silence }) =>
            gauge("worker_heartbeat_age_seconds", "Time since a worker was heard from", silence, { worker: id, host })
          ),
          gauge(
            "tasks_unserved",
            "Tasks that are due and that no worker can do",
            unserved.reduce((sum, { waiting }) => sum + waiting, 0)
          )
        ]
      })

      const mail = Effect.gen(function* () {
        const now = DateTime.formatIso(yield* DateTime.now)
        const [queue] = yield* db<{ waiting: number; retried: number; overdue: number }>`
          select count(*)::int as waiting, count(*) filter (where tries > 0)::int as retried,
            coalesce(greatest(0, extract(epoch from ${now}::timestamptz - min(next_try_at))), 0)::float8 as overdue
          from outgoing_mail`
        if (queue === undefined) return []
        return [
          gauge("mail_queue", "Mails that wait to be sent", queue.waiting),
          gauge("mail_retried", "Those that were not accepted at their first try", queue.retried),
          gauge("mail_overdue_seconds", "How long the oldest of them is due", queue.overdue)
        ]
      })

      const models = Effect.gen(function* () {
        const dayAgo = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: 1 }))
        const rows = yield* db<{ model: string; purpose: string; outcome: string; calls: number; cost: number }>`
          select model, purpose, outcome, count(*)::int as calls, coalesce(sum(cost), 0)::float8 as cost
          from model_usage where at > ${dayAgo} group by model, purpose, outcome`
        return rows.flatMap(({ calls, cost, ...labels }) => [
          gauge("model_calls_last_day", "Calls of language models in the last 24 hours", calls, labels),
          gauge("model_cost_last_day", "What they cost, in the currency of the configured prices", cost, labels)
        ])
      })

      const sizes = Effect.gen(function* () {
        const media = yield* db<{ role: string; bytes: number }>`
          select role, sum(bytes)::float8 as bytes from media group by role`
        const [database] = yield* db<{ bytes: number }>`
          select pg_database_size(current_database())::float8 as bytes`
        return [
          ...media.map(({ role, bytes }) => gauge("media_bytes", "Bytes of media on record", bytes, { role })),
          gauge("database_bytes", "Size of the database on its disk", database?.bytes ?? 0)
        ]
      })

      const up = Effect.gen(function* () {
        const state = yield* replica
        return [
          gauge("database_up", "Whether the database answers", 1),
          ...Option.match(state, {
            onNone: () => [],
            onSome: ({ standing, behind }) => [
              gauge("replica_up", "Whether the replica answers", standing === "away" ? 0 : 1),
              gauge("replica_in_use", "Whether public reads go to the replica", standing === "ok" ? 1 : 0),
              gauge("replica_lag_seconds", "How far the replica is behind the primary, at most", behind)
            ]
          })
        ]
      })

      const seldomRead = yield* Effect.cachedWithTTL(sizes, seldom)
      // Two at a time, because there are two connections.
      const all = Effect.all([up, tasks, workers, mail, models, seldomRead], { concurrency: 2 }).pipe(
        Effect.map((parts): ReadonlyArray<Reading> => parts.flat()),
        Effect.catch((error) =>
          Effect.as(Effect.logWarning("Metrics of the database cannot be read", error.message), [
            gauge("database_up", "Whether the database answers", 0)
          ])
        ),
        Effect.withSpan("Observations.read")
      )
      return { read: yield* Effect.cachedWithTTL(all, shortly) }
    })
  )
}
