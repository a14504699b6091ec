import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { grantTo, keptBy, nobody, reader, readyClip } from "../support/actors.ts"
import { call } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { operated } from "../support/operators.ts"
import { TestService } from "../support/service.ts"
import { callsOf, id, send } from "./calls.ts"

/**
 * UUIDs of a version and of a variant that RFC 9562 leaves unassigned. PostgreSQL accepts both; no id on record is like
 * them.
 */
const unassigned = ["0192aaaa-bbbb-9ccc-8ddd-eeeeffff0000", "0192aaaa-bbbb-4ccc-0ddd-eeeeffff0000"]

const anyId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

layer(Layer.provideMerge(Layer.effectDiscard(fullRecord), TestService), { excludeTestServices: true })(
  "an id that no meeting can have",
  (it) => {
    it.effect("is refused by every operation and page that takes one, as any other unknown id", () =>
      Effect.gen(function* () {
        const own = yield* reader()
        const calls = callsOf(
          own.credentials,
          yield* grantTo(id),
          yield* keptBy(own.accountId),
          yield* readyClip(own.accountId, id),
          yield* operated
        )
        const withId = Object.entries(calls).filter(([, { good }]) => good.path.match(anyId) !== null)
        assert.isAbove(withId.length, 25)
        for (const strange of unassigned) {
          for (const [operation, { good }] of withId) {
            const { status } = yield* send({ ...good, path: good.path.replace(anyId, strange) })
            assert.isTrue(status >= 400 && status < 500, `${operation} answers ${status}`)
          }
          for (const path of [`/meetings/${strange}`, `/in/springfield/council/2026-03-02-${strange}`]) {
            const { status } = yield* call("GET", path, nobody, undefined, { accept: "text/html" })
            assert.strictEqual(status, 404, path)
          }
        }
      })
    )
  }
)
