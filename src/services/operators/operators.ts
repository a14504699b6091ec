import { Clock, Context, type DateTime, Effect, Layer, Option, Schema } from "effect"
import { Environment, type SignInDemands } from "../../../layers/config/config.ts"
import { Identity, type SignedIn, type UnknownProvider } from "../../../layers/identity/identity.ts"
import { isLoopback, urlHost } from "../../../layers/networks/host.ts"
import { Email, emailKey } from "../../../schema/email.ts"
import type { TooOften } from "../accounts/allowance.ts"
import { SignInAttempts, type SignInFailed } from "../accounts/sign-in-attempts.ts"
import { OperatorSessions } from "./operator-sessions.ts"

/** The operator's name in the history where nobody signs in. */
const unnamed = "the console"

/** The caller, as seen by the console. */
export type Asking =
  | { readonly _tag: "Operator"; readonly name: string; readonly signedIn: boolean }
  | { readonly _tag: "SignedOut" }
  | { readonly _tag: "Closed"; readonly why: string }

/**
 * The operators of the console. On loopback, everybody who can reach it. Elsewhere, people who sign in with one of the
 * deployment's providers and whose verified e-mail address is in `OPERATOR_EMAILS`. Sessions are rows, so every node
 * knows them and they survive a restart; a session ends after twelve hours, when it is ended, or when its address
 * leaves the list.
 */
export class Operators extends Context.Service<
  Operators,
  {
    /** The console's address, if operators sign in there. */
    readonly url: string | undefined
    /** The sender of a request with this `Host` and session. */
    readonly asking: (host: string | undefined, session: string | undefined) => Effect.Effect<Asking>
    /** The providers offered to operators. */
    readonly providers: ReadonlyArray<{ readonly id: string; readonly name: string }>
    /** Begins a sign-in: returns the address to send the browser to, and the secret that it holds meanwhile. */
    readonly begin: (
      provider: string,
      from: { readonly browser: string | undefined; readonly network: string }
    ) => Effect.Effect<
      { readonly url: string; readonly browser: string; readonly expiresAt: DateTime.Utc },
      UnknownProvider | SignInFailed | TooOften
    >
    /**
     * Completes a sign-in with the query of the provider's callback. Returns the session, or the reason for its
     * refusal.
     */
    readonly complete: (
      provider: string,
      query: string,
      browser: string | undefined
    ) => Effect.Effect<
      { readonly session: string; readonly expiresAt: DateTime.Utc } | { readonly refused: string },
      UnknownProvider | SignInFailed
    >
    readonly end: (session: string | undefined) => Effect.Effect<void>
  }
>()("civic-record/Operators") {
  static readonly layer = Layer.effect(
    Operators,
    Effect.gen(function* () {
      const { operatorHost, operatorUrl, operatorEmails, operatorDemands: demands } = yield* Environment
      const sessions = yield* OperatorSessions
      const attempts = yield* SignInAttempts
      const { providers } = yield* Identity
      const isOpen = isLoopback(urlHost(operatorHost))
      const url = isOpen ? undefined : Option.getOrUndefined(operatorUrl)
      const allowed = new Set<string>(operatorEmails.map((email) => emailKey(email)))
      const redirectUri = (provider: string) => `${url}/signin/${provider}/callback`

      const asking = Effect.fn("Operators.asking")(function* (host: string | undefined, session: string | undefined) {
        if (isOpen) return { _tag: "Operator", name: unnamed, signedIn: false } satisfies Asking
        if (url === undefined || allowed.size === 0) {
          const why = "The console listens outside of loopback, and nobody is named who may use it."
          return { _tag: "Closed", why } satisfies Asking
        }
        if (host !== new URL(url).host) {
          return { _tag: "Closed", why: `The console is answered at ${url} only.` } satisfies Asking
        }
        const name = session === undefined ? undefined : yield* sessions.holder(session)
        // The list is checked on every request, so an address removed from it loses access at the next start.
        return name === undefined || !allowed.has(name)
          ? ({ _tag: "SignedOut" } satisfies Asking)
          : ({ _tag: "Operator", name, signedIn: true } satisfies Asking)
      })

      const complete = Effect.fn("Operators.complete")(function* (
        provider: string,
        query: string,
        browser: string | undefined
      ) {
        const { who } = yield* attempts.complete(provider, {
          audience: "operators",
          redirectUri: redirectUri(provider),
          callbackUrl: new URL(`${redirectUri(provider)}?${query}`),
          browser
        })
        const { email, emailVerified } = who
        if (!Schema.is(Email)(email) || !emailVerified || !allowed.has(emailKey(email))) {
          yield* Effect.logWarning("Somebody who is no operator tried to sign in to the console")
          return { refused: "You are not named as an operator of this service." }
        }
        const lacking = yield* lackOf(demands, who)
        if (lacking !== undefined) {
          yield* Effect.logWarning("An operator's sign-in was refused for how it was done at the provider").pipe(
            Effect.annotateLogs({ provider, reason: lacking.reason })
          )
          return { refused: lacking.message }
        }
        yield* Effect.logInfo("An operator signed in to the console").pipe(Effect.annotateLogs({ provider }))
        return yield* sessions.begin(emailKey(email))
      })

      return {
        url,
        asking,
        // The local provider knows only the public site.
        providers: providers.filter(({ id }) => id !== "local"),
        begin: Effect.fn("Operators.begin")((provider, from) =>
          attempts.begin(provider, {
            audience: "operators",
            redirectUri: redirectUri(provider),
            returnTo: "/",
            demands,
            ...from
          })
        ),
        complete,
        end: (session) => (session === undefined ? Effect.void : sessions.end(session))
      }
    })
  ).pipe(Layer.provide([SignInAttempts.layer, OperatorSessions.layer]))
}

/** For clocks that are not quite alike. */
const tolerance = 60

/** What a sign-in at a provider lacks of what is demanded of operators, if anything. */
const lackOf = Effect.fnUntraced(function* ({ acr, amr, maxAge }: SignInDemands, who: SignedIn) {
  const now = (yield* Clock.currentTimeMillis) / 1000
  if (acr.length > 0 && !acr.includes(who.acr ?? "")) {
    return {
      reason: "acr",
      message: `Operators sign in with more than their sign-in provider asked you for (acr ${acr.join(" or ")}). Set it up there, or ask whoever runs the provider.`
    }
  }
  if (amr.length > 0 && !amr.some((method) => who.amr?.includes(method))) {
    return {
      reason: "amr",
      message: `Operators sign in with a further factor (amr ${amr.join(" or ")}), and your sign-in provider does not say that you did. Set one up there, and sign in with it.`
    }
  }
  if (Option.exists(maxAge, (seconds) => who.authTime === undefined || now - who.authTime > seconds + tolerance)) {
    return {
      reason: "auth_time",
      message: "You signed in at your sign-in provider too long ago. Sign out there, then sign in again."
    }
  }
  return undefined
})
