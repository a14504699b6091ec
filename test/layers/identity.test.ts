import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Identity } from "../../layers/identity/identity.ts"
import { hosted } from "../support/hosted-provider.ts"
import {
  baseUrl,
  begin,
  changed,
  complete,
  inHouse,
  newBrowser,
  outcome,
  redirectUri,
  signIn
} from "../support/local-provider.ts"

describe("Identity with the local provider", () => {
  it.effect("signs in by a mailed code, and recognizes the same person again", () =>
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

  it.effect("accepts a code only once, and only with the attempt that it belongs to", () =>
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

  it.effect("reveals nothing of the inside in a message that may be shown", () =>
    inHouse((folder) =>
      Effect.gen(function* () {
        const { begun, callback } = yield* signIn(folder)
        const refused = yield* Effect.flip(complete(begun, changed(callback, "code", "forged-code")))
        assert.strictEqual(String(refused.message), "This sign-in has already been used, or took too long.")
        assert.notInclude(JSON.stringify(refused), "forged-code")
      })
    )
  )

  it.effect("reports a refusal as a refusal", () =>
    inHouse(() =>
      Effect.gen(function* () {
        const browser = newBrowser()
        const begun = yield* begin
        const first = yield* Effect.promise(() => browser.open(begun.url))
        const back = yield* Effect.promise(() => browser.submit(first, "Cancel"))
        assert.strictEqual(back.url.searchParams.get("error"), "access_denied")
        assert.strictEqual(yield* outcome(complete(begun, back.url)), "SignInDenied")
        // A refusal of one sign-in does not affect another.
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
  it.effect("reads userinfo if the ID token has no address, and reports an unverified one as such", () =>
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

  it.effect("treats an address without a statement about it as unverified, and none as none", () =>
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

  it.effect("is unavailable if nobody answers, and works once somebody does", () =>
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

  it.effect("is unavailable with a client secret that the provider does not accept", () =>
    Effect.gen(function* () {
      const { issuer } = yield* hosted({ email: "42@example.org" }, hostedRedirect)
      const told = yield* inHouse(() => outcome(signInAtHosted), withHosted(issuer, "wrong"))
      assert.strictEqual(told, "ProviderUnavailable")
    })
  )
})
