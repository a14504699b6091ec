import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { SignedIn, UnknownProvider } from "../../../layers/identity/identity.ts"
import { Email, emailKey } from "../../../schema/email.ts"
import { AccountId } from "../../../schema/primitives.ts"
import type { TooOften } from "./allowance.ts"
import { Sessions } from "./sessions.ts"
import { SignInAttempts, SignInFailed } from "./sign-in-attempts.ts"

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
        /** The family of the browser (see `Sessions.begin`). */
        readonly family: string | undefined
      }
    ) => Effect.Effect<{ readonly session: string; readonly returnTo: string }, UnknownProvider | SignInFailed>
  }
>()("civic-record/SignIns") {
  static readonly layer = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const db = yield* Db
      const attempts = yield* SignInAttempts
      const sessions = yield* Sessions
      const { baseUrl } = yield* Environment

      /** The service's callback address, as registered at the provider. */
      const redirectUri = (provider: string) => `${baseUrl}/api/auth/oidc/${provider}/callback`

      const begin = Effect.fn("SignIns.begin")(
        (
          provider: string,
          asked: { readonly returnTo: string; readonly browser: string | undefined; readonly network: string }
        ) => attempts.begin(provider, { audience: "readers", redirectUri: redirectUri(provider), ...asked })
      )

      const complete = Effect.fn("SignIns.complete")(function* (
        provider: string,
        answer: {
          readonly callbackUrl: URL
          readonly browser: string | undefined
          readonly session: string | undefined
          readonly family: string | undefined
        }
      ) {
        const { callbackUrl, browser } = answer
        const { who, returnTo } = yield* attempts.complete(provider, {
          audience: "readers",
          redirectUri: redirectUri(provider),
          callbackUrl,
          browser
        })
        const found = yield* accountOf(provider, who)
        if (typeof found === "string") return yield* new SignInFailed({ reason: found, provider, returnTo })
        if (answer.session !== undefined) yield* sessions.end(answer.session)
        const session = yield* sessions.begin(found.accountId, answer.family)
        yield* Effect.logInfo("A reader signed in").pipe(Effect.annotateLogs({ provider }))
        return { session, returnTo }
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

      return {
        begin,
        complete: (provider, answer) =>
          Effect.tapErrorTag(complete(provider, answer), "SignInFailed", ({ reason }) =>
            Effect.logWarning("A reader's sign-in failed").pipe(Effect.annotateLogs({ provider, reason }))
          )
      }
    })
  ).pipe(Layer.provide(SignInAttempts.layer))
}

/** The provider's name for the person, in the form that accounts allow. */
const nameOf = ({ name = "" }: SignedIn): string | null =>
  name
    .replace(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, 120)
    .toWellFormed() || null
