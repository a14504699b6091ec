import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import type { BundleEntity } from "../../../schema/bundle.ts"
import { PersonMerge } from "../../../src/services/people/person-merge.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { agency, agendaItemId, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

const person = (slug: string, name: string, over: object = {}): BundleEntity => ({
  ...{ type: "person", slug: `springfield-${slug}`, place: "springfield", name, ...over }
})
const matter = (identifier: string, slug: string, title: string): BundleEntity => ({
  ...{ type: "matter", slug, place: "springfield", identifier, title, kind: "ordinance", status: "passed", history: [] }
})
const vote = (at: number, where: object, people: ReadonlyArray<string>, over: object = {}): BundleEntity => ({
  ...{ type: "vote", id: `d1f4c7a2-93b0-5e6d-8f21-7b3c5a9e0e0${at}`, kind: "vote", result: "pass", ...where, ...over },
  ballots: people.map((slug) => ({ person: `springfield-${slug}`, name: slug, option: "yes" }))
})

const record = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"]),
  ...["first", "second", "third"].map((name, at) =>
    meeting(name, "council", {
      date: `2026-03-0${at + 1}`,
      ...(name === "third"
        ? { agenda_items: [{ id: agendaItemId("third"), title: "Greenway", matter: "Ordinance No. 24-117" }] }
        : {})
    })
  ),
  person("ada", "Ada Marsh", { retired_slugs: ["old-ada"] }),
  person("ada-jane", "Ada Jane Marsh"),
  person("will", "William Ortiz", { other_names: ["Bill Ortiz"] }),
  matter("Ord. 24-117", "springfield-ord-24-117", "Creek greenway"),
  matter("Ord. 24-118", "springfield-ord-24-118", "Greenway lights"),
  vote(1, { meeting_id: meetingId("first") }, ["ada", "will"], { matter: "springfield-ord-24-118" }),
  vote(2, { meeting_id: meetingId("second") }, ["ada-jane"], { result: "fail" }),
  // Its meeting is not on record.
  vote(3, { place: "springfield", event: "9", date: "2026-01-01" }, ["ada"], { matter: "springfield-ord-24-118" })
)

const days = (query: BrowseQuery) =>
  Effect.map(
    Browse.use((browse) => browse.search({ sort: "oldest", ...query })),
    ({ meetings, named }) => [
      meetings.map(({ date }) => Number(date.slice(-1))),
      named?.map(({ total, found }) => [total, ...found.map(({ slug }) => slug)])
    ]
  )

const TestLayer = Layer.effectDiscard(record).pipe(
  Layer.provideMerge(Layer.merge(Browse.layer, PersonMerge.layer)),
  Layer.provide(SearchIndex.none),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

layer(TestLayer)("people and matters that a search names", (it) => {
  it.effect("are found by slug or name, the one of exactly that name before others", () =>
    Effect.gen(function* () {
      const ada = [[1], [[1, "springfield-ada"]]]
      for (const q of ["person:springfield-ada", "person:old-ada", 'Person:"ada marsh"', 'person: "Marsh, Ada"']) {
        assert.deepStrictEqual(
          yield* days({ q }),
          q.includes(",") ? [[1, 2], [[2, "springfield-ada-jane", "springfield-ada"]]] : ada,
          q
        )
      }
      assert.deepStrictEqual(yield* days({ q: 'person:"Council Member Bill Ortiz"' }), [[1], [[1, "springfield-will"]]])
      assert.deepStrictEqual(yield* days({ q: "person:marsh" }), [
        [1, 2],
        [[2, "springfield-ada-jane", "springfield-ada"]]
      ])
      assert.deepStrictEqual(yield* days({ q: 'person:ortiz -person:"Ada Jane Marsh"' }), [
        [1],
        [
          [1, "springfield-will"],
          [1, "springfield-ada-jane"]
        ]
      ])
      assert.deepStrictEqual(yield* days({ person: ["springfield-will"] }), [[1], [[1, "springfield-will"]]])
    })
  )

  it.effect("are found by number in any spelling, by slug, or by words of the title", () =>
    Effect.gen(function* () {
      for (const q of ['matter:"Ord. 24-117"', 'matter:"ordinance no 24-117"', "matter:springfield-ord-24-117"]) {
        assert.deepStrictEqual(yield* days({ q }), [[3], [[1, "springfield-ord-24-117"]]], q)
      }
      const both = [2, "springfield-ord-24-118", "springfield-ord-24-117"]
      assert.deepStrictEqual(yield* days({ q: "matter:greenway" }), [[1, 3], [both]])
      // A vote without a meeting excludes none.
      assert.deepStrictEqual(yield* days({ q: "-matter:greenway" }), [[2], [both]])
    })
  )

  it.effect("are said to be unknown, and not taken for somebody else", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* days({ q: "person:ada-marhs" }), [[], [[0]]])
      assert.deepStrictEqual(yield* days({ q: "matter:24-999", person: ["nobody"] }), [[], [[0], [0]]])
      const [, named] = yield* days({ q: "greenway" })
      assert.isUndefined(named)
    })
  )

  it.effect("are counted if asked for, the most first, and one person once after a merge", () =>
    Effect.gen(function* () {
      const counts = (query: BrowseQuery) =>
        Effect.map(
          Browse.use((browse) => browse.search(query)),
          ({ facets: { person, matter, vote } }) =>
            [person, matter, vote].map((facet) =>
              facet?.map(({ value, count }) => [value.replace("springfield-", ""), count])
            )
        )
      assert.deepStrictEqual(yield* counts({}), [undefined, undefined, undefined])
      assert.deepStrictEqual(yield* counts({ facet: ["vote", "person", "matter"], vote: ["passed"] }), [
        [
          ["ada", 1],
          ["will", 1]
        ],
        [["ord-24-118", 1]],
        [
          ["passed", 1],
          ["failed", 1]
        ]
      ])
      const nowhere = {
        facet: ["person" as const, "vote" as const],
        person: ["springfield-will"],
        vote: ["failed" as const]
      }
      assert.deepStrictEqual(yield* counts({ ...nowhere, year: [2025] }), [[["will", 0]], undefined, [["failed", 0]]])
      yield* PersonMerge.use(({ merge }) => merge("springfield-ada-jane", "springfield-ada"))
      assert.deepStrictEqual(yield* counts({ facet: ["person"], person: ["springfield-ada-jane", "nobody"] }), [
        [
          ["ada", 2],
          ["will", 1]
        ],
        undefined,
        undefined
      ])
      assert.deepStrictEqual(yield* days({ q: 'person:"Ada Jane Marsh"' }), [[1, 2], [[1, "springfield-ada"]]])
    })
  )
})
