import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect, Stream } from "effect"
import { Db } from "../../layers/db.ts"
import { ObjectStore } from "../../layers/object-store.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { exportEntities } from "../../src/record/export.ts"
import { read, recognise } from "../../src/record/formats/read.ts"
import { openSource } from "../../src/record/formats/source.ts"
import { importItems, type Notice } from "../../src/record/import.ts"
import { writeMediaFrom } from "../../src/record/write/media.ts"
import { freshDatabase } from "../support/database.ts"

/** A folder that is gone with the scope. */
const scratchFolder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-test-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

/** A deployment of its own, a database and a store, for as long as the scope. */
export const deployment = Effect.gen(function* () {
  const url = yield* freshDatabase
  const folder = yield* scratchFolder
  const store = path.join(folder, "media")
  const on = <A, E>(effect: Effect.Effect<A, E, Db | ObjectStore>) =>
    effect.pipe(Effect.provide([Db.layerUrl(url), ObjectStore.layerFolder(store)]))
  return { url, folder, store, on }
})

/** Writes a bundle, a line an entity; a text is a line as it stands. */
export const writeLines = (file: string, lines: ReadonlyArray<object | string>): string => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""))
  return file
}

/** Imports a path as the command does, keeping what it tells. */
export const importPath = (
  named: string,
  { dryRun = false, onBatch = () => Effect.void }: { dryRun?: boolean; onBatch?: () => Effect.Effect<void> } = {}
) =>
  Effect.gen(function* () {
    const notices: Array<Notice> = []
    const source = yield* openSource(named)
    const folder = source._tag === "Folder" ? source.path : path.dirname(source.path)
    const report = yield* importItems(read(source, yield* recognise(source)), {
      dryRun,
      writeMedia: writeMediaFrom(folder, !dryRun),
      onNotice: (notice) => Effect.sync(() => notices.push(notice)),
      onProgress: onBatch
    })
    const told = notices.map(({ kind, line, field, message }) => `${kind} ${line} ${field}: ${message}`)
    return { report, notices: told }
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/** Every row of every table but the migrations', as text in an order of its own. */
export const everything = Effect.gen(function* () {
  const db = yield* Db
  const tables = yield* db<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'migration' order by 1`
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(db<{ row: string }>`select t::text as row from ${db(name)} t order by 1`, (found) => [
      name,
      found.map(({ row }) => row)
    ])
  )
  return Object.fromEntries(rows) as Readonly<Record<string, ReadonlyArray<string>>>
})

/** The record as a bundle says it. */
export const exported: Effect.Effect<ReadonlyArray<BundleEntity>, unknown, Db> = Effect.gen(function* () {
  return yield* Stream.runCollect(yield* exportEntities)
})
