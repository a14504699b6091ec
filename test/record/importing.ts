import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Redacted, Stream } from "effect"
import { Db, type ReadDb } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import type { Renderer } from "../../layers/renderer/renderer.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { exportEntities } from "../../src/record/export.ts"
import { found } from "../../src/record/formats/item.ts"
import { read, recognize } from "../../src/record/formats/read.ts"
import { openSource } from "../../src/record/formats/source.ts"
import { type ImportOptions, importItems, type Notice } from "../../src/record/import.ts"
import { writeMediaFrom } from "../../src/record/write/media.ts"
import { created } from "../../src/record/write/outcome.ts"
import { agency, place } from "../support/builders.ts"
import { databaseAt, freshDatabase } from "../support/database.ts"
import { TestRenderer } from "../support/rendering.ts"

/** A folder that is removed with the scope. */
export const scratchFolder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-test-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

/** A deployment with its own database and store, for as long as the scope; `env` is what its commands are given. */
export const deployment = Effect.gen(function* () {
  const url = yield* freshDatabase
  const folder = yield* scratchFolder
  const store = path.join(folder, "media")
  const on = <A, E>(effect: Effect.Effect<A, E, Db | ReadDb | ObjectStore | Renderer>) =>
    effect.pipe(Effect.provide([databaseAt(url), ObjectStore.layerFolder(store), TestRenderer]))
  const env = { PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), DATA_DIR: path.join(folder, "data") }
  return { url, folder, store, on, env }
})

/** Writes a bundle, one line per entity; a string is written as it is. */
export const writeLines = (file: string, lines: ReadonlyArray<object | string>): string => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""))
  return file
}

/** Imports a path the way the command does, and collects its notices. */
export const importPath = (
  named: string,
  { dryRun = false, onBatch = () => Effect.void }: { dryRun?: boolean; onBatch?: () => Effect.Effect<void> } = {}
) =>
  Effect.gen(function* () {
    const notices: Array<Notice> = []
    const source = yield* openSource(named)
    const folder = source._tag === "Folder" ? source.path : path.dirname(source.path)
    const report = yield* importItems(read(source, yield* recognize(source)), {
      dryRun,
      writeMedia: writeMediaFrom(folder, !dryRun),
      onNotice: (notice) => Effect.sync(() => notices.push(notice)),
      onProgress: onBatch,
      writers: 3
    })
    const told = notices.map(({ kind, line, field, message }) => `${kind} ${line} ${field}: ${message}`)
    return { report, notices: told }
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/**
 * Every row of every table, as text, sorted; except those of the migrations, and those that name or count transactions.
 */
export const everything = Effect.gen(function* () {
  const db = yield* Db
  const tables = yield* db<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in ('migration', 'record_revision', 'timeline', 'search_change', 'search_segment') order by 1`
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(db<{ row: string }>`select t::text as row from ${db(name)} t order by 1`, (found) => [
      name,
      found.map(({ row }) => row)
    ])
  )
  return Object.fromEntries(rows) as Readonly<Record<string, ReadonlyArray<string>>>
})

/** The record as bundle entities. */
export const exported: Effect.Effect<ReadonlyArray<BundleEntity>, unknown, Db> = Effect.gen(function* () {
  return yield* Stream.runCollect(yield* exportEntities)
})

/** A day of 2020, counted from New Year's Day. */
export const day = (at: number) => new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10)

export const directory = [place("springfield"), agency("council", ["springfield"])]

/** The options of an import, unless a test says otherwise. */
export const usual = {
  dryRun: false,
  writeMedia: () => Effect.succeed(created),
  onNotice: () => Effect.void,
  onProgress: () => Effect.void,
  writers: 1
} satisfies ImportOptions<never, never>

/** Imports entities as the lines of a bundle. */
export const importEntities = <E, R>(
  entities: ReadonlyArray<BundleEntity>,
  options: Partial<ImportOptions<E, R>> = {}
) =>
  importItems(
    Stream.fromIterable(entities.map((entity, at) => found({ file: "record.ndjson", line: at + 1 }, entity))),
    { ...usual, ...options }
  )

/** The ids of the meetings on record. */
export const meetingsOnRecord = Effect.flatMap(Db, (db) => db<{ id: string }>`select id from meeting order by id`).pipe(
  Effect.map((rows) => rows.map(({ id }) => id))
)
