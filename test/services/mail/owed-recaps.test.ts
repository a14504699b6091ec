import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { mailOwedRecaps } from "../../../src/services/mail/owed-recaps.ts"
import { TestDb } from "../../support/database.ts"

layer(TestDb, { excludeTestServices: true })("recaps of a large record", (it) => {
  it.effect("become ready ten thousand at a time, the newest first", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* db`insert into body (slug, segment, name, kind, content_hash) values ('council', 'council', 'Council', 'other', '')`
      yield* db`
        insert into meeting (id, short_id, body_id, title, date, timezone, status, updated_at, content_hash)
        select gen_random_uuid(), '', b.id, 'Meeting', date '1990-01-01' + n, 'UTC', 'held', now() - interval '1 day', ''
        from body b, generate_series(1, 10003) n`
      yield* db`
        insert into recap (meeting_id, headline, summary, decisions, content_hash) select id, '', '', '[]', '' from meeting`
      const waiting = Effect.map(
        db<{ date: string }>`
          select m.date::text as date from meeting m
          where not exists (select from recap_ready r where r.meeting_id = m.id) order by 1`,
        (rows) => rows.map(({ date }) => date)
      )
      yield* mailOwedRecaps(db)
      assert.deepStrictEqual(yield* waiting, ["1990-01-02", "1990-01-03", "1990-01-04"])
      yield* mailOwedRecaps(db)
      assert.deepStrictEqual(yield* waiting, [])
    })
  )
})
