import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import fc from "fast-check"
import { Db } from "../../../layers/db/db.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { parseSearchQuery } from "../../../schema/search-query.ts"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { IndexSizes } from "../../../src/services/search/index/line.ts"
import { UpdateSizes } from "../../../src/services/search/index/page-by-update.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { meeting, meetingId, putOnRecord, said, transcript } from "../../support/builders.ts"
import {
  answers,
  type Change,
  change,
  directory,
  Indexed,
  InSql,
  partChanges,
  query
} from "../../support/changing-record.ts"
import { TestDb } from "../../support/database.ts"
import { forAll } from "../../support/for-all.ts"
import { setupOf } from "../../support/service.ts"

/** Small enough that segments are merged and bases replaced while queries run. */
const sizes = Layer.succeed(IndexSizes, { atOnce: 4, takenIn: 3, small: 2, changed: 25 })

/** Small enough that a few meetings are many, and all of them may be scanned. */
const updateSizes = { few: 3, share: 4 }

const TestLayer = AgencyMerge.layer.pipe(
  Layer.provideMerge(SearchIndex.layer.pipe(Layer.provide(sizes))),
  Layer.provideMerge(TestDb),
  Layer.provideMerge(setupOf({}))
)

layer(TestLayer, { excludeTestServices: true })("the search index", (it) => {
  it.effect(
    "answers as SQL does, whatever the query and however the record changes",
    () =>
      Effect.gen(function* () {
        yield* directory
        const sql = Context.get(yield* Layer.build(InSql), Browse)
        const index = Context.get(yield* Layer.build(Indexed), Browse)
        const db = yield* Db
        const { open } = yield* SearchIndex
        const counted = (q: string) =>
          open(db).pipe(
            Effect.flatMap((index) =>
              Option.isNone(index) ? Effect.succeedNone : index.value.count([parseSearchQuery(q)])
            ),
            Effect.scoped,
            Effect.repeat({ until: Option.isSome, schedule: Schedule.spaced("50 millis") }),
            Effect.timeout("20 seconds"),
            Effect.orDie
          )
        const round = fc.record({
          changes: fc.array(change, { minLength: 1, maxLength: 6 }),
          queries: fc.array(query, { minLength: 6, maxLength: 6 })
        })
        const holds = Effect.fnUntraced(function* ({
          changes,
          queries
        }: {
          changes: Array<Change>
          queries: Array<BrowseQuery>
        }) {
          for (const change of changes) yield* change
          for (const query of queries) {
            const found = Effect.provideService(answers(index, query), UpdateSizes, updateSizes)
            assert.deepStrictEqual(yield* found, yield* answers(sql, query), JSON.stringify(query))
            const { q = "" } = query
            if (q.trim() === "") continue
            const { total } = yield* sql.search({ q, exact: "1" })
            assert.deepStrictEqual(yield* counted(q), Option.some([total]), q)
          }
        })
        // Nothing is shrunk: a smaller round would begin with the record that this one left.
        yield* forAll(round, holds, { numRuns: 25, endOnFailure: true })
      }),
    240_000
  )

  it.effect("knows the parts of a meeting, whichever table says so", () =>
    Effect.gen(function* () {
      yield* directory
      const names = ["with parts", "with other parts"]
      for (const name of names) {
        yield* putOnRecord(meeting(name, "council"), transcript(name, said(["Good evening."])))
      }
      const sql = Context.get(yield* Layer.build(InSql), Browse)
      const index = Context.get(yield* Layer.build(Indexed), Browse)
      const db = yield* Db
      const partsOf = Effect.fnUntraced(function* (browse: typeof Browse.Service) {
        const parts = ["transcript", "briefing", "video", "clips"] as const
        return yield* Effect.forEach(parts, (part) =>
          Effect.map(browse.found({ has: [part] }), (found) => [part, found] as const)
        )
      })
      const seen = new Set<string>()
      for (const change of partChanges) {
        const before = yield* partsOf(sql)
        yield* change(db, names.map(meetingId))
        const after = yield* partsOf(sql)
        assert.deepStrictEqual(yield* partsOf(index), after, String(change))
        for (const [at, [part, found]] of after.entries()) {
          if (found.length !== before[at]?.[1].length) seen.add(part)
        }
      }
      assert.strictEqual(seen.size, 4, "each of them comes or goes")
    })
  )
})
