import * as dns from "node:dns"
import * as net from "node:net"
import type { Readable } from "node:stream"
import { Context, Data, Effect, Layer, type Scope } from "effect"
import ipaddr from "ipaddr.js"
import { Agent, buildConnector, request } from "undici"
import { Environment } from "./config/config.ts"

/**
 * Whether an IP address is one of the public Internet: unicast, and neither loopback, link-local (where clouds keep
 * their metadata), private (RFC 1918, RFC 4193), carrier-grade NAT (RFC 6598), multicast, reserved nor a tunnel. An
 * IPv4 address written as IPv6 counts as the IPv4 address that it is.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast"

/** Somebody else's server could not be reached, or may not be. `message` is a sentence of ours, fit to be shown. */
export class WebUnreachable extends Data.TaggedError("WebUnreachable")<{
  readonly message: string
  /** Its address is not on the public Internet, or it is not a web address: asking again is pointless. */
  readonly isForbidden: boolean
  readonly cause?: unknown
}> {}

/** The answer to one request, as it arrives. */
export interface WebResponse {
  readonly status: number
  /** By their names in lower case; of a header that came more than once, the first. */
  readonly headers: ReadonlyMap<string, string>
  /** Destroyed with the scope. Fails where the connection is lost before the end, or nothing comes for 30 seconds. */
  readonly body: Readable
}

/** What a test can replace. */
interface WebOptions {
  /** Which addresses may be connected to. */
  readonly isAllowed: (address: string) => boolean
  readonly resolve: (host: string) => Promise<ReadonlyArray<dns.LookupAddress>>
  readonly userAgent: string
  /** An origin of our own, which is reached whatever its address; a redirect to any other is checked. */
  readonly ownOrigin?: string
}

class ForbiddenAddress extends Error {
  override readonly message = "Its address is not on the public Internet."
}

const secondsToConnect = 15
/** Without headers, or without another byte of the body. */
const secondsOfSilence = 30

/**
 * Connects only where it may. A name is looked up once per connection, every address that it has is checked, and the
 * connection goes to one of them: a name that points elsewhere the next time is checked again.
 */
const connector = ({ isAllowed, resolve }: WebOptions): buildConnector.connector => {
  const lookup: net.LookupFunction = (host, { all }, answer) => {
    const addresses = resolve(host).then((found) => {
      if (!found.every(({ address }) => isAllowed(address))) throw new ForbiddenAddress()
      return found
    })
    addresses.then(
      (found) => {
        const [first] = found
        if (all) answer(null, [...found])
        else if (first !== undefined) answer(null, first.address, first.family)
        else answer(new Error("The name has no address."), "")
      },
      (error: NodeJS.ErrnoException) => answer(error, "")
    )
  }
  const connect = buildConnector({ lookup, timeout: secondsToConnect * 1000 })
  return (options, callback) => {
    // A literal address is never looked up.
    const host = options.hostname.replace(/^\[|\]$/g, "")
    if (net.isIP(host) !== 0 && !isAllowed(host)) callback(new ForbiddenAddress(), null)
    else connect(options, callback)
  }
}

const unreachable = (cause: unknown) =>
  cause instanceof ForbiddenAddress
    ? new WebUnreachable({ message: cause.message, isForbidden: true, cause })
    : new WebUnreachable({ message: "The server cannot be reached.", isForbidden: false, cause })

const agentOf = (options: WebOptions) =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new Agent({
          connect: connector(options),
          headersTimeout: secondsOfSilence * 1000,
          bodyTimeout: secondsOfSilence * 1000,
          keepAliveTimeout: 4000
        })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )

const make = Effect.fnUntraced(function* (options: WebOptions) {
  const others = yield* agentOf(options)
  const own = yield* agentOf({ ...options, isAllowed: () => true })

  const open = Effect.fn("Web.open")(function* (url: URL, headers: Readonly<Record<string, string>>) {
    if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
      return yield* new WebUnreachable({ message: "It is not an http or https address.", isForbidden: true })
    }
    const response = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: (signal) =>
          request(url, {
            dispatcher: url.origin === options.ownOrigin ? own : others,
            signal,
            headers: { "user-agent": options.userAgent, ...headers }
          }),
        catch: unreachable
      }),
      ({ body }) =>
        Effect.sync(() => {
          // Whatever it still says after this is of no interest.
          body.on("error", () => undefined)
          body.destroy()
        }),
      { interruptible: true }
    )
    return {
      status: response.statusCode,
      headers: new Map(
        Object.entries(response.headers).flatMap(([name, value]) => {
          const [first] = [value].flat()
          return first === undefined ? [] : [[name.toLowerCase(), first] as const]
        })
      ),
      body: response.body
    } satisfies WebResponse
  })

  return { open }
})

/**
 * Requests to other people's servers, which somebody may have pointed at our own network: a request reaches only the
 * public Internet, unless `ALLOW_PRIVATE_SOURCES` is set. No redirect is followed and no body is decoded here.
 */
export class Web extends Context.Service<
  Web,
  {
    /** One GET. The answer's body is open for as long as the scope. */
    readonly open: (
      url: URL,
      headers: Readonly<Record<string, string>>
    ) => Effect.Effect<WebResponse, WebUnreachable, Scope.Scope>
  }
>()("civic-record/Web") {
  static readonly layerWith = (options: WebOptions) => Layer.effect(Web, make(options))

  static readonly layer = Layer.suspend(() => publicWeb({}))

  /**
   * The same for a drill, whose calendar is served by this deployment itself: that one origin may be on any address.
   */
  static readonly layerDrill = (ownOrigin: string) => publicWeb({ ownOrigin })
}

const publicWeb = (own: Pick<WebOptions, "ownOrigin">) =>
  Layer.unwrap(
    Effect.map(Environment, ({ allowPrivateSources, baseUrl }) =>
      Web.layerWith({
        isAllowed: (address) => allowPrivateSources || isPublicAddress(address),
        resolve: (host) => dns.promises.lookup(host, { all: true }),
        userAgent: `CivicRecord/1.0 (+${baseUrl}/about)`,
        ...own
      })
    )
  )
