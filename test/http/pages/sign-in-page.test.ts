import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask } from "../../support/asked.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const html = { accept: "text/html" }

layer(TestService, { excludeTestServices: true })("signing in where there is one provider", (it) => {
  const asked = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>>, method = "GET") {
    const {
      status,
      headers: got,
      text
    } = yield* ask(`${yield* serviceAddress}${path}`, {
      ...{ method, headers, redirect: "manual" }
    })
    return { status, location: got.get("location"), cached: got.get("cache-control"), text }
  })

  it.effect("goes straight to it, with the address to come back to", () =>
    Effect.gen(function* () {
      const back = "/in/larkmoor/city-council/2026-03-02-0a1b2c3d?t=55&st=token"
      const { status, location, cached } = yield* asked(`/signin?return_to=${encodeURIComponent(back)}`, html)
      assert.deepStrictEqual([status, cached], [303, "private, no-store"])
      assert.strictEqual(location, `/api/auth/oidc/local/start?return_to=${encodeURIComponent(back)}`)
      assert.strictEqual(
        (yield* asked("/signin?return_to=//evil.example", html)).location,
        "/api/auth/oidc/local/start?return_to=%2F"
      )
    })
  )

  it.effect("shows the page to whoever is no browser at work", () =>
    Effect.gen(function* () {
      for (const [path, headers] of [
        ["/signin", {}],
        ["/md/signin", html],
        ["/signin", { accept: "text/markdown" }],
        ["/signin", { ...html, "sec-purpose": "prefetch" }],
        ["/signin", { ...html, "sec-fetch-dest": "image" }]
      ] as const) {
        const { status, text } = yield* asked(path, headers)
        assert.deepStrictEqual([status, text.includes("Continue with E-mail")], [200, true], JSON.stringify(headers))
      }
      assert.strictEqual((yield* asked("/signin", html, "HEAD")).status, 200)
    })
  )

  it.effect("ends on a page where it fails and where it is over, so nobody goes in circles", () =>
    Effect.gen(function* () {
      const failed = yield* asked("/api/auth/oidc/local/callback?state=x&code=y", html)
      assert.deepStrictEqual([failed.status, failed.location], [400, null])
      assert.include(failed.text, "Try again")
      const out = yield* asked("/signout", html, "POST")
      assert.deepStrictEqual([out.status, out.location], [303, "/"])
    })
  )
})
