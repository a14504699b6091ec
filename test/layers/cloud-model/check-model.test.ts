import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { CheckModel, CheckModelLive, checkerOf } from "../../../layers/cloud-model/check-model.ts"
import { Environment, type ModelEndpoint, readEnvironment } from "../../../layers/config/config.ts"

const endpoint = (url: string, name: string): ModelEndpoint => ({ url, name, key: Redacted.make("") })
const checker = (cloudModel: ModelEndpoint | undefined, checkModel: ModelEndpoint | undefined) =>
  checkerOf({ cloudModel: Option.fromUndefinedOr(cloudModel), checkModel: Option.fromUndefinedOr(checkModel) })

it("a checker is another model than the writer, wherever either is served", () => {
  const [here, there] = ["https://one.example.com/v1", "https://two.example.com/v1"]
  const second = endpoint(here, "second")
  assert.strictEqual(checker(endpoint(here, "first"), second), second)
  assert.strictEqual(checker(undefined, second), second)
  assert.strictEqual(checker(endpoint(there, " SECOND"), second), "writer")
  assert.strictEqual(checker(second, undefined), "none")
})

it.effect("a deployment has one only if two models are named", () =>
  Effect.gen(function* () {
    const modelIn = (env: Readonly<Record<string, string>>) =>
      Effect.provide(
        Effect.map(CheckModel, (model) => model?.name),
        Layer.provide(CheckModelLive, Layer.effect(Environment, readEnvironment(env)))
      )
    const writer = { CLOUD_MODEL_URL: "http://127.0.0.1:1/v1", CLOUD_MODEL_NAME: "first" }
    assert.isUndefined(yield* modelIn(writer))
    assert.isUndefined(
      yield* modelIn({ ...writer, CHECK_MODEL_URL: "http://127.0.0.1:2/v1", CHECK_MODEL_NAME: "First" })
    )
    const other = { CHECK_MODEL_URL: "http://127.0.0.1:1/v1", CHECK_MODEL_NAME: "second" }
    assert.strictEqual(yield* modelIn({ ...writer, ...other }), "second")
  })
)
