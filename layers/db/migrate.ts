import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Array as Arr, Context, Data, Duration, Effect, Predicate, Schedule } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { advisoryLocks } from "./advisory-locks.ts"
import { Db, type Sql } from "./db.ts"
import { StatementLimit } from "./silence.ts"

/** The database cannot be migrated to this build's schema; `message` gives the cause and the remedy. */
class SchemaError extends Data.TaggedError("SchemaError")<{
  readonly message: string
  /** Whether it only could not have a lock. */
  readonly isBusy?: boolean
}> {}

/** The folder of this build's migrations and functions; a test has another build's. */
export const SchemaFolder = Context.Reference("civic-record/SchemaFolder", { defaultValue: () => import.meta.dirname })

/** The migrations that create a new database. Lower numbers belonged to earlier builds. */
const baseline = { first: 101, last: 110 }

/** The oldest release of PostgreSQL that has every function in the migrations: `uuidv7` came with it. */
const oldestPostgres = 18

/** What is wrong with a server that is too old, else undefined. */
export const tooOld = Effect.fnUntraced(function* (db: Sql) {
  const [server] = yield* db<{ version: string; number: number }>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number`
  return server === undefined || server.number >= oldestPostgres * 10_000
    ? undefined
    : {
        found: `the server is PostgreSQL ${server.version}, and this needs ${oldestPostgres} or later`,
        todo: "Upgrade the server, or name another one in DATABASE_URL. Nothing was changed."
      }
})

/** All migrations before the baseline. A database with exactly these is carried over. */
const carriedOver = Arr.range(1, 43).filter((id) => ![20, 24, 28, 35].includes(id))

/** The migrations of a build, in order. */
const shipped = (folder = import.meta.dirname) =>
  fs
    .readdirSync(path.join(folder, "migrations"))
    .flatMap((file) => {
      const [, id, name] = /^(\d{4})_(\w+)\.sql$/.exec(file) ?? []
      return id === undefined || name === undefined ? [] : [{ id: Number(id), name, file: `migrations/${file}` }]
    })
    .toSorted((a, b) => a.id - b.id)

/** The numbers of this build's migrations, in ascending order. */
export const shippedMigrations = (): ReadonlyArray<number> => shipped().map(({ id }) => id)

/** The number of a build's newest migration, which names the build. */
export const newestMigration = (folder?: string): number => shipped(folder).at(-1)?.id ?? 0

/**
 * The steps that bring a database to this build's schema; the last two cases cannot be brought there (see `migrate`).
 */
type Upgrade = "none" | "migrate" | "carry over" | "newer" | "unknown"

/** The upgrade for a database with these migrations, in ascending order. */
export const upgradeFrom = (had: ReadonlyArray<number>, newest = newestMigration()): Upgrade => {
  const last = had.at(-1) ?? 0
  if (last === newest) return "none"
  if (last > newest) return "newer"
  if (last === 0 || last >= baseline.first) return "migrate"
  return had.join() === carriedOver.join() ? "carry over" : "unknown"
}

/** The migrations applied to a database, in ascending order. */
export const migrationsOf = Effect.fnUntraced(function* (db: Sql) {
  const [table] = yield* db<{ exists: boolean }>`select to_regclass('public.migration') is not null as exists`
  if (table?.exists !== true) return []
  return (yield* db<{ id: number }>`select migration_id as id from migration order by id`).map(({ id }) => id)
})

const causeOf = ({ reason }: SqlError.SqlError) => ({
  message: Predicate.hasProperty(reason.cause, "message") ? reason.cause.message : reason.message,
  // No lock in time, or a deadlock.
  isBusy:
    Predicate.hasProperty(reason.cause, "code") && (reason.cause.code === "55P03" || reason.cause.code === "40P01")
})

/** The driver sends one statement at a time, but PL/pgSQL executes many in one string. */
const run = Effect.fnUntraced(function* (db: Sql, file: string) {
  const text = fs.readFileSync(path.join(yield* SchemaFolder, file), "utf8")
  return yield* Effect.mapError(
    db.unsafe(`do $run$ begin execute $text_of_file$${text}$text_of_file$; end $run$`),
    (error) => {
      const { message, ...cause } = causeOf(error)
      return new SchemaError({ message: `layers/db/${file} failed: ${message}`, ...cause })
    }
  )
})

/** Runs the missing migrations, up to and including one of them. */
const runMigrations = (db: Sql, upTo = Number.POSITIVE_INFINITY) =>
  Migrator.make({})({
    table: "migration",
    loader: Effect.map(SchemaFolder, (folder) =>
      shipped(folder)
        .filter(({ id }) => id <= upTo)
        .map(({ id, name, file }) => [id, name, Effect.succeed(run(db, file))] as const)
    )
  }).pipe(
    Effect.provideService(SqlClient.SqlClient, db),
    Effect.catchTag("MigrationError", ({ cause, message }) =>
      Effect.fail(cause instanceof SchemaError ? cause : new SchemaError({ message }))
    )
  )

/** Converts a database from before the baseline, and marks the baseline as applied. */
const carryOver = Effect.fnUntraced(function* (db: Sql) {
  yield* run(db, "carry-over.sql")
  const had = shipped().filter(({ id }) => id <= baseline.last)
  yield* db`
    insert into migration (migration_id, name)
    select * from unnest(${had.map(({ id }) => id)}::int[], ${had.map(({ name }) => name)}::text[])`
})

/** The files of functions, views and triggers, each after the files that its first line names (`-- after: a, b`). */
const functionFiles = (folder: string) => {
  const of = path.join(folder, "functions")
  const names = fs.readdirSync(of).toSorted()
  const texts = new Map(names.map((name) => [name, fs.readFileSync(path.join(of, name), "utf8")]))
  const ordered = new Set<string>()
  const add = (name: string) => {
    const [, before] = /^-- after: (.+)\n/.exec(texts.get(name) ?? "") ?? []
    for (const other of before?.split(", ") ?? []) add(`${other}.sql`)
    ordered.add(name)
  }
  names.forEach(add)
  return [...ordered].map((name) => ({
    name,
    file: `functions/${name}`,
    hash: createHash("sha256")
      .update(texts.get(name) ?? "")
      .digest("hex")
  }))
}

/** Replaces the functions, views and triggers whose file has changed since it was last applied, or `all` of them. */
const replaceFunctions = Effect.fnUntraced(function* (db: Sql, all: boolean) {
  const had = yield* db<{ name: string; hash: string }>`select name, hash from function_file`
  const hashes = new Map(had.map(({ name, hash }) => [name, hash]))
  const files = functionFiles(yield* SchemaFolder)
  for (const { name, file, hash } of files) {
    if (!all && hashes.get(name) === hash) continue
    yield* run(db, file)
    yield* db`
      insert into function_file (name, hash) values (${name}, ${hash})
      on conflict (name) do update set hash = excluded.hash`
  }
  yield* db`delete from function_file where name <> all(${files.map(({ name }) => name)}::text[])`
})

/** Why a database has no upgrade path, and what to do. */
export const unknownSchema = (had: ReadonlyArray<number>) => ({
  found: `the database is at migration ${had.at(-1)} of another build, and only one at 43 can be carried over`,
  todo: 'Start the build that ends at 43 on it once, or import here what "civic-record export" of its own build writes.'
})

/** How long a migration waits for a lock, for which every later reader of the table waits, too. */
const lockTimeout = "1s"

/**
 * One transaction without a statement timeout, because building an index on a large record takes longer than any reader
 * would wait. It gives way to transactions that are long (a backup, the search index that is built), and begins again.
 */
const alone = <A, E, R>(db: Sql, effect: Effect.Effect<A, E, R>) =>
  db`set local statement_timeout = 0`.pipe(
    Effect.andThen(db`select pg_advisory_xact_lock(${advisoryLocks.schema})`),
    Effect.andThen(db`select set_config('lock_timeout', ${lockTimeout}, true)`),
    Effect.andThen(effect),
    db.withTransaction,
    Effect.provideService(StatementLimit, Duration.infinity),
    Effect.tapError((error) =>
      isBusy(error)
        ? Effect.logInfo("Migrations wait for a transaction that is under way").pipe(
            Effect.annotateLogs({ reason: error.message })
          )
        : Effect.void
    ),
    Effect.retry({ while: isBusy, schedule: Schedule.spaced("2 seconds") })
  )

const isBusy = (error: unknown): error is SchemaError => error instanceof SchemaError && error.isBusy === true

/**
 * Migrates the database to this build's schema, with its functions, views and triggers, in one transaction; returns the
 * migrations that ran. Safe to run concurrently: the second process finds nothing left to do. Leaves a newer build's
 * database unchanged. Fails with `SchemaError` if the schema is unknown and cannot be carried over, and if the server
 * is too old.
 */
export const migrate = Effect.fn("Db.migrate")(function* () {
  const db = yield* Db
  const old = yield* tooOld(db)
  if (old !== undefined) {
    return yield* new SchemaError({ message: `The database cannot be used: ${old.found}. ${old.todo}` })
  }
  return yield* alone(
    db,
    Effect.gen(function* () {
      const had = yield* migrationsOf(db)
      const upgrade = upgradeFrom(had, newestMigration(yield* SchemaFolder))
      if (upgrade === "unknown") {
        const { found, todo } = unknownSchema(had)
        return yield* new SchemaError({ message: `The schema cannot be used: ${found}. ${todo}` })
      }
      if (upgrade === "newer") return []
      if (upgrade === "carry over") yield* carryOver(db)
      const ran = upgrade === "none" ? [] : yield* runMigrations(db)
      // Replaces all of them: a migration may have dropped dependents of the table it changed.
      yield* replaceFunctions(db, upgrade !== "none")
      return ran
    })
  )
})

/** Creates the tables as they were after a migration, without the functions, views and triggers that `migrate` adds. */
export const makeTables = Effect.fn("Db.makeTables")(function* (upTo: number) {
  const db = yield* Db
  yield* alone(db, runMigrations(db, upTo))
})

/** Whether this build can create the tables as they were after a migration. */
export const canMakeTables = (upTo: number) => upTo >= baseline.first

/**
 * Whether this build can serve with the schema: it has it, or a newer one that says that it still can (`serves`); has
 * to wait for migrations (`waits`); or is older than the newer one allows, which names the `oldest` that can.
 */
export const schemaFit = Effect.gen(function* () {
  const db = yield* Db
  const build = newestMigration(yield* SchemaFolder)
  const [{ schema = 0 } = {}] = yield* db<{ schema: number }>`select max(migration_id)::int as schema from migration`
  if (schema <= build) return { fit: schema === build ? "serves" : "waits", build, schema } as const
  const [{ oldest = schema } = {}] = yield* db<{ oldest: number }>`select oldest_build() as oldest`
  return build >= oldest
    ? ({ fit: "serves", build, schema } as const)
    : ({ fit: "too old", build, schema, oldest } as const)
})
