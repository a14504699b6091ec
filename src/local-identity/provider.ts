import type { Clock } from "effect"
import { Provider } from "oidc-provider"
import type { LocalKeys } from "./keys.ts"
import { memoryAdapter } from "./memory.ts"
import { pageHeaders, strandedPage } from "./pages.ts"

/** The one client that the local provider knows: this service. */
export const localClientId = "civic-record"

const scopes = ["openid", "email", "profile"]

/**
 * The OpenID provider (OpenID Connect Core 1.0): authorization code with PKCE S256, and one client. There is no consent
 * page, because the client belongs to the same deployment, and no single sign-on: every sign-in asks for the address
 * again.
 */
export const makeProvider = (options: {
  readonly issuer: string
  readonly serviceUrl: string
  readonly keys: LocalKeys
  readonly clock: Clock.Clock
  readonly emailOf: (subject: string) => string | undefined
}): Provider =>
  new Provider(options.issuer, {
    adapter: memoryAdapter(options.clock),
    clients: [
      {
        client_id: localClientId,
        client_secret: options.keys.client_secret,
        redirect_uris: [`${options.serviceUrl}/api/auth/oidc/local/callback`],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        id_token_signed_response_alg: "ES256"
      }
    ],
    jwks: { keys: [{ ...options.keys.signing_key, alg: "ES256", use: "sig" }] },
    cookies: {
      keys: [options.keys.cookie_key],
      names: { session: "cr_local_session", interaction: "cr_local_sign_in", resume: "cr_local_resume" },
      // At a path that is never requested, because the provider's own session is not used (see above).
      long: { httpOnly: true, sameSite: "lax", path: "/none" },
      short: { httpOnly: true, sameSite: "lax" }
    },
    scopes,
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    responseTypes: ["code"],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false }
    },
    clientBasedCORS: () => false,
    // Authorization codes live as briefly as what they open; a sign-in outlives its six digits, so that new ones can be
    // requested.
    ttl: { AuthorizationCode: 60, AccessToken: 300, IdToken: 300, Interaction: 1800, Session: 600, Grant: 600 },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        ...(oidc.client === undefined ? {} : { clientId: oidc.client.clientId }),
        ...(oidc.session?.accountId === undefined ? {} : { accountId: oidc.session.accountId })
      })
      grant.addOIDCScope(scopes.join(" "))
      await grant.save()
      return grant
    },
    findAccount: async (_, subject) => {
      const email = options.emailOf(subject)
      return email === undefined
        ? undefined
        : { accountId: subject, claims: () => ({ sub: subject, email, email_verified: true }) }
    },
    renderError: (ctx) => {
      ctx.set({ ...pageHeaders(options.serviceUrl) })
      ctx.type = "html"
      ctx.body = strandedPage(options.serviceUrl)
    }
  })
