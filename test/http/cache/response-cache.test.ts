import { assert, describe, it } from "@effect/vitest"
import { HttpServerResponse } from "effect/http"
import { makeResponseStore } from "../../../src/http/cache/response-cache.ts"

const kilobyte = HttpServerResponse.uint8Array(new Uint8Array(1024))

describe("stored responses", () => {
  it("are none where there is no room for any", () => {
    const stored = makeResponseStore(0)
    stored.put("key", kilobyte)
    assert.isUndefined(stored.get("key"))
    assert.strictEqual(stored.size(), 0)
  })

  it("stay within their bound, whatever is requested", () => {
    const bound = 1024 * 1024
    const stored = makeResponseStore(bound)
    let largest = 0
    for (let at = 0; at < 1_000_000; at++) {
      stored.put(`identity 1 /api/meetings/browse?q=${at}`, kilobyte)
      largest = Math.max(largest, stored.size())
    }
    assert.isAtMost(largest, bound)
    assert.isAbove(largest, bound / 2)
    assert.isDefined(stored.get("identity 1 /api/meetings/browse?q=999999"))
    assert.isUndefined(stored.get("identity 1 /api/meetings/browse?q=0"))
  })

  it("have bytes of their own, and no text beside them", () => {
    const stored = makeResponseStore(1024 * 1024)
    const part = HttpServerResponse.uint8Array(new Uint8Array(65_536).subarray(0, 600), { contentType: "text/plain" })
    stored.put("part", part)
    stored.put("text", HttpServerResponse.text("Zoning".repeat(200)))
    for (const [key, size] of [
      ["part", 600],
      ["text", 1200]
    ] as const) {
      const { body, headers } = stored.get(key) ?? assert.fail(`${key} is not stored`)
      if (body._tag !== "Uint8Array") return assert.fail(`${key} has no bytes`)
      assert.strictEqual(body.body.buffer.byteLength, size)
      assert.isUndefined(body.text)
      assert.strictEqual(headers["content-length"], String(size))
      assert.match(headers["content-type"] ?? "", /^text\/plain/)
    }
  })

  it("are those requested last", () => {
    const stored = makeResponseStore(20 * 1024)
    stored.put("again", kilobyte)
    for (let at = 0; at < 100; at++) {
      stored.put(`never again ${at}`, kilobyte)
      assert.isDefined(stored.get("again"))
    }
    assert.isUndefined(stored.get("never again 0"))
  })

  it("give no room to one above a quarter of the bound, or to one without bytes", () => {
    const stored = makeResponseStore(20 * 1024)
    stored.put("small", kilobyte)
    stored.put("large", HttpServerResponse.uint8Array(new Uint8Array(6 * 1024)))
    stored.put("empty", HttpServerResponse.empty())
    assert.isUndefined(stored.get("large"))
    assert.isUndefined(stored.get("empty"))
    assert.isDefined(stored.get("small"))
  })

  it("are counted once when the same one is stored again", () => {
    const stored = makeResponseStore(1024 * 1024)
    stored.put("same", kilobyte)
    const size = stored.size()
    stored.put("same", kilobyte)
    assert.strictEqual(stored.size(), size)
  })
})
