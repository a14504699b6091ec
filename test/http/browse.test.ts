import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { BrowsePage } from "../../schema/browse.ts"
import { renditionKey } from "../../src/services/meetings/media-tier.ts"
import {
  agency,
  clipId,
  meeting,
  meetingId,
  place,
  putMedia,
  putOnRecord,
  said,
  transcript
} from "../support/builders.ts"
import { call } from "../support/call.ts"
import { TestService } from "../support/service.ts"

const record = Effect.gen(function* () {
  const db = yield* Db
  yield* putOnRecord(
    place("springfield"),
    place("decatur"),
    agency("council", ["springfield"]),
    agency("schools", ["springfield"], { kind: "school_board" }),
    agency("idle", ["decatur"]),
    meeting("old", "council", { date: "2025-03-10", title: "Budget hearing about budget" }),
    meeting("mid", "council", { date: "2025-06-10" }),
    meeting("new", "schools", { date: "2026-03-10", title: "Budget hearing" }),
    transcript("mid", said(["the budget"])),
    { type: "clip", meeting_id: meetingId("mid"), id: clipId("a"), title: "A", start: 1, end: 9, state: "published" }
  )
  yield* putMedia({ key: renditionKey(meetingId("mid")), role: "rendition" })
  yield* db`update meeting set updated_at = '2026-04-01T10:00:00Z' where id = ${meetingId("old")}`
  yield* db`update meeting set updated_at = '2026-04-02T10:00:00Z' where id = ${meetingId("new")}`
  yield* db`update meeting set updated_at = '2026-04-03T10:00:00Z' where id = ${meetingId("mid")}`
  yield* db`
    insert into removed_meeting (id, short_id, slug, removed_at) values
      (${meetingId("before")}, '00000001', 'a', '2026-04-01T00:00:00Z'),
      (${meetingId("after")}, '00000002', 'b', '2026-04-03T00:00:00Z')`
})

const browse = Effect.fnUntraced(function* (query: string) {
  const answer = yield* call("GET", `/api/meetings/browse?${query}`)
  assert.strictEqual(answer.status, 200, answer.text)
  const page = answer.json() as unknown as BrowsePage
  return { ...page, ids: page.meetings.map(({ id }) => id), link: answer.headers.get("link") ?? "" }
})

const idsOf = (...names: ReadonlyArray<string>) => names.map(meetingId)

layer(Layer.provideMerge(Layer.effectDiscard(record), TestService), { excludeTestServices: true })("browse", (it) => {
  it.effect("shows a date that was typed among the words as filters, each of which can be dropped", () =>
    Effect.gen(function* () {
      const { text } = yield* call("GET", "/browse?q=budget+march+10,+2025")
      assert.include(text, "<strong>1 meeting</strong>")
      assert.include(text, 'href="/browse?q=budget&amp;date_to=2025-03-10"')
      assert.include(text, 'href="/browse?q=budget&amp;date_from=2025-03-10"')
      assert.include(text, 'value="budget"')
      assert.notInclude(text, "march 10")
    })
  )

  it.effect("is read to its end by cursor, with an instant to go on from", () =>
    Effect.gen(function* () {
      for (const [sort, ids] of [
        ["newest", idsOf("new", "mid", "old")],
        ["updated", idsOf("mid", "new", "old")]
      ] as const) {
        const first = yield* browse(`sort=${sort}&page_size=2`)
        const second = yield* browse(`page_size=2&after=${first.after}`)
        assert.deepStrictEqual([...first.ids, ...second.ids], ids)
        assert.deepStrictEqual([second.total, second.page, second.after], [3, 2, undefined])
        assert.strictEqual(second.as_of, first.as_of)
        assert.strictEqual(first.as_of, "2026-04-03T10:00:00.000Z")
        assert.match(second.link, /^<[^>]*browse\?page_size=2>; rel="first"$/)
        const middle = yield* browse(
          `sort=${sort}&page_size=1&after=${(yield* browse(`sort=${sort}&page_size=1`)).after}`
        )
        assert.match(middle.link, new RegExp(`after=${middle.after}[^>]*>; rel="next"`))
      }
      for (const after of ["x", "e30", "%F0%9F%8F%9B", "eyJzb3J0IjoibmV3ZXN0In0"]) {
        const { status, text } = yield* call("GET", `/api/meetings/browse?after=${after}`)
        assert.strictEqual(status, 400, after)
        assert.match(text, /"message":"after must be an/, after)
      }
    })
  )

  it.effect("sorts in the requested order", () =>
    Effect.gen(function* () {
      for (const [query, ids] of [
        ["sort=oldest", idsOf("old", "mid", "new")],
        ["sort=newest", idsOf("new", "mid", "old")],
        ["sort=updated", idsOf("mid", "new", "old")],
        ["sort=relevance", idsOf("new", "mid", "old")],
        ["q=budget", idsOf("old", "new", "mid")],
        ["q=budget&sort=oldest", idsOf("old", "mid", "new")],
        ["sort=oldest&page=2&page_size=2", idsOf("new")]
      ] as const) {
        assert.deepStrictEqual((yield* browse(query)).ids, ids, query)
      }
      assert.strictEqual((yield* call("GET", "/api/meetings/browse?sort=best")).status, 400)
    })
  )

  it.effect("narrows by date, by what meetings have and by when they changed", () =>
    Effect.gen(function* () {
      for (const [query, ids] of [
        ["date_from=2025-06-10", idsOf("new", "mid")],
        ["date_to=2025-06-10", idsOf("mid", "old")],
        ["date_from=2025-04-01&date_to=2025-12-31&q=budget", idsOf("mid")],
        ["has=transcript", idsOf("mid")],
        ["has=transcript&has=video", idsOf("mid")],
        // Its only clip is not rendered yet.
        ["has=transcript&has=clips", []],
        ["has=briefing", []],
        ["updated_since=2026-04-02T10:00:00Z", idsOf("new", "mid")]
      ] as const) {
        const { ids: found, total } = yield* browse(query)
        assert.deepStrictEqual(found, ids, query)
        assert.strictEqual(total, ids.length, query)
      }
      const { facets } = yield* browse("has=transcript")
      assert.deepStrictEqual(facets.agency, [{ value: "council", label: "Council", count: 1 }])
    })
  )

  it.effect("lists what was taken off the record since an instant, only when asked to", () =>
    Effect.gen(function* () {
      const { removed } = yield* browse("updated_since=2026-04-02T00:00:00Z&agency=idle")
      assert.deepStrictEqual(removed, [{ id: meetingId("after"), removed_at: "2026-04-03T00:00:00.000Z" }])
      assert.notProperty(yield* browse(""), "removed")
    })
  )

  it.effect("says which words it searched for instead, and searches exactly when asked to", () =>
    Effect.gen(function* () {
      const corrected = yield* browse("q=springfeld+budget")
      assert.strictEqual(corrected.corrected_query, "springfield budget")
      assert.strictEqual(corrected.total, 3)
      const exact = yield* browse("q=springfeld+budget&exact=1")
      assert.notProperty(exact, "corrected_query")
      assert.strictEqual(exact.total, 0)
      assert.notProperty(yield* browse("q=budget"), "corrected_query")
    })
  )

  it.effect("neither corrects words that search ignores, nor corrects to them", () =>
    Effect.gen(function* () {
      yield* putOnRecord(agency("parks", ["decatur"], { name: "Board and Brothers" }))
      for (const q of ["and", "other", "annd"]) {
        assert.notProperty(yield* browse(`q=${q}`), "corrected_query", q)
      }
    })
  )

  it.effect("pages through groups, not meetings, when grouped", () =>
    Effect.gen(function* () {
      const page = yield* browse("group_by=agency&page_size=1")
      assert.strictEqual(page.groups_total, 2)
      assert.deepStrictEqual(
        page.groups?.map(({ agency, total }) => [agency.slug, total]),
        [["council", 2]]
      )
      assert.deepStrictEqual(page.ids, idsOf("mid", "old"))
      assert.match(page.link, /page_size=1&page=2>; rel="last"/)
      assert.deepStrictEqual((yield* browse("group_by=agency&page_size=1&page=2")).ids, idsOf("new"))
      assert.deepStrictEqual((yield* browse("group_by=agency&sort=oldest&per_group=1")).ids, idsOf("old", "new"))
    })
  )

  it.effect("lists a chosen body with its count under the other filters, 0 where it has none", () =>
    Effect.gen(function* () {
      for (const [query, count] of [
        ["agency=idle&place_slug=springfield", 0],
        ["agency=idle&follow_agency=council", 0],
        ["agency=schools&follow_place=springfield", 1],
        ["agency=schools&year=2025", 0],
        ["agency=schools&year=1650", 0]
      ] as const) {
        const { facets } = yield* browse(query)
        const slug = query.split(/[=&]/)[1]
        assert.strictEqual(facets.agency.find(({ value }) => value === slug)?.count, count, query)
      }
    })
  )
})
