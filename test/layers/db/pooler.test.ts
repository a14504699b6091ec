import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Queue, Redacted, Stream } from "effect"
import { Environment, readEnvironment } from "../../../layers/config/config.ts"
import { Db } from "../../../layers/db/db.ts"
import { refusePooler } from "../../../layers/db/pooler.ts"
import { freshDatabase } from "../../support/database.ts"
import { hasPgBouncer, pgBouncer } from "../../support/pgbouncer.ts"

const refusal = (addresses: Readonly<Record<string, Redacted.Redacted>>) =>
  refusePooler.pipe(
    Effect.as("none"),
    Effect.catchTag("InvalidSetting", ({ message }) => Effect.succeed(message)),
    Effect.provideServiceEffect(
      Environment,
      readEnvironment(Object.fromEntries(Object.entries(addresses).map(([name, url]) => [name, Redacted.value(url)])))
    )
  )

describe("a database without a pooler", () => {
  it.live("is not refused", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      assert.strictEqual(yield* refusal({ DATABASE_URL: url }), "none")
      assert.strictEqual(yield* refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: url }), "none")
      const other = yield* freshDatabase
      assert.include(yield* refusal({ DATABASE_URL: url, DATABASE_DIRECT_URL: other }), "another database")
    })
  )
})

describe.skipIf(!hasPgBouncer)("a database behind PgBouncer", () => {
  it.live("is refused in transaction mode where nothing leads past it, and in session mode is not", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const [session, transaction] = [yield* pgBouncer(url, "session"), yield* pgBouncer(url, "transaction")]
      assert.strictEqual(yield* refusal({ DATABASE_URL: session }), "none")
      assert.include(yield* refusal({ DATABASE_URL: transaction }), "Set DATABASE_DIRECT_URL")
      assert.strictEqual(yield* refusal({ DATABASE_URL: transaction, DATABASE_DIRECT_URL: url }), "none")
      const wrong = { DATABASE_URL: transaction, DATABASE_DIRECT_URL: transaction }
      assert.match(yield* refusal(wrong), /^DATABASE_DIRECT_URL leads to a pooler/)
    })
  )

  it.live("answers many at once, streams, keeps transactions whole and brings notices", () =>
    Effect.gen(function* () {
      const direct = yield* freshDatabase
      const url = yield* pgBouncer(direct, "transaction")
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* db`create table kept (n int)`
        const numbers = Array.from({ length: 200 }, (_, at) => at)
        // Each text is a statement of its own, which would be prepared under a name of its own.
        const answers = yield* Effect.forEach(
          numbers,
          (n) => db.unsafe<{ n: number }>(`select $1::int + ${n % 20} as n`, [n]),
          { concurrency: 20 }
        )
        assert.deepStrictEqual(
          answers.flat().map(({ n }) => n),
          numbers.map((n) => n + (n % 20))
        )
        const streamed = yield* Stream.runCollect(db<{ n: number }>`select generate_series(1, 2000) as n`.stream)
        assert.lengthOf(streamed, 2000)
        const notices = yield* db.listen("pooled")
        yield* Effect.forEach(
          numbers,
          (n) =>
            db`insert into kept values (${n})`.pipe(
              Effect.andThen(db`select pg_notify('pooled', ${String(n)}), 1 / ${n % 2}::int`),
              db.withTransaction,
              Effect.ignore
            ),
          { concurrency: 20 }
        )
        const [row] = yield* db<{ count: number }>`select count(*)::int as count from kept`
        assert.strictEqual(row?.count, 100)
        const heard = yield* Effect.replicateEffect(Queue.take(notices), 100)
        assert.lengthOf(new Set(heard.map(({ payload }) => payload)), 100)
      }).pipe(Effect.scoped, Effect.provide(Db.layerUrl(url, Option.none(), {}, Option.some(direct))))
    })
  )
})
