import { timingSafeEqual } from "node:crypto"
import { Context, Data, DateTime, Duration, Effect, Layer } from "effect"
import type { SignInDemands } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { Identity, type RefusalReason, type SignedIn, type UnknownProvider } from "../../../layers/identity/identity.ts"
import type { RatePolicy } from "../../../layers/rate-limits.ts"
import { Allowances, type TooOften } from "./allowance.ts"
import { newToken, tokenHash } from "./sessions.ts"

/**
 * Why a sign-in failed. `over`: none is under way, because it was completed, expired or never began; `other_browser`:
 * it was begun in another one; `email_missing`, `email_unverified`: the provider vouches for no address; the rest are
 * those of the provider's port.
 */
export type SignInFailure =
  | RefusalReason
  | "over"
  | "other_browser"
  | "denied"
  | "unavailable"
  | "email_missing"
  | "email_unverified"

/** A failed sign-in at a provider; `returnTo` is where it was to lead. */
export class SignInFailed extends Data.TaggedError("SignInFailed")<{
  readonly reason: SignInFailure
  readonly provider: string
  readonly returnTo: string
}> {}

/** How long a sign-in may take, and how often one network may begin one (contract section 5). */
const signInLife = Duration.minutes(10)
const starts: RatePolicy = { name: "sign-in-start", limit: 60, windowSeconds: 600 }

/** The value of the cookie that binds a sign-in to its browser: a random token. */
const isToken = (text: string | undefined): text is string => text !== undefined && /^[\w-]{43}$/.test(text)

/** Who signs in: readers on the site, or operators on the console. An attempt of the one is not one of the other. */
type Audience = "readers" | "operators"

interface AttemptRow {
  readonly browser_hash: Uint8Array
  readonly provider: string
  readonly nonce: string
  readonly code_verifier: string
  readonly return_to: string
  readonly expires_at: Date
}

/**
 * Sign-ins under way: OpenID Connect, single use, in the browser that began them (contract section 5). They are rows,
 * counted by network, so that nobody can push out somebody else's, and any node completes them.
 */
export class SignInAttempts extends Context.Service<
  SignInAttempts,
  {
    /**
     * Begins one: the address to send the browser to, and the token that it holds meanwhile, the same one for all its
     * sign-ins under way. `network` is counted.
     */
    readonly begin: (
      provider: string,
      attempt: {
        readonly audience: Audience
        readonly redirectUri: string
        readonly returnTo: string
        readonly browser: string | undefined
        readonly network: string
        readonly demands?: SignInDemands
      }
    ) => Effect.Effect<
      { readonly url: string; readonly browser: string; readonly expiresAt: DateTime.Utc },
      UnknownProvider | SignInFailed | TooOften
    >
    /** Completes one with the address that the provider redirected the browser to. */
    readonly complete: (
      provider: string,
      answer: {
        readonly audience: Audience
        readonly redirectUri: string
        readonly callbackUrl: URL
        readonly browser: string | undefined
      }
    ) => Effect.Effect<{ readonly who: SignedIn; readonly returnTo: string }, UnknownProvider | SignInFailed>
  }
>()("civic-record/SignInAttempts") {
  static readonly layer = Layer.effect(
    SignInAttempts,
    Effect.gen(function* () {
      const db = yield* Db
      const identity = yield* Identity
      const allowances = yield* Allowances
      return {
        begin: Effect.fn("SignInAttempts.begin")(function* (
          provider,
          { audience, redirectUri, returnTo, network, demands, ...attempt }
        ) {
          yield* allowances.spend([starts, network])
          const { url, ...secrets } = yield* identity
            .begin(provider, { redirectUri, demands })
            .pipe(
              Effect.catchTag("ProviderUnavailable", () =>
                Effect.fail(new SignInFailed({ reason: "unavailable", provider, returnTo }))
              )
            )
          const now = yield* DateTime.now
          const expiresAt = DateTime.addDuration(now, signInLife)
          const browser = isToken(attempt.browser) ? attempt.browser : newToken()
          // Abandoned sign-ins, of both kinds.
          yield* db`delete from sign_in where expires_at <= ${DateTime.formatIso(now)}`
          yield* db`delete from session where expires_at <= ${DateTime.formatIso(now)}`
          yield* db`
              insert into sign_in (state_hash, audience, browser_hash, provider, nonce, code_verifier, return_to,
                expires_at)
              values (${tokenHash(secrets.state)}, ${audience}, ${tokenHash(browser)}, ${provider}, ${secrets.nonce},
                ${secrets.codeVerifier}, ${returnTo}, ${DateTime.formatIso(expiresAt)})`
          return { url, browser, expiresAt }
        }, dbDies),
        complete: Effect.fn("SignInAttempts.complete")(function* (
          provider,
          { audience, redirectUri, callbackUrl, browser }
        ) {
          const state = callbackUrl.searchParams.get("state") ?? ""
          // Consumed in every case: a state is good for one answer.
          const [begun] = yield* db<AttemptRow>`
              delete from sign_in where state_hash = ${tokenHash(state)} and audience = ${audience}
              returning browser_hash, provider, nonce, code_verifier, return_to, expires_at`
          const now = DateTime.toEpochMillis(yield* DateTime.now)
          if (begun === undefined || begun.expires_at.getTime() <= now) {
            return yield* new SignInFailed({ reason: "over", provider, returnTo: begun?.return_to ?? "/" })
          }
          const returnTo = begun.return_to
          const failed = (reason: SignInFailure) => Effect.fail(new SignInFailed({ reason, provider, returnTo }))
          if (!isToken(browser) || !timingSafeEqual(tokenHash(browser), begun.browser_hash)) {
            return yield* failed("other_browser")
          }
          if (begun.provider !== provider) return yield* failed("issuer_mismatch")
          const who = yield* identity
            .complete(provider, {
              callbackUrl,
              redirectUri,
              state,
              nonce: begun.nonce,
              codeVerifier: begun.code_verifier
            })
            .pipe(
              Effect.catchTags({
                ProviderUnavailable: () => failed("unavailable"),
                SignInDenied: () => failed("denied"),
                SignInRefused: ({ reason }) => failed(reason)
              })
            )
          return { who, returnTo }
        }, dbDies)
      }
    })
  )
}
