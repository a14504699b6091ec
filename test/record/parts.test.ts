import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { BundleEntity } from "../../schema/bundle.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { mustWait, type Part, partsOf } from "../../src/record/parts.ts"
import { makeWriters } from "../../src/record/writers.ts"
import { agency, clipId, meeting, meetingId, place, said, transcript } from "../support/builders.ts"

const lines = (...entities: ReadonlyArray<BundleEntity>) => entities.map((entity) => ({ entity }))

const typesOf = (...entities: ReadonlyArray<BundleEntity>) =>
  partsOf(lines(...entities)).map(({ lines, claims }) => [lines.map(({ entity }) => entity.type), claims === undefined])

const removed: BundleEntity = { type: "removed", what: "meeting", id: meetingId("1") }

const clip = (of: string, name: string): BundleEntity => ({
  type: "clip",
  meeting_id: meetingId(of),
  id: clipId(name),
  title: name,
  start: 1,
  end: 2,
  state: "published"
})

/** Whether a batch of the second entities waits for one of the first. */
const waits = (first: BundleEntity, second: BundleEntity): boolean => {
  const [earlier] = partsOf(lines(first))
  const [later] = partsOf(lines(second))
  return earlier !== undefined && later !== undefined && mustWait(later, earlier)
}

describe("the parts of a batch", () => {
  it("are the directory, written alone, and the rest", () => {
    assert.deepStrictEqual(
      typesOf(meeting("1", "council"), agency("board", ["springfield"]), transcript("1", said([]))),
      [
        [["agency"], true],
        [["meeting", "transcript"], false]
      ]
    )
    assert.deepStrictEqual(typesOf(place("springfield"), agency("council", ["springfield"])), [
      [["place", "agency"], true]
    ])
  })

  it("are one if a line names a body that only a later line defines, or removes something", () => {
    assert.deepStrictEqual(typesOf(meeting("1", "board"), agency("board", ["springfield"])), [
      [["meeting", "agency"], true]
    ])
    assert.deepStrictEqual(typesOf(removed), [[["removed"], true]])
  })

  it("wait for earlier ones with the same meeting, or an id that both claim, and for no others", () => {
    assert.isTrue(waits(meeting("1", "council"), transcript("1", said([]))))
    assert.isTrue(waits(clip("1", "same"), clip("2", "same")))
    assert.isFalse(waits(clip("1", "one"), clip("2", "other")))
    assert.isFalse(waits(meeting("1", "council"), meeting("2", "council")))
    assert.isTrue(waits(meeting("1", "council"), removed))
    assert.isTrue(waits(removed, meeting("2", "council")))
  })

  it("wait for earlier ones with a meeting whose short id could be the same", () => {
    const first = meeting("1", "council", { id: MeetingId.make("0123abcd-1111-4111-8111-111111111111") })
    const second = meeting("2", "council", { id: MeetingId.make("0123ABCD-2222-4222-8222-222222222222") })
    assert.isTrue(waits(first, second))
  })
})

const part = (name: string, ...claims: ReadonlyArray<string>): Part<string> => ({
  lines: [name],
  claims: new Set(claims)
})

/** Writers whose parts are written when the test says so, and the record of what was begun and reported so far. */
const watched = Effect.fnUntraced(function* (writers: number) {
  const begun: Array<string> = []
  const settled: Array<string> = []
  const gates = new Map<string, Deferred.Deferred<void, string>>()
  const gate = (name: string) => {
    const known = gates.get(name) ?? Deferred.makeUnsafe<void, string>()
    gates.set(name, known)
    return known
  }
  const made = yield* makeWriters<string, string, string, never>(
    writers,
    ([name = ""]) =>
      Effect.suspend(() => {
        begun.push(name)
        return Effect.as(Deferred.await(gate(name)), name)
      }),
    (_, written) => Effect.sync(() => settled.push(written))
  )
  return {
    ...made,
    begun,
    settled,
    /** Lets these parts be written, and waits for everything that follows. */
    written: (...names: ReadonlyArray<string>) =>
      Effect.andThen(
        Effect.forEach(names, (name) => Deferred.succeed(gate(name), undefined)),
        settling
      ),
    fails: (name: string) => Deferred.fail(gate(name), `${name} failed`)
  }
})

const settling = Effect.repeat(Effect.yieldNow, { times: 100 })

describe("writers", () => {
  it.effect("take the next part as soon as one of them is free, and report parts in their order", () =>
    Effect.gen(function* () {
      const { add, begun, settled, written } = yield* watched(2)
      yield* Effect.forEach(["a", "b", "c"], (name) => add(part(name, name)))
      yield* settling
      assert.deepStrictEqual(begun, ["a", "b"])
      yield* written("b", "c")
      assert.deepStrictEqual([begun, settled], [["a", "b", "c"], []])
      yield* written("a")
      assert.deepStrictEqual(settled, ["a", "b", "c"])
    })
  )

  it.effect("let parts overtake one that has to wait for another", () =>
    Effect.gen(function* () {
      const { add, begun, written } = yield* watched(2)
      yield* add(part("first", "1"))
      yield* add(part("second", "1", "2"))
      yield* add(part("other", "3"))
      yield* settling
      assert.deepStrictEqual(begun, ["first", "other"])
      yield* written("first")
      assert.deepStrictEqual(begun, ["first", "other", "second"])
    })
  )

  it.effect("write nothing else beside a part that must be written alone", () =>
    Effect.gen(function* () {
      const { add, begun, written } = yield* watched(3)
      yield* add(part("before", "1"))
      yield* add({ ...part("alone"), claims: undefined })
      yield* add(part("after", "2"))
      yield* settling
      assert.deepStrictEqual(begun, ["before"])
      yield* written("before")
      assert.deepStrictEqual(begun, ["before", "alone"])
      yield* written("alone")
      assert.deepStrictEqual(begun, ["before", "alone", "after"])
    })
  )

  it.effect("hold two more parts than there are of them, and no others", () =>
    Effect.gen(function* () {
      const { add, drain, settled, written } = yield* watched(2)
      const names = ["a", "b", "c", "d", "e", "f"]
      let added = 0
      const adding = yield* Effect.forkChild(
        Effect.forEach(names, (name) =>
          Effect.andThen(
            add(part(name, name)),
            Effect.sync(() => added++)
          )
        )
      )
      yield* settling
      assert.strictEqual(added, 4)
      // A written part waits to be reported: its entities are still held in memory.
      yield* written("b", "c")
      assert.strictEqual(added, 4)
      yield* written("a")
      assert.strictEqual(added, 6)
      yield* Fiber.join(adding)
      yield* written("d", "e", "f")
      yield* drain
      assert.deepStrictEqual(settled, names)
    })
  )

  it.effect("fail with the first part that does, and report none after it", () =>
    Effect.gen(function* () {
      const { add, running, settled, written, fails } = yield* watched(2)
      for (const name of ["a", "b", "c"]) yield* add(part(name, name))
      yield* fails("a")
      assert.strictEqual(yield* Effect.flip(running), "a failed")
      yield* written("b", "c")
      assert.deepStrictEqual(settled, [])
    })
  )
})
