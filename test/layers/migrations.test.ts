import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient, PgMigrator } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fromFileSystem } from "effect/sql/MigratorFileSystem"
import { Db, migrate } from "../../layers/db/db.ts"
import { TestDb } from "../support/database.ts"

const folder = path.join(import.meta.dirname, "..", "..", "layers", "migrations")

/** Brings an empty schema to where it was before a migration. */
const before = Effect.fnUntraced(function* (first: number) {
  const db = yield* Db
  yield* db`drop schema public cascade`
  yield* db`create schema public`
  const loader = Effect.map(fromFileSystem(folder), (all) => all.filter(([id]) => id < first))
  yield* PgMigrator.run({ loader, table: "migration" }).pipe(
    Effect.provideService(PgClient.PgClient, db),
    Effect.provideService(SqlClient.SqlClient, db),
    Effect.provide(NodeServices.layer)
  )
})

describe("the migration to tasks", () => {
  it.effect("carries along the clips that wait to be rendered", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* before(10)
      yield* db`insert into body (slug, segment, name, kind, content_hash) values ('council', 'council', 'Council', 'other', '')`
      yield* db`
        insert into meeting (id, body_id, title, date, timezone, status, updated_at, content_hash)
        select gen_random_uuid(), id, 'Regular', '2026-03-10', 'UTC', 'held', now(), '' from body`
      yield* db`
        insert into clip (id, meeting_id, title, start, "end", state, content_hash)
        select gen_random_uuid(), id, 'Vote', 1, 9, 'published', '' from meeting, generate_series(1, 2)`
      yield* db`insert into render_job (clip_id, attempts) select id, 2 from clip limit 1`
      yield* db`
        insert into render_job (clip_id, held_by, held_until)
        select id, gen_random_uuid(), now() from clip where id not in (select clip_id from render_job)`
      yield* migrate()
      const moved = yield* db`
        select f.kind, f.state as flow, t.stage, t.lane, t.state, t.attempts
        from flow f join clip c on c.id = f.clip_id join task t on t.flow_id = f.id order by t.attempts`
      const task = { kind: "clip", flow: "open", stage: "clip", lane: "media", state: "waiting" }
      assert.deepStrictEqual(moved, [
        { ...task, attempts: 0 },
        { ...task, attempts: 2 }
      ])
    }).pipe(Effect.provide(TestDb))
  )
})
