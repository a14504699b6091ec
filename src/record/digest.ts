import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"

/** SHA-256 in hexadecimal, of text in UTF-8 or of bytes. */
export const digestOf = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex")

/** SHA-256 of a file in hexadecimal, read as a stream. */
export const digestOfFile = (file: string): Effect.Effect<string> =>
  Effect.promise(async (signal) => {
    const hash = createHash("sha256")
    await pipeline(fs.createReadStream(file), hash, { signal })
    return hash.digest("hex")
  })
