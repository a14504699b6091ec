import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Struct } from "effect"
import fc from "fast-check"
import { Db } from "../../../layers/db/db.ts"
import type { BrowsePage } from "../../../schema/browse.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { cursorText } from "../../../schema/cursor.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { meetingsRemoved } from "../../../src/services/feed/changed.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { completeAsOf } from "../../../src/services/search/found/listing.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"
import { forAll } from "../../support/for-all.ts"

const TestLayer = Browse.layer.pipe(
  Layer.provide(SearchIndex.none),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

const search = (query: BrowseQuery) => Browse.use((browse) => browse.search(query))

const names = Array.from({ length: 24 }, (_, at) => `m${at}`)
const statuses = ["held", "upcoming", "cancelled"] as const
const changes = fc.array(
  fc.record({
    name: fc.constantFrom(...names),
    body: fc.constantFrom("council", "schools"),
    status: fc.constantFrom(...statuses),
    day: fc.integer({ min: 1, max: 9 }),
    title: fc.constantFrom("Regular meeting", "Budget hearing"),
    isRemoved: fc.boolean()
  }),
  { maxLength: 5 }
)
type Change = typeof changes extends fc.Arbitrary<ReadonlyArray<infer A>> ? A : never

const make = ({ name, body, status, day, title, isRemoved }: Change) =>
  Effect.gen(function* () {
    const db = yield* Db
    if (isRemoved) return yield* db.withTransaction(meetingsRemoved(db, [meetingId(name)], undefined))
    return yield* putOnRecord(meeting(name, body, { status, title, date: `2026-03-0${day}` }))
  })

const queries = fc.record(
  {
    sort: fc.constantFrom("newest", "oldest", "updated"),
    status: fc.subarray([...statuses], { minLength: 1 }),
    agency: fc.constant(["council"]),
    year: fc.constant([2026]),
    page_size: fc.integer({ min: 1, max: 4 })
  } as const,
  { requiredKeys: ["sort", "page_size"] }
)

/** Every page of a list, by cursor; `between` runs before each page but the first. */
const read = Effect.fnUntraced(function* <E, R>(query: BrowseQuery, between: Effect.Effect<unknown, E, R>) {
  const pages: Array<BrowsePage> = [yield* search(query)]
  for (let after = pages[0]?.after; after !== undefined; after = pages.at(-1)?.after) {
    yield* between
    pages.push(yield* search({ ...query, after }))
  }
  assert.deepStrictEqual(
    pages.map(({ page }) => page),
    pages.map((_, at) => at + 1)
  )
  return { ids: pages.flatMap(({ meetings }) => meetings.map(({ id }) => id)), as_of: pages[0]?.as_of ?? "" }
})

layer(TestLayer, { excludeTestServices: true })("a list that is read by cursor", (it) => {
  const record = putOnRecord(
    place("springfield"),
    agency("council", ["springfield"]),
    agency("schools", ["springfield"]),
    ...names.map((name, at) =>
      meeting(name, at % 3 === 0 ? "schools" : "council", {
        status: statuses[at % 5 === 1 ? 1 : at % 7 === 2 ? 2 : 0],
        date: `2026-03-0${1 + (at % 9)}`
      })
    )
  )

  it.effect("has what its pages by number have, in their order", () =>
    Effect.gen(function* () {
      yield* record
      yield* forAll(
        queries,
        Effect.fnUntraced(function* (query) {
          const { meetings } = yield* search({ ...query, page_size: 100 })
          const { ids } = yield* read(query, Effect.void)
          assert.deepStrictEqual(
            ids,
            meetings.map(({ id }) => id)
          )
        }),
        { numRuns: 40 }
      )
    })
  )

  it.effect("passes over no meeting that stays, whatever else changes; then a mirror has what the record has", () =>
    Effect.gen(function* () {
      yield* record
      const statusesOf = (page: BrowsePage) => new Map(page.meetings.map(({ id, status }) => [id, status]))
      yield* forAll(
        fc.record({ query: queries, rounds: fc.array(changes, { minLength: 1, maxLength: 6 }) }),
        Effect.fnUntraced(function* ({ query, rounds }) {
          const listed = Struct.omit({ ...query, status: [...statuses] }, ["agency", "year"])
          const before = new Set((yield* search({ ...listed, page_size: 100 })).meetings.map(({ id }) => id))
          const left = [...rounds]
          const touched = new Set(rounds.flat().map(({ name }) => meetingId(name)))
          const next = Effect.suspend(() => Effect.forEach(left.shift() ?? [], make))
          const { ids, as_of } = yield* read(listed, next)
          const mirror = new Set<MeetingId>(ids)
          for (const id of before) if (!touched.has(id)) assert.isTrue(mirror.has(id), id)
          for (const id of ids)
            if (!touched.has(id))
              assert.lengthOf(
                ids.filter((one) => one === id),
                1
              )
          const sync = yield* search({ ...listed, page_size: 100, updated_since: as_of })
          for (const { id } of sync.removed ?? []) mirror.delete(id)
          for (const { id } of sync.meetings) mirror.add(id)
          const now = statusesOf(yield* search({ status: [...statuses], page_size: 100 }))
          assert.deepStrictEqual([...mirror].toSorted(), [...now.keys()].toSorted())
        }),
        { numRuns: 25 }
      )
    })
  )

  it.effect("is complete as of the start of the oldest transaction that is still open", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const [begun, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const began = Date.now()
      const open = db`select 1 as one`.pipe(
        Effect.andThen(Deferred.succeed(begun, undefined)),
        Effect.andThen(Deferred.await(done)),
        db.withTransaction
      )
      const writer = yield* Effect.forkChild(open)
      yield* Deferred.await(begun)
      yield* Effect.sleep("1 second")
      const asOf = Effect.map(completeAsOf(db), Date.parse)
      assert.approximately(yield* asOf, began - 5000, 500)
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(writer)
      assert.approximately(yield* asOf, Date.now() - 5000, 500)
      yield* db`update meeting set updated_at = '2026-03-12T08:00:00.123Z'`
      yield* db`update removed_meeting set removed_at = '2026-03-11'`
      assert.strictEqual(yield* completeAsOf(db), "2026-03-12T08:00:00.123Z")
    })
  )

  it.effect("refuses a cursor that does not go with the rest, and names the field", () =>
    Effect.gen(function* () {
      const after = cursorText({
        ...{ sort: "newest", key: "2026-03-04", id: meetingId("m1"), page: 1, as_of: "2026-03-04T00:00:00Z" }
      })
      for (const [query, field] of [
        [{ after, page: 2 }, "after"],
        [{ after, group_by: "agency" }, "after"],
        [{ after, sort: "updated" }, "after"],
        [{ after, sort: "relevance", q: "budget" }, "after"],
        [{ status: ["upcoming"], q: "budget" }, "status"]
      ] as const) {
        const failure = yield* Effect.flip(search(query))
        assert.deepInclude(failure, { _tag: "UnfitParameter", field })
      }
    })
  )
})
