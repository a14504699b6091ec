import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { EngineOnDb, worker } from "../../support/hand-worker.ts"

const waiting = 20_000

/** The number of task rows that the statements of an effect read. */
const rowsRead = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const db = yield* Db
    return yield* db.withTransaction(
      Effect.gen(function* () {
        const done = yield* effect
        const [row] = yield* db<{ read: number }>`
          select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
          where relname = 'task'`
        return { done, read: row?.read ?? Number.POSITIVE_INFINITY }
      })
    )
  })

it.live("a claim reads only the tasks that it takes, however many wait and whatever the statistics say", () =>
  Effect.gen(function* () {
    const db = yield* Db
    const { claim } = yield* worker
    const add = (state: "done" | "waiting", priority = 0, due = "0 days") => db`
      with added as (
        insert into flow (kind, created_at) select 'probe', now() - n * interval '1 second'
        from generate_series(1, ${waiting}::int) n returning id, created_at)
      insert into task (flow_id, stage, lane, state, priority, due_at)
      select id, 'publish', 'local', ${state}, ${priority}::int, created_at + ${due}::interval from added`
    // PostgreSQL's statistics are from a time when almost nothing was waiting.
    yield* add("done")
    yield* db`analyze task`
    yield* add("waiting")
    const stale = yield* rowsRead(claim(4))
    // More urgent, and all postponed, because a provider is unavailable.
    yield* add("waiting", 10, "30 days")
    yield* db`analyze task`
    const current = yield* rowsRead(claim(4))
    for (const { done, read } of [stale, current]) {
      assert.lengthOf(done, 4)
      assert.isBelow(read, 200)
    }
  }).pipe(Effect.provide(EngineOnDb))
)
