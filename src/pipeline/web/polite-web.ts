import { pipeline, type Readable, type Transform } from "node:stream"
import * as zlib from "node:zlib"
import { Clock, Context, Duration, Effect, Layer, Struct } from "effect"
import { Web, type WebResponse } from "../../../layers/web.ts"
import { HostPace } from "../../services/sources/host-pace.ts"
import { withCredentials } from "../../text/address-credentials.ts"
import { WebFailed } from "./failure.ts"

const mostRedirects = 5
const shortestHold = 5
const longestHold = 24 * 3600
/** The most seconds that a whole page may take, however slowly it arrives. */
const pageSeconds = 120

/** Validators of an earlier answer, with which the server can say that nothing has changed. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

/** A fetched page, decompressed; undefined if it has not changed. */
export interface Page {
  readonly body: Buffer
  /** Where it was found after redirects; what it names relatively is relative to that. */
  readonly address: string
  readonly validators: Validators
}

interface PageRequest {
  /** The expected `Content-Type`; a missing one is accepted. */
  readonly types: RegExp
  readonly accept: string
  /** The maximum after decompression. */
  readonly bytes: number
  readonly validators?: Validators
  /** The header `Authorization`; a redirect takes it to no other origin. */
  readonly authorization?: string
  readonly referer?: string | undefined
}

/** The seconds in a `Retry-After` of either form (RFC 9110, section 10.2.3), clamped. */
const secondsOf = (retryAfter: string | undefined, now: number): number => {
  const seconds = /^\d+$/.test(retryAfter ?? "") ? Number(retryAfter) : (Date.parse(retryAfter ?? "") - now) / 1000
  return Math.min(longestHold, Math.max(shortestHold, Number.isNaN(seconds) ? 60 : Math.ceil(seconds)))
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  br: () => zlib.createBrotliDecompress(),
  deflate: () => zlib.createInflate()
}

/**
 * Reads and decompresses a whole body, and stops as soon as it is too large: a few bytes can decompress to gigabytes.
 */
const readWhole = Effect.fnUntraced(function* ({ body, headers }: WebResponse, most: number) {
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

/** The failure for a status; undefined if it is a success. */
const failureOf = (status: number): WebFailed | undefined => {
  if ((status >= 200 && status < 300) || status === 304 || status === 416) return undefined
  if (status === 404 || status === 410) {
    return new WebFailed({ reason: "gone", message: `Nothing was found at its address (HTTP ${status}).` })
  }
  return new WebFailed({
    reason: status >= 500 ? "unreachable" : "refused",
    message: `The server answered with HTTP ${status}.`
  })
}

/**
 * Makes polite requests to external servers: paced per host across all machines, following at most five redirects, and
 * not before a `Retry-After` has passed. Each hop is a separate connection whose address is checked (`Web`).
 */
export class PoliteWeb extends Context.Service<
  PoliteWeb,
  {
    /** Fetches a whole page; undefined if it has not changed since it was fetched with these validators. */
    readonly page: (address: string, request: PageRequest) => Effect.Effect<Page | undefined, WebFailed>
    /** Opens an address for as long as `use` runs. A 304 or 416 counts as an answer. */
    readonly open: <A, E, R>(
      address: string,
      headers: Readonly<Record<string, string>>,
      use: (response: WebResponse, at: URL) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | WebFailed, R>
  }
>()("civic-record/PoliteWeb") {
  static readonly layerNoDeps = Layer.effect(
    PoliteWeb,
    Effect.gen(function* () {
      const web = yield* Web
      const pace = yield* HostPace
      const dbDown = (cause: unknown) =>
        new WebFailed({ reason: "unreachable", message: "The database cannot be reached.", cause })

      /** One request to an address that may redirect. */
      const hop = Effect.fnUntraced(function* (url: URL, headers: Readonly<Record<string, string>>) {
        const wait = yield* Effect.mapError(pace.turn(url.host), dbDown)
        if (wait > 0) {
          return yield* new WebFailed({ reason: "busy", message: "The server asked to be left alone.", seconds: wait })
        }
        const response = yield* Effect.mapError(
          web.open(url, headers),
          ({ message, isForbidden, cause }) =>
            new WebFailed({ reason: isForbidden ? "forbidden" : "unreachable", message, cause })
        )
        const retryAfter = response.headers.get("retry-after")
        if (response.status === 429 || (response.status === 503 && retryAfter !== undefined)) {
          const seconds = secondsOf(retryAfter, yield* Clock.currentTimeMillis)
          yield* Effect.mapError(pace.hold(url.host, seconds), dbDown)
          const message = `The server asked to be left alone for a while (HTTP ${response.status}).`
          return yield* new WebFailed({ reason: "busy", message, seconds })
        }
        yield* Effect.mapError(pace.answered(url.host), dbDown)
        return response
      })

      const open = <A, E, R>(
        address: string,
        headers: Readonly<Record<string, string>>,
        use: (response: WebResponse, at: URL) => Effect.Effect<A, E, R>
      ) =>
        Effect.gen(function* () {
          let url = URL.parse(address)
          for (let hops = 0; hops <= mostRedirects; hops++) {
            if (url === null) {
              return yield* new WebFailed({ reason: "forbidden", message: "It is not an http or https address." })
            }
            const at = url
            const isOwn = at.origin === URL.parse(address)?.origin
            const step = yield* Effect.scoped(
              Effect.gen(function* () {
                const response = yield* hop(at, isOwn ? headers : Struct.omit(headers, ["authorization"]))
                const location = response.headers.get("location")
                if ([301, 302, 303, 307, 308].includes(response.status) && location !== undefined) {
                  return { _tag: "Moved", to: URL.parse(location, at.href) } as const
                }
                const failure = failureOf(response.status)
                if (failure !== undefined) return yield* failure
                return { _tag: "Used", result: yield* use(response, at) } as const
              })
            )
            if (step._tag === "Used") return step.result
            url = step.to
          }
          return yield* new WebFailed({ reason: "refused", message: `It redirects more than ${mostRedirects} times.` })
        })

      const page = Effect.fn("PoliteWeb.page")(
        function* (address: string, { types, accept, bytes, validators = {}, authorization, referer }: PageRequest) {
          const { etag, lastModified } = validators
          const headers = {
            accept,
            "accept-encoding": "gzip, br",
            ...(authorization === undefined ? {} : { authorization }),
            ...(referer === undefined ? {} : { referer }),
            ...(etag === undefined ? {} : { "if-none-match": etag }),
            ...(lastModified === undefined ? {} : { "if-modified-since": lastModified })
          }
          return yield* open(
            address,
            headers,
            Effect.fnUntraced(function* (response, at) {
              if (response.status === 304) return undefined
              const type = response.headers.get("content-type")
              if (type !== undefined && !types.test(type)) {
                return yield* new WebFailed({
                  reason: "unsuitable",
                  message: `The server did not answer with ${accept.split(",", 1).join("")}.`
                })
              }
              const body = yield* readWhole(response, bytes)
              const modified = response.headers.get("last-modified")
              return {
                body,
                address: at.href,
                validators: { etag: response.headers.get("etag"), lastModified: modified }
              }
            })
          )
        },
        Effect.timeoutOrElse({
          duration: Duration.seconds(pageSeconds),
          orElse: () =>
            Effect.fail(
              new WebFailed({
                reason: "unreachable",
                message: `The server's answer took longer than ${pageSeconds} seconds.`
              })
            )
        })
      )

      return { page, open }
    })
  )

  static readonly layer = PoliteWeb.layerNoDeps.pipe(Layer.provide([Web.layer, HostPace.layer]))
}

/** The same web for the pages of one source: those at the origin of its address are asked for with its credentials. */
export const asSource = (
  web: PoliteWeb["Service"],
  source: Parameters<typeof withCredentials>[1]
): PoliteWeb["Service"] => ({
  ...web,
  page: (page, request) => {
    const { address, ...authorization } = withCredentials(page, source)
    return web.page(address, { ...request, ...authorization })
  }
})
