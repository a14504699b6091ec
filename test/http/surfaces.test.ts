import { assert, describe, it } from "@effect/vitest"
import { HttpServerResponse } from "effect/http"
import type { SurfaceKind } from "../../src/api/surface.ts"
import { withCaching } from "../../src/http/cache/cache-headers.ts"
import type { Exchange } from "../../src/http/exchange.ts"
import { withCors } from "../../src/http/middleware/cors.ts"

const exchange = (surface: SurfaceKind | undefined, method = "GET"): Exchange => ({
  requestId: "trace-0123",
  method,
  path: "/x",
  contentType: undefined,
  route: surface === undefined ? undefined : { path: "/x", surface, secured: false, cached: undefined },
  startedAt: 0
})
const json = (body: unknown, headers: Record<string, string> = {}) => HttpServerResponse.jsonUnsafe(body, { headers })

describe("the two tiers of one address", () => {
  const teaser = withCaching(exchange("by_viewer"), undefined, json({ gated: true }))
  const record = withCaching(
    exchange("by_viewer"),
    teaser.headers.etag ?? "",
    json({ gated: false }, { "cache-control": "private, no-store" })
  )

  it("carry different ETags, so that neither is taken for the other", () => {
    assert.match(teaser.headers.etag ?? "", /^W\//)
    assert.match(record.headers.etag ?? "", /^W\//)
    assert.notStrictEqual(record.headers.etag, teaser.headers.etag)
    assert.strictEqual(record.status, 200)
  })

  it("vary by Cookie, and only the one for everyone is stored", () => {
    assert.match(teaser.headers.vary ?? "", /Cookie/)
    assert.match(record.headers.vary ?? "", /Cookie/)
    assert.match(teaser.headers["cache-control"] ?? "", /^public/)
    assert.strictEqual(record.headers["cache-control"], "private, no-store")
  })
})

describe("a private response", () => {
  it("is stored by nobody, has no ETag, and is read by no script of another origin", () => {
    const answer = withCors(exchange("private"), withCaching(exchange("private"), undefined, json({})))
    assert.strictEqual(answer.headers["cache-control"], "private, no-store")
    assert.isUndefined(answer.headers.etag)
    assert.isUndefined(answer.headers["access-control-allow-origin"])
  })
})

describe("a response outside the contract", () => {
  it("is not stored unless it says so, and then has an ETag too", () => {
    assert.strictEqual(withCaching(exchange(undefined), undefined, json({})).headers["cache-control"], "no-store")
    const page = withCaching(
      exchange(undefined),
      undefined,
      json({}, { "cache-control": "public, max-age=5", vary: "Accept" })
    )
    assert.strictEqual(page.headers["cache-control"], "public, max-age=5")
    assert.strictEqual(page.headers.vary, "Accept, Accept-Encoding")
    assert.match(page.headers.etag ?? "", /^W\//)
  })

  it("is never cached if the method is unsafe", () => {
    const posted = withCaching(exchange("public", "POST"), undefined, json({}))
    assert.strictEqual(posted.headers["cache-control"], "no-store")
    assert.isUndefined(posted.headers.etag)
  })
})
