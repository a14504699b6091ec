import * as fs from "node:fs"
import * as path from "node:path"
import { DateTime, Effect, Option, Stream } from "effect"
import { makeFolder } from "../../../layers/data-folder/make-folder.ts"
import { Db } from "../../../layers/db/db.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import manifest from "../../../package.json" with { type: "json" }
import { BackupError, failed, type Manifest, manifestFile, mediaList, type StoredMedia } from "./contents.ts"
import { type Referenced, referencedMedia, rowsOf, sequencesOf, tablesOf } from "./dump.ts"
import { writeFile, zipped } from "./files.ts"

/** The progress of a backup or a restore: the current step, and how many objects are done. */
export type OnProgress = (doing: string, done: number, of: number) => Effect.Effect<void>

/** A snapshot of the database. */
const dump = Effect.fnUntraced(function* (folder: string, onProgress: OnProgress) {
  const db = yield* Db
  return yield* db.withTransaction(
    Effect.gen(function* () {
      yield* db`set transaction isolation level repeatable read, read only`
      const [latest] = yield* db<{ id: number }>`select max(migration_id)::int as id from migration`
      const found = yield* tablesOf(db)
      const tables = yield* Effect.forEach(found, (table, at) =>
        Effect.gen(function* () {
          yield* onProgress("tables", at, found.length)
          let rows = 0
          const lines = Stream.tap(rowsOf(db, table), () => Effect.sync(() => rows++))
          const written = yield* writeFile(folder, `database/${table.name}.ndjson.gz`, zipped(lines))
          return { ...table, rows, ...written }
        })
      )
      return {
        migration: latest?.id ?? 0,
        tables,
        sequences: yield* sequencesOf(db),
        media: yield* referencedMedia(db)
      }
    })
  )
})

/** Copies objects out of the store. Returns the ones that are missing. */
const copyMedia = Effect.fnUntraced(function* (
  folder: string,
  objects: ReadonlyArray<Referenced>,
  onProgress: OnProgress
) {
  const store = yield* ObjectStore
  const missing: Array<string> = []
  let copied = 0

  const copy = Effect.fnUntraced(function* ({ key, expected }: Referenced, at: number) {
    yield* onProgress("media files", at, objects.length)
    const found = yield* store.head(key)
    if (Option.isNone(found)) {
      if (expected) missing.push(key)
      return []
    }
    const { media_type } = found.value
    const { bytes, sha256 } = yield* writeFile(folder, `media/${key}`, store.read(key))
    copied += 1
    return [{ key, media_type, bytes, sha256 } satisfies StoredMedia]
  })

  const lines = Stream.fromIterable(objects.map((object, at) => [object, at] as const)).pipe(
    Stream.mapEffect(([object, at]) => copy(object, at)),
    Stream.flatMap((copies) => Stream.fromIterable(copies.map((stored) => JSON.stringify(stored))))
  )
  const written = yield* writeFile(folder, mediaList, zipped(lines))
  return { media: { objects: copied, ...written }, missing_media: missing }
})

/**
 * Writes a backup of the database and of all media on record to a new folder: a snapshot of the database, and the
 * objects it refers to. It is written to `PATH.partial` and renamed when complete; a failed or interrupted one is
 * removed, and one that was killed is removed by the next. Fails if the database, the store or the disk does.
 */
export const backUp = Effect.fn("Backup.write")(function* (named: string, onProgress: OnProgress) {
  const target = named.replace(/(?<=.)\/+$/, "")
  if (fs.existsSync(target)) {
    return yield* new BackupError({ message: `${target} already exists: name a new folder.` })
  }
  const making = `${target}.partial`
  const onError = failed(`${target} could not be written`)
  const clear = Effect.sync(() => fs.rmSync(making, { recursive: true, force: true }))
  yield* clear
  return yield* Effect.gen(function* () {
    yield* Effect.try({ try: () => makeFolder(making, 0o700), catch: onError })
    const createdAt = DateTime.formatIso(yield* DateTime.now)
    const { media: referenced, ...database } = yield* dump(making, onProgress)
    const written: Manifest = {
      format: "civic-record-backup",
      version: 1,
      build: manifest.version,
      created_at: createdAt,
      ...database,
      ...(yield* copyMedia(making, referenced, onProgress))
    }
    yield* writeFile(making, manifestFile, Stream.encodeText(Stream.succeed(`${JSON.stringify(written, null, 2)}\n`)))
    yield* Effect.try({ try: () => fs.renameSync(making, path.resolve(target)), catch: onError })
    return written
  }).pipe(Effect.onError(() => clear))
})
