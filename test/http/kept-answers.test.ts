import { assert, describe, it } from "@effect/vitest"
import { HttpServerResponse } from "effect/http"
import { makeKeptAnswers } from "../../src/http/kept-answers.ts"

const kilobyte = HttpServerResponse.uint8Array(new Uint8Array(1024))

describe("kept answers", () => {
  it("stay within their bound, whatever is asked", () => {
    const bound = 1024 * 1024
    const kept = makeKeptAnswers(bound)
    let largest = 0
    for (let at = 0; at < 1_000_000; at++) {
      kept.put(`identity 1 /api/meetings/browse?q=${at}`, kilobyte)
      largest = Math.max(largest, kept.size())
    }
    assert.isAtMost(largest, bound)
    assert.isAbove(largest, bound / 2)
    assert.isDefined(kept.get("identity 1 /api/meetings/browse?q=999999"))
    assert.isUndefined(kept.get("identity 1 /api/meetings/browse?q=0"))
  })

  it("are those that were asked for last", () => {
    const kept = makeKeptAnswers(20 * 1024)
    kept.put("asked", kilobyte)
    for (let at = 0; at < 100; at++) {
      kept.put(`never asked again ${at}`, kilobyte)
      assert.isDefined(kept.get("asked"))
    }
    assert.isUndefined(kept.get("never asked again 0"))
  })

  it("do not make room for one that is a quarter of it, nor for one whose length is not known", () => {
    const kept = makeKeptAnswers(20 * 1024)
    kept.put("small", kilobyte)
    kept.put("large", HttpServerResponse.uint8Array(new Uint8Array(6 * 1024)))
    kept.put("empty", HttpServerResponse.empty())
    assert.isUndefined(kept.get("large"))
    assert.isUndefined(kept.get("empty"))
    assert.isDefined(kept.get("small"))
  })

  it("are counted once when the same one is put again", () => {
    const kept = makeKeptAnswers(1024 * 1024)
    kept.put("same", kilobyte)
    const size = kept.size()
    kept.put("same", kilobyte)
    assert.strictEqual(kept.size(), size)
  })
})
