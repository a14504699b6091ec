import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { EngineOnDb, worker } from "../../support/hand-worker.ts"

const waiting = 20_000

const add = Effect.fnUntraced(function* (state: "done" | "waiting", priority = 0, due = "0 days") {
  const db = yield* Db
  yield* db`
    with added as (
      insert into flow (kind, created_at) select 'probe', now() - n * interval '1 second'
      from generate_series(1, ${waiting}::int) n returning id, created_at)
    insert into task (flow_id, stage, lane, state, priority, due_at)
    select id, 'publish', 'local', ${state}, ${priority}::int, created_at + ${due}::interval from added`
})

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

it.live("a claim passes once what ended while somebody has an old snapshot", () =>
  Effect.gen(function* () {
    const db = yield* Db
    const { claim } = yield* worker
    yield* add("waiting")
    const [seen, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const old = yield* db
      .withTransaction(
        Effect.gen(function* () {
          yield* db`set transaction isolation level repeatable read`
          yield* db`select count(*) from task`
          yield* Deferred.succeed(seen, undefined)
          yield* Deferred.await(over)
        })
      )
      .pipe(Effect.forkChild)
    yield* Deferred.await(seen)
    const ended = waiting / 2
    yield* db`
      update task set state = 'done', ended_at = now()
      where id in (select id from task order by due_at limit ${ended}::int)`
    const [done, passed] = yield* db.withTransaction(
      Effect.gen(function* () {
        const claimed = yield* claim(4)
        const [row] = yield* db<{ passed: number }>`
          select pg_stat_get_xact_tuples_returned('task_due'::regclass)::int as passed`
        return [claimed, row?.passed ?? Number.POSITIVE_INFINITY] as const
      })
    )
    yield* Deferred.succeed(over, undefined)
    yield* Fiber.join(old)
    assert.lengthOf(done, 4)
    // Less would say that nothing dead is in the way.
    assert.isAtLeast(passed, ended)
    assert.isBelow(passed, 1.1 * ended)
  }).pipe(Effect.provide(EngineOnDb))
)
