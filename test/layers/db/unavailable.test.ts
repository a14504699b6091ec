import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import { whyUnavailable } from "../../../layers/db/unavailable.ts"
import { ObjectStoreError } from "../../../layers/object-store/object-store.ts"
import { TestDb } from "../../support/database.ts"

/** A failure of PostgreSQL, as the driver reports it. */
const raised = Effect.fnUntraced(function* (state: string) {
  const db = yield* Db
  return yield* Effect.flip(db.unsafe(`do $$ begin raise exception 'as asked' using errcode = '${state}'; end $$`))
})

describe("whyUnavailable", () => {
  it.effect.each([
    ["25006", "reached"],
    ["57P01", "reached"],
    ["57P02", "reached"],
    ["57P03", "reached"],
    ["57P04", "reached"],
    ["57P05", "reached"],
    ["08006", "reached"],
    ["53100", "no room"],
    ["53200", "too busy"],
    ["53300", "too busy"],
    ["57014", "too busy"],
    ["40001", "too busy"],
    ["40P01", "too busy"],
    ["55P03", "too busy"]
  ] as const)("tells the caller to come back for %s", ([state, why]) =>
    Effect.gen(function* () {
      const fault = yield* raised(state)
      assert.include(whyUnavailable(fault), why)
      assert.include(whyUnavailable(new Error("around it", { cause: fault })), why)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect.each(["22012", "23514", "42P01", "P0001", "XX000"])("does not consider %s transient", (state) =>
    Effect.gen(function* () {
      assert.isUndefined(whyUnavailable(yield* raised(state)))
    }).pipe(Effect.provide(TestDb))
  )

  it("recognizes a lost connection, a refused password and an unavailable media store", () => {
    const [ConnectionError, AuthenticationError] = [SqlError.ConnectionError, SqlError.AuthenticationError]
    for (const Reason of [ConnectionError, AuthenticationError]) {
      const fault = new SqlError.SqlError({ reason: new Reason({ cause: new Error("ECONNRESET") }) })
      assert.include(whyUnavailable(fault), "The database cannot be reached")
    }
    const fault = new ObjectStoreError({ reason: "failed", key: "a/b", detail: "EIO" })
    assert.include(whyUnavailable(fault), "The media store")
    assert.isUndefined(whyUnavailable(new Error("our own")))
    assert.isUndefined(whyUnavailable("text"))
  })
})
