import { spawn, spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { drillAgenda } from "../../src/drills/script.ts"
import { drillModel, drillTruth, spokenWords } from "../support/drilling.ts"
import { carried } from "../support/four-ways.ts"
import { freePort } from "../support/free-port.ts"
import { liesIn, lyingModel } from "../support/lying-model.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"
import { smallRecording } from "../support/small-recording.ts"
import { startSpeechServer } from "../support/speech-server.ts"

/** How a model answers that does no work: with no JSON, with another shape, nothing, too much, a page, an error. */
const garbage = [
  behaviours.says("Sure! Here is what you asked for."),
  behaviours.answers({ verdict: 7, items: "none", lines: null }),
  behaviours.says(""),
  behaviours.says("{".repeat(3_000_000)),
  behaviours.raw("<!doctype html><title>Gateway</title>"),
  behaviours.raw(JSON.stringify({ error: { message: "The model is overloaded.", code: 503 } }))
]

/** Each request gets the next kind of garbage. */
const garbled: (typeof garbage)[number] = (() => {
  let at = 0
  return (response, request) => garbage[at++ % garbage.length]?.(response, request)
})()

type Carried = Effect.Success<ReturnType<typeof carried>>

/** What there is of a meeting, each part as a list of what it consists of. */
const partsOf = ({ view, mails }: Carried): Readonly<Record<string, ReadonlyArray<string>>> => {
  const meeting = JSON.parse(view.meeting)
  const recap = JSON.parse(view.recap)
  const titleOf = (id: string | undefined) => meeting.agenda_items.find((item: { id: string }) => item.id === id)?.title
  return {
    status: [meeting.status],
    has: Object.keys(meeting.has).filter((part) => meeting.has[part] === true),
    items: meeting.agenda_items.map(({ number, title }: Record<string, string>) => `${number} ${title}`),
    placed: meeting.agenda_items.filter(({ start }: { start?: number }) => start !== undefined).map(titled),
    chapters: meeting.chapters.map(titled),
    said: [...new Set<string>(JSON.parse(view.transcript).segments.flatMap(wordsOfLine))],
    decisions: recap.decisions.map((one: Record<string, string>) => `${titleOf(one.agenda_item)} ${one.vote}`),
    mailed: mails.flatMap(({ to }) => to)
  }
}

const titled = ({ title }: { readonly title: string }) => title
const wordsOfLine = ({ text }: { readonly text: string }) => text.toLowerCase().match(/[a-z]+/g) ?? []

/** Nothing of a meeting is missing that code alone makes of it. */
const isAtLeast = (made: Carried, least: Carried, parts = Object.keys(partsOf(least))) => {
  const own = partsOf(made)
  const lost = parts.flatMap((part) =>
    (partsOf(least)[part] ?? []).filter((one) => !own[part]?.includes(one)).map((one) => `${part}: ${one}`)
  )
  assert.deepStrictEqual(lost, [])
}

const told = ({ view, mails }: Carried) => ({ ...view, mail: mails.map(({ text }) => text).join("\n") })

/** What each stage says that it had to do without. */
const lacks = ({ without }: Carried) => Object.fromEntries(without.map(({ stage, why }) => [stage, why]))

const withModel = (behave: (typeof garbage)[number], more: Readonly<Record<string, string>> = {}, film?: Buffer) =>
  Effect.gen(function* () {
    const model = yield* startModelServer
    model.plan(behave)
    return yield* carried({ ...twoModelsAt(model.url), ...more }, film)
  }).pipe(Effect.scoped)

/** A real recognizer, where Debian's is installed. */
const hasSphinx = spawnSync("pocketsphinx_continuous", ["-infile", "/dev/null", "-logfn", "/dev/null"]).status === 0

const limit = 600_000

describe("a meeting on its way from a calendar to a mail", () => {
  it.live(
    "has with a model that lies, answers garbage or is good at least what it has without any, and no lie",
    () =>
      Effect.gen(function* () {
        const speech = yield* startSpeechServer(yield* spokenWords)
        const heard = { SPEECH_MODEL_URL: speech.url, SPEECH_MODEL_NAME: "a-listener" }
        const [none, liar, garbler, good] = yield* Effect.all(
          [
            carried({}),
            withModel(behaviours.byName(lyingModel)),
            withModel(garbled),
            withModel(behaviours.byName(drillModel()), heard)
          ],
          { concurrency: 2 }
        )
        for (const one of [none, liar, garbler, good]) {
          isAtLeast(one, none)
          assert.deepStrictEqual(liesIn(told(one)), [])
          assert.lengthOf(one.mails, 1)
          assert.include(told(one).mail, "7-0")
          assert.include(told(one).html, "Creek greenway")
        }
        const captioned = { transcribe: "skipped: the meeting has a transcript, such as published captions" }
        const unwritten = {
          figures: "skipped: the meeting has no briefing that was made here",
          verify: "skipped: the meeting has no briefing"
        }
        const each = (why: (asked: string) => string) => ({
          ...captioned,
          ...unwritten,
          ...Object.fromEntries(["agenda", "clips", "recap", "refine"].map((stage) => [stage, why(stage)])),
          briefing: why("notes")
        })
        assert.deepStrictEqual(
          lacks(none),
          each(() => "skipped: no language model is configured (CLOUD_MODEL_URL)")
        )
        assert.deepStrictEqual(lacks(liar), {
          ...captioned,
          agenda: "skipped: the summaries that the model wrote are not borne out by the record",
          figures: "skipped: the charts that the model proposed are not borne out by the record"
        })
        assert.deepStrictEqual(
          lacks(garbler),
          each((asked) => `without a model: The language model gave no answer for ${asked} that can be used.`)
        )
        assert.deepStrictEqual(lacks(good), {})
        // The page says so in plain words, and nothing twice.
        for (const one of [none, garbler]) {
          assert.include(one.view.html, "Read by fixed rules from what was said: nobody has written a summary.")
          assert.include(one.view.html, "As it was heard: no model has corrected it")
          assert.notInclude(one.view.html, 'id="briefing"')
        }
        assert.include(liar.view.html, "None of its 6 sentences stood, and they were removed.")
        // What only a model makes.
        assert.include(good.view.newsletter, "The greenway costs 240,000 dollars in the first year.")
      }),
    limit
  )

  it.live.skipIf(!hasSphinx)(
    "is transcribed by pocketsphinx, and written by a good model, with every part",
    () =>
      Effect.gen(function* () {
        const port = yield* freePort
        yield* Effect.acquireRelease(
          Effect.sync(() =>
            spawn(process.execPath, ["bench/pocketsphinx-server.ts", String(port)], { stdio: "ignore" })
          ),
          (server) => Effect.sync(() => server.kill())
        )
        const heard = { SPEECH_MODEL_URL: `http://127.0.0.1:${port}/v1`, SPEECH_MODEL_NAME: "pocketsphinx" }
        const { spoken } = yield* drillTruth
        const film = yield* smallRecording(spoken.duration, { sound: spoken.file })
        const made = yield* withModel(behaviours.byName(drillModel()), heard, film)
        const { has, items, placed, status } = partsOf(made)
        assert.deepStrictEqual(status, ["held"])
        assert.includeMembers([...(has ?? [])], ["transcript", "briefing", "recap", "video", "agenda"])
        assert.lengthOf(items ?? [], drillAgenda.length)
        assert.isAtLeast(placed?.length ?? 0, 3)
        assert.lengthOf(made.mails, 1)
        assert.deepStrictEqual(lacks(made), {})
        assert.include(told(made).mail, "7-0")
      }),
    limit
  )
})
