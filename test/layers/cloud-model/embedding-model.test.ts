import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger } from "effect"
import { type ModelCall, ModelUsage } from "../../../layers/cloud-model/cloud-model.ts"
import { EmbeddingModel, embeddingModel } from "../../../layers/cloud-model/embedding-model.ts"
import { jsonLine } from "../../../layers/telemetry/telemetry.ts"
import { embeddingOf, startEmbeddingServer } from "../../support/embedding-server.ts"
import { modelKey } from "../../support/model-server.ts"
import { setupOf } from "../../support/service.ts"

/** Asks the model at these settings for the vectors of two texts; nothing of the key may be in what is written. */
const asking = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>) {
  const calls: Array<ModelCall> = []
  const lines: Array<string> = []
  const exit = yield* Effect.gen(function* () {
    const model = yield* EmbeddingModel
    return model === undefined ? undefined : yield* model.embed(["dogs in the park", "a levy"])
  }).pipe(
    Effect.provide(
      embeddingModel({ tryTimeout: "300 millis", callTimeout: "2 seconds", pause: "1 millis" }).pipe(
        Layer.provide(Layer.orDie(setupOf(env))),
        Layer.provide(
          Layer.succeed(ModelUsage, {
            begin: () => Effect.succeed((call) => Effect.sync(() => void calls.push(call)))
          })
        )
      )
    ),
    Effect.provide(Logger.layer([Logger.map(jsonLine, (line) => void lines.push(line))])),
    Effect.exit
  )
  assert.notInclude(JSON.stringify([lines, calls, Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""]), modelKey)
  const reason = Exit.isFailure(exit) ? Cause.findErrorOption(exit.cause) : undefined
  return { exit, calls, reason: reason?._tag === "Some" ? reason.value.reason : undefined }
})

describe("the embedding model", () => {
  it.live("is asked once for all texts, and gives each its vector, in whatever order the server answers", () =>
    Effect.gen(function* () {
      const server = yield* startEmbeddingServer
      const { exit, calls } = yield* asking(server.env)
      assert.deepStrictEqual(exit, Exit.succeed([embeddingOf("dogs in the park"), embeddingOf("a levy")]))
      const [request, ...more] = server.requests
      assert.isEmpty(more)
      assert.strictEqual(request?.path, "/v1/embeddings")
      assert.strictEqual(request?.headers.authorization, `Bearer ${modelKey}`)
      assert.deepStrictEqual(request?.body, {
        model: "a-small-model",
        input: ["dogs in the park", "a levy"],
        encoding_format: "float"
      })
      assert.deepInclude(calls[0], { purpose: "embedding", model: "a-small-model", inputTokens: 18, outcome: "ok" })
    })
  )

  it.live("gives nothing but vectors of one length, one for each text", () =>
    Effect.gen(function* () {
      const server = yield* startEmbeddingServer
      const bad = [
        [{ index: 0, embedding: [1, 2] }],
        [
          { index: 0, embedding: [1, 2] },
          { index: 1, embedding: [1] }
        ],
        [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] }
        ],
        [
          { index: 0, embedding: [] },
          { index: 1, embedding: [] }
        ],
        [
          { index: 0, embedding: [null] },
          { index: 1, embedding: [1] }
        ]
      ]
      for (const data of bad) {
        server.answers(() => ({ status: 200, text: JSON.stringify({ data }) }))
        assert.strictEqual((yield* asking(server.env)).reason, "bad_answer", JSON.stringify(data))
      }
    })
  )

  it.live("is refused, declined, away or silent", () =>
    Effect.gen(function* () {
      const server = yield* startEmbeddingServer
      for (const [status, reason] of [
        [401, "refused"],
        [400, "declined"],
        [500, "network"],
        [302, "refused"]
      ] as const) {
        server.answers(() => ({ status, text: "{}" }))
        assert.strictEqual((yield* asking(server.env)).reason, reason)
      }
      server.answers(() => "silent")
      assert.strictEqual((yield* asking(server.env)).reason, "timeout")
    })
  )

  it.live("is none without settings", () =>
    Effect.map(asking({}), ({ exit }) => assert.deepStrictEqual(exit, Exit.succeed(undefined)))
  )
})
