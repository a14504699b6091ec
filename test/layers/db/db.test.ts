import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { migrate, schemaFit } from "../../../layers/db/migrate.ts"
import { TestDb } from "../../support/database.ts"

const body = (slug: string) =>
  `insert into body (slug, segment, name, kind, content_hash) values ('${slug}', '${slug}', '${slug}', 'other', '')`

describe("the schema", () => {
  it.effect("is migrated, and migrating again does nothing", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* schemaFit).fit, "serves")
      assert.deepStrictEqual(yield* Effect.all([migrate(), migrate()], { concurrency: 2 }), [[], []])
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("keeps live and retired slugs in one name space", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* db.unsafe(body("town-council"))
      yield* db.unsafe(body("village-council"))
      const [id] = yield* db<{ id: number }>`select id from body where slug = 'town-council'`
      yield* db`insert into retired_slug (slug, body_id) values ('old-council', ${id?.id})`
      const taken = yield* Effect.flip(db.unsafe(body("old-council")))
      assert.strictEqual(taken.reason._tag, "UniqueViolation")
      const live = yield* Effect.flip(
        db`insert into retired_slug (slug, body_id) values ('village-council', ${id?.id})`
      )
      assert.strictEqual(live.reason._tag, "UniqueViolation")
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("gives a longer short id only if two would collide, and counts held meetings by body and year", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* db.unsafe(body("town-council"))
      const meeting = (id: string, date: string, status: string) =>
        `('${id}', (select id from body), 'x', '${date}', 'UTC', '${status}', now(), '')`
      const columns =
        "insert into meeting (id, body_id, title, date, timezone, status, updated_at, content_hash) values "
      yield* db.unsafe(
        columns +
          [
            meeting("abcdef12-0000-5000-8000-000000000001", "2025-01-01", "held"),
            meeting("abcdef12-0000-5000-8000-000000000002", "2025-02-01", "held"),
            meeting("12345678-0000-5000-8000-000000000003", "2026-02-01", "upcoming")
          ].join()
      )
      const short = yield* db<{ short_id: string }>`select short_id from meeting order by id`
      assert.deepStrictEqual(
        short.map((row) => row.short_id),
        ["12345678", "abcdef12", "abcdef120"]
      )
      const counts = db<{
        year: number
        held: number
      }>`select year::int, held from held_count where held > 0 order by year`
      const ofBodies = db<{ held: number }>`select held from body_held`
      assert.deepStrictEqual(yield* counts, [{ year: 2025, held: 2 }])
      assert.deepStrictEqual(yield* ofBodies, [{ held: 2 }])
      yield* db`update meeting set status = 'held', date = '2024-12-31' where status = 'upcoming'`
      yield* db`delete from meeting where id = 'abcdef12-0000-5000-8000-000000000002'`
      assert.deepStrictEqual(yield* counts, [
        { year: 2024, held: 1 },
        { year: 2025, held: 1 }
      ])
      assert.deepStrictEqual(yield* ofBodies, [{ held: 2 }])
      yield* db`delete from meeting where date = '2024-12-31'`
      assert.deepStrictEqual(yield* ofBodies, [{ held: 1 }])
    }).pipe(Effect.provide(TestDb))
  )
})
