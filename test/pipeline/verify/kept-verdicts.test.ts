import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { verifyStage } from "../../../src/pipeline/stages/verify/verify.ts"
import { claimOf, tellingTwins } from "../../support/able-model.ts"
import { TestDb } from "../../support/database.ts"
import { modelThat } from "./fake-model.ts"
import { served, task, VerifyServices, verify, written } from "./verifying.ts"

describe("a check of claims", () => {
  it.effect("asks for no verdict twice if it is tried again before it is done, and forgets them when it is", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* written
      const claims: Array<string> = []
      const careful = tellingTwins((prompt) => ({
        verdict: "supported",
        quotes: [{ passage: 1, words: prompt.includes("safe for trucks") ? "The bridge is safe" : "keep the clinic" }]
      }))
      const counting = modelThat(({ prompt }) => {
        claims.push(claimOf(prompt))
        return careful(prompt)
      })
      const stopped = Effect.scoped(Effect.flatMap(verifyStage, ({ work }) => work(task, () => Effect.void))).pipe(
        Effect.provide(VerifyServices)
      )
      yield* Effect.provide(stopped, counting)
      const asked = claims.length
      assert.isAbove(asked, 1)
      yield* Effect.provide(verify, counting)
      assert.lengthOf(claims, asked)
      assert.lengthOf(
        (yield* served)[1].claims.filter(({ kept }) => kept),
        4
      )
      assert.lengthOf(yield* db`select from stage_piece`, 0)
    }).pipe(Effect.provide(TestDb))
  )
})
