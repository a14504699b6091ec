import { Effect, Schema, Stream } from "effect"
import { applicationName, Db, type Sql } from "../../../layers/db/db.ts"
import { canMakeTables, makeTables, migrate, newestMigration } from "../../../layers/db/migrate.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import type { OnProgress } from "./backup.ts"
import {
  BackupError,
  failed,
  Manifest,
  manifestFile,
  type StoredMedia,
  StoredMedia as StoredMediaSchema
} from "./contents.ts"
import { check, readLines } from "./files.ts"
import { loadSequences, loadTable, withoutForeignKeys } from "./load.ts"
import type { Place } from "./place.ts"

/** Objects uploaded to the store concurrently. */
const mediaAtOnce = 4

const readManifest = Effect.fnUntraced(function* (place: Place) {
  const text = yield* place.read(manifestFile).pipe(
    Stream.decodeText,
    Stream.mkString,
    Effect.catch(() => Effect.flatMap(place.notOne, Effect.fail))
  )
  return yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))(text).pipe(
    Effect.mapError(
      () =>
        new BackupError({
          message: `${place.name}/${manifestFile} is not the manifest of a backup that this build can read.`
        })
    )
  )
})

const mediaOf = (place: Place, { media }: Manifest) =>
  readLines(place, media.file).pipe(
    Stream.mapEffect((line) =>
      Schema.decodeUnknownEffect(Schema.fromJsonString(StoredMediaSchema))(line).pipe(
        Effect.mapError(
          () => new BackupError({ message: `${media.file} of the backup has a line that is not an object.` })
        )
      )
    )
  )

const mediaFile = ({ key }: StoredMedia) => `media/${key}`

/** Whether anything is on record, or any account exists. */
const isEmpty = Effect.fnUntraced(function* (db: Sql) {
  const [found] = yield* db<{ any: boolean }>`
    select exists (select from meeting) or exists (select from body) or exists (select from place)
      or exists (select from account) or exists (select from removed_meeting) as any`
  return found?.any !== true
})

/** A running service would go on with rows that no longer exist. */
const requireAlone = Effect.fnUntraced(function* (db: Sql) {
  const others = yield* db<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'civic-record %' and application_name <> ${applicationName}`
  if (others.length === 0) return
  return yield* new BackupError({
    message: `The database is in use by ${others.map(({ name }) => name).join(", ")}. Stop the service and its workers first.`
  })
})

/**
 * Restores a backup: checks every file of it, puts the media into the store, and then replaces the database in one
 * transaction, so that an interrupted restore leaves the database as it was. Refuses a database that holds anything
 * unless `replace` is set, a backup of a newer build or of one before the baseline, and a database that a service uses.
 * A backup of an older build is restored into its own tables, which are then migrated. Objects that the backup does not
 * mention stay in the store.
 */
export const restore = Effect.fn("Backup.restore")(function* (
  place: Place,
  options: { readonly replace: boolean; readonly onProgress: OnProgress }
) {
  const { replace, onProgress } = options
  const db = yield* Db
  const store = yield* ObjectStore
  const manifest = yield* readManifest(place)
  if (manifest.migration > newestMigration()) {
    return yield* new BackupError({
      message: `The backup was made by a newer build (${manifest.build}). Restore it with that one.`
    })
  }
  if (!canMakeTables(manifest.migration)) {
    return yield* new BackupError({
      message:
        `The backup is of an older build, at migration ${manifest.migration}, whose schema this one cannot make. ` +
        "Restore it with that build, and start this one on its database."
    })
  }
  if (!replace && !(yield* isEmpty(db))) {
    return yield* new BackupError({
      message: "The database is not empty. Name an empty one, or give --replace to delete what it holds."
    })
  }
  yield* requireAlone(db)

  const files = [...manifest.tables, manifest.media]
  yield* Effect.forEach(files, (file, at) =>
    Effect.andThen(onProgress("tables checked", at, files.length), check(place, file))
  )
  const { objects } = manifest.media
  const eachMedia = <E, R>(doing: string, effect: (object: StoredMedia) => Effect.Effect<void, E, R>) =>
    mediaOf(place, manifest).pipe(
      Stream.zipWithIndex,
      Stream.mapEffect(([object, at]) => Effect.andThen(onProgress(doing, at, objects), effect(object)), {
        concurrency: mediaAtOnce
      }),
      Stream.runDrain
    )
  yield* eachMedia("media files checked", (object) => check(place, { ...object, file: mediaFile(object) }))
  yield* eachMedia("media files put into the store", (object) =>
    Effect.asVoid(store.put(object.key, place.read(mediaFile(object)), object.media_type))
  )

  yield* db.withTransaction(
    Effect.gen(function* () {
      yield* db`drop schema public cascade`
      yield* db`create schema public`
      yield* makeTables(manifest.migration)
      const putBack = yield* withoutForeignKeys(db)
      yield* Effect.forEach(manifest.tables, (table, at) =>
        Effect.andThen(onProgress("tables restored", at, manifest.tables.length), loadTable(db, place, table))
      )
      yield* putBack
      yield* loadSequences(db, manifest.sequences)
      yield* migrate()
    })
  )
  // The planner's statistics were those of the replaced tables.
  yield* db`analyze`.pipe(
    Effect.catch((error) => Effect.logWarning("The tables could not be analyzed", failed("ANALYZE")(error).message))
  )
  return manifest
})
