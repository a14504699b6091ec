import { Context, type DateTime, Effect, Layer, Option, Schema } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Identity, type UnknownProvider } from "../../../layers/identity/identity.ts"
import { isLoopback, urlHost } from "../../../layers/networks/host.ts"
import { Email, emailKey } from "../../../schema/email.ts"
import type { TooOften } from "../accounts/allowance.ts"
import { SignInAttempts, type SignInFailed } from "../accounts/sign-in-attempts.ts"
import { OperatorSessions } from "./operator-sessions.ts"

/** The name of the operator in the history if nobody signs in. */
const unnamed = "the console"

/** The caller, as far as the console may answer. */
export type Asking =
  | { readonly _tag: "Operator"; readonly name: string; readonly signedIn: boolean }
  | { readonly _tag: "SignedOut" }
  | { readonly _tag: "Closed"; readonly why: string }

/**
 * Who operates the console. On loopback, everybody who can reach it. Elsewhere, people who sign in with a provider of
 * the deployment and whose verified e-mail address is in `OPERATOR_EMAILS`. Sessions are rows, so every node and a
 * restart know them; one ends after twelve hours, when somebody ends it, and when its address is no longer named.
 */
export class Operators extends Context.Service<
  Operators,
  {
    /** The console's address, if operators sign in there. */
    readonly url: string | undefined
    /** Who sent a request with this `Host` and this session. */
    readonly asking: (host: string | undefined, session: string | undefined) => Effect.Effect<Asking>
    /** The providers that an operator can sign in with. */
    readonly providers: ReadonlyArray<{ readonly id: string; readonly name: string }>
    /** Begins a sign-in: the address to send the browser to, and the secret that it holds meanwhile. */
    readonly begin: (
      provider: string,
      from: { readonly browser: string | undefined; readonly network: string }
    ) => Effect.Effect<
      { readonly url: string; readonly browser: string; readonly expiresAt: DateTime.Utc },
      UnknownProvider | SignInFailed | TooOften
    >
    /** Completes a sign-in with the query of the provider's answer. Returns the session, or why there is none. */
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
      const { operatorHost, operatorUrl, operatorEmails } = yield* Environment
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
        // Whoever is no longer named is no longer an operator, from the next start on.
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
            ...from
          })
        ),
        complete,
        end: (session) => (session === undefined ? Effect.void : sessions.end(session))
      }
    })
  ).pipe(Layer.provide([SignInAttempts.layer, OperatorSessions.layer]))
}
