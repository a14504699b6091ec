import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Identity, type SignInSecrets } from "../../layers/identity/identity.ts"
import { Mailer } from "../../layers/mailer.ts"
import { RateLimits } from "../../layers/rate-limits.ts"
import { LocalIdentityLive } from "../../src/local-identity/local-identity.ts"
import { BrowserActor, type Page } from "./browser-actor.ts"
import { newestCode } from "./outbox.ts"

export const baseUrl = "http://127.0.0.1:8787"
export const redirectUri = `${baseUrl}/api/auth/oidc/local/callback`

export const newFolder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-identity-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true }))
)

/** Identity with the local provider beside it, as on a laptop. */
export const house = (dataDir: string, env: NodeJS.ProcessEnv = {}) =>
  Identity.layer.pipe(
    Layer.provideMerge(LocalIdentityLive),
    Layer.provideMerge(Layer.mergeAll(Mailer.layer, RateLimits.layerMemory)),
    Layer.provide(
      Layer.effect(
        Environment,
        readEnvironment({ DATA_DIR: dataDir, BASE_URL: baseUrl, LOCAL_IDENTITY_PORT: "0", ...env })
      )
    )
  )

export const inHouse = <A, E, R>(test: (folder: string) => Effect.Effect<A, E, R>, env: NodeJS.ProcessEnv = {}) =>
  Effect.gen(function* () {
    const folder = yield* newFolder
    return yield* test(folder).pipe(Effect.provide(house(folder, env)))
  })

interface Begun extends SignInSecrets {
  readonly url: string
}

export const begin = Identity.use((identity) => identity.begin("local", { redirectUri }))

export const complete = (begun: SignInSecrets, callbackUrl: URL, provider = "local", redirect = redirectUri) =>
  Identity.use((identity) =>
    identity.complete(provider, {
      callbackUrl,
      redirectUri: redirect,
      state: begun.state,
      nonce: begun.nonce,
      codeVerifier: begun.codeVerifier
    })
  )

export const newBrowser = () => new BrowserActor(baseUrl)

/** Goes as far as the page that requests the code. The mails get distinct times, because those order them. */
export const askForCode = (browser: BrowserActor, begun: Begun, email = "reader@example.org") =>
  Effect.andThen(
    TestClock.adjust("1 millis"),
    Effect.promise(async () => {
      const first = await browser.open(begun.url)
      return browser.submit(first, "Send me a code", { email })
    })
  )

export const typeCode = (browser: BrowserActor, page: Page, code: string) =>
  Effect.promise(() => browser.submit(page, "Sign in", { code }))

export const codeFor = (folder: string, email: string) =>
  Effect.promise(() => newestCode(path.join(folder, "outbox"), email))

/** Six digits that differ from the code. */
export const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0")

/** Goes all the way to the address that the browser brings back to the service. */
export const signIn = Effect.fnUntraced(function* (
  folder: string,
  browser = newBrowser(),
  email = "reader@example.org"
) {
  const begun = yield* begin
  const page = yield* askForCode(browser, begun, email)
  const back = yield* typeCode(browser, page, yield* codeFor(folder, email))
  return { begun, callback: back.url }
})

export const outcome = <A>(effect: Effect.Effect<A, { readonly _tag: string }, Identity>) =>
  Effect.match(effect, {
    onSuccess: () => "signed in",
    onFailure: (error) => ("reason" in error ? `${error._tag} ${error.reason}` : error._tag)
  })

export const changed = (url: URL, name: string, value: string) => {
  const other = new URL(url)
  other.searchParams.set(name, value)
  return other
}
