import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Identity } from "../../../layers/identity/identity.ts"
import { LocalIdentity } from "../../../layers/identity/local-identity.ts"
import { ask } from "../../support/asked.ts"
import { BrowserActor } from "../../support/browser-actor.ts"
import { operatedService } from "../../support/console.ts"
import { freePort } from "../../support/free-port.ts"
import { hosted, hostedClient, type Person } from "../../support/hosted-provider.ts"

const configured = Identity.layer.pipe(Layer.provide(Layer.succeed(LocalIdentity, { provider: Option.none() })))

/** Signs in to a console with such settings at a real provider, which says so of its person; returns the last page. */
const signedIn = (person: Person, env: NodeJS.ProcessEnv, identity?: (base: string) => Layer.Layer<Identity>) =>
  Effect.gen(function* () {
    const port = yield* freePort
    const base = `http://localhost:${port}`
    const { issuer } = yield* hosted(
      { email: "ana@example.gov", email_verified: true, ...person },
      `${base}/signin/town/callback`
    )
    const settings = {
      OPERATOR_HOST: "0.0.0.0",
      OPERATOR_PORT: String(port),
      OPERATOR_URL: base,
      OPERATOR_EMAILS: "ana@example.gov",
      OIDC_TOWN_ISSUER: issuer,
      OIDC_TOWN_CLIENT_ID: hostedClient.id,
      OIDC_TOWN_CLIENT_SECRET: hostedClient.secret,
      ...env
    }
    return yield* Effect.gen(function* () {
      const begun = yield* ask(`${base}/signin/town`, { redirect: "manual" })
      const asked = new URL(begun.headers.get("location") ?? "").searchParams
      const page = yield* Effect.promise(() => new BrowserActor().open(`${base}/signin/town`))
      return { asked, page: page.html }
    }).pipe(
      Effect.provide(
        identity === undefined ? operatedService(settings, configured) : operatedService(settings, identity(base))
      )
    )
  }).pipe(Effect.scoped)

describe("how operators sign in at their provider", () => {
  it.live("is the provider's, unless more is demanded", () =>
    Effect.gen(function* () {
      const { asked, page } = yield* signedIn({}, {})
      assert.isFalse(asked.has("acr_values") || asked.has("max_age"))
      assert.include(page, "Sign out ana@example.gov")
    })
  )

  it.live("has to be with one of the methods that are demanded", () =>
    Effect.gen(function* () {
      const mfa = { OPERATOR_REQUIRES_AMR: "mfa, hwk" }
      assert.include((yield* signedIn({ amr: ["pwd", "mfa"] }, mfa)).page, "Sign out ana@example.gov")
      for (const amr of [undefined, ["pwd"], ["mfa-later"]]) {
        const { page } = yield* signedIn(amr === undefined ? {} : { amr }, mfa)
        assert.include(page, "Operators sign in with a further factor (amr mfa or hwk)")
        assert.notInclude(page, "Sign out")
      }
    })
  )

  it.live("has to be in one of the contexts that are demanded, which the provider is asked for", () =>
    Effect.gen(function* () {
      const gold = { OPERATOR_REQUIRES_ACR: "urn:gold,phr" }
      const { asked, page } = yield* signedIn({ acr: "phr" }, gold)
      assert.strictEqual(asked.get("acr_values"), "urn:gold phr")
      assert.include(page, "Sign out ana@example.gov")
      const refused = yield* signedIn({ acr: "urn:bronze" }, gold)
      assert.include(refused.page, "(acr urn:gold or phr)")
      assert.notInclude(refused.page, "Sign out")
    })
  )

  it.live("has to be recent, where that is demanded", () =>
    Effect.gen(function* () {
      const { asked, page } = yield* signedIn({}, { OPERATOR_MAX_AGE: "300" })
      assert.strictEqual(asked.get("max_age"), "300")
      assert.include(page, "Sign out ana@example.gov")
      // A provider that does not care about `max_age`: it says when the person signed in, or does not even say that.
      const careless = (authTime?: number) => (base: string) =>
        Layer.succeed(Identity, {
          providers: [{ id: "town", name: "Town" }],
          begin: () =>
            Effect.sync(() => {
              const state = crypto.randomUUID()
              return { url: `${base}/signin/town/callback?state=${state}`, state, nonce: "n", codeVerifier: "v" }
            }),
          complete: () =>
            Effect.succeed({
              issuer: "https://id.example.gov",
              subject: "1",
              email: "ana@example.gov",
              emailVerified: true,
              ...(authTime === undefined ? {} : { authTime })
            })
        })
      for (const authTime of [undefined, Date.now() / 1000 - 600]) {
        const { page } = yield* signedIn({}, { OPERATOR_MAX_AGE: "300" }, careless(authTime))
        assert.include(page, "too long ago")
      }
    })
  )
})
