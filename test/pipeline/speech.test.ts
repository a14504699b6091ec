import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { segmentsFrom } from "../../src/services/meetings/packed-segments.ts"
import { Transcripts } from "../../src/services/meetings/transcripts.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { makeMeeting, makingWith, putSource } from "../support/making.ts"
import { scratch } from "../support/rendering.ts"
import { startSpeechServer } from "../support/speech-server.ts"

const id = meetingId("one")

const seeded = Effect.gen(function* () {
  yield* putOnRecord(
    place("springfield"),
    agency("council", ["springfield"]),
    meeting("one", "council", { status: "upcoming" })
  )
  yield* putSource(id, 30)
})

/** The versions of the transcript that was made, with who says what. */
const made = Effect.gen(function* () {
  const db = yield* Db
  const rows = yield* db<{ version: string; language: string; speakers: unknown; segments: Uint8Array }>`
    select version, language, speakers, segments from transcript order by version`
  return yield* Effect.forEach(rows, ({ version, language, speakers, segments }) =>
    Effect.map(segmentsFrom(segments), (said) => ({ version, language, speakers, said }))
  )
})

describe("the transcript of a recording", () => {
  it.live(
    "names the voices that a model tells apart by their roll call, and the others by numbers",
    () =>
      Effect.gen(function* () {
        const speech = yield* startSpeechServer(
          [],
          [
            ["C", "Please call the roll."],
            ["A", "Mayor Alvarez?"],
            ["B", "Here."],
            ["A", "Councilmember Boone?"],
            ["C", "Present."],
            ["A", "Councilmember Chu?"],
            ["D", "Here."]
          ].map(([speaker = "", text = ""], at) => ({ start: at * 2, end: at * 2 + 1.5, text, speaker }))
        )
        const env = { SPEECH_MODEL_URL: speech.url, SPEECH_MODEL_NAME: "a-model-that-diarizes" }
        yield* Effect.gen(function* () {
          yield* seeded
          yield* makeMeeting(id)
          const named = [
            { name: "Councilmember Boone", shown_at: 6 },
            { name: "Mayor Alvarez", shown_at: 2 },
            { name: "Councilmember Chu", shown_at: 10 }
          ].sort((one, other) => one.shown_at - other.shown_at)
          const [raw, refined] = yield* made
          for (const one of [raw, refined]) assert.deepStrictEqual(one?.speakers, named)
          assert.deepStrictEqual(
            refined?.said.map(({ speaker, text }) => `${speaker}: ${text}`),
            [
              "Councilmember Boone: Please call the roll.",
              "Speaker 2: Mayor Alvarez?",
              "Mayor Alvarez: Here.",
              "Speaker 2: Councilmember Boone?",
              "Councilmember Boone: Present.",
              "Speaker 2: Councilmember Chu?",
              "Councilmember Chu: Here."
            ]
          )
          assert.isTrue(refined?.said.every(({ words }) => words === undefined))
          const read = yield* Effect.provide(
            Transcripts.use(({ spoken }) => spoken(id)),
            Transcripts.layer
          )
          assert.deepStrictEqual(read.speakers, named)
        }).pipe(Effect.provide(makingWith(env)))
      }),
    300_000
  )

  it.live(
    "is made by a file on this machine, without times of words",
    () =>
      Effect.gen(function* () {
        const folder = yield* scratch
        const ffmpeg = path.join(folder, "ffmpeg")
        const lines = [
          '{"start":500,"end":2500,"text":"The "so-called" greenway is approved."}',
          '{"start":29500,"end":33000,"text":"We are adjourned."}'
        ]
        fs.writeFileSync(
          ffmpeg,
          `#!/bin/sh\ncase "$*" in *-filters*) echo ' .. whisper A->A'; exit 0;; esac\ncat <<'END'\n${lines.join("\n")}\nEND\n`,
          { mode: 0o755 }
        )
        const model = path.join(folder, "ggml-small.bin")
        fs.writeFileSync(model, "weights")
        const env = { FFMPEG_PATH: ffmpeg, SPEECH_MODEL_FILE: model, SPEECH_MODEL_LANGUAGE: "es" }
        yield* Effect.gen(function* () {
          const db = yield* Db
          yield* seeded
          assert.deepInclude(yield* makeMeeting(id), { transcribe: "done" })
          const [raw] = yield* made
          assert.deepStrictEqual(
            { ...raw, said: raw?.said.map(({ start, text, words }) => [start, text, words]) },
            {
              ...{ version: "raw", language: "es", speakers: null },
              said: [
                [0.5, 'The "so-called" greenway is approved.', undefined],
                [29.5, "We are adjourned.", undefined]
              ]
            }
          )
          assert.isAtMost(raw?.said.at(-1)?.end ?? 99, 30.1)
          const calls = yield* db`select model, provider, outcome, cost::float8 as cost from model_usage`
          assert.deepStrictEqual(calls, [{ model: "ggml-small", provider: "this machine", outcome: "ok", cost: 0 }])
        }).pipe(Effect.provide(makingWith(env)))
      }),
    300_000
  )
})
