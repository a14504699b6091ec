import * as dns from "node:dns"
import * as net from "node:net"
import type { Readable } from "node:stream"
import { Context, Data, Effect, Layer, Option, Predicate, type Scope } from "effect"
import ipaddr from "ipaddr.js"
import { Agent, buildConnector, request } from "undici"
import { Environment } from "./config/config.ts"

/**
 * Whether an IP address is on the public Internet: unicast, and neither loopback, link-local (where clouds serve their
 * metadata), private (RFC 1918, RFC 4193), carrier-grade NAT (RFC 6598), multicast, reserved nor a tunnel. An IPv4
 * address written as IPv6 is treated as IPv4.
 */
export const isPublicAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast"

/**
 * Whether trials on a laptop may connect to an address: the public Internet, this machine and private networks. Never
 * link-local ones, nor the rest, because clouds serve credentials there (169.254.169.254, fd00:ec2::254).
 */
export const isTrialAddress = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  return (
    ["unicast", "loopback", "private", "uniqueLocal"].includes(ip.range()) &&
    !metadataAddresses.includes(ip.toNormalizedString())
  )
}

/** Where clouds serve their metadata on addresses that are not link-local: AWS on IPv6, Alibaba, Oracle. */
const metadataAddresses = ["fd00:ec2:0:0:0:0:0:254", "100.100.100.200", "192.0.0.192"]

/** An external server could not be reached, or must not be. `message` is written by us and fit to be shown. */
export class WebUnreachable extends Data.TaggedError("WebUnreachable")<{
  readonly message: string
  /** The address is not on the public Internet, or is no web address; retrying is pointless. */
  readonly isForbidden: boolean
  readonly cause?: unknown
}> {}

/** What a POST sends: a form or JSON. */
export interface WebForm {
  /** Its media type. */
  readonly type: string
  readonly text: string
}

/** A response, streamed. */
export interface WebResponse {
  readonly status: number
  /** Keyed by lower-case name; the first value of a repeated header. */
  readonly headers: ReadonlyMap<string, string>
  /** Every value of `Set-Cookie`, which alone may not be joined. */
  readonly setCookies: ReadonlyArray<string>
  /** Destroyed with the scope. Fails if the connection is lost before the end, or is silent for 30 seconds. */
  readonly body: Readable
}

/** Replaceable in tests. */
interface WebOptions {
  /** Whether an address may be connected to. */
  readonly isAllowed: (address: string) => boolean
  readonly resolve: (host: string) => Promise<ReadonlyArray<dns.LookupAddress>>
  readonly userAgent: string
  /** Our own origins, allowed at any address; a redirect to any other origin is checked. */
  readonly ownOrigins?: ReadonlyArray<string>
}

class ForbiddenAddress extends Error {
  override readonly message = "Its address is not on the public Internet."
}

const secondsToConnect = 15
/** The timeout for the headers, and for each further byte of the body. */
const secondsOfSilence = 30

/**
 * Connects only to allowed addresses. Each connection looks its name up once, checks every address found, and goes to
 * one of those; a name that later resolves elsewhere (DNS rebinding) is checked again.
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

/** Why a server was not reached, by the codes of Node's resolver, its sockets, OpenSSL and undici. */
const reasons: ReadonlyArray<readonly [codes: RegExp, message: string]> = [
  [/^(ENOTFOUND|ENODATA)$/, "Its host does not exist: look whether it is spelled right."],
  [
    /^EAI_AGAIN$/,
    "Its host cannot be looked up for now: try again in a minute, or look whether this machine is on the Internet."
  ],
  [/^ECONNREFUSED$/, "Its server refuses connections: look whether the address, with its port, is right."],
  [
    /^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/,
    "Its server does not answer: try again later, or look whether the address is right."
  ],
  [/^CERT_HAS_EXPIRED$/, "Its server's certificate has expired: whoever runs the site has to renew it."],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "Its server's certificate is for another host: look whether the address is right, with or without www."
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_/,
    "Its server's certificate is signed by nobody who is trusted: whoever runs the site has to mend that."
  ],
  [/^(EPROTO|ERR_SSL_.*)$/, "Its server does not speak https: try the address with http, or without its port."]
]

/** Of several addresses of a host, each with its own failure, the first that is known counts. */
const codesOf = (cause: unknown): ReadonlyArray<string> => [
  ...(Predicate.hasProperty(cause, "code") ? [String(cause.code)] : []),
  ...(cause instanceof AggregateError ? cause.errors.flatMap(codesOf) : [])
]

const unreachable = (cause: unknown) => {
  if (cause instanceof ForbiddenAddress) {
    return new WebUnreachable({ message: cause.message, isForbidden: true, cause })
  }
  const codes = codesOf(cause)
  const [, message = "The server cannot be reached."] =
    reasons.find(([known]) => codes.some((code) => known.test(code))) ?? []
  return new WebUnreachable({ message, isForbidden: false, cause })
}

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

  const open = Effect.fn("Web.open")(function* (url: URL, headers: Readonly<Record<string, string>>, form?: WebForm) {
    if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
      return yield* new WebUnreachable({ message: "It is not an http or https address.", isForbidden: true })
    }
    const response = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: (signal) =>
          request(url, {
            dispatcher: options.ownOrigins?.includes(url.origin) === true ? own : others,
            signal,
            headers: {
              "user-agent": options.userAgent,
              ...headers,
              ...(form === undefined ? {} : { "content-type": form.type })
            },
            ...(form === undefined ? {} : { method: "POST", body: form.text })
          }),
        catch: unreachable
      }),
      ({ body }) =>
        Effect.sync(() => {
          // Later errors no longer matter.
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
      setCookies: [response.headers["set-cookie"] ?? []].flat(),
      body: response.body
    } satisfies WebResponse
  })

  return { open }
})

/**
 * Requests to external servers whose addresses outsiders may have chosen. A request reaches only the public Internet,
 * unless `ALLOW_PRIVATE_SOURCES` is set. Redirects are not followed, and bodies are not decoded.
 */
export class Web extends Context.Service<
  Web,
  {
    /** One GET, or a POST where a form is given. The body stays open until the scope closes. */
    readonly open: (
      url: URL,
      headers: Readonly<Record<string, string>>,
      form?: WebForm
    ) => Effect.Effect<WebResponse, WebUnreachable, Scope.Scope>
  }
>()("civic-record/Web") {
  static readonly layerWith = (options: WebOptions) => Layer.effect(Web, make(options))

  static readonly layer = Layer.suspend(() => publicWeb({}))

  /** The same for a drill, whose calendar and files this deployment serves itself: its origins may have any address. */
  static readonly layerDrill = (ownOrigins: ReadonlyArray<string>) => publicWeb({ ownOrigins })
}

const publicWeb = (own: Pick<WebOptions, "ownOrigins">) =>
  Layer.unwrap(
    Effect.map(Environment, ({ allowPrivateSources, baseUrl, contactEmail }) =>
      Web.layerWith({
        isAllowed: allowPrivateSources ? isTrialAddress : isPublicAddress,
        resolve: (host) => dns.promises.lookup(host, { all: true }),
        userAgent: `CivicRecord/1.0 (${[`+${baseUrl}/about`, ...Option.toArray(contactEmail)].join("; ")})`,
        ...own
      })
    )
  )
