import { promisify } from "node:util"
import { constants, zstdCompress, zstdDecompress } from "node:zlib"
import { Effect } from "effect"

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Level 1 of Zstandard: the next ones save 2% and take up to half as long again. */
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/**
 * A long text as a `bytea` column keeps it: one Zstandard frame (RFC 8878) of its UTF-8. PostgreSQL's own `pglz`, which is
 * all that every build of it has, takes five times as long and compresses less. Works in a thread of Node's pool.
 */
export const packText = (text: string): Effect.Effect<Uint8Array> => Effect.promise(() => compress(text, { params }))

/** The text again. Bytes that `packText` did not make are a defect. */
export const unpackText = (bytes: Uint8Array): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => decompress(bytes)),
    (text) => text.toString()
  )
