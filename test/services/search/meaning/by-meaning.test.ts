import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import type { BrowsePage } from "../../../../schema/browse.ts"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import { AccountId } from "../../../../schema/primitives.ts"
import { anonymous, type Viewer } from "../../../../schema/viewer.ts"
import { Browse } from "../../../../src/services/search/browse.ts"
import { Embeddings } from "../../../../src/services/search/meaning/embeddings.ts"
import { meetingId, putOnRecord } from "../../../support/builders.ts"
import { TestDb } from "../../../support/database.ts"
import { startEmbeddingServer } from "../../../support/embedding-server.ts"
import { meaningWith, meantRecord, meetingAbout } from "../../../support/meant-record.ts"

const all = Embeddings.use(({ next }) => Effect.repeat(next, { until: (count) => count === 0 }))

const search = (query: BrowseQuery, viewer: Viewer = anonymous) => Browse.use((browse) => browse.search(query, viewer))

const names = ["dogs", "rent", "school", "works"]

/** The meetings that were found by their meaning, each with what of it was near. */
const meantIn = ({ by_meaning: meant = [] }: BrowsePage) =>
  meant.map(({ id, matches = [] }) => [names.find((name) => meetingId(name) === id), matches[0]?.snippet])

const leash = "A leash rule for canine owners in the meadow"
const reader: Viewer = { _tag: "Reader", accountId: AccountId.make("0b5e6f52-8f7e-4d0c-9d55-2f1f6f0f7a01") }

const running = <A, E>(
  program: (server: Effect.Success<typeof startEmbeddingServer>) => Effect.Effect<A, E, Db | Embeddings | Browse>
) =>
  Effect.gen(function* () {
    const server = yield* startEmbeddingServer
    return yield* Effect.provide(program(server), Layer.provideMerge(meaningWith(server.env), TestDb))
  })

describe("a search by meaning", () => {
  it.live("finds what has other words, after what has the words, and counts it in nothing", () =>
    running(
      Effect.fnUntraced(function* (server) {
        yield* meantRecord
        yield* all
        const page = yield* search({ q: "dogs greenway" })
        assert.strictEqual(page.total, 0)
        assert.isEmpty(page.meetings)
        assert.deepStrictEqual(meantIn(page), [
          ["school", "Puppies visiting the meadow"],
          ["dogs", leash]
        ])
        const [match] = page.by_meaning?.[1]?.matches ?? []
        assert.deepInclude(match, { field: "agenda", start: 60 })
        assert.match(match?.path ?? "", /\?t=60$/)
        assert.isEmpty(page.facets.agency)

        const some = yield* search({ q: "puppies" })
        assert.deepStrictEqual([some.total, some.meetings.map(({ id }) => id)], [1, [meetingId("school")]])
        assert.deepStrictEqual(meantIn(some), [["dogs", leash]])

        assert.deepStrictEqual(meantIn(yield* search({ q: "dogs greenway", agency: ["board"] })), [
          ["school", "Puppies visiting the meadow"]
        ])
        assert.deepStrictEqual(meantIn(yield* search({ q: "quaternions" })), [], "nothing is about that")

        const before = server.requests.length
        yield* search({ q: "dogs greenway" })
        assert.strictEqual(server.requests.length, before, "a vector is remembered")
      })
    )
  )

  it.live(
    "is not made with exact=1, quotes, scopes, groups, another order, a full or a later page, or to be mailed",
    () =>
      running(
        Effect.fnUntraced(function* (server) {
          yield* meantRecord
          yield* all
          const before = server.requests.length
          const without: ReadonlyArray<BrowseQuery> = [
            { q: "dogs greenway", exact: "1" },
            { q: '"dogs greenway"' },
            { q: "dogs -greenway" },
            { q: "dogs or greenway" },
            { q: "dogs body:council" },
            { q: "dogs greenway", group_by: "agency" },
            { q: "dogs greenway", sort: "newest" },
            { q: "dogs greenway", page: 2 },
            { q: "puppies", page_size: 1 },
            {}
          ]
          for (const query of without) assert.notProperty(yield* search(query), "by_meaning", JSON.stringify(query))
          assert.isEmpty(yield* Browse.use((browse) => browse.found({ q: "dogs greenway" })))
          assert.strictEqual(server.requests.length, before)
        })
      )
  )

  it.live("compares what only readers see for readers alone", () =>
    running(
      Effect.fnUntraced(function* () {
        yield* meantRecord
        yield* all
        const gated = "The aqueduct. The aqueduct millage passed."
        assert.deepStrictEqual(meantIn(yield* search({ q: "sewer levy" })), [])
        assert.deepStrictEqual(
          meantIn(yield* search({ q: "sewer levy" }, { _tag: "ShareHolder", meetingId: meetingId("works") })),
          []
        )
        const found = yield* search({ q: "sewer levy" }, reader)
        assert.deepStrictEqual(meantIn(found), [["works", gated]])
        assert.deepInclude(found.by_meaning?.[0]?.matches?.[0], { field: "briefing", start: 95 })
      })
    )
  )

  it.live("finds nothing by a text that has changed since, or is gone", () =>
    running(
      Effect.fnUntraced(function* () {
        yield* meantRecord
        yield* all
        yield* putOnRecord(meetingAbout("dogs", ["Something else altogether"]))
        assert.deepStrictEqual(meantIn(yield* search({ q: "dogs greenway" })), [
          ["school", "Puppies visiting the meadow"]
        ])
      })
    )
  )

  it.live("leaves the answer of the words as it is, at once, while the model is away", () =>
    running(
      Effect.fnUntraced(function* (server) {
        yield* meantRecord
        yield* all
        server.answers(() => "silent")
        const asked = server.requests.length
        const began = yield* Clock.currentTimeMillis
        for (const q of [
          "puppies one",
          "puppies two",
          "puppies three",
          "puppies four",
          "puppies five",
          "puppies six"
        ]) {
          assert.notProperty(yield* search({ q }), "by_meaning")
        }
        const before = server.requests.length
        const at = yield* Clock.currentTimeMillis
        const page = yield* search({ q: "puppies" })
        const now = yield* Clock.currentTimeMillis
        assert.strictEqual(page.total, 1)
        assert.notProperty(page, "by_meaning")
        assert.isBelow(at - began, 6 * 1500)
        assert.strictEqual(before, asked + 5, "each once")
        assert.strictEqual(server.requests.length, before, "it is not asked any more")
        assert.isBelow(now - at, 500)
      })
    )
  )

  it.live("is none without a model, nor before anything is embedded", () =>
    Effect.gen(function* () {
      yield* meantRecord
      yield* all
      assert.notProperty(yield* search({ q: "dogs greenway" }), "by_meaning")
      assert.isEmpty(yield* Effect.flatMap(Db, (db) => db`select from embedded_meeting`))
    }).pipe(Effect.provide(Layer.provideMerge(meaningWith({}), TestDb)))
  )
})
