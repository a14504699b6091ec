import { Cache, Context, Data, Effect, Exit, Layer, Option, Redacted } from "effect"
import * as oidc from "openid-client"
import { Environment, InvalidSetting, type OidcProvider, type SignInDemands } from "../config/config.ts"
import { isLoopback } from "../networks/host.ts"
import { LocalIdentity } from "./local-identity.ts"

/** This deployment has no provider with the id. */
export class UnknownProvider extends Data.TaggedError("UnknownProvider")<{ readonly provider: string }> {}

/** The provider cannot be reached, or its answer does not follow the protocol; trying again later may help. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly provider: string }> {}

/** The person signing in declined. */
export class SignInDenied extends Data.TaggedError("SignInDenied")<{ readonly provider: string }> {}

/** Why a provider's answer was rejected. */
export type RefusalReason =
  | "state_mismatch"
  | "issuer_mismatch"
  | "nonce_mismatch"
  | "code_refused"
  | "token_invalid"
  | "provider_refused"

/** The sign-in was not begun here, or its code is no longer valid; `message` may be shown. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{
  readonly provider: string
  readonly reason: RefusalReason
}> {
  override get message() {
    return explanations[this.reason]
  }
}

const explanations: Readonly<Record<RefusalReason, string>> = {
  state_mismatch: "This answer belongs to a different sign-in than the one begun in this browser.",
  issuer_mismatch: "This answer comes from a different sign-in provider than the one that was asked.",
  nonce_mismatch: "The sign-in provider answered a different sign-in than the one begun in this browser.",
  code_refused: "This sign-in has already been used, or took too long.",
  token_invalid: "The sign-in provider's answer could not be verified.",
  provider_refused: "The sign-in provider refused to sign you in."
}

/** State of a sign-in in progress: lives ten minutes, can be used once, and is never shown to anyone. */
export interface SignInSecrets {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** The person who signed in, according to the provider; `issuer` and `subject` together are a permanent id. */
export interface SignedIn {
  readonly issuer: string
  readonly subject: string
  readonly email?: string
  /** Whether the provider has verified that the address belongs to the person. */
  readonly emailVerified: boolean
  readonly name?: string
  /** How and when the person signed in at the provider, as far as it says: context, methods, and seconds since 1970. */
  readonly acr?: string
  readonly amr?: ReadonlyArray<string>
  readonly authTime?: number
}

/**
 * Signs people in with the deployment's OpenID providers (OpenID Connect Core 1.0): authorization code, PKCE S256 (RFC
 * 7636), state, nonce, and the issuer of the answer (RFC 9207). A provider's configuration is fetched when it is first
 * needed, and again if that failed.
 */
export class Identity extends Context.Service<
  Identity,
  {
    /** In configuration order; `name` is for display. */
    readonly providers: ReadonlyArray<{ readonly id: string; readonly name: string }>
    /**
     * Where to send the browser. `redirectUri` is this client's address as registered with the provider, which is asked
     * for what is demanded; what it then did is in the result of `complete`.
     */
    readonly begin: (
      providerId: string,
      options: { readonly redirectUri: string; readonly demands?: SignInDemands | undefined }
    ) => Effect.Effect<SignInSecrets & { readonly url: string }, UnknownProvider | ProviderUnavailable>
    /** Redeems the code in `callbackUrl`, given the result of `begin`. A code is valid once. */
    readonly complete: (
      providerId: string,
      answer: SignInSecrets & { readonly callbackUrl: URL; readonly redirectUri: string }
    ) => Effect.Effect<SignedIn, UnknownProvider | ProviderUnavailable | SignInDenied | SignInRefused>
  }
>()("civic-record/Identity") {
  /** Uses the configured providers, else the local one. Fails if an issuer is on http anywhere but on loopback. */
  static readonly layer = Layer.effect(
    Identity,
    Effect.gen(function* () {
      const { oidcProviders } = yield* Environment
      const local = yield* LocalIdentity
      for (const { id, issuer } of oidcProviders) {
        const { protocol, hostname } = new URL(issuer)
        const setting = `OIDC_${id.toUpperCase()}_ISSUER`
        if (protocol === "https:" || (protocol === "http:" && isLoopback(hostname))) continue
        return yield* new InvalidSetting({ setting, message: `${setting} must be an https address.` })
      }
      return yield* identityOf([...oidcProviders, ...Option.toArray(local.provider)])
    })
  )
}

/** The timeout of a request to a provider, in seconds. */
const requestTimeout = 10

const scope = "openid email profile"

const identityOf = Effect.fnUntraced(function* (
  providers: ReadonlyArray<OidcProvider>
): Effect.fn.Return<Identity["Service"]> {
  const known = new Map(providers.map((provider) => [provider.id, provider]))

  const unavailable = (provider: string, cause: unknown) =>
    Effect.logWarning("A sign-in provider cannot be used").pipe(
      Effect.annotateLogs({ provider, reason: codeOf(cause) }),
      Effect.andThen(Effect.fail(new ProviderUnavailable({ provider })))
    )

  const configurations = yield* Cache.makeWith(
    (id: string): Effect.Effect<oidc.Configuration, UnknownProvider | ProviderUnavailable> => {
      const provider = known.get(id)
      return provider === undefined
        ? Effect.fail(new UnknownProvider({ provider: id }))
        : Effect.tryPromise({ try: () => discover(provider), catch: (cause) => cause }).pipe(
            Effect.catch((cause) => unavailable(id, cause))
          )
    },
    // A provider's configuration rarely changes; its keys are fetched again when it signs with a new one.
    { capacity: providers.length + 1, timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 hour" : 0) }
  )

  return {
    providers: providers.map(({ id }) => ({ id, name: nameOf(id) })),

    begin: Effect.fn("Identity.begin")(function* (providerId, { redirectUri, demands }) {
      yield* Effect.annotateCurrentSpan({ provider: providerId })
      const configuration = yield* Cache.get(configurations, providerId)
      const secrets = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier()
      }
      const challenge = yield* Effect.promise(() => oidc.calculatePKCECodeChallenge(secrets.codeVerifier))
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope,
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...(demands === undefined || demands.acr.length === 0 ? {} : { acr_values: demands.acr.join(" ") }),
        ...Option.match(demands?.maxAge ?? Option.none(), {
          onNone: () => ({}),
          onSome: (seconds) => ({ max_age: String(seconds) })
        })
      })
      return { ...secrets, url: url.href }
    }),

    complete: Effect.fn("Identity.complete")(function* (providerId, answer) {
      yield* Effect.annotateCurrentSpan({ provider: providerId })
      const configuration = yield* Cache.get(configurations, providerId)
      // The address as registered with the provider, however proxies have rewritten it.
      const callback = new URL(answer.redirectUri)
      callback.search = answer.callbackUrl.search
      return yield* Effect.tryPromise({
        try: () => redeem(configuration, callback, answer),
        catch: (cause) => cause
      }).pipe(
        Effect.catch((cause): Effect.Effect<never, ProviderUnavailable | SignInDenied | SignInRefused> => {
          const verdict = verdictOn(cause, callback.searchParams, answer.state, configuration.serverMetadata().issuer)
          if (verdict === "unavailable") return unavailable(providerId, cause)
          return Effect.fail(
            verdict === "denied"
              ? new SignInDenied({ provider: providerId })
              : new SignInRefused({ provider: providerId, reason: verdict })
          )
        })
      )
    })
  }
})

/** The display name for `<NAME>` in the configuration. The local provider is no brand, so it is named by its method. */
const nameOf = (id: string): string =>
  id === "local"
    ? "E-mail"
    : id
        .split("_")
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join(" ")

/** Fetches a provider's discovery document. Rejects if the document cannot be used. */
export const discover = ({ issuer, clientId, clientSecret }: OidcProvider): Promise<oidc.Configuration> =>
  oidc.discovery(
    new URL(issuer),
    clientId,
    undefined,
    Option.match(clientSecret, { onNone: () => oidc.None(), onSome: (secret) => bySecret(Redacted.value(secret)) }),
    {
      timeout: requestTimeout,
      // The ID token comes directly, over TLS, so its signature could go unchecked (Core 3.1.3.7); we check it.
      execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [])]
    }
  )

/** Authenticates the way the provider prefers; by default in the header (Discovery 1.0, section 3). */
const bySecret = (secret: string): oidc.ClientAuth => {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes("client_secret_basic") ?? true)
      ? basic(server, ...rest)
      : post(server, ...rest)
}

const redeem = async (
  configuration: oidc.Configuration,
  callback: URL,
  { state, nonce, codeVerifier }: SignInSecrets
): Promise<SignedIn> => {
  const tokens = await oidc.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true
  })
  const token = tokens.claims()
  if (token === undefined) throw new Error("The ID token is missing")
  const claims =
    token.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await oidc.fetchUserInfo(configuration, tokens.access_token, token.sub)
      : token
  const [email, name] = [textIn(claims.email), textIn(claims.name) ?? textIn(token.name)]
  return {
    issuer: token.iss,
    subject: token.sub,
    ...(email === undefined ? {} : { email }),
    // Some providers write their booleans as strings.
    emailVerified: email !== undefined && String(claims.email_verified) === "true",
    ...(name === undefined ? {} : { name }),
    // Of the ID token alone, whose signature was checked.
    ...(typeof token.acr === "string" ? { acr: token.acr } : {}),
    ...(Array.isArray(token.amr) ? { amr: token.amr.filter((method) => typeof method === "string") } : {}),
    ...(token.auth_time === undefined ? {} : { authTime: token.auth_time })
  }
}

const textIn = (claim: unknown): string | undefined =>
  typeof claim === "string" && claim.trim() !== "" ? claim.trim() : undefined

/** Errors in the answer, as opposed to an unavailable provider. */
const unverifiable: ReadonlyArray<string | undefined> = [
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_KEY_SELECTION_FAILED"
]

/** Classifies the library's error. */
const verdictOn = (
  cause: unknown,
  answered: URLSearchParams,
  state: string,
  issuer: string
): RefusalReason | "denied" | "unavailable" => {
  if (answered.get("state") !== state) return "state_mismatch"
  if (answered.has("iss") && answered.get("iss") !== issuer) return "issuer_mismatch"
  if (cause instanceof oidc.AuthorizationResponseError) {
    if (cause.error === "access_denied") return "denied"
    return ["server_error", "temporarily_unavailable"].includes(cause.error) ? "unavailable" : "provider_refused"
  }
  if (cause instanceof oidc.ResponseBodyError) return cause.error === "invalid_grant" ? "code_refused" : "unavailable"
  if (!(cause instanceof oidc.ClientError) || !unverifiable.includes(cause.code)) return "unavailable"
  return claimIn(cause) === "nonce" ? "nonce_mismatch" : "token_invalid"
}

/** The library reports the claim it compared two causes deep. */
const claimIn = ({ cause }: Error): unknown =>
  cause instanceof Error && typeof cause.cause === "object" && cause.cause !== null && "claim" in cause.cause
    ? cause.cause.claim
    : undefined

/** The part of a failure that is safe to log: its code, never anything sent or received. */
const codeOf = (cause: unknown): string => {
  if (cause instanceof oidc.ResponseBodyError) return cause.error
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unreachable"
}
