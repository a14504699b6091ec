import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { mineNeighbors } from "../../../src/services/search/corrections/neighbors.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { agency, meeting, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { Indexed } from "../../support/changing-record.ts"
import { TestDb } from "../../support/database.ts"
import { setupOf } from "../../support/service.ts"

const TestLayer = SearchIndex.layer.pipe(Layer.provideMerge(TestDb), Layer.provideMerge(setupOf({})))

/** Two passages of something that hardly anybody else talks about. */
const filler = (at: number) =>
  Array.from({ length: 20 }, (_, line) => {
    const letters = String.fromCharCode(97 + ((at + line) % 26), 97 + (at % 26), 97 + (line % 26))
    return Array.from({ length: 10 }, (_, word) => `${letters}${String.fromCharCode(97 + word)}`).join(" ")
  })

/** Each line takes five seconds; tents and camps are said in the same company and never together. */
const lines = (at: number): ReadonlyArray<string> => [
  ...filler(at),
  ...[
    `we cleared the ${at % 2 === 0 ? "tents" : "camps"}`,
    "by the river",
    "with outreach workers",
    "and Morgan",
    "said so",
    "here"
  ],
  ...filler(at + 1),
  ...["the pothole", "on the asphalt", "was paved", "by our crews", "and is", "even"],
  ...filler(at + 2)
]

const meetings = 80

const record = putOnRecord(
  place("marlow"),
  agency("council", ["marlow"]),
  ...Array.from({ length: meetings }, (_, at) => [
    meeting(`m${at}`, "council", { date: "2024-03-01" }),
    transcript(`m${at}`, said([...lines(at)]))
  ]).flat()
)

const due = Effect.flatMap(Db, (db) => db`update neighbor_turn set due_at = now()`)

layer(TestLayer, { excludeTestServices: true })("words that are said in the same company", (it) => {
  it.effect("are mined once a week, by one process at a time, and offered where few meetings match", () =>
    Effect.gen(function* () {
      yield* record
      const db = yield* Db
      yield* Effect.all([mineNeighbors(db), mineNeighbors(db)], { concurrency: 2 })
      const neighbors = Object.fromEntries(
        (yield* db<{ word: string; neighbors: ReadonlyArray<string> }>`select * from word_neighbor`).map((row) => [
          row.word,
          row.neighbors
        ])
      )
      assert.include(neighbors.tents ?? [], "camps")
      assert.include(neighbors.camps ?? [], "tents")
      assert.notInclude(Object.values(neighbors).flat(), "morgan", "a name")
      assert.notInclude(neighbors.tents ?? [], "asphalt")

      const browse = Context.get(yield* Layer.build(Indexed), Browse)
      const also = yield* browse.search({ q: "tents" })
      assert.deepInclude(also.also_said ?? [], { q: "camps", total: meetings / 2 })
      assert.notProperty(yield* browse.search({ q: "tents", exact: "1" }), "also_said")
      assert.deepInclude((yield* browse.search({ q: "river tents" })).also_said ?? [], {
        q: "river camps",
        total: meetings / 2
      })

      // Not due for a week; what was mined stays until it is mined again.
      yield* db`update word_neighbor set neighbors = '{stale}' where word = 'tents'`
      yield* mineNeighbors(db)
      const tents = db`select neighbors from word_neighbor where word = 'tents'`
      assert.deepStrictEqual(yield* tents, [{ neighbors: ["stale"] }])
      yield* due
      yield* mineNeighbors(db)
      assert.deepStrictEqual(yield* tents, [{ neighbors: neighbors.tents }])
    })
  )

  it.effect("are mined by another process an hour after one was killed at it", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* due
      yield* Effect.raceFirst(mineNeighbors(db), Effect.sleep("100 millis"))
      const [turn] = yield* db<{ hours: number; is_next_week: boolean }>`
        select round(extract(epoch from due_at - now()) / 3600)::int as hours, due_at > now() + interval '6 days' as is_next_week
        from neighbor_turn`
      assert.deepStrictEqual(turn, { hours: 1, is_next_week: false })
    })
  )
})
