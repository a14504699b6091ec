import { promisify } from "node:util"
import { constants, zstdCompress, zstdDecompress } from "node:zlib"
import { Effect } from "effect"

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Level 1 of Zstandard: the next ones save 2% and take up to half as long again. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/**
 * A long text, or its UTF-8, as a `bytea` column keeps it: one Zstandard frame (RFC 8878). PostgreSQL's own `pglz`,
 * which is all that every build of it has, takes five times as long and compresses less. Works in a thread of Node's
 * pool.
 */
export const packText = (text: string | Uint8Array): Effect.Effect<Uint8Array> =>
  // In one go: what comes in pieces goes back and forth between the threads.
  Effect.promise(() => compress(text, { params, chunkSize: Math.max(1024, text.length >>> 1) }))

/** The text again. Bytes that `packText` did not make are a defect. */
export const unpackText = (bytes: Uint8Array): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => decompress(bytes)),
    (text) => text.toString()
  )
