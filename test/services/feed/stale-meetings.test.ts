import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import { RemovedMedia } from "../../../src/services/clips/removed-media.ts"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { agency, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { eventually, scratch, TestWorker } from "../../support/rendering.ts"

const Store = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Services = Layer.mergeAll(AgencyMerge.layer, RemovedMedia.layer).pipe(
  Layer.provideMerge(Store),
  Layer.provideMerge(TestDb)
)

const springfield = place("springfield")
const council = agency("council", ["springfield"], { name: "Town Council" })
const renamed = agency("council", ["springfield"], { name: "Assembly of Aldermen" })

/** The number of meetings that search finds by these words, of change events, and of meetings still to be processed. */
const state = Effect.fnUntraced(function* (words: string) {
  const db = yield* Db
  const [row] = yield* db<{ found: number; told: number; waiting: number }>`
    select (select count(*) from meeting_search
        where document @@ plainto_tsquery('public.civic', ${words}))::int as found,
      (select count(*) from feed_event where event = 'meeting.updated')::int as told,
      (select count(*) from stale_meeting)::int as waiting`
  return row
})

/**
 * Makes the second transaction of a change fail, as if its process had been killed between the two; undoes that
 * afterward.
 */
const killedAfterTheFirst = Effect.fnUntraced(function* <A, E, R>(change: Effect.Effect<A, E, R>) {
  const db = yield* Db
  yield* db`create sequence batches`
  yield* db`
    create function die_at_second() returns trigger language plpgsql as $$
    begin
      if nextval('batches') > 1 then raise exception 'killed'; end if;
      return null;
    end $$`
  yield* db`
    create trigger die_at_second after delete on stale_meeting for each statement execute function die_at_second()`
  assert.isTrue(Exit.isFailure(yield* Effect.exit(change)))
  yield* db`drop function die_at_second cascade`
  yield* db`drop sequence batches`
})

layer(Services, { excludeTestServices: true })("a change to the cards of a thousand meetings", (it) => {
  it.effect("applies when its import is killed between two batches, and a worker announces the rest", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(springfield, council)
      yield* db`
        insert into meeting (id, body_id, title, date, timezone, status, updated_at, content_hash)
        select gen_random_uuid(), id, 'Regular', '2026-03-10', 'UTC', 'held', now(), '' from body, generate_series(1, 1100)`
      yield* killedAfterTheFirst(putOnRecord(renamed))
      assert.deepStrictEqual(yield* db`select name from body`, [{ name: "Assembly of Aldermen" }])
      assert.deepStrictEqual(yield* state("aldermen"), { found: 500, told: 500, waiting: 600 })
      yield* eventually(Effect.map(state("aldermen"), (now) => (now?.waiting === 0 ? now : undefined))).pipe(
        Effect.tap((now) => Effect.sync(() => assert.deepStrictEqual(now, { found: 1100, told: 1100, waiting: 0 }))),
        Effect.provide(TestWorker)
      )
    })
  )

  it.effect("by a merge moves them all together, and another change completes the unfinished part", () =>
    Effect.gen(function* () {
      yield* putOnRecord(agency("board", ["springfield"], { name: "Water Board" }))
      yield* killedAfterTheFirst(AgencyMerge.use((service) => service.merge("council", "board")))
      const db = yield* Db
      assert.deepStrictEqual(
        yield* db`select b.slug, count(*)::int as meetings from meeting m join body b on b.id = m.body_id group by 1`,
        [{ slug: "board", meetings: 1100 }]
      )
      assert.deepStrictEqual(yield* state("water"), { found: 500, told: 1600, waiting: 600 })
      yield* putOnRecord(agency("board", ["springfield"], { name: "Waterworks Board" }))
      assert.deepStrictEqual(yield* state("waterworks"), { found: 1100, told: 2700, waiting: 0 })
    })
  )
})
