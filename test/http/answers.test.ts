import * as zlib from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, askRaw, rawRequest } from "../support/asked.ts"
import { served } from "../support/served.ts"

const publicly = "public, max-age=60, stale-while-revalidate=300"
const vary = (header: string | null) => (header ?? "").split(", ").sort()

describe("every response", () => {
  it.live("carries the security headers and a request id, the caller's own if it sent a valid one", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      for (const path of ["/health", "/api/agencies", "/nowhere", "/api/meetings/browse?page=x"]) {
        const { headers } = yield* ask(base + path)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(headers.get("referrer-policy"), "strict-origin-when-cross-origin")
        assert.strictEqual(
          headers.get("content-security-policy"),
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        assert.strictEqual(headers.get("strict-transport-security"), "max-age=31536000")
        assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
      }
      const kept = yield* ask(`${base}/health`, { headers: { "x-request-id": "trace.me-0123_AB" } })
      assert.strictEqual(kept.headers.get("x-request-id"), "trace.me-0123_AB")
      const replaced = yield* ask(`${base}/health`, { headers: { "x-request-id": "not ours!" } })
      assert.notStrictEqual(replaced.headers.get("x-request-id"), "not ours!")
    })
  )

  it.live("does not mention HTTPS where the base address does not use it", () =>
    Effect.gen(function* () {
      const { base } = yield* served({ settings: { baseUrl: "http://127.0.0.1:8787" } })
      assert.isNull((yield* ask(`${base}/health`)).headers.get("strict-transport-security"))
    })
  )

  it.live("is one line of the log, with the request id and without the query", () =>
    Effect.gen(function* () {
      const { base, lines } = yield* served()
      yield* ask(`${base}/api/meetings/3f2b8c1e?st=secret`, { headers: { "x-request-id": "trace-0123" } })
      const [line] = lines
      assert.strictEqual(lines.length, 1)
      assert.include(line?.annotations, {
        request_id: "trace-0123",
        method: "GET",
        path: "/api/meetings/3f2b8c1e",
        route: "/api/meetings/:id",
        status: 200
      })
      assert.isAbove(Number(line?.annotations.bytes), 0)
      assert.notInclude(JSON.stringify(lines), "secret")
    })
  )
})

describe("caching", () => {
  it.live("gives a public read a weak ETag, and answers 304 to a caller that has it", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const first = yield* ask(`${base}/api/agencies`)
      const etag = first.headers.get("etag") ?? ""
      assert.match(etag, /^W\/"[\w-]+"$/)
      assert.strictEqual(first.headers.get("cache-control"), publicly)
      for (const header of [etag, etag.slice(2), `"other", ${etag}`, "*"]) {
        const again = yield* ask(`${base}/api/agencies`, { headers: { "if-none-match": header } })
        assert.strictEqual(again.status, 304, header)
        assert.strictEqual(again.text, "")
        for (const kept of ["etag", "cache-control", "vary"]) {
          assert.strictEqual(again.headers.get(kept), first.headers.get(kept))
        }
        assert.isNull(again.headers.get("content-type"))
      }
      const changed = yield* ask(`${base}/api/agencies`, { headers: { "if-none-match": 'W/"other"' } })
      assert.strictEqual(changed.status, 200)
      assert.notStrictEqual((yield* ask(`${base}/api/places`)).headers.get("etag"), etag)
    })
  )

  it.live("keeps the two tiers of a meeting apart, and stores neither health nor errors", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const teaser = yield* ask(`${base}/api/meetings/3f2b8c1e`)
      assert.strictEqual(teaser.headers.get("cache-control"), publicly)
      assert.deepStrictEqual(vary(teaser.headers.get("vary")), ["Accept-Encoding", "Cookie"])
      assert.isNotNull(teaser.headers.get("etag"))
      for (const path of ["/health", "/health/ready", "/version", "/api/version", "/api/meetings/none", "/nowhere"]) {
        const { headers } = yield* ask(base + path)
        assert.strictEqual(headers.get("cache-control"), "no-store", path)
        assert.isNull(headers.get("etag"), path)
      }
    })
  )
})

describe("compression", () => {
  it.live("prefers brotli to gzip, leaves small responses as they are, and changes neither ETag nor content", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      const get = (path: string, encoding: string) =>
        askRaw(port, rawRequest(`GET ${path}`, [`Accept-Encoding: ${encoding}`]))
      const plain = yield* get("/openapi.json", "identity")
      const brotli = yield* get("/openapi.json", "gzip, br")
      const gzip = yield* get("/openapi.json", "gzip")
      assert.strictEqual(plain.headers.get("content-encoding"), null)
      assert.strictEqual(brotli.headers.get("content-encoding"), "br")
      assert.strictEqual(gzip.headers.get("content-encoding"), "gzip")
      assert.isBelow(Number(brotli.headers.get("content-length")), Buffer.byteLength(plain.text) / 3)
      for (const answer of [plain, brotli, gzip]) {
        assert.strictEqual(answer.headers.get("etag"), plain.headers.get("etag"))
        assert.strictEqual(answer.headers.get("vary"), "Accept-Encoding")
      }
      const small = yield* get("/version", "br")
      assert.isNull(small.headers.get("content-encoding"))
    })
  )

  it.live("can be read back", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const raw = yield* Effect.promise(async () => {
        const { request } = await import("node:http")
        return await new Promise<Buffer>((resolve) =>
          request(`${base}/openapi.json`, { headers: { "accept-encoding": "br" } }, (response) => {
            const chunks: Array<Buffer> = []
            response.on("data", (chunk) => chunks.push(chunk))
            response.on("end", () => resolve(Buffer.concat(chunks)))
          }).end()
        )
      })
      assert.strictEqual(zlib.brotliDecompressSync(raw).toString(), (yield* ask(`${base}/openapi.json`)).text)
    })
  )
})

describe("methods", () => {
  it.live("HEAD answers wherever GET does, with the length of the response and no body", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      for (const path of ["/version", "/api/agencies", "/api/meetings/browse?q=x", "/openapi.json", "/nowhere"]) {
        for (const encoding of ["identity", "br"]) {
          const [head, get] = yield* Effect.all(
            ["HEAD", "GET"].map((method) =>
              askRaw(port, rawRequest(`${method} ${path}`, [`Accept-Encoding: ${encoding}`]))
            )
          )
          assert.strictEqual(head?.status, get?.status)
          assert.strictEqual(head?.text, "")
          for (const name of ["content-length", "etag", "content-encoding", "cache-control", "link"]) {
            assert.strictEqual(head?.headers.get(name), get?.headers.get(name), `${path} ${name}`)
          }
        }
      }
    })
  )

  it.live("unsupported by a path get 405 with Allow; OPTIONS lists the supported ones", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const refused = yield* ask(`${base}/api/agencies`, { method })
        assert.strictEqual(refused.status, 405)
        assert.strictEqual(refused.json().error, "method_not_allowed")
        assert.strictEqual(refused.headers.get("allow"), "GET, HEAD, OPTIONS")
      }
      const options = yield* ask(`${base}/api/agencies`, { method: "OPTIONS" })
      assert.strictEqual(options.status, 204)
      assert.strictEqual(options.headers.get("allow"), "GET, HEAD, OPTIONS")
      assert.strictEqual((yield* ask(`${base}/nowhere`, { method: "OPTIONS" })).status, 404)
    })
  )
})

describe("CORS", () => {
  it.live("lets scripts of any origin read public responses and their errors, never with credentials", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      for (const path of ["/api/places", "/api/places/none", "/api/meetings/browse?page=x", "/openapi.json"]) {
        const { headers } = yield* ask(base + path, { headers: { origin: "https://elsewhere.example" } })
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        assert.isNull(headers.get("access-control-allow-credentials"))
        const exposed = headers.get("access-control-expose-headers") ?? ""
        for (const name of ["ETag", "Link", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"]) {
          assert.include(exposed.split(", "), name)
        }
      }
    })
  )

  it.live("answers a preflight", () =>
    Effect.gen(function* () {
      const { port } = yield* served()
      const preflight = yield* askRaw(
        port,
        rawRequest("OPTIONS /api/meetings/browse?q=x", [
          "Origin: https://elsewhere.example",
          "Access-Control-Request-Method: GET",
          "Access-Control-Request-Headers: if-none-match"
        ])
      )
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*")
      assert.strictEqual(preflight.headers.get("access-control-allow-methods"), "GET, HEAD, OPTIONS")
      assert.include(preflight.headers.get("access-control-allow-headers"), "If-None-Match")
      assert.strictEqual(preflight.headers.get("access-control-max-age"), "86400")
    })
  )
})
