import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema, Struct } from "effect"
import fc from "fast-check"
import { Db, ReadDb } from "../../../layers/db/db.ts"
import type { Facets } from "../../../schema/browse.ts"
import { askedFacets, type BrowseQuery, type FilterName } from "../../../schema/browse-query.ts"
import type { BundleEntity } from "../../../schema/bundle.ts"
import { BrowseQueryText } from "../../../schema/saved-search.ts"
import { parseSearchQuery } from "../../../schema/search-query.ts"
import { renditionKey } from "../../../src/services/meetings/media-tier.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { BodyDirectory } from "../../../src/services/search/found/bodies.ts"
import { chooseBodies, countFacets } from "../../../src/services/search/found/facets.ts"
import { findInSql, foundMeetings } from "../../../src/services/search/found/found-in-sql.ts"
import { type ActiveFilter, activeFilters } from "../../../src/services/search/query/filters.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import {
  agency,
  agendaItemId,
  meeting,
  meetingId,
  place,
  putMedia,
  putOnRecord,
  said,
  transcript
} from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"
import { forAll } from "../../support/for-all.ts"

const bodies = ["springfield-council", "decatur-council", "sangamon-board", "pena-springs-schools", "knoxville-council"]

const record = Effect.gen(function* () {
  const outcomes = yield* putOnRecord(
    place("sangamon-county", { name: "Sangamon County", kind: "county" }),
    place("springfield", { county: "Sangamon County" }),
    place("pena-springs", { name: "Peña Springs", county: "Sangamon County" }),
    place("decatur", { county: "Macon County" }),
    place("knoxville", { state: "TN", county: "Knox County" }),
    agency("springfield-council", ["springfield"]),
    agency("decatur-council", ["decatur", "springfield"]),
    agency("sangamon-board", ["sangamon-county"], { kind: "county_board" }),
    agency("pena-springs-schools", ["pena-springs"], { kind: "school_board", retired_slugs: ["old-schools"] }),
    agency("knoxville-council", ["knoxville"]),
    agency("idle-committee", ["springfield"], { kind: "committee" }),
    ...bodies.flatMap((body, at) =>
      [2024, 2025, 2026].slice(at % 2).flatMap((year, turn) => [
        meeting(`${body} ${year}`, body, {
          date: `${year}-0${1 + turn}-1${at}`,
          title: turn === 0 ? "Greenway hearing" : "Budget hearing",
          duration: 1000 * (at + turn),
          agenda_items: turn === 0 ? [{ id: agendaItemId(`${body} ${year}`), title: "A permit" }] : []
        }),
        ...(turn === 2
          ? []
          : [transcript(`${body} ${year}`, said([turn === at % 2 ? "a permit for the greenway" : "a beer permit"]))])
      ])
    ),
    meeting("later", "knoxville-council", { date: "2027-02-02", status: "upcoming", title: "Greenway hearing" }),
    meeting("off", "decatur-council", { date: "2025-03-04", status: "cancelled", title: "Greenway hearing" })
  )
  assert.deepStrictEqual(new Set(outcomes.map((outcome) => outcome._tag)), new Set(["Created"]))
  yield* putMedia({ key: renditionKey(meetingId("springfield-council 2025")), role: "rendition" })
  const recap = { headline: "One", summary: "Two", decisions: [] }
  const votes = [
    ["springfield-council 2025", "pass", "springfield-ada"],
    ["decatur-council 2025", "fail", "springfield-ben"]
  ] as const
  yield* putOnRecord(
    {
      ...{ type: "matter", slug: "springfield-ord-1", place: "springfield", identifier: "Ord. 1", title: "Permits" },
      ...{ kind: "ordinance", status: "passed", history: [] }
    },
    ...votes.map(
      ([name, result, person], at): BundleEntity => ({
        ...{
          type: "vote",
          id: `d1f4c7a2-93b0-5e6d-8f21-7b3c5a9e0d4${at}`,
          kind: "vote",
          meeting_id: meetingId(name),
          result
        },
        ...{ matter: "springfield-ord-1", ballots: [{ person, name: person, option: "yes" }] }
      })
    )
  )
  yield* putOnRecord({ type: "recap", meeting_id: meetingId("decatur-council 2025"), ...recap })
  const db = yield* Db
  yield* db`update meeting set updated_at = date`
})

const some = <A>(...values: ReadonlyArray<A>) => fc.subarray([...values], { minLength: 0, maxLength: 2 })

/** For each filter, values that match a part of the record, and some that match nothing. */
const asked: { readonly [Name in FilterName]: fc.Arbitrary<Required<BrowseQuery>[Name]> } = {
  state: some("IL", "TN", "WI"),
  county: some("Sangamon County", "macon-county", "Nowhere County"),
  city: some("Springfield", "pena springs", "Decatur", ""),
  type: some("city_council", "county_board", "committee", "other"),
  agency: some("springfield-council", "old-schools", "idle-committee", "nobody"),
  year: some(2024, 2025, 2027),
  agency_slug: fc.constantFrom("decatur-council", "old-schools", "nobody", ""),
  place_slug: fc.constantFrom("springfield", "sangamon-county", "nowhere", ""),
  date_from: fc.constantFrom("2025-01-01", "2026-02-01", "2027-01-01"),
  date_to: fc.constantFrom("2024-06-30", "2025-12-31", "2023-12-31"),
  has: some("transcript", "video", "agenda", "claims", "recap"),
  person: some("springfield-ada", "springfield-ben", "nobody"),
  matter: some("springfield-ord-1", "nothing"),
  vote: some("passed", "failed"),
  status: some("held", "upcoming", "cancelled"),
  updated_since: fc.constantFrom("2025-06-01T00:00:00Z", "2999-01-01T00:00:00Z"),
  follow_agency: some("knoxville-council", "old-schools", "nobody"),
  follow_place: some("springfield", "sangamon-county", "nowhere")
}

const q = fc.constantFrom(
  "",
  " ",
  "greenway",
  "permit -beer",
  '"beer permit"',
  "body:council permit",
  "-body:old-schools or place:pena",
  "greenway after:2025 before:2026-02-11",
  "person:springfield-ada",
  'permit -person:"springfield ben"',
  'matter:"Ordinance No. 1" or person:nobody',
  "-matter:springfield-ord-1",
  "budget or knoxvile",
  "sangamn",
  "xyzzy"
)

/** Up to three filters at a time: with more, hardly any meeting matches all. */
const query: fc.Arbitrary<BrowseQuery> = fc
  .subarray(Struct.keys(asked), { maxLength: 3 })
  .chain((names) => fc.record({ q, ...Struct.pick(asked, names) }, { requiredKeys: names }))
  // Words are searched in held meetings.
  .map((query) => (query.status === undefined ? query : Struct.omit(query, ["q"])))

const read = Schema.decodeUnknownSync(BrowseQueryText)
const write = Schema.encodeSync(BrowseQueryText)

const replaced = (query: BrowseQuery, facet: keyof Facets, value: string): BrowseQuery =>
  read(`${write({ ...query, [facet]: [] })}&${new URLSearchParams({ [facet]: value })}`)

const search = (query: BrowseQuery) => Browse.use((browse) => browse.search(query))

const sum = (counts: ReadonlyArray<number>) => counts.reduce((total, count) => total + count, 0)

const TestLayer = Layer.effectDiscard(record).pipe(
  Layer.provideMerge(Layer.merge(Browse.layer, BodyDirectory.layer)),
  Layer.provide(SearchIndex.none),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

layer(TestLayer)("the filters of browse", (it) => {
  it.effect("each admit some meetings and exclude others", () =>
    Effect.gen(function* () {
      const { total: all } = yield* search({})
      assert.strictEqual(all, 13)
      for (const name of Struct.keys(asked)) {
        const alone = fc.sample(fc.record(Struct.pick(asked, [name])), { numRuns: 100, seed: 1 })
        const each = new Map(alone.map((query) => [write(query), query])).values()
        const totals = yield* Effect.forEach(each, (query) => Effect.map(search(query), ({ total }) => total))
        assert.isTrue(
          totals.some((total) => total > 0 && total < all),
          name
        )
      }
    })
  )

  it.effect("give the total that paging finds, for any query", () =>
    forAll(
      query,
      Effect.fnUntraced(function* (query) {
        const size = 4
        const { total } = yield* search({ ...query, page_size: size })
        const pages = yield* Effect.forEach(Array.from({ length: Math.ceil(total / size) + 1 }), (_, at) =>
          search({ ...query, page_size: size, page: at + 1 })
        )
        const ids = pages.flatMap(({ meetings }) => meetings.map(({ id }) => id))
        assert.strictEqual(ids.length, total)
        const found = yield* Browse.use((browse) => browse.found(query))
        assert.deepStrictEqual(new Set(ids), new Set(found))
        assert.strictEqual(found.length, total)
        const { groups = [] } = yield* search({ ...query, group_by: "agency", per_group: 20 })
        assert.deepStrictEqual(new Set(groups.flatMap(({ meetings }) => meetings.map(({ id }) => id))), new Set(ids))
        assert.strictEqual(sum(groups.map((group) => group.total)), total)
      }),
      { numRuns: 60 }
    )
  )

  it.effect("count each value of a facet as the total when it replaces the facet's own filter", () =>
    forAll(
      query,
      Effect.fnUntraced(function* (asked) {
        const query = { ...asked, facet: [...askedFacets] }
        const { facets } = yield* search(query)
        for (const facet of Struct.keys(facets)) {
          for (const { value, count } of facets[facet] ?? []) {
            const { total } = yield* search({ ...replaced(query, facet, value), page_size: 1 })
            assert.strictEqual(count, total, `${facet} ${value}`)
          }
        }
        for (const facet of Struct.keys(facets)) {
          const without = yield* search({ ...query, [facet]: [] })
          assert.deepStrictEqual(
            without.facets[facet],
            facets[facet]?.filter(({ count }) => count > 0),
            facet
          )
          // A meeting has one body, one kind of body and one year.
          if (facet === "agency" || facet === "type" || facet === "year") {
            assert.strictEqual(sum((facets[facet] ?? []).map(({ count }) => count)), without.total, facet)
          }
        }
      }),
      { numRuns: 30 }
    )
  )

  it.effect("that check the meetings themselves are counted and found alike", () =>
    forAll(
      fc.record({ query, seconds: fc.constantFrom(0, 1000, 2500, 9000) }),
      Effect.fnUntraced(function* ({ query, seconds }) {
        const db = yield* ReadDb
        const long: ActiveFilter = {
          name: "long",
          of: "meeting",
          condition: (db) => db`m.duration >= ${seconds}`,
          inIndex: { by: "list" },
          words: [],
          values: []
        }
        const words = query.q === undefined || query.q.trim() === "" ? undefined : parseSearchQuery(query.q)
        const all = yield* BodyDirectory.use((directory) => directory.current(db))
        const counted = Effect.fnUntraced(function* (filters: ReadonlyArray<ActiveFilter>) {
          const cells = yield* findInSql(db, { filters, search: words, sort: "newest" }).cells
          return countFacets(cells, chooseBodies(all, filters))
        })
        const { total, facets: facetsOf } = yield* counted([long, ...activeFilters(query)])
        const facets = facetsOf()
        const everything = yield* db<{ duration: number | null }>`
          select m.duration::float8 as duration from ${foundMeetings(db, activeFilters(query), words)} found
          join meeting m using (id)`
        assert.strictEqual(everything.filter(({ duration }) => duration !== null && duration >= seconds).length, total)
        const found = yield* db`select from ${foundMeetings(db, [long, ...activeFilters(query)], words)} found`
        assert.strictEqual(found.length, total)
        for (const facet of Struct.keys(facets)) {
          for (const { value, count } of facets[facet] ?? []) {
            const { total } = yield* counted([long, ...activeFilters(replaced(query, facet, value))])
            assert.strictEqual(count, total, `${facet} ${value}`)
          }
        }
      }),
      { numRuns: 60 }
    )
  )
})

layer(
  Browse.layer.pipe(Layer.provide(SearchIndex.none)).pipe(Layer.provideMerge(TestDb), Layer.provide(TestEnvironment))
)("the agency facet", (it) => {
  it.effect("lists a chosen body even if 200 others have more", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* db`
        insert into body (slug, segment, name, kind, content_hash)
        select 'body-' || n, 'body', 'Body', 'other', '' from generate_series(1, 202) n`
      yield* db`
        insert into held_count (body_id, year, held)
        select id, 2026, case slug when 'body-7' then 1 else 2 end from body`
      const { facets } = yield* search({ agency: ["body-7"], place_slug: "nowhere" })
      assert.deepStrictEqual(facets.agency, [{ value: "body-7", label: "Body", count: 0 }])
      const { facets: all } = yield* search({ agency: ["body-7"] })
      assert.strictEqual(all.agency.length, 201)
      assert.deepInclude(all.agency, { value: "body-7", label: "Body", count: 1 })
    })
  )

  it.effect("and the city facet both list 200 values, those with the most meetings first, and the chosen ones", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* db`update body set cities = array['City ' || substr(slug, 6)]`
      const { facets } = yield* search({ city: ["city-7", "Nowhere"] })
      assert.strictEqual(facets.city.length, 202)
      assert.deepStrictEqual(facets.city.slice(-2), [
        { value: "City 7", label: "City 7", count: 1 },
        { value: "Nowhere", label: "Nowhere", count: 0 }
      ])
      assert.deepStrictEqual(
        facets.city.slice(0, 2).map(({ value }) => value),
        ["City 1", "City 10"]
      )
      assert.deepStrictEqual(facets.agency, [{ value: "body-7", label: "Body", count: 1 }])
    })
  )
})
