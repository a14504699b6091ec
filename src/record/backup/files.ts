import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { createGunzip, createGzip } from "node:zlib"
import * as NodeSink from "@effect/platform-node/NodeSink"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Stream } from "effect"
import { makeFolder } from "../../../layers/data-folder/make-folder.ts"
import { BackupError, failed } from "./contents.ts"

/** A digest of a backup's file, to verify it later. */
interface Written {
  readonly bytes: number
  readonly sha256: string
}

/** Passes bytes through, then reports their number and hash. */
const watched = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) => {
  const hash = createHash("sha256")
  let count = 0
  return {
    bytes: Stream.tap(bytes, (chunk) =>
      Effect.sync(() => {
        hash.update(chunk)
        count += chunk.length
      })
    ),
    written: (): Written => ({ bytes: count, sha256: hash.digest("hex") })
  }
}

/** Writes a file that only its owner may read, because a backup contains readers' personal data. */
export const writeFile = Effect.fnUntraced(function* <E, R>(
  folder: string,
  file: string,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  const target = path.join(folder, file)
  const onError = failed(`${target} could not be written`)
  yield* Effect.try({
    try: () => makeFolder(path.dirname(target), 0o700),
    catch: onError
  })
  const seen = watched(bytes)
  yield* Stream.run(
    seen.bytes,
    NodeSink.fromWritable({
      // Flushed to disk before the backup counts as complete.
      evaluate: () => fs.createWriteStream(target, { mode: 0o600, flags: "wx", flush: true }),
      onError
    })
  )
  return { file, ...seen.written() }
})

/** Lines as gzipped bytes. */
export const zipped = <E, R>(lines: Stream.Stream<string, E, R>) =>
  Stream.map(lines, (line) => `${line}\n`).pipe(
    Stream.encodeText,
    NodeStream.pipeThroughDuplex({
      evaluate: () => createGzip({ level: 4 }),
      onError: failed("The backup could not be compressed")
    })
  )

const bytesOf = (file: string) =>
  NodeStream.fromReadable<Uint8Array, BackupError>({
    evaluate: () => fs.createReadStream(file),
    onError: failed(`${file} could not be read`)
  })

/** The bytes of a file of a backup. */
export const readFile = (folder: string, file: string) => bytesOf(path.join(folder, file))

/** The lines of a gzipped file of a backup. */
export const readLines = (folder: string, file: string) =>
  readFile(folder, file).pipe(
    NodeStream.pipeThroughDuplex({
      evaluate: () => createGunzip(),
      onError: failed(`${file} of the backup could not be read`)
    }),
    Stream.decodeText,
    Stream.splitLines,
    Stream.filter((line) => line !== "")
  )

/** Fails unless a file of a backup still matches its digest. */
export const check = Effect.fnUntraced(function* (folder: string, expected: Written & { readonly file: string }) {
  const seen = watched(readFile(folder, expected.file))
  yield* Stream.runDrain(seen.bytes)
  const { bytes, sha256 } = seen.written()
  if (bytes === expected.bytes && sha256 === expected.sha256) return
  return yield* new BackupError({
    message: `${path.join(folder, expected.file)} is not what was backed up: nothing was restored. Use another copy.`
  })
})
