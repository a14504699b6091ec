import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Identity } from "../../layers/identity/identity.ts"
import { LocalPasswords } from "../../layers/identity/local-identity.ts"
import { Mailer, MailRefused } from "../../layers/mailer.ts"
import { RateLimits } from "../../layers/rate-limits.ts"
import { LocalIdentityLive } from "../../src/local-identity/local-identity.ts"
import {
  askForCode,
  baseUrl,
  begin,
  changed,
  codeFor,
  complete,
  inHouse,
  newBrowser,
  newFolder,
  otherThan,
  typeCode
} from "../support/local-provider.ts"
import { readOutbox } from "../support/outbox.ts"

describe("the pages of the local provider", () => {
  it.effect("accept five wrong codes, and then not even the right one", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const browser = newBrowser()
        let page = yield* askForCode(browser, yield* begin)
        const code = yield* codeFor(folder, "reader@example.org")
        for (let attempt = 1; attempt <= 5; attempt += 1) {
          page = yield* typeCode(browser, page, otherThan(code))
          assert.strictEqual(page.status, 422)
          assert.include(page.html, attempt < 5 ? "That is not the right code" : "Too many wrong codes")
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

  it.effect("accept the right code after a wrong one, written with a space", () =>
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

  it.effect("accept no code after ten minutes", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const browser = newBrowser()
        const page = yield* askForCode(browser, yield* begin)
        const code = yield* codeFor(folder, "reader@example.org")
        yield* TestClock.adjust("10 minutes")
        const told = yield* typeCode(browser, page, code)
        assert.strictEqual(told.status, 422)
        assert.include(told.html, "That code has expired")
      })
    )
  )

  it.effect("send at most five codes to a mailbox in a quarter of an hour", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const begun = yield* begin
        const ask = (email: string) => askForCode(newBrowser(), begun, email)
        for (let count = 0; count < 5; count += 1) assert.strictEqual((yield* ask("reader@example.org")).status, 200)
        const refused = yield* ask("Reader@Example.org")
        assert.strictEqual(refused.status, 429)
        assert.include(refused.html, "Wait 15 minutes")
        assert.strictEqual((yield* ask("other@example.org")).status, 200)
        assert.lengthOf(yield* Effect.promise(() => readOutbox(path.join(folder, "outbox"))), 6)
        yield* TestClock.adjust("15 minutes")
        assert.strictEqual((yield* ask("reader@example.org")).status, 200)
      })
    )
  )

  it.effect("send at most twenty codes in a quarter of an hour to one network address", () =>
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

  it.effect("allow sixty sign-ins in ten minutes from one network, behind a proxy too", () =>
    inHouse(
      () =>
        Effect.gen(function* () {
          const { url } = yield* begin
          const from = (address: string, target = url) =>
            Effect.promise(() => fetch(target, { redirect: "manual", headers: { "x-forwarded-for": address } }))
          for (let count = 0; count < 120; count += 1) {
            // In any spelling: requests that are not the service's own are counted.
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

  it.effect("name the error beside the field, and escape the typed text", () =>
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

  it.effect("may run no script, be cached by nobody and be framed nowhere", () =>
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
        // A sign-in belongs to its own browser alone.
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

  it.effect("accept a password only if one is required and somebody knows it", () =>
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

  it.effect("report a code that cannot be mailed, and let the person try again", () =>
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
