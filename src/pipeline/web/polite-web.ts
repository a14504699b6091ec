import { Clock, Context, Duration, Effect, Layer, type Scope, Struct } from "effect"
import { Web, type WebForm, type WebResponse } from "../../../layers/web.ts"
import { HostPace } from "../../services/sources/host-pace.ts"
import { SitePermissions } from "../../services/sources/site-permissions.ts"
import { withCredentials } from "../../text/address-credentials.ts"
import type { Cookies } from "./cookies.ts"
import { WebFailed } from "./failure.ts"
import { failureOf, secondsOf } from "./http-failure.ts"
import { pacedHost, Vendors } from "./paced-host.ts"
import { readWhole } from "./read-whole.ts"
import { longestRobots, type Manners, Robots, type RobotsAnswer, robotsRefusal } from "./robots.ts"

const mostRedirects = 5
/** The most seconds that a whole page may take, however slowly it arrives. */
const pageSeconds = 120

/** Why a site is not read whose server fails when it is asked what may be read. */
const robotsAway = "The site's robots.txt cannot be read for now."

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
  /** What a POST sends. A redirect that asks for it again gets it only at the same origin. */
  readonly form?: WebForm
  /** Headers that a server demands besides; a redirect takes them to no other origin. */
  readonly headers?: Readonly<Record<string, string>>
  /** The cookies of this reading. */
  readonly cookies?: Cookies
}

/** How an address is opened. */
interface Opening {
  readonly form?: WebForm | undefined
  readonly cookies?: Cookies | undefined
  /** Headers that a redirect takes to no other origin. */
  readonly own?: Readonly<Record<string, string>> | undefined
}

/**
 * Makes polite requests to external servers: paced per vendor across all machines, as far as their robots.txt allows,
 * following at most five redirects, and not before a `Retry-After` has passed. Each hop is a separate connection whose
 * address is checked (`Web`).
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
      use: (response: WebResponse, at: URL) => Effect.Effect<A, E, R>,
      opening?: Opening
    ) => Effect.Effect<A, E | WebFailed, R>
  }
>()("civic-record/PoliteWeb") {
  static readonly layerNoDeps = Layer.effect(
    PoliteWeb,
    Effect.gen(function* () {
      const web = yield* Web
      const pace = yield* HostPace
      const robots = yield* Robots
      const vendors = yield* Vendors
      const dbDown = (cause: unknown) =>
        new WebFailed({ reason: "unreachable", message: "The database cannot be reached.", cause })

      /** One request to an address that may redirect, at least so many seconds after the last to its vendor. */
      const request = Effect.fnUntraced(function* (
        url: URL,
        headers: Readonly<Record<string, string>>,
        form: WebForm | undefined,
        gap: number
      ) {
        const paced = pacedHost(url, vendors)
        const host = { ...paced, gap: Math.max(paced.gap ?? 1, gap) }
        const wait = yield* Effect.mapError(pace.turn(host), dbDown)
        if (wait > 0) {
          const message = "The turn of its server is far off, or it asked to be left alone."
          return yield* new WebFailed({ reason: "busy", message, seconds: wait })
        }
        const response = yield* Effect.mapError(
          web.open(url, headers, form),
          ({ message, isForbidden, cause }) =>
            new WebFailed({ reason: isForbidden ? "forbidden" : "unreachable", message, cause })
        )
        const retryAfter = response.headers.get("retry-after")
        if (response.status === 429 || (response.status === 503 && retryAfter !== undefined)) {
          const seconds = secondsOf(retryAfter, yield* Clock.currentTimeMillis)
          yield* Effect.mapError(pace.hold(host, seconds), dbDown)
          const message = `The server asked to be left alone for a while (HTTP ${response.status}).`
          return yield* new WebFailed({ reason: "busy", message, seconds })
        }
        yield* Effect.mapError(pace.answered(host), dbDown)
        return response
      })

      /** A site's `robots.txt`; what it redirects to is read once more (RFC 9309, section 2.3.1.2). */
      const robotsAt = Effect.fnUntraced(function* (
        file: URL,
        isLast = false
      ): Effect.fn.Return<RobotsAnswer, WebFailed> {
        return yield* Effect.scoped(
          Effect.gen(function* (): Effect.fn.Return<RobotsAnswer, WebFailed, Scope.Scope> {
            const response = yield* request(file, { accept: "text/plain, */*;q=0.1" }, undefined, 0)
            const to = URL.parse(response.headers.get("location") ?? "", file.href)
            if (response.status >= 300 && response.status < 400 && to !== null && !isLast) {
              return yield* robotsAt(to, true)
            }
            if (response.status >= 500) return { away: robotsAway }
            if (response.status !== 200) return "none"
            return { text: (yield* readWhole(response, longestRobots)).toString("utf8") }
          })
        ).pipe(
          Effect.catchTag("WebFailed", (failure): Effect.Effect<RobotsAnswer, WebFailed> => {
            if (failure.reason === "unsuitable") return Effect.succeed("none")
            return failure.reason === "unreachable" ? Effect.succeed({ away: failure.message }) : Effect.fail(failure)
          })
        )
      })

      /** A request to an address that its site lets programs read. */
      const hop = Effect.fnUntraced(function* (url: URL, headers: Readonly<Record<string, string>>, form?: WebForm) {
        const isWeb = /^https?:$/.test(url.protocol)
        const manners: Manners = isWeb
          ? yield* Effect.catchTag(robots.of(url, robotsAt), "SqlError", (cause) => Effect.fail(dbDown(cause)))
          : { mayRead: true, gap: 0 }
        if (manners.away !== undefined) {
          return yield* new WebFailed({ reason: "unreachable", message: manners.away })
        }
        if (!manners.mayRead) return yield* new WebFailed({ reason: "forbidden", message: robotsRefusal })
        return yield* request(url, headers, form, manners.gap)
      })

      const open = <A, E, R>(
        address: string,
        headers: Readonly<Record<string, string>>,
        use: (response: WebResponse, at: URL) => Effect.Effect<A, E, R>,
        { form, cookies, own = {} }: Opening = {}
      ) =>
        Effect.gen(function* () {
          let url = URL.parse(address)
          let sent = form
          for (let hops = 0; hops <= mostRedirects; hops++) {
            if (url === null) {
              return yield* new WebFailed({ reason: "forbidden", message: "It is not an http or https address." })
            }
            const at = url
            const isOwn = at.origin === URL.parse(address)?.origin
            if (!isOwn && sent !== undefined) {
              return yield* new WebFailed({ reason: "refused", message: "It redirects a form to another server." })
            }
            const cookie = cookies?.of(at.host)
            const all = {
              ...(isOwn ? { ...headers, ...own } : Struct.omit(headers, ["authorization"])),
              ...(cookie === undefined ? {} : { cookie })
            }
            const step = yield* Effect.scoped(
              Effect.gen(function* () {
                const response = yield* hop(at, all, sent)
                cookies?.take(at.host, response.setCookies)
                const location = response.headers.get("location")
                if ([301, 302, 303, 307, 308].includes(response.status) && location !== undefined) {
                  return { _tag: "Moved", to: URL.parse(location, at.href), isKept: response.status >= 307 } as const
                }
                const failure = failureOf(response.status)
                if (failure !== undefined) return yield* failure
                return { _tag: "Used", result: yield* use(response, at) } as const
              })
            )
            if (step._tag === "Used") return step.result
            // As browsers do: only 307 and 308 ask for the form again (RFC 9110, section 15.4).
            if (!step.isKept) sent = undefined
            url = step.to
          }
          return yield* new WebFailed({ reason: "refused", message: `It redirects more than ${mostRedirects} times.` })
        })

      const page = Effect.fn("PoliteWeb.page")(
        function* (address: string, request: PageRequest) {
          const { types, accept, bytes, validators = {}, authorization, referer, form, cookies, headers: own } = request
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
            }),
            { form, cookies, own }
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

  static readonly layer = PoliteWeb.layerNoDeps.pipe(
    Layer.provide([Web.layer, HostPace.layer, Robots.layer.pipe(Layer.provide(SitePermissions.layer))])
  )
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
