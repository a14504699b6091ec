import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { isMigrated, makeTables, migrate } from "../../../layers/db/migrate.ts"
import { catalog } from "../../support/catalog.ts"
import { TestDb } from "../../support/database.ts"

const root = path.join(import.meta.dirname, "../../../layers/db")
const filesOf = (folder: string) =>
  fs.readdirSync(path.join(root, folder)).map((name) => ({
    name,
    statements: fs
      .readFileSync(path.join(root, folder, name), "utf8")
      .replaceAll(/--.*$/gm, "")
      .replaceAll(/\s+/g, " ")
      .toLowerCase()
  }))

describe("migrating", () => {
  it.effect("is done once by processes that start together", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const made = yield* catalog
      yield* db`drop schema public cascade`
      yield* db`create schema public`
      const ran = yield* Effect.all([migrate(), migrate()], { concurrency: 2 })
      assert.sameMembers(
        ran.map(({ length }) => length > 0),
        [true, false]
      )
      assert.deepStrictEqual(yield* catalog, made)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("creates only the tables if they are to be loaded, and adds the rest afterwards", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const made = yield* catalog
      yield* db`drop schema public cascade`
      yield* db`create schema public`
      yield* makeTables(Number.POSITIVE_INFINITY)
      assert.deepStrictEqual(yield* db`select tgname from pg_trigger where not tgisinternal`, [])
      assert.deepStrictEqual(yield* migrate(), [])
      assert.deepStrictEqual(yield* catalog, made)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("leaves the database of a newer build as it is, and says that it belongs to one", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* db`insert into migration (migration_id, name) values (9999, 'later')`
      yield* db`drop trigger meeting_short_id on meeting`
      yield* db`update function_file set hash = 'later'`
      const before = yield* catalog
      assert.deepStrictEqual(yield* migrate(), [])
      assert.deepStrictEqual(yield* catalog, before)
      assert.isFalse(yield* isMigrated)
    }).pipe(Effect.provide(TestDb))
  )
})

describe("functions, views and triggers", () => {
  it.effect("are this build's after a build with other ones, and equal ones are left alone", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const made = yield* catalog
      const untouched = db`select xmin::text from pg_proc where proname = 'announce_feed'`
      const before = yield* untouched
      yield* db`
        create or replace function give_short_id() returns trigger language plpgsql as $$ begin return null; end $$`
      yield* db`drop trigger meeting_recounted on meeting`
      yield* db`create or replace view published_transcript as select * from transcript`
      yield* db`
        update function_file set hash = 'other'
        where name in ('short_id.sql', 'held_meetings.sql', 'published_transcript.sql')`
      yield* db`insert into function_file (name, hash) values ('gone.sql', 'other')`
      assert.notDeepEqual(yield* catalog, made)
      assert.deepStrictEqual(yield* migrate(), [])
      assert.deepStrictEqual(yield* catalog, made)
      assert.deepStrictEqual(yield* untouched, before)
      const files = yield* db<{ name: string }>`select name from function_file order by name`
      assert.deepStrictEqual(
        files.map(({ name }) => name),
        filesOf("functions").map(({ name }) => name)
      )
    }).pipe(Effect.provide(TestDb))
  )

  it("stand in one file each, which can be applied again", () => {
    const made = filesOf("functions").flatMap(({ statements }) =>
      [...statements.matchAll(/create( or replace)? (?:function|view|aggregate) (\w+)/g)].map(
        ([, replaces, name]) => [name, replaces !== undefined] as const
      )
    )
    assert.isAbove(made.length, 20)
    assert.strictEqual(new Set(made.map(([name]) => name)).size, made.length)
    assert.deepStrictEqual(
      made.filter(([, replaces]) => !replaces),
      []
    )
  })
})

/**
 * Statements that would break the processes of the previous build, which run beside this one during a rolling update.
 */
const contracting =
  /\b(drop (table|column|schema|type)|rename|truncate)\b|alter (column )?\w+ (set data )?type\b|set not null/
/** Definitions that belong in layers/db/functions. */
const repeatable = /create (or replace )?((constraint )?trigger|view|materialized view|procedure)\b/

describe("migrations", () => {
  const files = filesOf("migrations")

  it("are numbered without a gap from 101, and leave views and triggers to the files that hold them", () => {
    assert.deepStrictEqual(
      files.map(({ name }) => Number(/^(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1])),
      files.map((_, at) => 101 + at)
    )
    assert.deepStrictEqual(
      files.filter(({ statements }) => repeatable.test(statements)),
      []
    )
  })

  it("only expand the schema", () => {
    assert.deepStrictEqual(
      files.filter(({ statements }) => contracting.test(statements)).map(({ name }) => name),
      []
    )
  })

  it.each([
    "drop table clip",
    "alter table clip drop column title",
    "alter table clip rename column title to name",
    "alter table clip rename to cutting",
    "alter table clip alter column title type varchar(10)",
    "alter table clip alter title set data type varchar(10)",
    "alter table clip alter column outcome set not null"
  ])("that contract it are found: %s", (statement) => {
    assert.match(statement, contracting)
  })
})
