import { Cache, Context, Data, Effect, Exit, Layer, Option, Redacted } from "effect"
import * as oidc from "openid-client"
import { Environment, InvalidSetting, type OidcProvider } from "./config.ts"
import { LocalIdentity } from "./local-identity.ts"
import { isLoopback } from "./loopback.ts"

/** No provider of this deployment has the id. */
export class UnknownProvider extends Data.TaggedError("UnknownProvider")<{ readonly provider: string }> {}

/** The provider cannot be reached, or answers with what is none of the protocol; trying again later may help. */
export class ProviderUnavailable extends Data.TaggedError("ProviderUnavailable")<{ readonly provider: string }> {}

/** Whoever was signing in said no. */
export class SignInDenied extends Data.TaggedError("SignInDenied")<{ readonly provider: string }> {}

/** Why an answer of a provider was not taken. */
export type RefusalReason =
  | "state_mismatch"
  | "issuer_mismatch"
  | "nonce_mismatch"
  | "code_refused"
  | "token_invalid"
  | "provider_refused"

/** The sign-in is not one that was begun here, or its code is over; its `message` is fit to be shown. */
export class SignInRefused extends Data.TaggedError("SignInRefused")<{
  readonly provider: string
  readonly reason: RefusalReason
}> {
  override get message() {
    return explanations[this.reason]
  }
}

const explanations: Readonly<Record<RefusalReason, string>> = {
  state_mismatch: "This answer belongs to another sign-in than the one that was begun in this browser.",
  issuer_mismatch: "This answer comes from another sign-in provider than the one that was asked.",
  nonce_mismatch: "The sign-in provider answered another sign-in than the one that was begun in this browser.",
  code_refused: "This sign-in was already used, or took too long.",
  token_invalid: "The sign-in provider's answer could not be verified.",
  provider_refused: "The sign-in provider refused to sign you in."
}

/** What the service keeps, for ten minutes and one use, of a sign-in that it began; none of it is shown to anyone. */
export interface SignInSecrets {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** Who signed in, as the provider says: `issuer` and `subject` together name one person for ever. */
export interface SignedIn {
  readonly issuer: string
  readonly subject: string
  readonly email?: string
  /** Whether the provider says that the address is theirs. */
  readonly emailVerified: boolean
  readonly name?: string
}

/**
 * Signs people in by the deployment's OpenID providers (OpenID Connect Core 1.0): authorization code, PKCE S256 (RFC
 * 7636), state, nonce, and the issuer of the answer (RFC 9207). What a provider is asked for, it is asked when first
 * needed, and again where that failed.
 */
export class Identity extends Context.Service<
  Identity,
  {
    /** In the order of the configuration; `name` is for people. */
    readonly providers: ReadonlyArray<{ readonly id: string; readonly name: string }>
    /** Where to send the browser. `redirectUri` is the address that the provider knows as this client's. */
    readonly begin: (
      providerId: string,
      options: { readonly redirectUri: string }
    ) => Effect.Effect<SignInSecrets & { readonly url: string }, UnknownProvider | ProviderUnavailable>
    /** Redeems the answer that the browser brought to `callbackUrl`, with what `begin` gave. A code is good once. */
    readonly complete: (
      providerId: string,
      answer: SignInSecrets & { readonly callbackUrl: URL; readonly redirectUri: string }
    ) => Effect.Effect<SignedIn, UnknownProvider | ProviderUnavailable | SignInDenied | SignInRefused>
  }
>()("civic-record/Identity") {
  /** By the providers of the configuration, else by the local one. Fails where an issuer is on http and elsewhere. */
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

/** How long a provider may take over one request, in seconds. */
const patience = 10

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
    // What a provider says of itself changes seldom; its keys are read again when it signs with a new one.
    { capacity: providers.length + 1, timeToLive: (exit) => (Exit.isSuccess(exit) ? "1 hour" : 0) }
  )

  return {
    providers: providers.map(({ id }) => ({ id, name: nameOf(id) })),

    begin: Effect.fn("Identity.begin")(function* (providerId, { redirectUri }) {
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
        code_challenge_method: "S256"
      })
      return { ...secrets, url: url.href }
    }),

    complete: Effect.fn("Identity.complete")(function* (providerId, answer) {
      yield* Effect.annotateCurrentSpan({ provider: providerId })
      const configuration = yield* Cache.get(configurations, providerId)
      // The address that the provider knows, whatever proxies made of it on the way here.
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

/** `<NAME>` of the configuration as people read it; the local one is no brand but a way. */
const nameOf = (id: string): string =>
  id === "local"
    ? "E-mail"
    : id
        .split("_")
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join(" ")

const discover = ({ issuer, clientId, clientSecret }: OidcProvider): Promise<oidc.Configuration> =>
  oidc.discovery(
    new URL(issuer),
    clientId,
    undefined,
    Option.match(clientSecret, { onNone: () => oidc.None(), onSome: (secret) => bySecret(Redacted.value(secret)) }),
    {
      timeout: patience,
      // An ID token is asked for directly, over TLS, where its signature may go unchecked (Core 3.1.3.7); ours is not.
      execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith("http:") ? [oidc.allowInsecureRequests] : [])]
    }
  )

/** As the provider asks for it; where it does not say, in the header (Discovery 1.0, section 3). */
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
  if (token === undefined) throw new Error("The ID token that was asked for is missing")
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
    ...(name === undefined ? {} : { name })
  }
}

const textIn = (claim: unknown): string | undefined =>
  typeof claim === "string" && claim.trim() !== "" ? claim.trim() : undefined

/** What is wrong with the answer, rather than with who was to give it. */
const unverifiable: ReadonlyArray<string | undefined> = [
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "OAUTH_KEY_SELECTION_FAILED"
]

/** A name for what the library has refused. */
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

/** The library leaves the claim that was compared two causes deep. */
const claimIn = ({ cause }: Error): unknown =>
  cause instanceof Error && typeof cause.cause === "object" && cause.cause !== null && "claim" in cause.cause
    ? cause.cause.claim
    : undefined

/** What a log may say of a failure: its code, never what was sent or answered. */
const codeOf = (cause: unknown): string => {
  if (cause instanceof oidc.ResponseBodyError) return cause.error
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unreachable"
}
