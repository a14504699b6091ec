import { promisify } from "node:util"
import { constants, zstdCompress, zstdDecompress } from "node:zlib"
import { Effect } from "effect"

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Zstandard level 1: the next levels save 2% and take up to half as long again. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/**
 * A long text, or its UTF-8, as stored in a `bytea` column: one Zstandard frame (RFC 8878). PostgreSQL's own `pglz`,
 * the only compression that every build has, takes five times as long and compresses less. Runs in Node's thread pool.
 */
export const packText = (text: string | Uint8Array): Effect.Effect<Uint8Array> =>
  // In one call: a stream would switch threads for every chunk.
  Effect.promise(() => compress(text, { params, chunkSize: Math.max(1024, text.length >>> 1) }))

/** Unpacks a text. Bytes not written by `packText` are a defect. */
export const unpackText = (bytes: Uint8Array): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => decompress(bytes)),
    (text) => text.toString()
  )
