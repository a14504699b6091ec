import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { CloudModel } from "../../../layers/cloud-model/cloud-model.ts"
import { Db } from "../../../layers/db/db.ts"
import { Costs } from "../../../src/services/making/costs.ts"
import { PipelineModelsLive } from "../../../src/services/making/model-accounts.ts"
import { Issues } from "../../../src/services/operators/issues.ts"
import { makingWith } from "../../support/making.ts"
import { behaviours, startModelServer, twoModelsAt } from "../../support/model-server.ts"

const askOnce = Effect.flatMap(CloudModel, (model) =>
  Effect.exit(
    model.generateObject({
      ...{ schema: Schema.Struct({ text: Schema.String }), name: "notes", purpose: "notes" },
      ...{ system: "List.", prompt: "Agenda", maxOutputTokens: 10 }
    })
  )
)

const busy = Effect.map(
  Issues.use(({ issues }) => issues),
  ({ issues }) => issues.filter(({ kind }) => kind === "model_busy")
)

const later = Effect.flatMap(Db, (db) => db`update model_usage set at = at - interval '70 minutes'`)

describe("a model that refuses every request as too many", () => {
  it.live("is an issue after an hour, and none once it has answered", () =>
    Effect.gen(function* () {
      const server = yield* startModelServer
      server.plan(behaviours.status(429, { "retry-after": "600" }))
      const env = twoModelsAt(server.url)
      yield* Effect.gen(function* () {
        const db = yield* Db
        for (let call = 0; call < 7; call++) yield* askOnce
        // After five refusals in a row the circuit opens, and calls fail without being sent.
        assert.lengthOf(server.requests, 5)
        // For an hour it is merely busy.
        assert.deepStrictEqual(yield* busy, [])
        yield* later
        assert.deepStrictEqual(yield* busy, [])
        yield* askOnce
        const [issue] = yield* busy
        assert.deepInclude(issue, {
          severity: "warning",
          subject: { type: "model", id: "a-model" },
          message: "The model a-model accepts no requests: it has refused all of the last 5."
        })
        assert.match(issue?.next_step ?? "", /^Check the limits of its provider/)

        // A model that cannot be reached fails its tasks instead, which is a separate issue.
        yield* db`update model_usage set outcome = 'network' where outcome = 'rate_limited'`
        assert.deepStrictEqual(yield* busy, [])
        yield* db`update model_usage set outcome = 'rate_limited' where outcome = 'network'`
        assert.lengthOf(yield* busy, 1)

        server.plan(behaviours.answers({ text: "Item 1" }))
        // A service that has just started has no reason to spare the model.
        yield* askOnce.pipe(Effect.provide(Layer.fresh(PipelineModelsLive)))
        assert.deepStrictEqual(yield* busy, [])
      }).pipe(Effect.provide(Issues.layer.pipe(Layer.provide(Costs.layer), Layer.provideMerge(makingWith(env)))))
    })
  )
})
