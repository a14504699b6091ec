import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { clientNetwork } from "../../src/http/client-network.ts"
import { ask } from "../support/asked.ts"
import { served } from "../support/served.ts"

describe("the public read limit", () => {
  it.live("says how much is left, and refuses with Retry-After past it", () =>
    Effect.gen(function* () {
      const { base } = yield* served({ settings: { publicReadLimit: 3 } })
      for (const left of [2, 1, 0]) {
        const { headers, status } = yield* ask(`${base}/api/places`)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("ratelimit-policy"), '"public-read";q=3;w=60')
        assert.match(headers.get("ratelimit") ?? "", new RegExp(`^"public-read";r=${left};t=\\d+$`))
        assert.isNull(headers.get("retry-after"))
      }
      const refused = yield* ask(`${base}/api/agencies`)
      assert.strictEqual(refused.status, 429)
      assert.strictEqual(refused.json().error, "rate_limited")
      assert.strictEqual(refused.headers.get("cache-control"), "no-store")
      assert.strictEqual(refused.headers.get("access-control-allow-origin"), "*")
      const wait = Number(refused.headers.get("retry-after"))
      assert.isTrue(wait >= 1 && wait <= 60, String(wait))
      assert.strictEqual(refused.headers.get("ratelimit"), `"public-read";r=0;t=${wait}`)
      for (const path of ["/health", "/health/ready", "/version", "/openapi.json"]) {
        const free = yield* ask(base + path)
        assert.strictEqual(free.status, 200, path)
        assert.isNull(free.headers.get("ratelimit"), path)
      }
    })
  )

  it.live("counts 304, HEAD, undecodable requests and missing resources", () =>
    Effect.gen(function* () {
      const { base } = yield* served({ settings: { publicReadLimit: 4 } })
      yield* ask(`${base}/api/places`, { headers: { "if-none-match": "*" } })
      yield* ask(`${base}/api/places`, { method: "HEAD" })
      yield* ask(`${base}/api/meetings/browse?page=x`)
      yield* ask(`${base}/api/places/none`)
      assert.strictEqual((yield* ask(`${base}/api`)).status, 429)
    })
  )

  it.live("never prevents signing out: that is not counted, and works past the limit", () =>
    Effect.gen(function* () {
      const { base } = yield* served({ settings: { publicReadLimit: 1 } })
      const signOut = ask(`${base}/api/auth/logout`, { method: "POST" })
      yield* signOut
      assert.strictEqual((yield* ask(`${base}/api`)).status, 200)
      assert.strictEqual((yield* ask(`${base}/api/auth/session`)).status, 429)
      const { status, headers } = yield* signOut
      assert.deepStrictEqual([status, headers.get("ratelimit")], [204, null])
    })
  )

  const from = (address: string) => ({ headers: { "x-forwarded-for": address } })

  it.live("counts each client behind a trusted proxy, and trusts nobody else", () =>
    Effect.gen(function* () {
      const trusting = yield* served({ settings: { publicReadLimit: 1, trustedProxies: ["127.0.0.1"] } })
      assert.strictEqual((yield* ask(`${trusting.base}/api`, from("203.0.113.1"))).status, 200)
      assert.strictEqual((yield* ask(`${trusting.base}/api`, from("203.0.113.2"))).status, 200)
      assert.strictEqual((yield* ask(`${trusting.base}/api`, from("203.0.113.1"))).status, 429)
      // An entry that a client adds before its proxy's is not trusted.
      assert.strictEqual((yield* ask(`${trusting.base}/api`, from("198.51.100.7, 203.0.113.2"))).status, 429)

      const wary = yield* served({ settings: { publicReadLimit: 1 } })
      assert.strictEqual((yield* ask(`${wary.base}/api`, from("203.0.113.1"))).status, 200)
      assert.strictEqual((yield* ask(`${wary.base}/api`, from("203.0.113.2"))).status, 429)
    })
  )

  it.live("names the invalid setting", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(served({ settings: { trustedProxies: ["10.0.0.0/8", "the proxy"] } }))
      assert.match(String(error), /TRUSTED_PROXIES/)
    })
  )

  it("counts IPv6 by its /64, and an IPv4 address in any notation", () => {
    const network = (address: string) => clientNetwork(Option.some(address))
    assert.strictEqual(network("2001:db8:1:2:aaaa::1"), network("2001:db8:1:2:bbbb::2"))
    assert.notStrictEqual(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"))
    assert.strictEqual(network("::ffff:203.0.113.9"), network("203.0.113.9"))
    assert.notStrictEqual(network("203.0.113.9"), network("203.0.113.8"))
    assert.strictEqual(network("fe80::1%eth0"), network("fe80::2"))
    assert.strictEqual(clientNetwork(Option.none()), "unknown")
  })
})
