import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ModelPatience, pauseForModel } from "../../../src/services/queue/model-patience.ts"

const fresh = { away: 0, unusable: 0, waited: 0 }

/** The pauses of a model that fails in the same way every time, in minutes. */
const pausesOf = Effect.fnUntraced(function* (kind: "away" | "unusable") {
  const patience = yield* ModelPatience
  const pauses: Array<number> = []
  for (let tries = 0; ; tries++) {
    const pause = pauseForModel(patience, kind, { ...fresh, [kind]: tries })
    if (pause === undefined) return pauses
    pauses.push(pause / 60)
  }
})

describe("the tries of a model", () => {
  it.effect("are spread over hours if it is away, and over minutes if its answers are of no use", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* pausesOf("away"), [1, 5, 15, 60, 120, 240, 240])
      assert.deepStrictEqual(yield* pausesOf("unusable"), [1, 3, 10])
    })
  )

  it.effect("wait as long as the server asks for, up to a day, and for a budget until midnight", () =>
    Effect.gen(function* () {
      const patience = yield* ModelPatience
      assert.strictEqual(pauseForModel(patience, "away", fresh, 30), 60)
      assert.strictEqual(pauseForModel(patience, "away", fresh, 600), 600)
      assert.strictEqual(pauseForModel(patience, "away", fresh, 1e9), 86_400)
      assert.strictEqual(pauseForModel(patience, "budget", { ...fresh, away: 99, unusable: 99 }, 5000), 5000)
    })
  )

  it.effect("end after three days, whatever it fails by", () =>
    Effect.gen(function* () {
      const patience = yield* ModelPatience
      for (const kind of ["away", "unusable", "budget"] as const) {
        assert.isDefined(pauseForModel(patience, kind, { ...fresh, waited: 3 * 86_400 - 1 }, 60))
        assert.isUndefined(pauseForModel(patience, kind, { ...fresh, waited: 3 * 86_400 }, 60))
      }
    })
  )
})
