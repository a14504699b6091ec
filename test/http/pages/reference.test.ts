import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import library from "swagger-ui-dist/package.json" with { type: "json" }
import { ask } from "../../support/asked.ts"
import { served } from "../../support/served.ts"

const file = (name: string) => `/assets/swagger-ui/${library.version}/${name}`

describe("the API reference", () => {
  it.live("has the policy of the pages, plus images in a style sheet", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const policyOf = (path: string) =>
        Effect.map(ask(base + path), ({ headers }) => headers.get("content-security-policy") ?? "")
      const [page, reference] = [yield* policyOf("/developers"), yield* policyOf("/developers/reference")]
      assert.include(page, "img-src 'self';")
      assert.strictEqual(reference, page.replace("img-src 'self'", "img-src 'self' data:"))
    })
  )

  it.live("loads its library's two files from this origin, compressed and immutable, and no other", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const page = yield* ask(`${base}/developers/reference`, { headers: { accept: "text/html" } })
      for (const [name, type] of [
        ["swagger-ui-bundle.js", "text/javascript"],
        ["swagger-ui.css", "text/css"]
      ] as const) {
        assert.include(page.text, `="${file(name)}"`)
        const plain = yield* ask(base + file(name), { headers: { "accept-encoding": "identity" } })
        assert.strictEqual(plain.headers.get("cache-control"), "public, max-age=31536000, immutable")
        assert.include(plain.headers.get("content-type") ?? "", type)
        assert.notInclude(plain.text, "sourceMappingURL")
        for (const coding of ["br", "gzip"]) {
          const packed = yield* ask(base + file(name), { headers: { "accept-encoding": coding } })
          assert.strictEqual(packed.headers.get("content-encoding"), coding)
          assert.strictEqual(packed.text, plain.text)
        }
      }
      assert.strictEqual((yield* ask(base + file("package.json"))).status, 404)
      assert.strictEqual((yield* ask(`${base}/assets/swagger-ui/0.0.1/swagger-ui.css`)).status, 404)
    })
  )
})
