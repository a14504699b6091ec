import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { memoryAdapter, mostSignIns } from "../../src/local-identity/memory.ts"

describe("the local provider's memory", () => {
  it.effect("holds a limited number of sign-ins, however many are begun, each found by its own id alone", () =>
    Effect.gen(function* () {
      const sessions = memoryAdapter(yield* Clock.Clock)()
      const look = (id: string) => Effect.promise(async () => await sessions.find(id))
      const lookByUid = (uid: string) => Effect.promise(async () => await sessions.findByUid(uid))
      yield* Effect.promise(async () => {
        for (let at = 0; at < 10_000; at++) await sessions.upsert(`id ${at}`, { uid: `uid ${at}` }, 600)
      })
      const kept = yield* Effect.forEach(Array.from({ length: 10_000 }), (_, at) => look(`id ${at}`))
      assert.strictEqual(kept.filter((found) => found !== undefined).length, mostSignIns)
      assert.deepStrictEqual(yield* lookByUid("uid 9999"), { uid: "uid 9999" })
      assert.isUndefined(yield* lookByUid("uid 1"))
      yield* Effect.promise(async () => await sessions.upsert("id 8000", { uid: "uid 8000" }, 600))
      yield* look("id 8001")
      yield* Effect.promise(async () => await sessions.upsert("one more", {}, 600))
      assert.isDefined(yield* look("id 8000"), "a sign-in that is stored again is the newest")
      assert.isUndefined(yield* look("id 8001"), "reading a sign-in makes it no younger")
      yield* Effect.promise(async () => await sessions.destroy("one more"))
      assert.isUndefined(yield* look("one more"))
      yield* Effect.promise(async () => await sessions.upsert("id 9999", { uid: "another" }, 600))
      assert.isUndefined(yield* lookByUid("uid 9999"), "it has another uid now")
      yield* TestClock.adjust("11 minutes")
      assert.isUndefined(yield* look("id 9999"))
    })
  )
})
