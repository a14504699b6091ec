import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ask, said } from "../support/asking-model.ts"
import { fakeCloudModel } from "./fake-cloud-model.ts"

describe("the fake cloud model", () => {
  it.effect("records each request, and answers through the schema", () =>
    Effect.gen(function* () {
      const fake = fakeCloudModel({ answer: { start: 1, end: 2 } })
      yield* Effect.gen(function* () {
        assert.deepStrictEqual((yield* ask).value, { start: 1, end: 2 })
        fake.answers({ answer: { start: -1, end: 2 } })
        assert.strictEqual((yield* Effect.flip(ask)).reason, "bad_answer")
        fake.answers({ unavailable: "rate_limited" })
        assert.strictEqual((yield* Effect.flip(ask)).reason, "rate_limited")
      }).pipe(Effect.provide(fake.layer))
      assert.deepStrictEqual(
        fake.asked.map(({ prompt, purpose }) => [prompt, purpose]),
        [1, 2, 3].map(() => [said, "auto_clip"])
      )
    })
  )

  it.effect("is not called if none is configured", () =>
    Effect.gen(function* () {
      const fake = fakeCloudModel({ answer: {} }, { isConfigured: false })
      assert.strictEqual((yield* Effect.flip(Effect.provide(ask, fake.layer))).reason, "not_configured")
      assert.isEmpty(fake.asked)
    })
  )
})
