import type { ContentCoding } from "../services/meetings/transcripts.ts"
import type { HeaderValues } from "./exchange.ts"

const codings: ReadonlyArray<ContentCoding> = ["br", "gzip", "identity"]

/** How hard each coding tries, from 0 to 11 and to 9: the last few percent would take ten times as long. */
export const codingLevels = { br: 4, gzip: 6 } as const

/** Bodies smaller than this are sent as they are, in bytes (contract section 1). */
export const smallestCoded = 1024

/** Less than any weight that can be written: a response as it is does, if nothing better is asked for. */
const untold = 0.0001

/** What a caller gives each coding, from 0 (not acceptable) to 1. */
const weightsIn = (acceptEncoding: string): ReadonlyMap<string, number> =>
  new Map(
    acceptEncoding.split(",").map((part) => {
      const [coding = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
      const weight = Number(parameters.find((text) => text.startsWith("q="))?.slice(2) ?? 1)
      return [coding, Number.isNaN(weight) ? 0 : weight]
    })
  )

/** The coding that a caller likes best (RFC 9110, section 12.5.3), of several that it likes equally the smallest. */
export const codingOf = ({ headers }: { readonly headers: HeaderValues }): ContentCoding => {
  const weights = weightsIn(headers["accept-encoding"] ?? "")
  const weightOf = (coding: ContentCoding) =>
    weights.get(coding) ?? weights.get("*") ?? (coding === "identity" ? untold : 0)
  const [best] = codings.toSorted((a, b) => weightOf(b) - weightOf(a))
  return best === undefined || weightOf(best) === 0 ? "identity" : best
}
