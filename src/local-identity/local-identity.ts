import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { ByteSize, Clock, Effect, Layer, Option, Redacted } from "effect"
import { HttpIncomingMessage, HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"
import { LRUCache } from "lru-cache"
import type { Provider } from "oidc-provider"
import { Environment, type OidcProvider } from "../../layers/config/config.ts"
import { LocalIdentity } from "../../layers/identity/local-identity.ts"
import { cannotListen } from "../../layers/networks/cannot-listen.ts"
import { isLoopback } from "../../layers/networks/host.ts"
import { trustedNetworks } from "../../layers/networks/trusted-networks.ts"
import { RateLimits, type RatePolicy } from "../../layers/rate-limits.ts"
import type { Email } from "../../schema/email.ts"
import { clientNetwork } from "../http/client-network.ts"
import { keptLocalKeys } from "./keys.ts"
import { mostSignIns } from "./memory.ts"
import { pageHeaders, tooManyPage } from "./pages.ts"
import { makeSignIn } from "./sign-in.ts"

/**
 * The OpenID provider of a deployment that has configured none (contract section 5): a certified one that runs beside
 * the service, on an origin of its own, and signs people in with a code sent to their e-mail address. It runs until its
 * scope closes, and then forgets the sign-ins in progress.
 */
export const LocalIdentityLive = Layer.effect(
  LocalIdentity,
  Effect.gen(function* () {
    const { oidcProviders, baseUrl } = yield* Environment
    if (oidcProviders.length > 0) return { provider: Option.none() }
    const { protocol, hostname } = new URL(baseUrl)
    if (protocol === "https:" && !isLoopback(hostname)) {
      yield* Effect.logWarning(
        `Nobody can sign in at ${baseUrl} until OIDC_<NAME>_ISSUER and OIDC_<NAME>_CLIENT_ID are set`
      )
      return { provider: Option.none() }
    }
    return { provider: Option.some(yield* run) }
  })
)

/** How long a pending answer may take once the provider has been told to stop. */
const grace = "2 seconds"

/** The default port (contract section 10). */
const defaultPort = 8789

/**
 * Listens where the service does (`HOST`), on the port that is set (0 means any free one). If none is set and the
 * default port is taken, as by another service on this machine, it uses any free one.
 */
const listen = Effect.gen(function* () {
  const { host, localIdentityPort } = yield* Environment
  const on = Effect.fnUntraced(function* (port: number) {
    const node = createServer({ headersTimeout: 10_000, requestTimeout: 30_000 })
    const server = yield* NodeHttpServer.make(() => node, { host, port, gracefulShutdownTimeout: grace }).pipe(
      Effect.mapError(({ cause }) => cannotListen("LOCAL_IDENTITY_PORT", { host, port }, cause))
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
    return { server, port: "port" in server.address ? server.address.port : port }
  })
  if (Option.isNone(localIdentityPort)) {
    return yield* Effect.catch(on(defaultPort), () => on(0))
  }
  return yield* on(localIdentityPort.value)
})

/** How long the claims of a signed-in reader are kept, in milliseconds: longer than any code or access token lives. */
const claimsLife = 15 * 60 * 1000

/** Requests of the service itself; every other one is a browser that begins a sign-in or returns from its pages. */
const backChannel = ["/.well-known/openid-configuration", "/jwks", "/token", "/me"]

/** Twice the service's limit per network: each sign-in comes here at its beginning and at its end. */
const comings: RatePolicy = { name: "local-identity-sign-ins", limit: 120, windowSeconds: 600 }

/** Limits sign-ins that a network begins here directly, bypassing the limit of the service. */
const countingSignIns = Effect.fnUntraced(function* <E, R>(
  protocol: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  serviceUrl: string
) {
  const limits = yield* RateLimits
  return Effect.gen(function* () {
    const { url, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    if (backChannel.includes(url.split("?", 1)[0] ?? "")) return yield* protocol
    const { allowed, resetSeconds } = yield* limits.consume(comings, clientNetwork(remoteAddress))
    if (allowed) return yield* protocol
    return HttpServerResponse.text(tooManyPage(serviceUrl), {
      status: 429,
      headers: { ...pageHeaders(serviceUrl), "retry-after": String(resetSeconds) },
      contentType: "text/html; charset=utf-8"
    })
  })
})

/** The issuer uses the host of the service's base address, which browsers can reach. */
const run = Effect.gen(function* () {
  const { baseUrl, dataDir, trustedProxies } = yield* Environment
  const clock = yield* Clock.Clock
  const keys = yield* keptLocalKeys(dataDir)
  // A large library that a deployment with a provider of its own does not need.
  const { localClientId, makeProvider } = yield* Effect.promise(() => import("./provider.ts"))

  const { server, port } = yield* listen
  const issuer = `http://${new URL(baseUrl).hostname}:${port}`

  // Only for people who have proved that the address is theirs, and only while their sign-in may still ask for it.
  const emails = new LRUCache<string, Email>({ max: mostSignIns, ttl: claimsLife, ttlAutopurge: true })
  const provider = makeProvider({
    issuer,
    serviceUrl: baseUrl,
    keys,
    clock,
    emailOf: (subject) => emails.peek(subject)
  })
  const signIn = yield* makeSignIn({
    provider,
    issuer,
    serviceUrl: baseUrl,
    remember: (subject, email) => Effect.sync(() => emails.set(subject, email))
  })
  const protocol = yield* countingSignIns(answeredBy(provider), baseUrl)
  const forwarded = HttpMiddleware.xForwardedHeaders({ trustedProxies: yield* trustedNetworks(trustedProxies) })
  const context = yield* Effect.context<never>()
  provider.on("server_error", (_, error) => {
    Effect.runForkWith(context)(Effect.logError("The local identity provider has failed", error))
  })

  yield* server
    .serve(
      forwarded(
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
          url.startsWith("/interaction/") ? signIn : protocol
        )
      )
    )
    .pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.kibibytes(4)),
      // This server's addresses contain secrets, which must not appear in traces.
      Effect.provideService(HttpMiddleware.TracerDisabledWhen, () => true)
    )

  return {
    id: "local",
    issuer,
    clientId: localClientId,
    clientSecret: Option.some(Redacted.make(keys.client_secret))
  } satisfies OidcProvider
})

/** The provider writes to the response by itself. */
const answeredBy = (provider: Provider) => {
  const answer = provider.callback()
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    yield* Effect.promise(() =>
      answer(NodeHttpServerRequest.toIncomingMessage(request), NodeHttpServerRequest.toServerResponse(request))
    )
    return HttpServerResponse.empty()
  })
}
