import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { LRUCache } from "lru-cache"
import { Environment } from "../../../layers/config/config.ts"
import { Identity, type SignInSecrets } from "../../../layers/identity/identity.ts"
import { isLoopback, urlHost } from "../../../layers/networks/host.ts"
import { Email, emailKey } from "../../../schema/email.ts"
import { newToken } from "../../services/accounts/sessions.ts"

/** How long an operator stays signed in, and how long a sign-in may take, in milliseconds. */
const sessionLife = 12 * 3_600_000
const signInLife = 10 * 60_000

/** The name of the operator in the history if nobody signs in. */
const unnamed = "the console"

/** The caller, as far as the console may answer. */
export type Asking =
  | { readonly _tag: "Operator"; readonly name: string; readonly signedIn: boolean }
  | { readonly _tag: "SignedOut" }
  | { readonly _tag: "Closed"; readonly why: string }

/**
 * In-memory values under secrets handed out; they expire, and the least recently used go first when there are too many.
 */
export const remembering = <A>(life: number) => {
  const values = new LRUCache<string, { readonly value: A; readonly until: number }>({ max: 1000 })
  return {
    keep: (value: A) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const secret = newToken()
        values.set(secret, { value, until: now + life })
        return secret
      }),
    read: (secret: string | undefined) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const found = secret === undefined ? undefined : values.get(secret)
        return found === undefined || found.until <= now ? undefined : found.value
      }),
    forget: (secret: string | undefined) =>
      Effect.sync(() => {
        if (secret !== undefined) values.delete(secret)
      })
  }
}

/**
 * Who operates the console. On loopback, everybody who can reach it. Elsewhere, people who sign in with a provider of
 * the deployment and whose verified e-mail address is in `OPERATOR_EMAILS`. Sessions live in this process: they end
 * after twelve hours, or when it ends.
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
    /**
     * Begins a sign-in: the address to send the browser to, and the secret that it holds meanwhile. Undefined if the
     * provider is unreachable.
     */
    readonly begin: (provider: string) => Effect.Effect<{ readonly url: string; readonly browser: string } | undefined>
    /** Completes a sign-in with the query of the provider's answer. Returns the session, or why there is none. */
    readonly complete: (
      provider: string,
      query: string,
      browser: string | undefined
    ) => Effect.Effect<{ readonly session: string } | { readonly refused: string }>
    readonly end: (session: string | undefined) => Effect.Effect<void>
  }
>()("civic-record/Operators") {
  static readonly layer = Layer.effect(
    Operators,
    Effect.gen(function* () {
      const { operatorHost, operatorUrl, operatorEmails } = yield* Environment
      const identity = yield* Identity
      const isOpen = isLoopback(urlHost(operatorHost))
      const url = isOpen ? undefined : Option.getOrUndefined(operatorUrl)
      const allowed = new Set(operatorEmails.map((email) => emailKey(email)))
      const sessions = remembering<string>(sessionLife)
      const signIns = remembering<SignInSecrets & { readonly provider: string }>(signInLife)
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
        const name = yield* sessions.read(session)
        return name === undefined
          ? ({ _tag: "SignedOut" } satisfies Asking)
          : ({ _tag: "Operator", name, signedIn: true } satisfies Asking)
      })

      const begin = Effect.fn("Operators.begin")(function* (provider: string) {
        const begun = yield* Effect.option(identity.begin(provider, { redirectUri: redirectUri(provider) }))
        if (Option.isNone(begun)) return undefined
        const { url, ...secrets } = begun.value
        return { url, browser: yield* signIns.keep({ ...secrets, provider }) }
      })

      const complete = Effect.fn("Operators.complete")(function* (
        provider: string,
        query: string,
        browser: string | undefined
      ) {
        const begun = yield* signIns.read(browser)
        yield* signIns.forget(browser)
        if (begun === undefined || begun.provider !== provider) {
          return { refused: "This sign-in was not begun in this browser, or it took too long." }
        }
        const callbackUrl = new URL(`${redirectUri(provider)}?${query}`)
        const who = yield* Effect.option(
          identity.complete(provider, { ...begun, callbackUrl, redirectUri: redirectUri(provider) })
        )
        if (Option.isNone(who)) return { refused: "The provider did not sign you in." }
        const { email, emailVerified } = who.value
        if (!Schema.is(Email)(email) || !emailVerified || !allowed.has(emailKey(email))) {
          yield* Effect.logWarning("Somebody who is no operator tried to sign in to the console")
          return { refused: "You are not named as an operator of this service." }
        }
        return { session: yield* sessions.keep(email) }
      })

      return {
        url,
        asking,
        // The local provider knows only the public site.
        providers: identity.providers.filter(({ id }) => id !== "local"),
        begin,
        complete,
        end: sessions.forget
      }
    })
  )
}
