import type { Clock } from "effect"
import { Provider } from "oidc-provider"
import type { LocalKeys } from "./keys.ts"
import { memoryAdapter } from "./memory.ts"
import { pageHeaders, strandedPage } from "./pages.ts"

/** The one client that the local provider knows: this service. */
export const localClientId = "civic-record"

const scopes = ["openid", "email", "profile"]

/**
 * The OpenID provider (OpenID Connect Core 1.0): authorization code with PKCE S256, one client, no consent page, for the
 * client is of the same house, and no single sign-on: whoever signs in here is asked who it is, each time.
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
      // At an address that nobody asks for: the provider's own session is of no use to us (see above).
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
    // Codes are as short-lived as what they open; a sign-in outlives its 6 digits, so that new ones can be asked for.
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
