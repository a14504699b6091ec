import { Clock, Effect, Option, Schedule } from "effect"
import { Db, DbHealth } from "../../../layers/db/db.ts"
import { migrationsOf, tooOld } from "../../../layers/db/migrate.ts"
import { silentSeconds } from "../queue/workers.ts"

/** The server and the schema; every other check needs this build's schema. */
export const lookAtServer = Effect.fn("DatabaseCheckup.server")(function* () {
  const db = yield* Db
  // Connects first, so that connecting is not timed.
  yield* db`select 1`
  const began = yield* Clock.currentTimeMillis
  const [server] = yield* db<{ version: string; bytes: number; now: number; extensions: number }>`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      extract(epoch from clock_timestamp())::float8 * 1000 as now,
      (select count(*)::int from pg_extension where extname in ('unaccent', 'pg_trgm', 'fuzzystrmatch')) as extensions`
  const ended = yield* Clock.currentTimeMillis
  return {
    version: server?.version ?? "",
    bytes: server?.bytes ?? 0,
    hasExtensions: server?.extensions === 3,
    /** The time that the query took, in milliseconds. */
    tookMs: ended - began,
    /**
     * How far the database's clock is ahead of ours, in seconds, assuming that it was read halfway through the query.
     */
    aheadSeconds: ((server?.now ?? 0) - (began + ended) / 2) / 1000,
    tooOld: yield* tooOld(db),
    /** The migrations applied to the database. */
    migrations: yield* migrationsOf(db)
  }
})

/** The state of the replica, if there is one, after up to five seconds to catch up with the primary. */
export const lookAtReplica = Effect.fn("DatabaseCheckup.replica")(function* () {
  const { replica } = yield* DbHealth
  return yield* Effect.repeat(replica, {
    while: (state) => Option.isSome(state) && state.value.standing === "behind",
    schedule: Schedule.spaced("250 millis"),
    times: 20
  })
})

/** The size of the record, and the state of background work. */
export const lookAtWork = Effect.fn("DatabaseCheckup.work")(function* () {
  const db = yield* Db
  const [held] = yield* db<{ meetings: number; unindexed: number }>`
    select count(*)::int as meetings, count(*) filter (where status = 'held'
      and not exists (select from meeting_search s where s.meeting_id = m.id))::int as unindexed
    from meeting m`
  const [tasks] = yield* db<{ waiting: number; overdue: number; failed: number }>`
    select (select count(*)::int from task where state = 'waiting') as waiting,
      (select coalesce(greatest(0, extract(epoch from now() - min(due_at))), 0)::float8
        from task where state = 'waiting') as overdue,
      (select count(*)::int from task where state = 'failed' and ended_at > now() - interval '1 day') as failed`
  const [workers] = yield* db<{ alive: number; silent: number }>`
    select count(*) filter (where seen_at >= now() - ${silentSeconds}::int * interval '1 second')::int as alive,
      count(*) filter (where seen_at < now() - ${silentSeconds}::int * interval '1 second')::int as silent
    from worker where ended_at is null`
  return {
    meetings: held?.meetings ?? 0,
    unindexed: held?.unindexed ?? 0,
    tasks: tasks ?? { waiting: 0, overdue: 0, failed: 0 },
    workers: workers ?? { alive: 0, silent: 0 }
  }
})
