import type { HttpServerRequest } from "effect/http"
import type { ContentCoding } from "../services/meetings/transcripts.ts"

const codings: ReadonlyArray<ContentCoding> = ["br", "gzip", "identity"]

/** Compression levels, of 11 and of 9: the last few percent would take ten times as long. */
export const codingLevels = { br: 4, gzip: 6 } as const

/** Smaller bodies are sent uncompressed, in bytes (contract section 1). */
export const smallestCoded = 1024

/** Below any weight that can be written: the identity coding, unless a better one is acceptable. */
const untold = 0.0001

/** The caller's weight for each coding, from 0 (not acceptable) to 1. */
const weightsIn = (acceptEncoding: string): ReadonlyMap<string, number> =>
  new Map(
    acceptEncoding.split(",").map((part) => {
      const [coding = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
      const weight = Number(parameters.find((text) => text.startsWith("q="))?.slice(2) ?? 1)
      return [coding, Number.isNaN(weight) ? 0 : weight]
    })
  )

/** The coding that a caller likes best (RFC 9110, section 12.5.3), of several that it likes equally the smallest. */
export const codingOf = ({ headers }: HttpServerRequest.HttpServerRequest): ContentCoding => {
  const weights = weightsIn(headers["accept-encoding"] ?? "")
  const weightOf = (coding: ContentCoding) =>
    weights.get(coding) ?? weights.get("*") ?? (coding === "identity" ? untold : 0)
  const [best] = codings.toSorted((a, b) => weightOf(b) - weightOf(a))
  return best === undefined || weightOf(best) === 0 ? "identity" : best
}
