import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import packSegments from "../../../layers/migrations/0039_packed_segments.ts"
import { segmentsFrom } from "../../../src/services/meetings/kept-segments.ts"
import { TestDb } from "../../support/database.ts"

describe("the migration to packed segments", () => {
  it.effect("keeps every word of every transcript, and shows the same versions to readers", () =>
    Effect.gen(function* () {
      const db = yield* Db
      // The schema as it was.
      yield* db`drop view published_transcript`
      yield* db`alter table transcript drop column segments`
      yield* db`alter table transcript add column segments json not null`
      yield* db`create view published_transcript as select * from transcript where not withheld`
      yield* db`
        insert into body (slug, segment, name, kind, content_hash) values ('council', 'council', 'Council', 'city_council', '')`
      yield* db`
        insert into meeting (id, body_id, title, date, timezone, status, attachments, updated_at, content_hash)
        select gen_random_uuid(), id, 'Meeting ' || number, '2026-01-01', 'America/Chicago', 'held', '[]', now(), ''
        from body, generate_series(1, 130) number`
      yield* db`
        insert into transcript (meeting_id, version, language, duration, word_count, segments, withheld, content_hash)
        select id, 'raw', 'en', 2, 2, json_build_array(json_build_object('start', 0, 'end', 2.5, 'text', title || ' “Señor”')),
          title = 'Meeting 130', ''
        from meeting`

      yield* db.withTransaction(packSegments.pipe(Effect.provideService(SqlClient.SqlClient, db)))

      const rows = yield* db<{ title: string; segments: Uint8Array }>`
        select title, segments from transcript join meeting on id = meeting_id`
      const kept = yield* Effect.forEach(rows, ({ title, segments }) =>
        Effect.map(segmentsFrom(segments), (said) => [title, said])
      )
      assert.deepStrictEqual(
        new Map(kept.map(([title, said]) => [title, said])),
        new Map(
          Array.from({ length: 130 }, (_, at) => [
            `Meeting ${at + 1}`,
            [{ start: 0, end: 2.5, text: `Meeting ${at + 1} “Señor”` }]
          ])
        )
      )
      assert.lengthOf(yield* db`select segments from published_transcript`, 129)
    }).pipe(Effect.provide(TestDb))
  )
})
