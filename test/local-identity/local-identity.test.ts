import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { Identity } from "../../layers/identity/identity.ts"
import { LocalIdentity } from "../../layers/identity/local-identity.ts"
import { keptLocalKeys } from "../../src/local-identity/keys.ts"
import { begin, house, inHouse, newBrowser, newFolder } from "../support/local-provider.ts"

describe("the local provider's process", () => {
  it.effect("stores its keys for its owner alone, and creates them once", () =>
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

  it.effect("stops with its scope, and another one takes over its place and its keys", () =>
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

      // Two without a configured port: one gets the usual port, and the other a free one.
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

  it.effect("does not run if the deployment has providers, or has another https address", () =>
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
