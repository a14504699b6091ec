import { timingSafeEqual } from "node:crypto"
import { Context, Data, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { Identity, type RefusalReason, type SignedIn, type UnknownProvider } from "../../../layers/identity/identity.ts"
import type { RatePolicy } from "../../../layers/rate-limits.ts"
import { Email, emailKey } from "../../../schema/email.ts"
import { AccountId } from "../../../schema/primitives.ts"
import { Allowances, type TooOften } from "./allowance.ts"
import { newToken, Sessions, tokenHash } from "./sessions.ts"

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

/**
 * Sign-in with the deployment's providers: OpenID Connect, single use, in the browser that began it (contract section
 * 5).
 */
export class SignIns extends Context.Service<
  SignIns,
  {
    /**
     * Begins one: the address to send the browser to, and the token that it holds meanwhile, the same one for all its
     * sign-ins under way. `network` is counted.
     */
    readonly begin: (
      provider: string,
      asked: { readonly returnTo: string; readonly browser: string | undefined; readonly network: string }
    ) => Effect.Effect<
      { readonly url: string; readonly browser: string; readonly expiresAt: DateTime.Utc },
      UnknownProvider | SignInFailed | TooOften
    >
    /**
     * Completes one with the address that the provider redirected the browser to. Finds or creates the account, and
     * begins its session with a new token; the session that came along is ended.
     */
    readonly complete: (
      provider: string,
      answer: {
        readonly callbackUrl: URL
        readonly browser: string | undefined
        readonly session: string | undefined
      }
    ) => Effect.Effect<{ readonly session: string; readonly returnTo: string }, UnknownProvider | SignInFailed>
  }
>()("civic-record/SignIns") {
  static readonly layer = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const db = yield* Db
      const identity = yield* Identity
      const sessions = yield* Sessions
      const allowances = yield* Allowances
      const { baseUrl } = yield* Environment

      /** The service's callback address, as registered at the provider. */
      const redirectUri = (provider: string) => `${baseUrl}/api/auth/oidc/${provider}/callback`

      const begin = Effect.fn("SignIns.begin")(function* (
        provider: string,
        asked: { readonly returnTo: string; readonly browser: string | undefined; readonly network: string }
      ) {
        yield* allowances.spend([starts, asked.network])
        const { returnTo } = asked
        const { url, ...secrets } = yield* identity
          .begin(provider, { redirectUri: redirectUri(provider) })
          .pipe(
            Effect.catchTag("ProviderUnavailable", () =>
              Effect.fail(new SignInFailed({ reason: "unavailable", provider, returnTo }))
            )
          )
        const now = yield* DateTime.now
        const expiresAt = DateTime.addDuration(now, signInLife)
        const browser = isToken(asked.browser) ? asked.browser : newToken()
        // Abandoned sign-ins, of both kinds.
        yield* db`delete from sign_in where expires_at <= ${DateTime.formatIso(now)}`
        yield* db`delete from session where expires_at <= ${DateTime.formatIso(now)}`
        yield* db`
          insert into sign_in (state_hash, browser_hash, provider, nonce, code_verifier, return_to, expires_at)
          values (${tokenHash(secrets.state)}, ${tokenHash(browser)}, ${provider}, ${secrets.nonce},
            ${secrets.codeVerifier}, ${returnTo}, ${DateTime.formatIso(expiresAt)})`
        return { url, browser, expiresAt }
      }, dbDies)

      const complete = Effect.fn("SignIns.complete")(function* (
        provider: string,
        answer: {
          readonly callbackUrl: URL
          readonly browser: string | undefined
          readonly session: string | undefined
        }
      ) {
        const state = answer.callbackUrl.searchParams.get("state") ?? ""
        // Consumed in every case: a state is good for one answer.
        const [begun] = yield* db<BegunRow>`
          delete from sign_in where state_hash = ${tokenHash(state)}
          returning browser_hash, provider, nonce, code_verifier, return_to, expires_at`
        const now = DateTime.toEpochMillis(yield* DateTime.now)
        if (begun === undefined || begun.expires_at.getTime() <= now) {
          return yield* new SignInFailed({ reason: "over", provider, returnTo: begun?.return_to ?? "/" })
        }
        const returnTo = begun.return_to
        const failed = (reason: SignInFailure) => Effect.fail(new SignInFailed({ reason, provider, returnTo }))
        if (!isToken(answer.browser) || !timingSafeEqual(tokenHash(answer.browser), begun.browser_hash)) {
          return yield* failed("other_browser")
        }
        if (begun.provider !== provider) return yield* failed("issuer_mismatch")
        const who = yield* identity
          .complete(provider, {
            callbackUrl: answer.callbackUrl,
            redirectUri: redirectUri(provider),
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
        const found = yield* accountOf(provider, who)
        if (typeof found === "string") return yield* failed(found)
        if (answer.session !== undefined) yield* sessions.end(answer.session)
        return { session: yield* sessions.begin(found.accountId), returnTo }
      }, dbDies)

      /** One transaction, so that two concurrent first sign-ins create one account. */
      const accountOf = (provider: string, who: SignedIn) =>
        db.withTransaction(
          Effect.gen(function* () {
            // The local provider identifies people by address alone, which an account may change: the address decides.
            const isKnownBySubject = provider !== "local"
            if (isKnownBySubject) {
              yield* db`select pg_advisory_xact_lock(hashtextextended(${`${who.issuer} ${who.subject}`}, 0))`
              const [known] = yield* db<{ account_id: string }>`
                select account_id from identity where issuer = ${who.issuer} and subject = ${who.subject}`
              if (known !== undefined) return { accountId: AccountId.make(known.account_id) }
            }
            const { email } = who
            if (!Schema.is(Email)(email)) return "email_missing" as const
            if (!who.emailVerified) return "email_unverified" as const
            const now = DateTime.formatIso(yield* DateTime.now)
            // A no-op update, because it returns the existing row.
            const [account] = yield* db<{ id: string }>`
              insert into account (email, email_key, name, created_at)
              values (${email}, ${emailKey(email)}, ${nameOf(who)}, ${now})
              on conflict (email_key) do update set email = account.email returning id`
            const accountId = AccountId.make(account?.id ?? "")
            if (isKnownBySubject) {
              yield* db`
                insert into identity (issuer, subject, account_id, created_at)
                values (${who.issuer}, ${who.subject}, ${accountId}, ${now})`
            }
            return { accountId }
          })
        )

      return { begin, complete }
    })
  )
}

interface BegunRow {
  readonly browser_hash: Uint8Array
  readonly provider: string
  readonly nonce: string
  readonly code_verifier: string
  readonly return_to: string
  readonly expires_at: Date
}

/** The provider's name for the person, in the form that accounts allow. */
const nameOf = ({ name = "" }: SignedIn): string | null =>
  name
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 120)
    .toWellFormed() || null
