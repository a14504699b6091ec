import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, it, layer } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, ReadDb } from "../../../layers/db/db.ts"
import { TestDb } from "../../support/database.ts"
import { textsOf } from "../../support/texts.ts"

layer(TestDb)("public reads", (it) => {
  it.effect("see committed rows", () =>
    Effect.gen(function* () {
      const [db, reads] = [yield* Db, yield* ReadDb]
      yield* db`create table seen (n int)`
      yield* db.withTransaction(db`insert into seen values (1)`)
      assert.deepStrictEqual(yield* reads`select n from seen`, [{ n: 1 }])
    })
  )

  it.effect("are refused within a transaction of the primary, whose changes a replica would not have", () =>
    Effect.gen(function* () {
      const [db, reads] = [yield* Db, yield* ReadDb]
      const exit = yield* Effect.exit(db.withTransaction(reads`select 1`))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.lengthOf(yield* reads`select 1`, 1)
    })
  )

  it.effect("have their own statement timeout while a part of them requires it", () =>
    Effect.gen(function* () {
      const reads = yield* ReadDb
      const limit = Effect.map(
        reads<{ limit: string }>`select current_setting('statement_timeout') as limit`,
        ([row]) => row?.limit
      )
      const usual = yield* limit
      assert.strictEqual(yield* reads.withStatementTimeout("3 seconds")(limit), "3s")
      assert.strictEqual(yield* limit, usual)
    })
  )

  it.effect("are not a client that writes: the compiler distinguishes the two", () =>
    Effect.gen(function* () {
      const read = yield* ReadDb
      const either: ReadDb["Service"] = yield* Db
      // @ts-expect-error A replica takes neither transactions nor writes.
      const write: Db["Service"] = read
      assert.deepStrictEqual([either.isPrimary, write.isPrimary], [true, false])
    })
  )

  it.effect("come from the primary for services that decide, write or mail by them", () =>
    Effect.gen(function* () {
      const db = yield* Db
      class Counted extends Context.Service<Counted, Effect.Effect<number, SqlError.SqlError>>()("test/Counted") {
        static readonly layer = Layer.effect(
          Counted,
          Effect.map(ReadDb, (reads) => Effect.map(reads`select from decided`, (rows) => rows.length))
        )
      }
      yield* db`create table decided (n int)`
      const inTransaction = db.withTransaction(
        Effect.andThen(
          db`insert into decided values (2)`,
          Counted.use((n) => n)
        )
      )
      assert.strictEqual(yield* Effect.provide(inTransaction, ReadDb.fromPrimary(Counted.layer)), 1)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.provide(inTransaction, Counted.layer))))
    })
  )
})

it("services with public reads write nothing, which only a replica would refuse", () => {
  const root = path.join(import.meta.dirname, "../../..")
  const writes =
    /\b(insert\s+into|delete\s+from|merge\s+into)\b|\bupdate\s+\w+(\s+\w+)?\s+set\b|\bfor\s+(no\s+key\s+)?update\b/i
  const reading = globSync("src/**/*.ts", { cwd: root })
    .map((file) => [file, readFileSync(path.join(root, file), "utf8")] as const)
    .filter(([, code]) => /yield\* ReadDb\b/.test(code))
  assert.isAbove(reading.length, 10)
  assert.deepStrictEqual(
    reading.filter(([file, code]) => textsOf(file, code).some((text) => writes.test(text))).map(([file]) => file),
    []
  )
})
