import { Clock, Context, Effect, Layer } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import { LRUCache } from "lru-cache"
import { Environment } from "../../../layers/config/config.ts"
import { RecordRevision } from "../../services/feed/record-revision.ts"
import type { ContentCoding } from "../../services/meetings/transcripts.ts"
import type { CachedOperation } from "./cached-operation.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What an entry occupies besides its body, in bytes: an upper estimate for its headers and its place in the map. */
const overhead = 2048

/** The part of the bound that one response may take. */
const largestShare = 1 / 4

const bytesOf = ({ body }: Response, key: string): number =>
  (body._tag === "Uint8Array" ? body.body.byteLength : 0) + 2 * key.length + overhead

/**
 * The response with bytes of its own. A compressor gives a part of 64 KB, a text's bytes are a part of a pool, and the
 * text is kept beside them: stored as it was made, an answer holds many times what it counts.
 */
const compact = (response: Response): Response =>
  response.body._tag === "Uint8Array"
    ? HttpServerResponse.setBody(
        response,
        HttpBody.uint8Array(new Uint8Array(response.body.body), response.body.contentType)
      )
    : response

/**
 * Responses by key, within a bound in bytes: the least recently used make room. A body that is a stream is not stored.
 */
export const makeResponseStore = (bound: number) => {
  const largest = bound * largestShare
  const responses = new LRUCache<string, Response>({
    // The library knows no size of 0; of one byte there is room for no response either.
    maxSize: Math.max(1, bound),
    sizeCalculation: bytesOf
  })
  return {
    get: (key: string): Response | undefined => responses.get(key),
    put: (key: string, response: Response): void => {
      // The library would refuse what is too large, but only once it was copied.
      if (response.body._tag === "Uint8Array" && bytesOf(response, key) <= largest)
        responses.set(key, compact(response))
    },
    /** In bytes. */
    size: (): number => responses.calculatedSize
  }
}

/** What a response is cached under, besides the state of the record. */
export interface CacheAddress {
  readonly until: CachedOperation["until"]
  readonly target: string
  readonly coding: ContentCoding
}

/** What the cache had for one request. */
export interface Lookup extends CacheAddress {
  /** The state of the record that a response to this request shows. */
  readonly revision: string
  readonly found: Response | undefined
  /** The key of the same response in another coding. */
  readonly keyOf: (coding: ContentCoding) => string
}

/**
 * The responses that everyone gets, encoded and compressed, within `ANSWER_CACHE_MB`. A key has the record's revision,
 * so a response is valid for as long as its revision is current, and nothing is ever invalidated.
 */
export class ResponseCache extends Context.Service<
  ResponseCache,
  {
    /** Looks a request up, once. The database is asked for the revision only where it may have changed. */
    readonly lookUp: (address: CacheAddress) => Effect.Effect<Lookup>
    readonly get: (key: string) => Response | undefined
    readonly put: (key: string, response: Response) => void
  }
>()("civic-record/ResponseCache") {
  static readonly layer = Layer.effect(
    ResponseCache,
    Effect.gen(function* () {
      const { answerCacheBytes } = yield* Environment
      const { current } = yield* RecordRevision
      const { get, put } = makeResponseStore(answerCacheBytes)
      const lookUp = (address: CacheAddress) =>
        Effect.zipWith(current, Clock.currentTimeMillis, (revision, now): Lookup => {
          const minute = address.until === "minute" ? Math.floor(now / 60_000) : ""
          const keyOf = (coding: ContentCoding) => `${coding} ${revision} ${minute} ${address.target}`
          return { ...address, revision, found: get(keyOf(address.coding)), keyOf }
        })
      return { lookUp, get, put }
    })
  )
}
