import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { type ModelCall, ModelUsage } from "../../../layers/cloud-model/cloud-model.ts"
import { Environment, readEnvironment } from "../../../layers/config/config.ts"
import { aboutSpeechFile } from "../../../layers/speech-model/about.ts"
import { SpeechModel } from "../../../layers/speech-model/speech-model.ts"
import { makeWhisper } from "../../../layers/speech-model/whisper.ts"
import { eventually, scratch } from "../../support/rendering.ts"

/** The head of a model, which is all that is looked at before it is loaded. */
const head = (words: number) => {
  const bytes = Buffer.alloc(44)
  bytes.writeUInt32LE(0x67676d6c, 0)
  bytes.writeInt32LE(words, 4)
  return bytes
}

/** A machine whose ffmpeg is a script: it names its filters, and otherwise does what it is told. */
const machine = Effect.fnUntraced(function* (script: string, filters = " .. whisper  A->A  Transcribe audio.") {
  const folder = yield* scratch
  const program = path.join(folder, "ffmpeg")
  const listing = `case "$*" in *-filters*) echo "${filters}"; exit 0;; esac`
  fs.writeFileSync(program, `#!/bin/sh\n${listing}\n${script}\n`, { mode: 0o755 })
  const model = path.join(folder, "ggml-tiny.en.bin")
  fs.writeFileSync(model, head(51_864))
  const calls: Array<ModelCall> = []
  const settings = Layer.effect(
    Environment,
    readEnvironment({ FFMPEG_PATH: program, PATH: process.env.PATH, SPEECH_MODEL_FILE: model })
  )
  const layer = SpeechModel.layer.pipe(
    Layer.provideMerge(settings),
    Layer.provide(
      Layer.succeed(ModelUsage, { begin: () => Effect.succeed((call) => Effect.sync(() => void calls.push(call))) })
    )
  )
  const sound = path.join(folder, "piece.wav")
  const transcribe = SpeechModel.use((one) => one.transcribe({ file: sound, seconds: 60 })).pipe(
    Effect.provide(layer),
    Effect.catchTag("InvalidSetting", Effect.die)
  )
  return { folder, model, sound, calls, transcribe, settings }
})

const printing = (...lines: ReadonlyArray<string>) => `cat <<'END'\n${lines.join("\n")}\nEND`

describe("a speech model in a file", () => {
  it.live("gives stretches with their times, as plain text within the piece, and no times of words", () =>
    Effect.gen(function* () {
      const { calls, transcribe } = yield* machine(
        printing(
          `{"start":0,"end":2500,"text":"Good evening."}`,
          `{"start":2500,"end":4000,"text":"The so-called "pilot"\\u0007 is over, $(touch x)."}`,
          `{"start":4000,"end":4500,"text":"In A\\B and C:\\temp"}`,
          `{"start":5000,"end":4000,"text":"Backward."}`,
          `{"start":5000,"end":6000,"text":" "}`,
          "not a line of it",
          `{"start":58000,"end":64000,"text":"Beyond the end."}`,
          `{"start":61000,"end":64000,"text":"Thank you for watching."}`
        )
      )
      assert.deepStrictEqual(yield* transcribe, {
        language: "en",
        segments: [
          { start: 0, end: 2.5, text: "Good evening." },
          { start: 2.5, end: 4, text: `The so-called "pilot"\\u0007 is over, $(touch x).` },
          { start: 4, end: 4.5, text: "In A\\B and C:\\temp" },
          { start: 58, end: 60, text: "Beyond the end." }
        ]
      })
      const [call] = calls
      assert.deepStrictEqual([call?.model, call?.provider, call?.outcome], ["ggml-tiny.en", "this machine", "ok"])
      assert.deepStrictEqual([call?.seconds, call?.cost], [60, 0])
    })
  )

  it.live("is given no setting, and a sound whatever its name", () =>
    Effect.gen(function* () {
      const { transcribe, sound } = yield* machine(
        `env | grep -v -E '^(PWD|SHLVL|_|OLDPWD)=' >&2 && exit 9\nprintf '{"start":0,"end":1,"text":"%s"}\\n' "$*"`
      )
      const { segments } = yield* transcribe
      assert.include(segments[0]?.text, `amovie=filename=${sound}:format_name=wav,whisper=`)
      assert.include(segments[0]?.text, ":language=en:queue=61:")
    })
  )

  it.live("fails with the reason", () =>
    Effect.gen(function* () {
      const reasonOf = (script: string, filters?: string) =>
        Effect.gen(function* () {
          const { transcribe, calls } = yield* machine(script, filters)
          const { reason } = yield* Effect.flip(transcribe)
          assert.deepInclude(calls[0], { outcome: reason, seconds: 0 })
          return reason
        })
      assert.strictEqual(yield* reasonOf("echo 'Failed to initialize whisper context from model: x' >&2"), "not_loaded")
      assert.strictEqual(yield* reasonOf("echo 'Failed to process audio with whisper.cpp' >&2"), "bad_answer")
      assert.strictEqual(yield* reasonOf("echo 'WARN no tensors loaded from model file' >&2"), "not_loaded")
      assert.strictEqual(yield* reasonOf("kill -SEGV $$"), "crashed")
      assert.strictEqual(yield* reasonOf("exit 1"), "crashed")
      assert.strictEqual(yield* reasonOf("yes x | head -c 5000000"), "bad_answer")
      const { model, transcribe } = yield* machine("exit 0")
      fs.rmSync(model)
      assert.strictEqual((yield* Effect.flip(transcribe)).reason, "not_loaded")
    })
  )

  it.live.skipIf(process.platform !== "linux")("ends with whoever waits for it", () =>
    Effect.gen(function* () {
      const { sound, transcribe } = yield* machine("sleep 600\nexit 0")
      const isRunning = () =>
        fs.readdirSync("/proc").some((id) => {
          try {
            return /^\d+$/.test(id) && fs.readFileSync(`/proc/${id}/cmdline`, "utf8").includes(sound)
          } catch {
            return false
          }
        })
      const waiting = yield* Effect.forkChild(transcribe)
      yield* eventually(Effect.sync(() => isRunning() || undefined))
      yield* Fiber.interrupt(waiting)
      assert.isFalse(isRunning())
    })
  )
})

describe("what doctor says of a model's file", () => {
  const about = Effect.fnUntraced(function* (script: string, given: Uint8Array | undefined, filters?: string) {
    const { settings, model, folder } = yield* machine(script, filters)
    if (given === undefined) fs.rmSync(model)
    else fs.writeFileSync(model, given)
    const file = { path: model, name: "ggml-tiny.en", language: "en" }
    const layer = Layer.merge(settings, NodeServices.layer)
    const { found, todo } = yield* Effect.provide(aboutSpeechFile(file), layer)
    return { found: found.replaceAll(folder, "…"), todo }
  })

  it.live("is whether it loads, or what it is instead and the next step", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* about("exit 0", head(51_864)), {
        found: "ggml-tiny.en, by the whisper filter of …/ffmpeg: it loads",
        todo: undefined
      })
      assert.include((yield* about("exit 0", undefined)).found, "cannot be read")
      assert.include((yield* about("exit 0", Buffer.from("GGUF and more"))).found, "is not a whisper.cpp model")
      // A model of voice activity has the same magic.
      assert.include((yield* about("exit 0", head(10))).found, "is not a whisper.cpp model")
      assert.include((yield* about("exit 0", Buffer.alloc(0))).found, "is not a whisper.cpp model")
      const cut = yield* about("echo Failed to initialize whisper context >&2", head(51_865))
      assert.include(cut.found, "it does not load")
      assert.include((yield* about("kill -SEGV $$", head(51_864))).todo, "libvulkan1")
    })
  )
})

const real = path.resolve("../shared/data/whisper/for-tests-ggml-tiny.en.bin")
const hasFilter = await Effect.runPromise(
  Effect.gen(function* () {
    const { find } = yield* makeWhisper
    return (yield* find)._tag === "Some" && fs.existsSync(real)
  }).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideServiceEffect(Environment, readEnvironment({ PATH: process.env.PATH }))
  )
)

// Where neither node-av nor an ffmpeg with the filter is installed, or whisper.cpp's own test model is not there.
describe.skipIf(!hasFilter)("FFmpeg's own whisper filter", () => {
  const layer = Layer.merge(NodeServices.layer, Layer.effect(Environment, readEnvironment({ PATH: process.env.PATH })))

  it.live("loads a model, and says that it has no weights or is damaged", () =>
    Effect.gen(function* () {
      const about = (file: string) =>
        Effect.provide(aboutSpeechFile({ path: file, name: "tiny", language: "en" }), layer)
      const empty = /^tiny, by the whisper filter of .*: it loads, and has no weights$/
      assert.match((yield* about(real)).found, empty)
      // A name with everything that a graph of filters reads as its own.
      const folder = yield* scratch
      const odd = path.join(folder, "it's a:model,[v1];x=\\y.bin")
      fs.copyFileSync(real, odd)
      assert.match((yield* about(odd)).found, empty)
      fs.writeFileSync(odd, fs.readFileSync(real).subarray(0, 2_000))
      assert.isDefined((yield* about(odd)).todo)
    })
  )
})
