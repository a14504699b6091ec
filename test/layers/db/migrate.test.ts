import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { makeTables, migrate, newestMigration, SchemaFolder, schemaFit } from "../../../layers/db/migrate.ts"
import { catalog } from "../../support/catalog.ts"
import { TestDb } from "../../support/database.ts"
import { eventually, scratch } from "../../support/rendering.ts"

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

  it.live("begins again after a deadlock", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const folder = yield* scratch
      fs.cpSync(root, folder, { recursive: true })
      const next = `
        set local deadlock_timeout = '50ms';
        lock table meeting in share row exclusive mode;
        select pg_sleep(0.5);
        lock table place in share row exclusive mode;
        create table later (id int);`
      fs.writeFileSync(path.join(folder, "migrations/9999_next.sql"), next)
      const isHeld = (table: string) =>
        db`select from pg_locks where relation = ${table}::regclass and mode = 'ShareRowExclusiveLock' and granted`
      const held = (table: string) => eventually(Effect.map(isHeld(table), ([lock]) => lock))
      const writer = yield* Effect.gen(function* () {
        yield* db`lock table place in share row exclusive mode`
        yield* held("meeting")
        yield* db`lock table meeting in share row exclusive mode`
      }).pipe(db.withTransaction, Effect.forkChild)
      yield* held("place")
      const ran = yield* Effect.provideService(migrate(), SchemaFolder, folder)
      yield* Fiber.join(writer)
      assert.deepStrictEqual(
        ran.map(([id]) => id),
        [9999]
      )
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("leaves the database of a newer build as it is, and serves with it if that build says so", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* db`insert into migration (migration_id, name) values (9999, 'later')`
      yield* db`drop trigger meeting_short_id on meeting`
      yield* db`update function_file set hash = 'later'`
      const before = yield* catalog
      assert.deepStrictEqual(yield* migrate(), [])
      assert.deepStrictEqual(yield* catalog, before)
      const build = newestMigration()
      assert.deepStrictEqual(yield* schemaFit, { fit: "serves", build, schema: 9999 })
      yield* db`create or replace function oldest_build() returns int language sql immutable as 'select 9998'`
      assert.deepStrictEqual(yield* schemaFit, { fit: "too old", build, schema: 9999, oldest: 9998 })
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

/** What a build uses: the columns of tables and views, and the functions that are called, with their types. */
const surface = Effect.gen(function* () {
  const db = yield* Db
  const rows = yield* db<{ line: string }>`
    select format('%s.%s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod)) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
    union all
    select format('%s returns %s', p.oid::regprocedure, pg_get_function_result(p.oid)) from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
      and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
    order by line`
  return rows.map(({ line }) => line)
})

/** What an older build's writes may break: columns that have to be given a value, and rules about old columns alone. */
const demands = (tables: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const db = yield* Db
    const rows = yield* db<{ table: string; name: string; columns: ReadonlyArray<string> }>`
      select c.relname as table, 'not null' as name, array[a.attname::text] as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where a.attnotnull and not a.atthasdef and a.attidentity = '' and c.relname = any(${tables}::text[])
      union all
      select c.relname, conname, (select coalesce(array_agg(attname::text order by attname), '{}') from pg_attribute
        where attrelid = c.oid and attnum = any(conkey))
      from pg_constraint join pg_class c on c.oid = conrelid
      where contype <> 'n' and c.relname = any(${tables}::text[])
      union all
      select c.relname, i.indexrelid::regclass::text, (select coalesce(array_agg(attname::text order by attname), '{}')
        from pg_attribute where attrelid = c.oid and attnum = any(i.indkey))
      from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique and c.relname = any(${tables}::text[])`
    return rows.map(({ columns, name, table }) => ({ of: columns.map((column) => `${table}.${column}`), name }))
  })

/** The lines of `surface.txt` after its first, which names the oldest build that serves. */
const kept = path.join(import.meta.dirname, "surface.txt")

describe("a schema that the oldest build serves with", () => {
  it.effect("has its tables, views and functions, and asks for nothing more when it writes", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const now = yield* surface
      const [{ oldest = 0 } = {}] = yield* db<{ oldest: number }>`select oldest_build() as oldest`
      const [head, ...lines] = fs.readFileSync(kept, "utf8").trim().split("\n")
      const before = head === String(oldest) ? lines : []
      const expected = process.env.SURFACE === "write" ? [...new Set([...before, ...now])].toSorted() : before
      if (expected !== before) fs.writeFileSync(kept, `${[oldest, ...expected].join("\n")}\n`)
      assert.deepStrictEqual(
        before.filter((line) => !now.includes(line)),
        [],
        "Keep it, or raise oldest_build()"
      )
      assert.deepStrictEqual(now.toSorted(), expected, "Run: SURFACE=write npx vitest run test/layers/db/migrate")
      assert.isAtMost(oldest, newestMigration())

      const columns = (all: ReadonlyArray<string>) => new Set(all.map((line) => line.split(" ")[0] ?? ""))
      const tables = yield* db<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
      const names = tables.map(({ name }) => name)
      const asked = yield* demands(names)
      yield* db`drop schema public cascade`
      yield* db`create schema public`
      yield* makeTables(oldest)
      const had = columns(yield* surface)
      const known = new Set((yield* demands(names)).map(({ name, of }) => `${name} ${of}`))
      const tablesHad = new Set([...had].map((column) => column.split(".")[0]))
      const isNew = ({ name, of }: (typeof asked)[number]) =>
        !known.has(`${name} ${of}`) && of.some((column) => tablesHad.has(column.split(".")[0]))
      assert.deepStrictEqual(
        asked.filter((one) => isNew(one) && (one.name === "not null" || one.of.every((column) => had.has(column)))),
        []
      )
    }).pipe(Effect.provide(TestDb))
  )
})

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

  const raised = (text: string) => Number(/^-- contracts: oldest_build (\d+)$/m.exec(text)?.[1] ?? Number.NaN)
  const textOf = (file: string) => fs.readFileSync(path.join(root, file), "utf8")

  it("only expand the schema, but for what no build uses since oldest_build()", () => {
    const oldest = Number(/select (\d+) \$\$/.exec(textOf("functions/oldest_build.sql"))?.[1])
    assert.deepStrictEqual(
      files
        .filter(({ statements }) => contracting.test(statements))
        .filter(({ name }) => !(raised(textOf(`migrations/${name}`)) <= oldest))
        .map(({ name }) => name),
      []
    )
    assert.isTrue(raised("-- Nothing reads it.\n-- contracts: oldest_build 134\ndrop table clip;") <= 134)
    assert.isFalse(raised("drop table clip;") <= 134)
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
