import * as fs from "node:fs"
import * as path from "node:path"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import { NodeStream } from "@effect/platform-node"
import { Data, Effect, Ref, Stream } from "effect"
import { ObjectStore } from "../../layers/object-store.ts"
import { exportEntities } from "./export.ts"

/** The bundle could not be written; `message` says why and what to do. */
export class ExportError extends Data.TaggedError("ExportError")<{ readonly message: string }> {}

const failed = (target: string) => (cause: unknown) =>
  new ExportError({ message: `${target} could not be written: ${(cause as NodeJS.ErrnoException).code ?? cause}.` })

/**
 * Writes the whole record as a bundle: to a file (`.ndjson`, `.ndjson.gz`; its text alone), or to a new folder with
 * `record.ndjson` and every media file under its key. It is made beside its place and renamed when whole, so that what
 * stands there is a bundle or nothing. Gives how many entities and media files were written.
 */
export const writeBundle = Effect.fn("Records.export")(function* (target: string) {
  if (fs.existsSync(target)) {
    return yield* new ExportError({ message: `${target} is there already: name a new folder or file.` })
  }
  const store = yield* ObjectStore
  const entities = yield* exportEntities
  const isFile = /\.ndjson(\.gz)?$/.test(target)
  const making = `${target}.part`
  const text = isFile ? making : path.join(making, "record.ndjson")
  const counts = yield* Ref.make({ entities: 0, media: 0 })
  fs.rmSync(making, { recursive: true, force: true })
  fs.mkdirSync(path.dirname(text), { recursive: true })

  const copy = (key: string) =>
    Effect.gen(function* () {
      const file = path.join(making, ...key.split("/"))
      const bytes = yield* NodeStream.toReadable(store.read(key))
      yield* Effect.tryPromise({
        try: async () => {
          await fs.promises.mkdir(path.dirname(file), { recursive: true })
          await pipeline(bytes, fs.createWriteStream(file))
        },
        catch: failed(file)
      })
      yield* Ref.update(counts, (so_far) => ({ ...so_far, media: so_far.media + 1 }))
    })

  const lines = entities.pipe(
    Stream.filter((entity) => !isFile || entity.type !== "media"),
    Stream.tap((entity) => (entity.type === "media" ? copy(entity.path) : Effect.void)),
    Stream.tap(() => Ref.update(counts, (so_far) => ({ ...so_far, entities: so_far.entities + 1 }))),
    Stream.map((entity) => `${JSON.stringify(entity)}\n`),
    Stream.encodeText
  )
  const readable = yield* NodeStream.toReadable(lines)
  yield* Effect.tryPromise({
    try: () =>
      target.endsWith(".gz")
        ? pipeline(readable, createGzip(), fs.createWriteStream(text))
        : pipeline(readable, fs.createWriteStream(text)),
    catch: failed(text)
  })
  fs.renameSync(making, target)
  return yield* Ref.get(counts)
})
