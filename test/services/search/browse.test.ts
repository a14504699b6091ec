import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Browse } from "../../../src/services/search/browse.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import {
  agency,
  agendaItemId,
  meeting,
  meetingId,
  place,
  putOnRecord,
  said,
  transcript
} from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

const filler = Array.from(
  { length: 400 },
  (_, at) => `and then somebody said sentence number ${at} about nothing at all`
)

const record = Effect.fnUntraced(function* () {
  const outcomes = yield* putOnRecord(
    place("sangamon-county", { name: "Sangamon County", kind: "county" }),
    place("springfield", { county: "Sangamon County" }),
    place("pena-springs", { name: "Peña Springs", county: "Sangamon County" }),
    place("knoxville", { state: "TN", county: "Knox County" }),
    agency("springfield-city-council", ["springfield"], { segment: "city-council" }),
    agency("sangamon-county-board", ["sangamon-county"], { kind: "county_board" }),
    agency("pena-springs-school-board", ["pena-springs", "springfield"], {
      kind: "school_board",
      name: "Peña Springs School Board",
      retired_slugs: ["old-school-board"]
    }),
    agency("knoxville-city-council", ["knoxville"]),
    meeting("greenway", "springfield-city-council", {
      date: "2026-03-10",
      agenda_items: [{ id: agendaItemId("a"), number: "4.1", title: "Greenway extension bond", start: 754.5 }]
    }),
    meeting("budget", "springfield-city-council", { date: "2025-05-01", title: "Budget hearing" }),
    meeting("county", "sangamon-county-board", { date: "2026-01-05" }),
    meeting("school", "pena-springs-school-board", { date: "2025-09-09" }),
    meeting("knox", "knoxville-city-council", { date: "2024-02-02" }),
    meeting("later", "knoxville-city-council", { date: "2027-02-02", status: "upcoming" }),
    transcript(
      "knox",
      said([...filler, "the application for a beer", "permit on Sutherland Avenue", "the greenway is nice"])
    ),
    transcript(
      "county",
      said([
        "a permit for the fair",
        "where beer is sold",
        "one two three four five six seven eight nine ten eleven twelve thirteen greenway"
      ])
    )
  )
  assert.deepStrictEqual(new Set(outcomes.map((outcome) => outcome._tag)), new Set(["Created"]))
})

const TestLayer = Layer.effectDiscard(record()).pipe(
  Layer.provideMerge(Browse.layer.pipe(Layer.provide(SearchIndex.none))),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

layer(TestLayer)("Browse.search", (it) => {
  const ids = (query: Parameters<Browse["Service"]["search"]>[0]) =>
    Effect.flatMap(Browse, (browse) => browse.search(query)).pipe(
      Effect.map((page) => ({ ...page, ids: page.meetings.map((card) => card.id) }))
    )

  it.effect("lists held meetings newest first, with counts that add up", () =>
    Effect.gen(function* () {
      const page = yield* ids({})
      assert.deepStrictEqual(page.ids, ["greenway", "county", "school", "budget", "knox"].map(meetingId))
      assert.strictEqual(page.total, 5)
      assert.deepStrictEqual(page.facets.state, [
        { value: "IL", label: "IL", count: 4 },
        { value: "TN", label: "TN", count: 1 }
      ])
      assert.deepStrictEqual(
        page.facets.year.map((row) => [row.value, row.count]),
        [
          ["2026", 2],
          ["2025", 2],
          ["2024", 1]
        ]
      )
      assert.deepStrictEqual(
        page.facets.city.map((row) => [row.value, row.count]),
        [
          ["Springfield", 3],
          ["Knoxville", 1],
          ["Peña Springs", 1]
        ]
      )
    })
  )

  it.effect("takes a date among the words as a filter, within the filters given, unless it is to be exact", () =>
    Effect.gen(function* () {
      const typed = yield* ids({ q: "budget may 2025" })
      assert.deepStrictEqual(typed.ids, [meetingId("budget")])
      assert.deepStrictEqual(typed.dates, {
        text: "may 2025",
        q: "budget",
        date_from: "2025-05-01",
        date_to: "2025-05-31"
      })
      const alone = yield* ids({ q: "3/10/2026", date_from: "2026-01-01" })
      assert.deepStrictEqual(alone.ids, [meetingId("greenway")])
      assert.deepStrictEqual(alone.dates, { text: "3/10/2026", date_from: "2026-03-10", date_to: "2026-03-10" })
      assert.deepStrictEqual((yield* ids({ q: "may 2025", date_from: "2025-05-02" })).ids, [])
      assert.notProperty(yield* ids({ q: "budget may 2025", exact: "1" }), "dates")
      assert.deepStrictEqual(yield* (yield* Browse).found({ q: "2026-01-05" }), [meetingId("county")])
    })
  )

  it.effect("counts each facet under the other filters only, and keeps a chosen value at 0", () =>
    Effect.gen(function* () {
      const page = yield* ids({ type: ["school_board"], year: [2026], county: ["sangamon county"] })
      assert.strictEqual(page.total, 0)
      assert.deepStrictEqual(
        page.facets.type.map((row) => [row.value, row.count]),
        [
          ["city_council", 1],
          ["county_board", 1],
          ["school_board", 0]
        ]
      )
      assert.deepStrictEqual(
        page.facets.year.map((row) => [row.value, row.count]),
        [
          ["2026", 0],
          ["2025", 1]
        ]
      )
      assert.deepStrictEqual(
        page.facets.county.map((row) => [row.value, row.count]),
        [["sangamon county", 0]]
      )
    })
  )

  it.effect("filters by a retired slug, by every place that a body serves, and by the union of follows", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* ids({ agency_slug: "old-school-board" })).ids, [meetingId("school")])
      assert.deepStrictEqual((yield* ids({ place_slug: "springfield", year: [2025] })).ids, [
        meetingId("school"),
        meetingId("budget")
      ])
      const followed = yield* ids({ follow_agency: ["knoxville-city-council"], follow_place: ["sangamon-county"] })
      assert.deepStrictEqual(followed.ids, [meetingId("county"), meetingId("knox")])
    })
  )

  it.effect("finds spoken words, and their second, without returning the words", () =>
    Effect.gen(function* () {
      const page = yield* ids({ q: "greenway" })
      assert.deepStrictEqual(page.ids, [meetingId("greenway"), meetingId("county"), meetingId("knox")])
      assert.deepStrictEqual(page.meetings[0]?.matches, [
        {
          field: "agenda",
          snippet: "4.1 Greenway extension bond",
          start: 754.5,
          path: `${page.meetings[0]?.path}?t=754&q=greenway`
        }
      ])
      assert.deepStrictEqual(page.meetings[2]?.matches, [
        { field: "transcript", start: 2010, count: 1, path: `${page.meetings[2]?.path}?t=2010&q=greenway` }
      ])
    })
  )

  it.effect("finds a phrase across the boundary of two cues, past the positions that a text index stores", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* ids({ q: '"beer permit"' })).ids, [meetingId("knox")])
      // The words are adjacent in the older meeting.
      assert.deepStrictEqual((yield* ids({ q: "beer permit" })).ids, ["knox", "county"].map(meetingId))
      assert.deepStrictEqual((yield* ids({ q: "beer -sutherland" })).ids, [meetingId("county")])
      assert.deepStrictEqual((yield* ids({ q: 'permit -"beer permit"' })).ids, [meetingId("county")])
      assert.deepStrictEqual((yield* ids({ q: "sutherland or budget" })).ids, [meetingId("budget"), meetingId("knox")])
    })
  )

  it.effect("finds names through accents and misspellings", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* ids({ q: "pena springs" })).ids, [meetingId("school")])
      assert.deepStrictEqual((yield* ids({ q: "Peña" })).ids, [meetingId("school")])
      assert.deepStrictEqual((yield* ids({ q: "knoxvile" })).ids, [meetingId("knox")])
      assert.deepStrictEqual((yield* ids({ q: "xyzzy" })).ids, [])
      for (const q of ["", "   "]) assert.strictEqual((yield* ids({ q })).total, 5)
      for (const q of ["the", '"', "-", "!!! & | <->", "or", "':*"]) assert.strictEqual((yield* ids({ q })).total, 0, q)
    })
  )

  it.effect("pages in a total order and groups by the body that held it", () =>
    Effect.gen(function* () {
      const pages = yield* Effect.forEach([1, 2, 3, 4], (page) => ids({ page, page_size: 2 }))
      assert.deepStrictEqual(
        pages.flatMap((page) => page.ids),
        (yield* ids({})).ids
      )
      assert.strictEqual(pages[3]?.total, 5)
      const grouped = yield* ids({ group_by: "agency", per_group: 1 })
      assert.deepStrictEqual(
        grouped.groups?.map((group) => [group.agency.slug, group.total, group.meetings.length]),
        [
          ["springfield-city-council", 2, 1],
          ["sangamon-county-board", 1, 1],
          ["pena-springs-school-board", 1, 1],
          ["knoxville-city-council", 1, 1]
        ]
      )
    })
  )
})

describe("writing the record", () => {
  layer(TestDb)("again", (it) => {
    it.effect("changes nothing, and refuses lines that refer to nothing", () =>
      Effect.gen(function* () {
        yield* record()
        const outcomes = yield* putOnRecord(
          place("springfield", { county: "Sangamon County" }),
          meeting("county", "sangamon-county-board", { date: "2026-01-05" }),
          meeting("lost", "no-such-board"),
          transcript("nowhere", []),
          {
            type: "clip",
            meeting_id: meetingId("county"),
            id: "0b0e1f6a-3f5e-5f5e-8f5e-0b0e1f6a3f5e" as never,
            title: "x",
            start: 5,
            end: 4,
            state: "published"
          }
        )
        assert.deepStrictEqual(
          outcomes.map((outcome) => (outcome._tag === "Refused" ? outcome.field : outcome._tag)),
          ["Unchanged", "Unchanged", "agency", "meeting_id", "end"]
        )
      })
    )
  })
})
