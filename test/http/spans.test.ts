import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { ask } from "../support/asked.ts"
import { probeRoutes } from "../support/probe.ts"
import { recordedSpans } from "../support/recorded-spans.ts"
import { served } from "../support/served.ts"

describe("the span of a request", () => {
  it.live("is named by its route, carries the request id, and contains no secret", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordedSpans()
      const { base } = yield* served({ tracer })
      yield* ask(`${base}/api/meetings/3f2b8c1e?st=hidden-grant&q=shown`, { headers: { "x-request-id": "trace-0123" } })
      yield* ask(`${base}/nowhere/at/all`)
      const [known, unknown] = spans.filter(({ kind }) => kind === "server")
      assert.strictEqual(known?.name, "GET /api/meetings/:id")
      assert.strictEqual(known?.attributes.get("request_id"), "trace-0123")
      assert.strictEqual(known?.attributes.get("http.response.status_code"), 200)
      const told = JSON.stringify([...(known?.attributes ?? [])])
      assert.notInclude(told, "hidden-grant")
      assert.include(told, "shown")
      assert.strictEqual(unknown?.name, "GET unknown route")
    })
  )
})

describe("a caller that hangs up", () => {
  it.live("ends the work done for it, and is in the log as 499", () =>
    Effect.gen(function* () {
      const gate = { reached: yield* Deferred.make<void>(), opened: yield* Deferred.make<void>() }
      const { base, lines } = yield* served({ routes: probeRoutes(gate) })
      const caller = new AbortController()
      const hungUp = fetch(`${base}/probe/slow`, { signal: caller.signal }).catch(() => "hung up")
      yield* Deferred.await(gate.reached)
      caller.abort()
      assert.strictEqual(yield* Effect.promise(() => hungUp), "hung up")
      yield* Effect.repeat(
        Effect.sync(() => lines.length),
        { while: (count) => count === 0 }
      )
      assert.strictEqual(lines[0]?.annotations.status, 499)
      assert.strictEqual(lines[0]?.level, "Info")
    })
  )
})
