import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { mergeSegments } from "../../src/search-engine/build/merge.ts"
import { openSegment } from "../../src/search-engine/format/segment.ts"
import { SegmentSet } from "../../src/search-engine/segment-set.ts"
import type { FacetCounts, IndexQuery, PostFilter, ResultSet } from "../../src/search-engine/types.ts"
import type { IndexRow } from "../support/copy-rows.ts"
import { bodyKeys, filters, meetingId, query, rows } from "../support/index-arbitraries.ts"
import { oracle } from "../support/index-oracle.ts"
import { segmentFolder } from "../support/open-index.ts"

const mostMeetings = 60
const unknown = "ffffffff-0000-4000-8000-000000000000"

const countsOf = ({ bodies, years, counts }: FacetCounts) =>
  Object.fromEntries(
    Array.from({ length: bodies }, (_, body) =>
      years.flatMap((year, i) => {
        const count = counts[i * bodies + body] ?? 0
        return count === 0 ? [] : [[`${body}/${year}`, count] as const]
      })
    ).flat()
  )

/** Checks every answer about a query against the oracle's. */
const assertEqual = (result: ResultSet, rows: ReadonlyArray<IndexRow>, query: IndexQuery, filter: PostFilter) => {
  const expected = oracle(rows, query)
  assert.strictEqual(result.total({}), expected.total)
  assert.strictEqual(result.total(filter), expected.passing(filter).length)
  assert.deepStrictEqual(countsOf(result.facetCounts()), expected.counts)
  for (const order of ["newest", "oldest"] as const) {
    for (const offset of [0, 3, 50]) {
      const request = { order, offset, limit: 5, ...filter }
      assert.deepStrictEqual(result.page(request), expected.page(request))
    }
    const request = { order, groups: bodyKeys, perGroup: 2, ...filter }
    assert.deepStrictEqual(new Map(result.groups(request)), new Map(expected.groups(request)))
  }
  const passing = expected.passing(filter)
  const all = [...rows.map(({ id }) => id), unknown]
  assert.deepStrictEqual(
    result.filterIds(all, filter),
    all.filter((id) => passing.some((row) => row.id === id))
  )
  for (const kind of ["passages", "printed"] as const) {
    const found = result[kind](all)
    for (const [at, passages] of expected.passages(kind, all).entries()) {
      const ofMeeting = found[at]
      assert.strictEqual(ofMeeting === undefined, passages === undefined)
      assert.sameMembers([...(ofMeeting ?? [])], passages?.map(({ passage }) => passage) ?? [])
      const missing = ofMeeting?.map((passage) => passages?.find((one) => one.passage === passage)?.missing ?? 0)
      assert.deepStrictEqual(
        missing,
        missing?.toSorted((a, b) => a - b)
      )
    }
  }
  const ranked = result.page({ order: "relevance", offset: 0, limit: 100, ...filter })
  assert.sameMembers(
    [...ranked],
    passing.map(({ id }) => id)
  )
  assert.deepStrictEqual(
    ["0", "1", "2"].flatMap((page) =>
      result.page({ order: "relevance", offset: Number(page) * 7, limit: 7, ...filter })
    ),
    ranked.slice(0, 21)
  )
  const groups = result.groups({ order: "relevance", groups: bodyKeys, perGroup: 2, ...filter })
  for (const body of bodyKeys) {
    const ofBody = passing.filter((row) => row.body === body)
    assert.lengthOf(groups.get(body) ?? [], Math.min(2, ofBody.length))
    assert.includeMembers(
      ofBody.map(({ id }) => id),
      [...(groups.get(body) ?? [])]
    )
  }
}

const change = fc.record({
  rows: rows(mostMeetings, 8),
  removed: fc.array(meetingId(mostMeetings), { maxLength: 8 }),
  /** Whether all parts are merged when the change arrives. */
  merges: fc.boolean()
})

describe("the search index", () => {
  it("answers as a scan of every row does, whatever has changed", async () => {
    using folder = segmentFolder()
    await fc.assert(
      fc.asyncProperty(
        rows(mostMeetings, 40),
        fc.array(change, { maxLength: 4 }),
        fc.array(fc.tuple(query(mostMeetings), filters), { minLength: 1, maxLength: 8 }),
        fc.record({ chunk: fc.integer({ min: 1, max: 3_000 }), budget: fc.integer({ min: 1, max: 5_000 }) }),
        async (first, changes, queries, { chunk, budget }) => {
          const base = await folder.segment(first, { budget }, chunk)
          const set = new SegmentSet([base])
          const held = new Map(first.map((row) => [row.id, row]))
          for (const { rows: changed, removed, merges } of changes) {
            const before = set.parts
            const merged = folder.next()
            if (merges) mergeSegments(before, merged, { revision: 2, durable: false })
            for (const id of removed) held.delete(id)
            for (const row of changed) held.set(row.id, row)
            const small = await folder.segment(changed, { averages: base.meta.averages })
            set.replace([...removed, ...changed.map(({ id }) => id)], small)
            if (merges) set.substitute(before, openSegment(merged))
          }
          const snapshot = set.snapshot()
          const alive = [...held.values()]
          assert.strictEqual(snapshot.documents, alive.length)
          assert.deepStrictEqual(countsOf(snapshot.facetCounts), oracle(alive, { either: [{}] }).counts)
          for (const [query, filter] of queries) assertEqual(snapshot.search(query), alive, query, filter)
          snapshot.release()
          set.close()
        }
      ),
      { numRuns: 60 }
    )
  })
})
