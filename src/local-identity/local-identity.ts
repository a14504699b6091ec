import { createServer } from "node:http"
import { NodeHttpServer, NodeHttpServerRequest } from "@effect/platform-node"
import { ByteSize, Clock, Effect, Layer, Option, Redacted } from "effect"
import { HttpIncomingMessage, HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Provider } from "oidc-provider"
import { cannotListen } from "../../layers/cannot-listen.ts"
import { Environment, type OidcProvider } from "../../layers/config.ts"
import { LocalIdentity } from "../../layers/local-identity.ts"
import { isLoopback } from "../../layers/loopback.ts"
import { keptLocalKeys } from "./keys.ts"
import { localClientId, makeProvider } from "./provider.ts"
import { makeSignIn } from "./sign-in.ts"

/**
 * The OpenID provider of a deployment that has configured none (contract section 5): a certified one that runs beside the
 * service, on an origin of its own, and signs people in with a code sent to their e-mail address. It runs until its scope
 * closes, and then forgets the sign-ins in progress.
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
 * Listens where the service does (`HOST`), on the port that is set (0 means any free one). If none is set and the default
 * port is taken, as by another service on this machine, it uses any free one.
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

/** Its issuer is named by the host of the service's base address, for that is one that the browser reaches. */
const run = Effect.gen(function* () {
  const { baseUrl, dataDir } = yield* Environment
  const clock = yield* Clock.Clock
  const keys = yield* keptLocalKeys(dataDir)

  const { server, port } = yield* listen
  const issuer = `http://${new URL(baseUrl).hostname}:${port}`

  // Of those alone who have shown that the address is theirs.
  const emails = new Map<string, string>()
  const provider = makeProvider({ issuer, serviceUrl: baseUrl, keys, clock, emailOf: (subject) => emails.get(subject) })
  const signIn = yield* makeSignIn({
    provider,
    issuer,
    serviceUrl: baseUrl,
    remember: (subject, email) => Effect.sync(() => emails.set(subject, email))
  })
  const protocol = answeredBy(provider)
  const context = yield* Effect.context<never>()
  provider.on("server_error", (_, error) => {
    Effect.runForkWith(context)(Effect.logError("The local identity provider has failed", error))
  })

  yield* server
    .serve(
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
        url.startsWith("/interaction/") ? signIn : protocol
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
