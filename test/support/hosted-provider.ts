import { generateKeyPairSync } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Clock, Effect } from "effect"
import { Provider } from "oidc-provider"
import { memoryAdapter } from "../../src/local-identity/memory.ts"

/** A hosted provider's statement about a person; the subject is 42 by default. */
export interface Person {
  sub?: string
  email?: string
  email_verified?: boolean
  name?: string
  /** How it signed the person in. */
  acr?: string
  amr?: Array<string>
}

export const hostedClient = { id: "record", secret: "a secret / with + signs" } as const

/** A hosted provider that signs its one person in without asking, and describes them only at the userinfo endpoint. */
export const hosted = (person: Person, redirect: string) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const server = yield* Effect.acquireRelease(
      Effect.callback<Server>((resume) => {
        const listening = createServer().listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
      }),
      (running) =>
        Effect.callback<void>((resume) => {
          running.close(() => resume(Effect.void))
          running.closeAllConnections()
        })
    )
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })
    const provider = new Provider(issuer, {
      adapter: memoryAdapter(clock),
      clients: [
        {
          client_id: hostedClient.id,
          client_secret: hostedClient.secret,
          redirect_uris: [redirect],
          token_endpoint_auth_method: "client_secret_post",
          id_token_signed_response_alg: "ES256"
        }
      ],
      clientAuthMethods: ["client_secret_post"],
      jwks: { keys: [key] },
      cookies: { keys: ["of a test"] },
      features: { devInteractions: { enabled: false } },
      claims: { openid: ["sub", "acr", "amr"], email: ["email", "email_verified"], profile: ["name"] },
      ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
      interactions: { url: () => "/interaction" },
      loadExistingGrant: async ({ oidc }) => {
        const grant = new oidc.provider.Grant({
          clientId: hostedClient.id,
          ...(oidc.session?.accountId === undefined ? {} : { accountId: oidc.session.accountId })
        })
        grant.addOIDCScope("openid email profile")
        await grant.save()
        return grant
      },
      findAccount: async (_, sub) => ({ accountId: sub, claims: () => ({ ...person, sub }) })
    })
    const answer = provider.callback()
    server.on("request", (request, response) => {
      void (request.url === "/interaction"
        ? provider.interactionFinished(request, response, {
            login: {
              accountId: person.sub ?? "42",
              remember: false,
              ...(person.acr === undefined ? {} : { acr: person.acr }),
              ...(person.amr === undefined ? {} : { amr: person.amr })
            }
          })
        : answer(request, response))
    })
    return { issuer, server }
  })
