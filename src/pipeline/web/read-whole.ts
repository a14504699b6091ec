import { pipeline, type Readable, type Transform } from "node:stream"
import * as zlib from "node:zlib"
import { Effect } from "effect"
import type { WebResponse } from "../../../layers/web.ts"
import { WebFailed } from "./failure.ts"

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  deflate: () => zlib.createInflate()
}

/**
 * Reads and decompresses a whole body, and stops as soon as it is too large: a few bytes can decompress to gigabytes.
 */
export const readWhole = Effect.fnUntraced(function* ({ body, headers }: WebResponse, most: number) {
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity"
  const decoder = coding === "identity" ? undefined : decoders[coding]
  if (coding !== "identity" && decoder === undefined) {
    return yield* new WebFailed({
      reason: "unsuitable",
      message: "The server used an encoding that it was not offered."
    })
  }
  const tooLarge = new WebFailed({
    reason: "unsuitable",
    message: `The server's answer has more than ${Math.round(most / 1_000_000)} MB.`
  })
  if (coding === "identity" && Number(headers.get("content-length") ?? 0) > most) return yield* tooLarge
  return yield* Effect.tryPromise({
    try: async (signal) => {
      // The source's errors reach the reader through the decoder.
      const decoded: Readable = decoder === undefined ? body : pipeline(body, decoder(), () => undefined)
      signal.addEventListener("abort", () => decoded.destroy())
      const chunks: Array<Buffer> = []
      let size = 0
      for await (const chunk of decoded) {
        size += chunk.length
        if (size > most) throw tooLarge
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    },
    catch: (cause) =>
      cause instanceof WebFailed
        ? cause
        : new WebFailed({ reason: "unreachable", message: "The server broke off its answer.", cause })
  })
})
