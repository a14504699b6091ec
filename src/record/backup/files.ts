import { createHash } from "node:crypto"
import { createGunzip, createGzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Stream } from "effect"
import { BackupError, failed } from "./contents.ts"
import type { Place } from "./place.ts"

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

/** Writes a file of a backup. Returns its digest. */
export const writeFile = Effect.fnUntraced(function* <E, R>(
  place: Place,
  file: string,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  const seen = watched(bytes)
  yield* place.write(file, seen.bytes)
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

/** The lines of a gzipped file of a backup. */
export const readLines = (place: Place, file: string) =>
  place.read(file).pipe(
    NodeStream.pipeThroughDuplex({
      evaluate: () => createGunzip(),
      onError: failed(`${file} of the backup could not be read`)
    }),
    Stream.decodeText,
    Stream.splitLines,
    Stream.filter((line) => line !== "")
  )

/** Fails unless a file of a backup still matches its digest. */
export const check = Effect.fnUntraced(function* (place: Place, expected: Written & { readonly file: string }) {
  const seen = watched(place.read(expected.file))
  yield* Stream.runDrain(seen.bytes)
  const { bytes, sha256 } = seen.written()
  if (bytes === expected.bytes && sha256 === expected.sha256) return
  return yield* new BackupError({
    message: `${place.name}/${expected.file} is not what was backed up: nothing was restored. Use another copy.`
  })
})
