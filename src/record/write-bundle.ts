import * as fs from "node:fs"
import * as path from "node:path"
import { createGzip } from "node:zlib"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Data, Effect, Ref, Stream } from "effect"
import { makeFolder } from "../../layers/data-folder/make-folder.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { exportEntities } from "./export.ts"

/** The bundle could not be written; `message` says why and what to do. */
class ExportError extends Data.TaggedError("ExportError")<{ readonly message: string }> {}

const failed = (file: string) => (cause: unknown) =>
  new ExportError({ message: `${file} could not be written: ${(cause as NodeJS.ErrnoException).code ?? cause}.` })

const writeFile = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, file: string) =>
  Effect.andThen(
    Effect.try({ try: () => makeFolder(path.dirname(file)), catch: failed(file) }),
    Stream.run(bytes, NodeSink.fromWritable({ evaluate: () => fs.createWriteStream(file), onError: failed(file) }))
  )

/**
 * Writes the whole record as a bundle: to a file (`.ndjson`, `.ndjson.gz`; the text alone), or to a new folder with
 * `record.ndjson` and every media file under its key. It is written beside its target and renamed when complete, so
 * that the target is a whole bundle or nothing; a failed or interrupted export leaves nothing behind. Returns how many
 * entities and media files were written. Also fails when the database or the store does, or lacks a file on record.
 */
export const writeBundle = Effect.fn("Records.export")(function* (named: string) {
  const target = named.replace(/(?<=.)\/+$/, "")
  if (fs.existsSync(target)) {
    return yield* new ExportError({ message: `${target} already exists: name a new folder or file.` })
  }
  const store = yield* ObjectStore
  const entities = yield* exportEntities
  const isFile = /\.ndjson(\.gz)?$/.test(target)
  const making = `${target}.part`
  const counts = yield* Ref.make({ entities: 0, media: 0 })
  const clear = Effect.sync(() => fs.rmSync(making, { recursive: true, force: true }))

  const copy = (key: string) =>
    writeFile(store.read(key), path.join(making, ...key.split("/"))).pipe(
      Effect.andThen(Ref.update(counts, (so_far) => ({ ...so_far, media: so_far.media + 1 })))
    )

  const lines = entities.pipe(
    Stream.filter((entity) => !isFile || entity.type !== "media"),
    Stream.tap((entity) => (entity.type === "media" ? copy(entity.path) : Effect.void)),
    Stream.tap(() => Ref.update(counts, (so_far) => ({ ...so_far, entities: so_far.entities + 1 }))),
    Stream.map((entity) => `${JSON.stringify(entity)}\n`),
    Stream.encodeText
  )
  const bytes = target.endsWith(".gz")
    ? NodeStream.pipeThroughDuplex(lines, { evaluate: () => createGzip(), onError: failed(target) })
    : lines
  yield* clear
  yield* writeFile(bytes, isFile ? making : path.join(making, "record.ndjson")).pipe(
    Effect.andThen(Effect.try({ try: () => fs.renameSync(making, target), catch: failed(target) })),
    Effect.onError(() => clear)
  )
  return yield* Ref.get(counts)
})
