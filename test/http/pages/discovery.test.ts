import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { fakeIdentity } from "../../layers/fake-identity.ts"
import { ask } from "../../support/asked.ts"
import { readMarkdown } from "../../support/reading-pages.ts"
import { serviceAddress, serviceOf, setupOf, TestService } from "../../support/service.ts"

const record = "http://record.example.gov"

const files = {
  "/llms.txt": "text/plain; charset=utf-8",
  "/robots.txt": "text/plain; charset=utf-8",
  "/auth.md": "text/markdown; charset=utf-8",
  "/.well-known/api-catalog": 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'
}

layer(TestService)("the files for automatic discovery", (it) => {
  it.effect("have their types, and are cached and protected like public pages", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const [path, type] of Object.entries(files)) {
        const { status, headers } = yield* ask(base + path)
        assert.strictEqual(status, 200, path)
        assert.strictEqual(headers.get("content-type"), type)
        assert.strictEqual(headers.get("cache-control"), "public, max-age=60, stale-while-revalidate=300")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        const etag = headers.get("etag") ?? ""
        assert.match(etag, /^W\/"/)
        assert.strictEqual((yield* ask(base + path, { headers: { "if-none-match": etag } })).status, 304)
        const head = yield* ask(base + path, { method: "HEAD" })
        assert.deepStrictEqual([head.status, head.text], [200, ""])
      }
    })
  )

  it.effect("link only to what exists", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const links = ["/llms.txt", "/auth.md"].map((path) =>
        Effect.map(ask(base + path), ({ text }) => readMarkdown(text, record).links)
      )
      const catalog = (yield* ask(`${base}/.well-known/api-catalog`)).text
      const listed = [...catalog.matchAll(/"href":"http:\/\/record\.example\.gov([^"]+)"/g)].map(
        ([, path]) => path ?? ""
      )
      assert.include(listed, "/openapi.json")
      const all = [...new Set([...(yield* Effect.all(links)).flat(), ...listed])]
      assert.includeMembers(all, ["/md/", "/md/browse", "/md/developers", "/auth.md", "/api", "/health"])
      // The test service has no sign-in provider.
      for (const path of all)
        assert.oneOf((yield* ask(base + path)).status, path === "/signin" ? [200, 503] : [200], path)
    })
  )

  it.effect("let every robot in, and say where the catalog is on a HEAD request", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      assert.strictEqual(
        (yield* ask(`${base}/robots.txt`)).text,
        `User-agent: *\nAllow: /\n\nSitemap: ${record}/sitemap.xml\n`
      )
      const { headers } = yield* ask(`${base}/.well-known/api-catalog`, { method: "HEAD" })
      assert.strictEqual(headers.get("link"), `<${record}/.well-known/api-catalog>; rel="api-catalog"`)
    })
  )

  it.effect("name no contact for reports of a weakness where there is none", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask(`${yield* serviceAddress}/.well-known/security.txt`)).status, 404)
    })
  )

  it.effect("promise no authorization server, and there is none", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      assert.include((yield* ask(`${base}/auth.md`)).text, "no OAuth authorization server")
      for (const name of ["oauth-authorization-server", "oauth-protected-resource", "openid-configuration"]) {
        assert.strictEqual((yield* ask(`${base}/.well-known/${name}`)).status, 404, name)
      }
    })
  )
})

const reachable = serviceOf(setupOf({ BASE_URL: record, PORT: "0", CONTACT_EMAIL: "record@example.gov" }), fakeIdentity)

layer(reachable, { excludeTestServices: true })("a service with a contact", (it) => {
  it.effect("says whom to tell of a weakness, for less than a year (RFC 9116)", () =>
    Effect.gen(function* () {
      const { status, headers, text } = yield* ask(`${yield* serviceAddress}/.well-known/security.txt`)
      assert.deepStrictEqual([status, headers.get("content-type")], [200, "text/plain; charset=utf-8"])
      assert.include(text, "Contact: mailto:record@example.gov\n")
      assert.include(text, `Canonical: ${record}/.well-known/security.txt\n`)
      const [, expires = ""] = /^Expires: (\S+)$/m.exec(text) ?? []
      const days = (Date.parse(expires) - Date.now()) / 86_400_000
      assert.isTrue(days > 80 && days < 365, expires)
    })
  )
})
