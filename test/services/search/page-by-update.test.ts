import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { parseSearchQuery } from "../../../schema/search-query.ts"
import type { Wanted } from "../../../src/services/search/found/found.ts"
import { pageByUpdate, UpdateSizes } from "../../../src/services/search/index/page-by-update.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

const held = 24
/** Two of three match, and they changed in another order than that of their ids. */
const names = Array.from({ length: held }, (_, at) => `m${at}`)
const fits = (at: number) => at % 3 !== 0
const minute = (at: number) => (at * 7) % held

const wanted: Wanted = { filters: [], search: parseSearchQuery("budget"), sort: "updated" }
const fitting = names.flatMap((name, at) => (fits(at) ? [{ id: meetingId(name) as string, minute: minute(at) }] : []))
const newest = fitting.toSorted((a, b) => b.minute - a.minute).map(({ id }) => id)

layer(TestDb)("a page of the latest changes", (it) => {
  it.effect("is the same if few match, if many do, and if too much of the record would have to be scanned", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(
        place("springfield"),
        agency("council", ["springfield"]),
        ...names.map((name, at) => meeting(name, "council", { title: fits(at) ? "Budget" : "Parks" }))
      )
      for (const [at, name] of names.entries()) {
        yield* db`
          update meeting set updated_at = timestamptz '2026-01-01' + ${minute(at)}::int * interval '1 minute'
          where id = ${meetingId(name)}`
      }
      for (const sizes of [
        { few: 100, share: 1 },
        { few: 2, share: 4 },
        { few: 2, share: 0 }
      ]) {
        for (const [offset, limit] of [
          [0, 3],
          [4, 5],
          [14, 5]
        ] as const) {
          const ids = yield* pageByUpdate(
            db,
            wanted,
            { total: newest.length, bodies: undefined },
            { offset, limit },
            {
              held,
              all: () => newest.toSorted(),
              among: (ids) => ids.filter((id) => newest.includes(id))
            }
          ).pipe(Effect.provideService(UpdateSizes, sizes))
          assert.deepStrictEqual(ids, newest.slice(offset, offset + limit), JSON.stringify({ sizes, offset }))
        }
      }
    })
  )
})
