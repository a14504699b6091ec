import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeBoundedMap, mostSignIns } from "../../src/local-identity/bounded-map.ts"
import { memoryAdapter } from "../../src/local-identity/memory.ts"

describe("a bounded map", () => {
  it("holds as many as it may, and lets the oldest go", () => {
    const map = makeBoundedMap<number>(3)
    for (let at = 0; at < 100; at++) map.set(String(at), at, { now: 0, lapses: 1000 })
    assert.deepStrictEqual([...map.values()], [97, 98, 99])
    map.set("97", 1, { now: 0, lapses: 1000 })
    map.set("new", 2, { now: 0, lapses: 1000 })
    assert.deepStrictEqual([...map.values()], [99, 1, 2], "what is set again is the newest")
  })

  it("lets go of what has lapsed when something new comes", () => {
    const map = makeBoundedMap<number>(10)
    for (let at = 0; at < 5; at++) map.set(String(at), at, { now: at, lapses: at + 100 })
    map.set("new", 9, { now: 102, lapses: 202 })
    assert.deepStrictEqual([...map.values()], [3, 4, 9])
    map.delete("4")
    assert.deepStrictEqual([map.get("4"), map.get("3"), map.size()], [undefined, 3, 2])
  })
})

describe("what the local provider keeps in memory", () => {
  it.effect("is of so many sign-ins, however many are begun, and found by its own id alone", () =>
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
      yield* Effect.promise(async () => await sessions.upsert("id 9999", { uid: "another" }, 600))
      assert.isUndefined(yield* lookByUid("uid 9999"), "it has another uid now")
      yield* TestClock.adjust("11 minutes")
      assert.isUndefined(yield* look("id 9999"))
    })
  )
})
