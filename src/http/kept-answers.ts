import { Context, Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { Environment } from "../../layers/config.ts"
import { Kept, Surface } from "../api/surface.ts"
import type { ContentCoding } from "../services/meetings/transcripts.ts"

/** What an entry occupies besides its body, in bytes: its headers, its place in the map. An estimate from above. */
const overhead = 2048

/** The part of the bound that one answer may take. */
const largestShare = 1 / 4

/**
 * Answers by key, those that were asked for last, within a bound in bytes. A body without a known length is not kept, nor
 * one larger than a quarter of the bound.
 */
export const makeKeptAnswers = (bound: number) => {
  /** In the order in which they were last asked for. */
  const kept = new Map<string, { readonly response: HttpServerResponse.HttpServerResponse; readonly bytes: number }>()
  let total = 0

  const drop = (key: string) => {
    total -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  return {
    get: (key: string): HttpServerResponse.HttpServerResponse | undefined => {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.response
    },
    put: (key: string, response: HttpServerResponse.HttpServerResponse): void => {
      if (response.body._tag !== "Uint8Array") return
      const bytes = response.body.body.byteLength + 2 * key.length + overhead
      if (bytes > bound * largestShare) return
      drop(key)
      kept.set(key, { response, bytes })
      total += bytes
      for (const oldest of kept.keys()) {
        if (total <= bound) break
        drop(oldest)
      }
    },
    /** In bytes. */
    size: (): number => total
  }
}

/** An operation whose anonymous answers are kept, as the contract describes it. */
export interface KeptOperation {
  readonly until: "record" | "minute"
  /** Whether everyone gets the same answer; else whoever presents a credential may get another. */
  readonly isPublic: boolean
  /** The parameters that it declares; it ignores any other (contract section 1). */
  readonly parameters: ReadonlySet<string>
}

/** How the answers of an operation are kept; undefined if they are not. */
export const keptOperation = (
  { query }: HttpApiEndpoint.Top,
  annotations: Context.Context<never>
): KeptOperation | undefined => {
  const until = Context.get(annotations, Kept)
  if (until === "never") return undefined
  const ast = query?.ast
  return {
    until,
    isPublic: Context.get(annotations, Surface) === "public",
    parameters: new Set(ast?._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : [])
  }
}

/**
 * A request's target as the operation reads it: the parameters that it declares, by name; the values of one keep their
 * order. The path stays as it was sent, because the router has read it as it was sent.
 */
export const canonicalTarget = ({ parameters }: KeptOperation, target: string): string => {
  const at = target.indexOf("?")
  if (at === -1) return target
  const pairs = [...new URLSearchParams(target.slice(at))].filter(([name]) => parameters.has(name))
  const query = new URLSearchParams(pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString()
  return query === "" ? target.slice(0, at) : `${target.slice(0, at)}?${query}`
}

/** Under what an answer is kept, in one state of the record; `now` in milliseconds since the epoch. */
export const keptKey = (
  { until }: Pick<KeptOperation, "until">,
  { coding, target }: { readonly coding: ContentCoding; readonly target: string },
  { now, revision }: { readonly now: number; readonly revision: string }
): string => `${coding} ${revision} ${until === "minute" ? Math.floor(now / 60_000) : ""} ${target}`

/** The answers that everybody gets, encoded, for as long as the record stands; within `ANSWER_CACHE_MB`. */
export class KeptAnswers extends Context.Service<KeptAnswers, ReturnType<typeof makeKeptAnswers>>()(
  "civic-record/KeptAnswers"
) {
  static readonly layer = Layer.effect(
    KeptAnswers,
    Effect.map(Environment, ({ answerCacheBytes }) => makeKeptAnswers(answerCacheBytes))
  )
}
