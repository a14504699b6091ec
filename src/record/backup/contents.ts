import { Data, Schema } from "effect"

/** A backup cannot be written, or cannot be used; `message` says why and what to do. */
export class BackupError extends Data.TaggedError("BackupError")<{ readonly message: string }> {}

export const failed = (doing: string) => (cause: unknown) =>
  new BackupError({
    message: `${doing}: ${(cause as NodeJS.ErrnoException).code ?? (cause instanceof Error ? cause.message : cause)}.`
  })

const Sha256 = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
/** An identifier in the database, so that a manifest can name a table or a column and nothing else. */
const Name = Schema.String.check(Schema.isPattern(/^[a-z_][a-z0-9_]*$/))

/** A file of the backup, by its path inside it. */
const File = { file: Schema.String, bytes: Count, sha256: Sha256 }

/**
 * `manifest.json`, which is written last. A table is a file of gzipped lines, one per row: a JSON array of its columns
 * in the order given, each as PostgreSQL writes it as text, or null. `media` lists the objects, one `StoredMedia` per
 * line.
 */
export const Manifest = Schema.Struct({
  format: Schema.Literal("civic-record-backup"),
  version: Schema.Literal(1),
  build: Schema.String,
  created_at: Schema.String,
  migration: Count,
  tables: Schema.Array(Schema.Struct({ name: Name, columns: Schema.NonEmptyArray(Name), rows: Count, ...File })),
  sequences: Schema.Array(Schema.Struct({ table: Name, column: Name, last: Schema.Int, called: Schema.Boolean })),
  media: Schema.Struct({ objects: Count, ...File }),
  /** Objects that are on record but were missing from the store. */
  missing_media: Schema.Array(Schema.String)
})
export type Manifest = typeof Manifest.Type

/** An object of the media store, stored under `media/` and its key. */
export const StoredMedia = Schema.Struct({
  key: Schema.String,
  media_type: Schema.String,
  bytes: Count,
  sha256: Sha256
})
export type StoredMedia = typeof StoredMedia.Type

export const manifestFile = "manifest.json"
export const mediaList = "media.ndjson.gz"
