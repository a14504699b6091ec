import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { type ModelCall, ModelUsage } from "../../../layers/cloud-model/cloud-model.ts"
import { SpeechModel } from "../../../layers/speech-model/speech-model.ts"
import { spokenEvenly } from "../../support/making.ts"
import { scratch } from "../../support/rendering.ts"
import { startSpeechServer } from "../../support/speech-server.ts"

const key = "sk-secret-0123456789"
const words = spokenEvenly("the council meets tonight")
const turns = [
  { start: 0, end: 1.2, text: "Mayor Doe?", speaker: "A" },
  { start: 1.4, end: 1.9, text: "Here.", speaker: "B" }
]

/** A model behind a server that hears these words, three seconds of sound, and the record of each call. */
const world = Effect.fnUntraced(function* (name = "a-model") {
  const server = yield* startSpeechServer(words, turns)
  const calls: Array<ModelCall> = []
  const file = path.join(yield* scratch, "piece.wav")
  fs.writeFileSync(file, Buffer.alloc(44 + 3 * 32_000))
  const layer = SpeechModel.layerEndpoint({ url: server.url, key: Redacted.make(key), name }, "5 seconds").pipe(
    Layer.provide(
      Layer.succeed(ModelUsage, { begin: () => Effect.succeed((call) => Effect.sync(() => void calls.push(call))) })
    )
  )
  const transcribe = SpeechModel.use((model) => model.transcribe({ file, seconds: 3 })).pipe(Effect.provide(layer))
  return { server, calls, transcribe }
})

describe("the speech model", () => {
  it.live("is sent a piece of sound, and returns words with their times", () =>
    Effect.gen(function* () {
      const { server, calls, transcribe } = yield* world()
      const heard = yield* transcribe
      assert.deepStrictEqual(heard.words, words)
      assert.strictEqual(heard.language, "en")
      assert.deepStrictEqual(server.requests, [
        {
          model: "a-model",
          format: "verbose_json",
          granularities: ["word", "segment"],
          authorization: `Bearer ${key}`,
          seconds: 3
        }
      ])
      assert.deepInclude(calls[0], { model: "a-model", purpose: "transcribe", outcome: "ok", seconds: 3 })
    })
  )

  it.live("is asked for voices if its name says that it tells speakers apart, and gives labels, not names", () =>
    Effect.gen(function* () {
      const { server, transcribe } = yield* world("gpt-4o-transcribe-diarize")
      const heard = yield* transcribe
      assert.deepStrictEqual(heard, {
        segments: turns.map(({ speaker, ...turn }) => ({ ...turn, voice: speaker }))
      })
      assert.deepInclude(server.requests[0], { format: "diarized_json", granularities: [] })
    })
  )

  it.live("fails with the reason, says when to retry, and reveals neither the key nor the server's response", () =>
    Effect.gen(function* () {
      const { server, calls, transcribe } = yield* world()
      const outcomes = ["rate_limited", "refused", "network", "rate_limited", "timeout"] as const
      const plan = [429, 401, 500, 503, "silent"] as const
      server.plan((request) => plan[request - 1] ?? "hears")
      for (const reason of outcomes) {
        const failure = yield* Effect.flip(transcribe)
        assert.strictEqual(failure.reason, reason)
        assert.strictEqual(failure.retryAfter, reason === "rate_limited" ? 30 : undefined)
        assert.notInclude(JSON.stringify(failure), key)
      }
      assert.deepStrictEqual(
        calls.map(({ outcome, seconds }) => [outcome, seconds]),
        outcomes.map((outcome) => [outcome, 0])
      )
    })
  )

  it.effect("is absent in a deployment without one", () =>
    Effect.gen(function* () {
      const model = yield* SpeechModel
      assert.isFalse(model.isConfigured)
      const failure = yield* Effect.flip(model.transcribe({ file: "none.wav", seconds: 1 }))
      assert.strictEqual(failure.reason, "not_configured")
    }).pipe(Effect.provide(SpeechModel.layerNone))
  )
})
