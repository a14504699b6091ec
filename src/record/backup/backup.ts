import { DateTime, Effect, Option, Stream } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import manifest from "../../../package.json" with { type: "json" }
import { type Manifest, manifestFile, mediaList, type StoredMedia } from "./contents.ts"
import { type Referenced, referencedMedia, rowsOf, sequencesOf, tablesOf } from "./dump.ts"
import { writeFile, zipped } from "./files.ts"
import type { Place } from "./place.ts"

/** The progress of a backup or a restore: the current step, and how many objects are done. */
export type OnProgress = (doing: string, done: number, of: number) => Effect.Effect<void>

/** A snapshot of the database. */
const dump = Effect.fnUntraced(function* (place: Place, onProgress: OnProgress) {
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
          const written = yield* writeFile(place, `database/${table.name}.ndjson.gz`, zipped(lines))
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
  place: Place,
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
    const { bytes, sha256 } = yield* writeFile(place, `media/${key}`, store.read(key))
    copied += 1
    return [{ key, media_type, bytes, sha256 } satisfies StoredMedia]
  })

  const lines = Stream.fromIterable(objects.map((object, at) => [object, at] as const)).pipe(
    Stream.mapEffect(([object, at]) => copy(object, at)),
    Stream.flatMap((copies) => Stream.fromIterable(copies.map((stored) => JSON.stringify(stored))))
  )
  const written = yield* writeFile(place, mediaList, zipped(lines))
  return { media: { objects: copied, ...written }, missing_media: missing }
})

/**
 * Writes a backup of the database and of all media on record: a snapshot of the database, and the objects it refers to.
 * A failed or interrupted one is removed, and one that was killed is removed by the next at its place. Fails if the
 * database, a store or the disk does.
 */
export const backUp = Effect.fn("Backup.write")(function* (place: Place, onProgress: OnProgress) {
  yield* place.begin
  return yield* Effect.gen(function* () {
    const createdAt = DateTime.formatIso(yield* DateTime.now)
    const { media: referenced, ...database } = yield* dump(place, onProgress)
    const written: Manifest = {
      format: "civic-record-backup",
      version: 1,
      build: manifest.version,
      created_at: createdAt,
      ...database,
      ...(yield* copyMedia(place, referenced, onProgress))
    }
    yield* writeFile(place, manifestFile, Stream.encodeText(Stream.succeed(`${JSON.stringify(written, null, 2)}\n`)))
    yield* place.finish
    return written
  }).pipe(Effect.onError(() => place.abandon))
})
