import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { TrendsQuery } from "../../../schema/trends.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { Trends } from "../../../src/services/search/trends.ts"
import { agency, meeting, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

const held = (name: string, body: string, date: string, ...lines: ReadonlyArray<string>) => [
  meeting(name, body, { date, title: "Meeting" }),
  ...(lines.length === 0 ? [] : [transcript(name, said(lines))])
]

const record = putOnRecord(
  place("springfield"),
  place("decatur"),
  agency("council", ["springfield"]),
  agency("joint-board", ["springfield", "decatur"]),
  agency("schools", ["decatur"]),
  ...held("a", "council", "2024-12-31", "the greenway is open"),
  ...held("b", "council", "2025-01-01", "the budget is late"),
  ...held("c", "council", "2025-03-31", "a greenway, and again a greenway"),
  ...held("d", "joint-board", "2025-03-31"),
  ...held("e", "schools", "2025-11-02"),
  ...held("f", "schools", "2025-11-03"),
  ...held("g", "schools", "2025-11-04", "no greenway without a budget"),
  meeting("h", "schools", { date: "2025-11-05", status: "cancelled", title: "The greenway" })
)

const TestLayer = Layer.effectDiscard(record).pipe(
  Layer.provideMerge(Trends.layer.pipe(Layer.provideMerge(Browse.layer), Layer.provide(SearchIndex.none))),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

const read = (query: TrendsQuery) => Effect.flatMap(Trends, (trends) => trends.read(query))

layer(TestLayer, { excludeTestServices: true })("trends", (it) => {
  it.effect("count the meetings that browse finds, in every period from the first to the last", () =>
    Effect.gen(function* () {
      const browse = yield* Browse
      for (const by of ["year", "quarter", "month"] as const) {
        const { periods, series } = yield* read({ q: ["greenway", "budget -late"], by })
        assert.deepStrictEqual(
          [periods.length, periods[0]?.from],
          by === "year" ? [2, "2024-01-01"] : by === "quarter" ? [5, "2024-10-01"] : [12, "2024-12-01"]
        )
        for (const { q, points, total } of series) {
          assert.strictEqual(total, (yield* browse.search({ q, exact: "1" })).total)
          for (const [at, { from, to }] of periods.entries()) {
            const { total } = yield* browse.search({ q, exact: "1", date_from: from, date_to: to })
            assert.strictEqual(points[at]?.count, total, `${q} from ${from}`)
          }
        }
      }
      const { periods } = yield* read({ q: ["greenway"], by: "quarter" })
      assert.deepStrictEqual(
        periods.map(({ period, to, meetings, with_transcript, complete }) => [
          period,
          to,
          meetings,
          with_transcript,
          complete
        ]),
        [
          ["2024-Q4", "2024-12-31", 1, 1, true],
          ["2025-Q1", "2025-03-31", 3, 2, true],
          ["2025-Q2", "2025-06-30", 0, 0, false],
          ["2025-Q3", "2025-09-30", 0, 0, false],
          ["2025-Q4", "2025-12-31", 3, 1, false]
        ]
      )
    })
  )

  it.effect("say which share of the meetings, or of the words, it is, and leave out what was never held", () =>
    Effect.gen(function* () {
      const valuesOf = (query: TrendsQuery) =>
        Effect.map(read(query), ({ series }) => series[0]?.points.map(({ value }) => value))
      const q = ["greenway"]
      assert.deepStrictEqual(yield* valuesOf({ q, by: "quarter", measure: "share" }), [
        1,
        1 / 3,
        undefined,
        undefined,
        1 / 3
      ])
      const [first] = (yield* valuesOf({ q, measure: "per_million_words" })) ?? []
      assert.strictEqual(first, 1_000_000 / 4)
      assert.deepStrictEqual(
        yield* valuesOf({ q, measure: "per_million_words", date_from: "2025-03-01", date_to: "2025-03-31" }),
        [1_000_000 / 6]
      )
    })
  )

  it.effect("compare bodies and places, each with its own meetings, under the filters", () =>
    Effect.gen(function* () {
      const lines = (query: TrendsQuery) =>
        Effect.map(read(query), ({ series }) =>
          series.map(({ agency, place, total, points }) => [
            (agency ?? place)?.slug,
            total,
            points.map(({ count, meetings }) => [count, meetings])
          ])
        )
      const q = ["greenway"]
      assert.deepStrictEqual(yield* lines({ q, group: "agency" }), [
        [
          "council",
          2,
          [
            [1, 1],
            [1, 2]
          ]
        ],
        [
          "schools",
          1,
          [
            [0, 0],
            [1, 3]
          ]
        ]
      ])
      assert.deepStrictEqual(yield* lines({ q: ["meeting"], group: "place", place_slug: "springfield" }), [
        [
          "springfield",
          4,
          [
            [1, 1],
            [3, 3]
          ]
        ],
        [
          "decatur",
          1,
          [
            [0, 0],
            [1, 1]
          ]
        ]
      ])
      const refused = yield* Effect.flip(read({ q: ["greenway", "budget"], group: "agency" }))
      assert.include(refused, { _tag: "UnfitParameter", field: "group" })
    })
  )

  it.effect("refuse more periods than a line can show", () =>
    Effect.gen(function* () {
      yield* putOnRecord(...held("old", "council", "1951-06-01"))
      assert.include(yield* Effect.flip(read({ q: ["greenway"], by: "month" })), {
        _tag: "UnfitParameter",
        field: "by"
      })
      assert.lengthOf((yield* read({ q: ["greenway"], by: "quarter" })).periods, 299)
    })
  )
})
