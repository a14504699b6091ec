import * as fs from "node:fs"
import type { AddressInfo } from "node:net"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Console, Context, Effect, Exit, Layer, Option, Redacted, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Environment, readEnvironment } from "../../layers/config.ts"
import { Identity, type SignInSecrets } from "../../layers/identity.ts"
import { LocalIdentity, LocalPasswords } from "../../layers/local-identity.ts"
import { Mailer, MailRefused } from "../../layers/mailer.ts"
import { RateLimits } from "../../layers/rate-limits.ts"
import { keptLocalKeys } from "../../src/local-identity/keys.ts"
import { LocalIdentityLive } from "../../src/local-identity/local-identity.ts"
import { BrowserActor, type Page } from "../support/browser-actor.ts"
import { hosted } from "../support/hosted-provider.ts"
import { newestCode, readOutbox } from "../support/outbox.ts"

const baseUrl = "http://127.0.0.1:8787"
const redirectUri = `${baseUrl}/api/auth/oidc/local/callback`

const newFolder = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-identity-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true }))
)

/** Identity with the local provider beside it, as on a laptop. */
const house = (dataDir: string, env: NodeJS.ProcessEnv = {}) =>
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

const inHouse = <A, E, R>(test: (folder: string) => Effect.Effect<A, E, R>, env: NodeJS.ProcessEnv = {}) =>
  Effect.gen(function* () {
    const folder = yield* newFolder
    return yield* test(folder).pipe(Effect.provide(house(folder, env)))
  })

interface Begun extends SignInSecrets {
  readonly url: string
}

const begin = Identity.use((identity) => identity.begin("local", { redirectUri }))

const complete = (begun: SignInSecrets, callbackUrl: URL, provider = "local", redirect = redirectUri) =>
  Identity.use((identity) =>
    identity.complete(provider, {
      callbackUrl,
      redirectUri: redirect,
      state: begun.state,
      nonce: begun.nonce,
      codeVerifier: begun.codeVerifier
    })
  )

const newBrowser = () => new BrowserActor(baseUrl)

/** As far as the page that asks for the code. Each mail has a time of its own, for that is what orders them. */
const askForCode = (browser: BrowserActor, begun: Begun, email = "reader@example.org") =>
  Effect.andThen(
    TestClock.adjust("1 millis"),
    Effect.promise(async () => {
      const first = await browser.open(begun.url)
      return browser.submit(first, "Send me a code", { email })
    })
  )

const typeCode = (browser: BrowserActor, page: Page, code: string) =>
  Effect.promise(() => browser.submit(page, "Sign in", { code }))

const codeFor = (folder: string, email: string) => Effect.promise(() => newestCode(path.join(folder, "outbox"), email))

/** Six digits that are not the code. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0")

/** All the way to the address that the browser brings back to the service. */
const signIn = Effect.fnUntraced(function* (folder: string, browser = newBrowser(), email = "reader@example.org") {
  const begun = yield* begin
  const page = yield* askForCode(browser, begun, email)
  const back = yield* typeCode(browser, page, yield* codeFor(folder, email))
  return { begun, callback: back.url }
})

const outcome = <A>(effect: Effect.Effect<A, { readonly _tag: string }, Identity>) =>
  Effect.match(effect, {
    onSuccess: () => "signed in",
    onFailure: (error) => ("reason" in error ? `${error._tag} ${error.reason}` : error._tag)
  })

const changed = (url: URL, name: string, value: string) => {
  const other = new URL(url)
  other.searchParams.set(name, value)
  return other
}

describe("Identity with the local provider", () => {
  it.effect("signs in by a code that was mailed, and knows the same person again", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const identity = yield* Identity
        assert.deepStrictEqual(identity.providers, [{ id: "local", name: "E-mail" }])

        const asked = new URL((yield* begin).url).searchParams
        assert.strictEqual(asked.get("code_challenge_method"), "S256")
        assert.strictEqual(asked.get("scope"), "openid email profile")

        const first = yield* signIn(folder)
        const somebody = yield* complete(first.begun, first.callback)
        const { issuer, subject, ...rest } = somebody
        assert.deepStrictEqual(rest, { email: "reader@example.org", emailVerified: true })
        assert.match(issuer, /^http:\/\/127\.0\.0\.1:\d+$/)
        assert.notInclude(subject, "reader")

        const again = yield* signIn(folder, newBrowser(), "READER@example.ORG")
        assert.strictEqual((yield* complete(again.begun, again.callback)).subject, subject)
        const other = yield* signIn(folder, newBrowser(), "other@example.org")
        assert.notStrictEqual((yield* complete(other.begun, other.callback)).subject, subject)
      })
    )
  )

  it.effect("asks each time who it is, and lets another person in at the same browser", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const browser = newBrowser()
        const first = yield* signIn(folder, browser)
        assert.strictEqual((yield* complete(first.begun, first.callback)).email, "reader@example.org")
        const second = yield* signIn(folder, browser, "second@example.org")
        assert.strictEqual((yield* complete(second.begun, second.callback)).email, "second@example.org")
      })
    )
  )

  it.effect("takes a code only once, and only with what began it", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const { begun, callback } = yield* signIn(folder)
        const stranger = yield* begin
        assert.strictEqual(yield* outcome(complete(stranger, callback)), "SignInRefused state_mismatch")
        assert.strictEqual(
          yield* outcome(complete(begun, changed(callback, "iss", "https://elsewhere.example"))),
          "SignInRefused issuer_mismatch"
        )
        assert.strictEqual(
          yield* outcome(complete(begun, changed(callback, "code", "forged"))),
          "SignInRefused code_refused"
        )
        yield* complete(begun, callback)
        assert.strictEqual(yield* outcome(complete(begun, callback)), "SignInRefused code_refused")

        const wrongNonce = yield* signIn(folder)
        assert.strictEqual(
          yield* outcome(complete({ ...wrongNonce.begun, nonce: stranger.nonce }, wrongNonce.callback)),
          "SignInRefused nonce_mismatch"
        )
        const wrongVerifier = yield* signIn(folder)
        assert.strictEqual(
          yield* outcome(
            complete({ ...wrongVerifier.begun, codeVerifier: stranger.codeVerifier }, wrongVerifier.callback)
          ),
          "SignInRefused code_refused"
        )
        const late = yield* signIn(folder)
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(yield* outcome(complete(late.begun, late.callback)), "SignInRefused code_refused")
      })
    )
  )

  it.effect("says nothing of the inside in what may be shown", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const { begun, callback } = yield* signIn(folder)
        const refused = yield* Effect.flip(complete(begun, changed(callback, "code", "forged-code")))
        assert.strictEqual(String(refused.message), "This sign-in was already used, or took too long.")
        assert.notInclude(JSON.stringify(refused), "forged-code")
      })
    )
  )

  it.effect("carries a no back as a no", () =>
    inHouse(() =>
      Effect.gen(function* () {
        const browser = newBrowser()
        const begun = yield* begin
        const first = yield* Effect.promise(() => browser.open(begun.url))
        const back = yield* Effect.promise(() => browser.submit(first, "Cancel"))
        assert.strictEqual(back.url.searchParams.get("error"), "access_denied")
        assert.strictEqual(yield* outcome(complete(begun, back.url)), "SignInDenied")
        // A no to another sign-in is none to this one.
        assert.strictEqual(yield* outcome(complete(yield* begin, back.url)), "SignInRefused state_mismatch")
        const after = yield* Effect.promise(() => browser.open(first.url))
        assert.strictEqual(after.status, 400)
        assert.include(after.html, "This sign-in is over")
      })
    )
  )

  it.effect("refuses an unknown provider", () =>
    inHouse(() =>
      Effect.gen(function* () {
        const identity = yield* Identity
        assert.strictEqual(yield* outcome(identity.begin("nobody", { redirectUri })), "UnknownProvider")
        const secrets = { state: "s", nonce: "n", codeVerifier: "v" }
        assert.strictEqual(yield* outcome(complete(secrets, new URL(redirectUri), "nobody")), "UnknownProvider")
      })
    )
  )
})

describe("the pages of the local provider", () => {
  it.effect("take five wrong codes, and then not even the right one", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const browser = newBrowser()
        let page = yield* askForCode(browser, yield* begin)
        const code = yield* codeFor(folder, "reader@example.org")
        for (let attempt = 1; attempt <= 5; attempt += 1) {
          page = yield* typeCode(browser, page, otherThan(code))
          assert.strictEqual(page.status, 422)
          assert.include(page.html, attempt < 5 ? "That is not the code" : "Too many wrong codes")
        }
        page = yield* typeCode(browser, page, code)
        assert.strictEqual(page.status, 422)
        assert.include(page.html, "Too many wrong codes")

        yield* TestClock.adjust("1 millis")
        page = yield* Effect.promise(() => browser.submit(page, "Send a new code"))
        const back = yield* typeCode(browser, page, yield* codeFor(folder, "reader@example.org"))
        assert.isTrue(back.url.searchParams.has("code"))
      })
    )
  )

  it.effect("take the right code after a wrong one, written with a space", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const browser = newBrowser()
        const page = yield* askForCode(browser, yield* begin)
        const code = yield* codeFor(folder, "reader@example.org")
        const told = yield* typeCode(browser, page, otherThan(code))
        const back = yield* typeCode(browser, told, ` ${code.slice(0, 3)} ${code.slice(3)}`)
        assert.isTrue(back.url.searchParams.has("code"))
      })
    )
  )

  it.effect("take no code after ten minutes", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const browser = newBrowser()
        const page = yield* askForCode(browser, yield* begin)
        const code = yield* codeFor(folder, "reader@example.org")
        yield* TestClock.adjust("10 minutes")
        const told = yield* typeCode(browser, page, code)
        assert.strictEqual(told.status, 422)
        assert.include(told.html, "That code is over")
      })
    )
  )

  it.effect("send a mailbox five codes in a quarter of an hour", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const begun = yield* begin
        const ask = (email: string) => askForCode(newBrowser(), begun, email)
        for (let count = 0; count < 5; count += 1) assert.strictEqual((yield* ask("reader@example.org")).status, 200)
        const refused = yield* ask("Reader@Example.org")
        assert.strictEqual(refused.status, 429)
        assert.include(refused.html, "quarter of an hour")
        assert.strictEqual((yield* ask("other@example.org")).status, 200)
        assert.lengthOf(yield* Effect.promise(() => readOutbox(path.join(folder, "outbox"))), 6)
        yield* TestClock.adjust("15 minutes")
        assert.strictEqual((yield* ask("reader@example.org")).status, 200)
      })
    )
  )

  it.effect("send twenty codes to one address of the network in a quarter of an hour", () =>
    inHouse(() =>
      Effect.gen(function* () {
        const begun = yield* begin
        for (let count = 0; count < 20; count += 1) {
          assert.strictEqual((yield* askForCode(newBrowser(), begun, `reader${count}@example.org`)).status, 200)
        }
        assert.strictEqual((yield* askForCode(newBrowser(), begun, "last@example.org")).status, 429)
      })
    )
  )

  it.effect("are begun sixty times in ten minutes from one network, behind a proxy too", () =>
    inHouse(
      () =>
        Effect.gen(function* () {
          const { url } = yield* begin
          const from = (address: string, target = url) =>
            Effect.promise(() => fetch(target, { redirect: "manual", headers: { "x-forwarded-for": address } }))
          for (let count = 0; count < 120; count += 1) {
            // In whichever spelling: what is not the service's own errand is counted.
            const target = count % 2 === 0 ? url : url.replace("/auth?", "/%61uth?")
            assert.notStrictEqual((yield* from("2001:db8::1", target)).status, 429)
          }
          const refused = yield* from("2001:db8::2")
          assert.strictEqual(refused.status, 429)
          assert.isAbove(Number(refused.headers.get("retry-after")), 0)
          const text = yield* Effect.promise(() => refused.text())
          assert.include(text, "<h1>Too many sign-ins</h1>")
          assert.include(text, `href="${baseUrl}"`)
          assert.strictEqual((yield* from("2001:db8:0:1::1")).status, 303)
          yield* TestClock.adjust("10 minutes")
          assert.strictEqual((yield* from("2001:db8::1")).status, 303)
        }),
      { TRUSTED_PROXIES: "127.0.0.1" }
    )
  )

  it.effect("name what is wrong beside the field, and escape what was typed", () =>
    inHouse(() =>
      Effect.gen(function* () {
        const page = yield* askForCode(newBrowser(), yield* begin, `"><script>alert(1)</script>`)
        assert.strictEqual(page.status, 422)
        assert.include(page.html, `role="alert" id="wrong"`)
        assert.include(page.html, `aria-invalid="true" aria-describedby="wrong"`)
        assert.notInclude(page.html, "<script")
        assert.include(page.html, "&quot;&gt;&lt;script&gt;")
      })
    )
  )

  it.effect("may run no script, be kept by nobody and be framed nowhere", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const browser = newBrowser()
        const begun = yield* begin
        const first = yield* Effect.promise(() => browser.open(begun.url))
        const second = yield* askForCode(browser, begun)
        const stranded = yield* Effect.promise(() => newBrowser().open(second.url))
        const refusedByProvider = yield* Effect.promise(() =>
          newBrowser().open(changed(new URL(begun.url), "redirect_uri", "https://elsewhere.example/"))
        )
        assert.deepStrictEqual(
          [first, second, stranded, refusedByProvider].map(({ status }) => status),
          [200, 200, 400, 400]
        )
        for (const page of [first, second, stranded, refusedByProvider]) {
          assert.strictEqual(page.headers.get("cache-control"), "no-store")
          const policy = page.headers.get("content-security-policy") ?? ""
          assert.include(policy, "default-src 'none'")
          assert.include(policy, "frame-ancestors 'none'")
          assert.notInclude(policy, "unsafe-inline")
          assert.match(page.html, /<html lang="en">/)
          for (const [, id] of page.html.matchAll(/<label for="(\w+)"/g)) assert.include(page.html, `id="${id}"`)
        }
        assert.include(first.html, `autocomplete="email"`)
        assert.include(second.html, `inputmode="numeric" autocomplete="one-time-code"`)
        // A sign-in is its own browser's alone.
        assert.notInclude(stranded.html, yield* codeFor(folder, "reader@example.org"))
        assert.notInclude(stranded.html, "reader@example.org")
      })
    )
  )

  it.effect("refuse the forms of other origins", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const browser = newBrowser()
        const page = yield* askForCode(browser, yield* begin)
        const code = yield* codeFor(folder, "reader@example.org")
        for (const headers of [
          { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" },
          { "sec-fetch-site": "same-site" }
        ]) {
          const refused = yield* Effect.promise(() => browser.submit(page, "Sign in", { code }, headers))
          assert.strictEqual(refused.status, 403)
        }
        const back = yield* typeCode(browser, page, code)
        assert.isTrue(back.url.searchParams.has("code"))
      })
    )
  )

  it.effect("take a password only where one was asked for and somebody knows it", () =>
    inHouse(() =>
      Effect.gen(function* () {
        const browser = newBrowser()
        const begun = yield* begin
        const asked = yield* askForCode(browser, begun)
        assert.notInclude(asked.html, `type="password"`)
        const page = yield* Effect.promise(() => browser.follow(asked, "Use my password instead"))
        const wrong = yield* Effect.promise(() => browser.submit(page, "Sign in", { password: "not it" }))
        assert.strictEqual(wrong.status, 422)
        const back = yield* Effect.promise(() => browser.submit(wrong, "Sign in", { password: "correct horse" }))
        assert.strictEqual((yield* complete(begun, back.url)).email, "reader@example.org")

        const other = newBrowser()
        const others = yield* askForCode(other, yield* begin, "other@example.org")
        let tried = yield* Effect.promise(() => other.follow(others, "Use my password instead"))
        for (const status of [422, 422, 422, 422, 422, 429]) {
          tried = yield* Effect.promise(() => other.submit(tried, "Sign in", { password: "correct horse" }))
          assert.strictEqual(tried.status, status)
        }
      })
    ).pipe(
      Effect.provideService(LocalPasswords, {
        passwordOf: (email, password) =>
          Effect.succeed(email === "reader@example.org" && Redacted.value(password) === "correct horse")
      })
    )
  )

  it.effect("show the code on the terminal and in no log while the outbox is in use", () => {
    const terminal: Array<string> = []
    return inHouse((folder) =>
      Effect.gen(function* () {
        yield* askForCode(newBrowser(), yield* begin)
        const code = yield* codeFor(folder, "reader@example.org")
        assert.deepStrictEqual(terminal, [`  Sign-in code: ${code} (its mail is in the outbox)`])
      })
    ).pipe(
      Effect.provideService(Console.Console, {
        ...console,
        log: (line: string) => terminal.push(line)
      } as Console.Console)
    )
  })

  it.effect("say so where the code cannot be mailed, and let the person try again", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const down = Layer.succeed(Mailer, {
        isOutbox: false,
        send: ({ kind }) => Effect.fail(new MailRefused({ kind, reason: "unreachable" }))
      })
      const page = yield* Effect.gen(function* () {
        return yield* askForCode(newBrowser(), yield* begin)
      }).pipe(
        Effect.provide(
          Identity.layer.pipe(
            Layer.provide(LocalIdentityLive),
            Layer.provide(Layer.mergeAll(down, RateLimits.layerMemory)),
            Layer.provide(
              Layer.effect(
                Environment,
                readEnvironment({ DATA_DIR: folder, BASE_URL: baseUrl, LOCAL_IDENTITY_PORT: "0" })
              )
            )
          )
        )
      )
      assert.strictEqual(page.status, 503)
      assert.include(page.html, "could not be sent")
      assert.include(page.html, "Send me a code")
    })
  )
})

describe("the local provider's process", () => {
  it.effect("keeps its keys for its owner alone, and makes them once", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const first = yield* keptLocalKeys(folder)
      assert.deepStrictEqual(yield* keptLocalKeys(folder), first)
      assert.deepStrictEqual(fs.readdirSync(path.join(folder, "secrets")), ["local-identity.json"])
      assert.strictEqual(fs.statSync(path.join(folder, "secrets", "local-identity.json")).mode & 0o777, 0o600)
      assert.notStrictEqual((yield* keptLocalKeys(yield* newFolder)).client_secret, first.client_secret)
      fs.writeFileSync(path.join(folder, "secrets", "local-identity.json"), "{}")
      const failure = yield* Effect.flip(keptLocalKeys(folder))
      assert.strictEqual(failure.setting, "DATA_DIR")
    })
  )

  it.effect("stops with its scope, and another takes its place and its keys", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      const runOnce = Effect.fnUntraced(function* (port: string) {
        const scope = yield* Scope.make()
        const context = yield* Layer.buildWithScope(house(folder, { LOCAL_IDENTITY_PORT: port }), scope)
        const { provider } = Context.get(context, LocalIdentity)
        return { scope, provider: Option.getOrThrow(provider) }
      })
      const first = yield* runOnce("0")
      const jwks = () => Effect.tryPromise(async () => (await fetch(`${first.provider.issuer}/jwks`)).text())
      const keys = yield* jwks()
      assert.notInclude(keys, `"d"`)

      const { port } = new URL(first.provider.issuer)
      const taken = yield* Effect.exit(runOnce(port))
      assert.isTrue(Exit.isFailure(taken) && String(taken.cause).includes("LOCAL_IDENTITY_PORT"))

      yield* Scope.close(first.scope, Exit.void)
      assert.strictEqual((yield* Effect.exit(jwks()))._tag, "Failure")
      const second = yield* runOnce(port)
      assert.strictEqual(yield* jwks(), keys)
      yield* Scope.close(second.scope, Exit.void)

      // Two that nobody chose a port for: the usual one is one service's, and the other takes what is free.
      const third = yield* runOnce("")
      const fourth = yield* runOnce("")
      assert.notStrictEqual(third.provider.issuer, fourth.provider.issuer)
      for (const { scope, provider } of [third, fourth]) {
        assert.strictEqual((yield* Effect.promise(() => fetch(`${provider.issuer}/jwks`))).status, 200)
        yield* Scope.close(scope, Exit.void)
      }
    })
  )

  it.effect("offers nothing but the sign-in of its one client", () =>
    inHouse(() =>
      Effect.gen(function* () {
        const issuer = Option.getOrThrow((yield* LocalIdentity).provider).issuer
        for (const route of [
          "/reg",
          "/session/end",
          "/request",
          "/token/introspection",
          "/token/revocation",
          "/device/auth"
        ]) {
          const response = yield* Effect.promise(() => fetch(`${issuer}${route}`, { method: "POST" }))
          assert.strictEqual(response.status, 404, route)
        }
        const unproven = new URL((yield* begin).url)
        unproven.searchParams.delete("code_challenge")
        unproven.searchParams.delete("code_challenge_method")
        const refused = yield* Effect.promise(() => newBrowser().open(unproven))
        assert.strictEqual(refused.url.searchParams.get("error"), "invalid_request")
      })
    )
  )

  it.effect("does not run where the deployment has providers, or is on https elsewhere", () =>
    Effect.gen(function* () {
      const folder = yield* newFolder
      for (const env of [
        { OIDC_CITY_HALL_ISSUER: "https://id.example.gov", OIDC_CITY_HALL_CLIENT_ID: "record" },
        { BASE_URL: "https://record.example.gov", SIGNING_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}` }
      ]) {
        yield* Effect.gen(function* () {
          assert.isTrue(Option.isNone((yield* LocalIdentity).provider))
          assert.deepStrictEqual(
            (yield* Identity).providers,
            "BASE_URL" in env ? [] : [{ id: "city_hall", name: "City Hall" }]
          )
        }).pipe(Effect.provide(house(folder, env)))
      }
      const insecure = yield* Effect.exit(
        Layer.build(house(folder, { OIDC_X_ISSUER: "http://id.example.gov", OIDC_X_CLIENT_ID: "record" }))
      )
      assert.isTrue(
        Exit.isFailure(insecure) && String(insecure.cause).includes("OIDC_X_ISSUER must be an https address")
      )
    })
  )
})

const hostedRedirect = `${baseUrl}/api/auth/oidc/hosted/callback`

const signInAtHosted = Effect.gen(function* () {
  const begun = yield* Identity.use((identity) => identity.begin("hosted", { redirectUri: hostedRedirect }))
  const back = yield* Effect.promise(() => newBrowser().open(begun.url))
  return yield* complete(begun, back.url, "hosted", hostedRedirect)
})

const withHosted = (issuer: string, secret = "a secret / with + signs") => ({
  OIDC_HOSTED_ISSUER: issuer,
  OIDC_HOSTED_CLIENT_ID: "record",
  OIDC_HOSTED_CLIENT_SECRET: secret
})

describe("Identity with a hosted provider", () => {
  it.effect("reads userinfo where the ID token has no address, and reports one that is not verified as such", () =>
    Effect.gen(function* () {
      const { issuer } = yield* hosted(
        { email: "42@example.org", email_verified: false, name: "Zoë Å" },
        hostedRedirect
      )
      assert.deepStrictEqual(yield* inHouse(() => signInAtHosted, withHosted(issuer)), {
        issuer,
        subject: "42",
        email: "42@example.org",
        emailVerified: false,
        name: "Zoë Å"
      })
    })
  )

  it.effect("takes an address of which nothing is said as not verified, and none as none", () =>
    Effect.gen(function* () {
      const silent = yield* hosted({ email: "42@example.org" }, hostedRedirect)
      assert.isFalse((yield* inHouse(() => signInAtHosted, withHosted(silent.issuer))).emailVerified)
      const without = yield* hosted({ email_verified: true }, hostedRedirect)
      assert.deepStrictEqual(yield* inHouse(() => signInAtHosted, withHosted(without.issuer)), {
        issuer: without.issuer,
        subject: "42",
        emailVerified: false
      })
    })
  )

  it.effect("is unavailable where nobody answers, and works once somebody does", () =>
    Effect.gen(function* () {
      const { issuer, server } = yield* hosted({ email: "42@example.org", email_verified: true }, hostedRedirect)
      const { port } = server.address() as AddressInfo
      const close = Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
      yield* inHouse(
        () =>
          Effect.gen(function* () {
            yield* close
            assert.strictEqual(yield* outcome(signInAtHosted), "ProviderUnavailable")
            yield* Effect.callback<void>((resume) => {
              server.listen(port, "127.0.0.1", () => resume(Effect.void))
            })
            assert.isTrue((yield* signInAtHosted).emailVerified)

            const begun = yield* Identity.use((identity) => identity.begin("hosted", { redirectUri: hostedRedirect }))
            const back = yield* Effect.promise(() => newBrowser().open(begun.url))
            yield* close
            assert.strictEqual(
              yield* outcome(complete(begun, back.url, "hosted", hostedRedirect)),
              "ProviderUnavailable"
            )
            yield* Effect.callback<void>((resume) => {
              server.listen(port, "127.0.0.1", () => resume(Effect.void))
            })
          }),
        withHosted(issuer)
      )
    })
  )

  it.effect("is unavailable with a client secret that the provider does not know", () =>
    Effect.gen(function* () {
      const { issuer } = yield* hosted({ email: "42@example.org" }, hostedRedirect)
      const told = yield* inHouse(() => outcome(signInAtHosted), withHosted(issuer, "wrong"))
      assert.strictEqual(told, "ProviderUnavailable")
    })
  )
})
