import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Db } from "../../layers/db/db.ts"
import { Costs } from "../../src/services/making/costs.ts"
import { MadeAgain } from "../../src/services/making/made-again.ts"
import { segmentsFrom } from "../../src/services/meetings/packed-segments.ts"
import { Issues } from "../../src/services/operators/issues.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { ModelPatience } from "../../src/services/queue/model-patience.ts"
import { Work } from "../../src/services/queue/work.ts"
import { ableModel, greenwayAgenda, linesOf } from "../support/able-model.ts"
import { agency, meeting, meetingId, place, putOnRecord, transcript } from "../support/builders.ts"
import {
  makeMeeting,
  makeWhatIsPlanned,
  makingWith,
  noPatience,
  putAgenda,
  putSource,
  spokenEvenly
} from "../support/making.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"
import { startSpeechServer } from "../support/speech-server.ts"

const id = meetingId("one")

const spoken = [
  "item one is the call to order",
  "item two is the ordinance about the creek greenway",
  "the greenway costs two hundred forty thousand dollars in the first year",
  "I live at 1420 Maple Street and I am for it",
  "all in favor say aye and the motion carries seven to zero",
  "we are adjourned"
]

/** A meeting with an agenda and published captions. */
const seeded = (agenda: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    yield* putOnRecord(
      place("springfield"),
      agency("council", ["springfield"]),
      meeting("one", "council", { status: "upcoming" }),
      transcript(
        "one",
        spoken.map((text, at) => ({
          ...{ start: at * 8, end: at * 8 + 7, text },
          words: spokenEvenly(text, 0.4, at * 8)
        })),
        { version: "raw" }
      )
    )
    yield* putAgenda(id, agenda)
  })

/** What readers get of the meeting, each part as a list of what it consists of. */
const record = Effect.gen(function* () {
  const db = yield* Db
  const texts = (query: Statement.Fragment) =>
    Effect.map(db<{ text: string }>`${query}`, (rows) => rows.map(({ text }) => text))
  const said = yield* db<{ segments: Uint8Array }>`select segments from published_transcript where version = 'refined'`
  const segments = yield* segmentsFrom(said[0]?.segments ?? new Uint8Array())
  return {
    status: yield* texts(db`select status as text from meeting`),
    items: yield* texts(
      db`select concat_ws(' ', number, title, 'at', start) as text from agenda_item order by position`
    ),
    chapters: yield* texts(db`select concat_ws(' ', title, start) as text from chapter order by position`),
    transcript: segments.map(({ text }) => text.toLowerCase().replace(/[^\p{L}\d\s[\]]/gu, "")),
    withheld: yield* texts(db`select version as text from transcript where withheld`)
  }
})

type Made = Effect.Success<typeof record>

const isAtLeast = (made: Made, least: Made) => {
  for (const [part, rows] of Object.entries(least)) {
    const own: ReadonlyArray<string> = made[part as keyof Made]
    for (const row of rows) assert.include(own, row, part)
  }
}

const made = (env: Readonly<Record<string, string>>, agenda = greenwayAgenda) =>
  Effect.gen(function* () {
    yield* seeded(agenda)
    const outcomes = yield* makeMeeting(id)
    return { outcomes, record: yield* record }
  }).pipe(Effect.provide(makingWith(env)), Effect.provideService(ModelPatience, noPatience))

/** A model that answers in the right form, with what nobody wrote or said. */
const liar = {
  agenda: () => ({ items: [{ number: "2", title: "Resignation of the mayor", summary: "She costs $9 million." }] }),
  refine: (prompt: string) => ({ lines: linesOf(prompt).map(({ line }) => ({ line, text: "The mayor resigned." })) }),
  chapters: () => ({ beginnings: [{ item: 2, line: 0, quote: "the mayor resigned" }] }),
  notes: () => ({
    notes: [{ topic: "Mayor", text: "The mayor resigned.", citations: [{ line: 0, quote: "the mayor resigned" }] }]
  })
}

describe("a meeting whose model fails for good", () => {
  it.live("is published with at least what it has without a model, and each stage says what failed", () =>
    Effect.gen(function* () {
      const { record: least } = yield* made({})
      assert.deepStrictEqual(least.status, ["held"])
      assert.lengthOf(least.items, 3)
      assert.include(least.transcript, "i live at [address removed] and i am for it")
      assert.deepStrictEqual(least.withheld, ["raw"])

      const reasons = {
        refuses: [behaviours.status(401), "The cloud model refused the request."],
        "wants to be left alone": [
          behaviours.status(429, { "retry-after": "3600" }),
          "The cloud model accepts no requests at the moment."
        ],
        babbles: [behaviours.says("Sure!"), "The language model gave no answer for notes that can be used."],
        declines: [behaviours.declines("I will not."), "The language model gave no answer for notes that can be used."],
        lies: [behaviours.byName(liar), "The language model's answers for notes are not borne out by the record."]
      } as const
      for (const [what, [behaviour, reason]] of Object.entries(reasons)) {
        const model = yield* startModelServer
        model.plan(behaviour)
        const bad = yield* made(twoModelsAt(model.url))
        isAtLeast(bad.record, least)
        assert.notInclude(JSON.stringify(bad.record), "mayor", what)
        assert.strictEqual(bad.outcomes.briefing, `without a model: ${reason}`, what)
        assert.deepInclude(bad.outcomes, { verify: "done", publish: "done" }, what)
      }
    })
  )

  it.live("keeps the items of the agenda that are sound: one invented among 25 costs that one", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 25 }, (_, at) => `Contract for road ${String.fromCharCode(65 + at)}lder`)
      const agenda = names.map((name, at) => `${at + 1}. ${name}`)
      const { record: least } = yield* made({}, agenda)
      const model = yield* startModelServer
      const items = names.map((title, at) => ({ number: String(at + 1), title, summary: "The contract for a road." }))
      const withOne = items.with(12, { number: "13", title: "Resignation of the mayor", summary: "She leaves." })
      model.plan(behaviours.byName({ agenda: () => ({ items: withOne }) }))
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* seeded(agenda)
        assert.strictEqual((yield* makeMeeting(id)).agenda, "done")
        assert.deepStrictEqual((yield* record).items, least.items)
        const [summary] = yield* db<{ titles: ReadonlyArray<string> }>`
          select array(select item ->> 'title' from jsonb_array_elements(items) item) as titles from agenda_summary`
        assert.deepStrictEqual(
          summary?.titles,
          names.filter((_, at) => at !== 12)
        )
      }).pipe(Effect.provide(makingWith(twoModelsAt(model.url))), Effect.provideService(ModelPatience, noPatience))
    })
  )

  it.live("to recognize speech is published without a transcript, and has one once that answers", () =>
    Effect.gen(function* () {
      const speech = yield* startSpeechServer(spokenEvenly("good evening and welcome", 0.5))
      speech.plan(() => 401)
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* putOnRecord(
          place("springfield"),
          agency("council", ["springfield"]),
          meeting("one", "council", { status: "upcoming" })
        )
        yield* putSource(id, 4)
        const outcomes = yield* makeMeeting(id)
        assert.deepInclude(outcomes, {
          transcribe: "without a model: The speech model refused the request.",
          refine: "skipped: the meeting has no raw transcript",
          publish: "done"
        })
        assert.deepStrictEqual(yield* db`select status from meeting`, [{ status: "held" }])
        speech.plan(() => "hears")
        yield* db`update made_without set tried_at = now() - interval '25 hours'`
        assert.deepStrictEqual(yield* MadeAgain.use(({ next }) => next), [id])
        assert.deepInclude(yield* makeWhatIsPlanned, { transcribe: "done", publish: "done" })
        assert.lengthOf(yield* db`select from published_transcript where version = 'refined'`, 1)
      }).pipe(
        Effect.provide(
          Layer.provideMerge(
            MadeAgain.layer,
            makingWith({ SPEECH_MODEL_URL: speech.url, SPEECH_MODEL_NAME: "a-speech-model" })
          )
        ),
        Effect.provideService(ModelPatience, noPatience)
      )
    })
  )

  it.live("does not wait on once its model has answered another call, or is no longer the one that is configured", () =>
    Effect.gen(function* () {
      const model = yield* startModelServer
      const configured = `a-model (${new URL(model.url).host})`
      yield* Effect.gen(function* () {
        const db = yield* Db
        const { wake } = yield* MadeAgain
        yield* putOnRecord(place("springfield"), agency("council", ["springfield"]), meeting("one", "council"))
        yield* db.withTransaction(addFlows(db, "meeting", [{ meeting_id: id }], "agenda"))
        const waits = (of: string) =>
          db`update task set due_at = now() + interval '4 hours', model_away = 3, model_since = now(), model_role = 'language',
            model = ${of} where stage = 'agenda'`
        const due = Effect.map(
          db<{
            away: number
          }>`select model_away as away from task where stage = 'agenda' and due_at <= clock_timestamp()`,
          (rows) => rows.map(({ away }) => away)
        )
        yield* waits(configured)
        assert.strictEqual(yield* wake, 0)
        const answers = db`
          insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms)
          values (clock_timestamp(), 'a-model', 'auto_clip', 'ok', 1, 1, 1)`
        yield* answers
        assert.strictEqual(yield* wake, 1)
        // Its tries so far count on, and within the hour it is not woken for the same.
        assert.deepStrictEqual(yield* due, [3])
        yield* waits(configured)
        yield* answers
        assert.strictEqual(yield* wake, 0)
        yield* db`update task_event set at = at - interval '2 hours'`
        yield* waits("former (elsewhere)")
        assert.strictEqual(yield* wake, 1)
        assert.deepStrictEqual(yield* due, [0])
      }).pipe(Effect.provide(Layer.provideMerge(MadeAgain.layer, makingWith(twoModelsAt(model.url)))))
    })
  )

  it.live("is one issue for operators, and is made again once the model has answered, then daily", () =>
    Effect.gen(function* () {
      const model = yield* startModelServer
      model.plan(behaviours.status(401))
      const place = `a-model (${new URL(model.url).host})`
      yield* Effect.gen(function* () {
        const db = yield* Db
        const again = MadeAgain.use(({ next }) => next)
        const answers = db`
          insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms)
          values (clock_timestamp(), 'a-model', 'auto_clip', 'ok', 1, 1, 1)`
        yield* seeded(greenwayAgenda)
        yield* makeMeeting(id)
        const { issues } = yield* Issues.use((service) => service.issues)
        assert.deepStrictEqual(
          issues.map(({ message }) => message),
          [
            `The language model ${place} cannot be used: The cloud model refused the request. 1 meeting was made without it.`
          ]
        )
        const { tasks } = yield* Work.use((work) => work.tasks({ stage: "refine", page: 1 }))
        assert.deepInclude(tasks[0], {
          state: "done",
          reason: "Done, without a model: The cloud model refused the request."
        })

        assert.deepStrictEqual(yield* again, [])
        yield* answers
        assert.deepStrictEqual(yield* again, [id])
        assert.deepStrictEqual(yield* again, [])
        // It is made again in vain, and rests for a day.
        yield* makeWhatIsPlanned
        yield* answers
        assert.deepStrictEqual(yield* again, [])
        assert.deepStrictEqual(yield* db`select distinct tries from made_without`, [{ tries: 2 }])
        yield* db`update made_without set tried_at = now() - interval '25 hours', again_at = now() - interval '25 hours'`
        // The second cost is not said at this meeting.
        model.plan(behaviours.byName({ ...ableModel, figures: () => ({ figures: [] }) }))
        assert.deepStrictEqual(yield* again, [id])
        const outcomes = yield* makeWhatIsPlanned
        assert.deepInclude(outcomes, { agenda: "done", refine: "done", briefing: "done", recap: "done" })
        // The recap that code made was mailed; its followers are not told again.
        assert.include(outcomes.mail, "mailed before")
        assert.lengthOf(yield* db`select from made_without`, 0)
        assert.lengthOf(yield* db`select from published_briefing`, 1)
        assert.lengthOf(yield* db`select from recap_ready`, 1)
        assert.lengthOf(yield* db`select from flow where kind = 'meeting'`, 1)
        assert.lengthOf((yield* Issues.use((service) => service.issues)).issues, 0)
      }).pipe(
        Effect.provide(
          Layer.mergeAll(Issues.layer.pipe(Layer.provide(Costs.layer)), MadeAgain.layer, Work.layer).pipe(
            Layer.provideMerge(makingWith(twoModelsAt(model.url)))
          )
        ),
        Effect.provideService(ModelPatience, noPatience)
      )
    })
  )
})
