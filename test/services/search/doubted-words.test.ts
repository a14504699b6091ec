import { assert, layer } from "@effect/vitest"
import { Array as Arr, Effect, Layer } from "effect"
import { Browse } from "../../../src/services/search/browse.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { agency, agendaItemId, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

const day = (at: number) => `2024-01-${String(at).padStart(2, "0")}`

const titled = (titles: ReadonlyArray<string>) =>
  titles.map((title, at) => meeting(title, "council", { date: day(at + 1), title }))

const item = (name: string) => ({ id: agendaItemId(name), title: "Funding for shelters" })

const record = putOnRecord(
  place("marlow"),
  agency("council", ["marlow"]),
  ...titled(Arr.makeBy(20, (at) => `Homelessness report ${at}`)),
  ...titled(Arr.makeBy(19, (at) => `Stormwater report ${at}`)),
  ...titled(Arr.makeBy(20, (at) => `Inventory ${at}`)),
  ...titled(["Homless people", "Stromwater drains", "Inventing machines"]),
  meeting("shelters", "council", { date: day(1), agenda_items: [item("read"), item("voted on")] })
)

const TestLayer = Layer.effectDiscard(record).pipe(
  Layer.provideMerge(Browse.layer.pipe(Layer.provide(SearchIndex.none))),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

layer(TestLayer)("a search for a word that was never written", (it) => {
  const search = (q: string, exact?: "1") =>
    Browse.use((browse) => browse.search({ q, ...(exact === undefined ? {} : { exact }) }))

  it.effect("is corrected if hardly any meeting has its stem, and twenty times as many have a likely one", () =>
    Effect.gen(function* () {
      const mended = yield* search("homlessness")
      assert.strictEqual(mended.corrected_query, "homelessness")
      assert.strictEqual(mended.total, 20)
      const exact = yield* search("homlessness", "1")
      assert.deepStrictEqual(
        exact.meetings.map(({ id }) => id),
        [meetingId("Homless people")]
      )
    })
  )

  it.effect("is left alone if too few have the likely one, if its stem was meant, and if it was written", () =>
    Effect.gen(function* () {
      for (const [q, total] of [
        ["stromwaters", 1],
        ["homless", 1],
        ["invents", 1],
        ["homlessness or inventory", 21]
      ] as const) {
        const page = yield* search(q)
        assert.notProperty(page, "corrected_query", q)
        assert.strictEqual(page.total, total, q)
      }
    })
  )

  it.effect("returns a text once if it appears in two items of a meeting", () =>
    Effect.gen(function* () {
      const { meetings } = yield* search("shelters")
      assert.deepStrictEqual(
        meetings.map(({ matches }) => matches?.map(({ snippet }) => snippet)),
        [["Funding for shelters"]]
      )
    })
  )
})
