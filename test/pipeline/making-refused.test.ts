import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { Costs } from "../../src/services/making/costs.ts"
import { Issues } from "../../src/services/operators/issues.ts"
import { ModelPatience } from "../../src/services/queue/model-patience.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { ableModel, lineOf } from "../support/able-model.ts"
import { agency, meeting, meetingId, place, putOnRecord, transcript } from "../support/builders.ts"
import { makeMeeting, makingWith, noPatience, spokenEvenly } from "../support/making.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"
import { eventually } from "../support/rendering.ts"

const id = meetingId("one")

const line = (text: string, at: number) => ({
  start: at * 8,
  end: at * 8 + 7,
  text,
  words: spokenEvenly(text, 0.4, at * 8)
})

const seeded = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"]),
  meeting("one", "council"),
  transcript("one", [
    line("The greenway costs two hundred forty thousand dollars in the first year.", 0),
    line("All in favor say aye, and the motion carries seven to zero.", 1)
  ])
)

const modelAt = (url: string) =>
  Issues.layer.pipe(Layer.provide(Costs.layer), Layer.provideMerge(makingWith(twoModelsAt(url))))

const hostOf = (url: string) => new URL(url).host

const invented = {
  topic: "The mayor",
  text: "The mayor resigned.",
  citations: [{ line: 1, quote: "the mayor has resigned tonight" }]
}

describe("a model's answer", () => {
  it.live("that is garbage is requested once more, and in a minute again, while the stage waits", () =>
    Effect.gen(function* () {
      const model = yield* startModelServer
      model.plan(behaviours.byName({}))
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* seeded
        const waits = {
          stage: "briefing",
          minutes: 1,
          attempts: 0,
          unusable: 1,
          model: `a-model (${hostOf(model.url)})`
        }
        yield* Effect.raceFirst(
          makeMeeting(id, "briefing"),
          eventually(
            Effect.map(db`select from task where model_unusable > 0`, (rows) => (rows.length > 0 ? true : undefined))
          )
        )
        assert.deepStrictEqual(
          yield* db`
            select stage, round(extract(epoch from due_at - model_since) / 60)::int as minutes, attempts,
              model_unusable as unusable, model from task where state = 'waiting'`,
          [waits]
        )
        assert.lengthOf(model.requests, 2)
        assert.include(model.requests[1]?.body.messages.at(-1)?.content ?? "", "Your last answer could not be used")
        assert.lengthOf(yield* db`select from briefing`, 0)
        // Operators hear of the model, not of the task.
        yield* db`update task set model_since = now() - interval '1 hour' where state = 'waiting'`
        const { issues } = yield* Issues.use((service) => service.issues)
        assert.deepStrictEqual(
          issues.map(({ kind, severity, message }) => ({ kind, severity, message })),
          [
            {
              ...{ kind: "model_unusable", severity: "error" },
              message: `The language model ${waits.model} cannot be used: The language model gave no answer for notes that can be used. 1 task waits for it.`
            }
          ]
        )
      }).pipe(Effect.provide(modelAt(model.url)))
    })
  )

  it.live("that cites words nobody said is refused, and repaired with words that were said", () =>
    Effect.gen(function* () {
      const model = yield* startModelServer
      model.plan(
        behaviours.byName({
          ...ableModel,
          notes: (prompt) => ({ notes: [invented, ...ableModel.notes(prompt).notes] }),
          figures: () => ({ figures: [] }),
          recap: (prompt) => ({
            decisions: [
              { outcome: "The motion carries", line: lineOf(prompt, "motion carries"), quote: "the motion fails" },
              { outcome: "The motion carries", line: lineOf(prompt, "motion carries"), quote: "the motion carries" }
            ]
          })
        })
      )
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* seeded
        const made = yield* makeMeeting(id, "briefing")
        assert.strictEqual(made.briefing, "done")
        const announced = yield* db<{ event: string }>`
          select event from feed_event where event like 'briefing.%' order by id`
        assert.deepStrictEqual(
          announced.map(({ event }) => event),
          ["briefing.pending", "briefing.verified"]
        )
        const [briefing] = yield* db<{ written: unknown }>`select written from briefing`
        assert.notInclude(JSON.stringify(briefing), "resigned")
        assert.include(JSON.stringify(briefing), "The council approved the ordinance.")
        const [recap] = yield* db<{ decisions: unknown }>`select decisions from recap`
        assert.deepStrictEqual(recap?.decisions, [{ outcome: "The motion carries", vote: "7-0", start: 8 }])
        const repaired = model.requests.filter(({ body }) =>
          body.messages.at(-1)?.content.includes("could not be used")
        )
        assert.deepStrictEqual(
          repaired.map(({ body }) => body.response_format.json_schema.name),
          ["notes", "recap"]
        )
      }).pipe(Effect.provide(modelAt(model.url)))
    })
  )

  it.live(
    "that the transcript does not support leaves no figure, and a recap in the words of the briefing and of code",
    () =>
      Effect.gen(function* () {
        const model = yield* startModelServer
        model.plan(
          behaviours.byName({
            ...ableModel,
            figures: (prompt) => {
              const costs = { line: lineOf(prompt, "two hundred forty"), quote: "two hundred forty thousand dollars" }
              const points = ["Bribes", "Gifts"].map((label) => ({ label, value: 240_000, ...costs }))
              return { figures: [{ title: "Bribes of the mayor", form: "bar", axis: "Kind", unit: "Dollars", points }] }
            },
            recap: (prompt) => ({
              headline: "The mayor resigned",
              summary: "The mayor resigned.",
              decisions: [
                {
                  outcome: "The mayor was dismissed",
                  line: lineOf(prompt, "motion carries"),
                  quote: "the motion carries"
                }
              ]
            }),
            verdict: (prompt) =>
              /mayor/i.test(prompt) ? { verdict: "unsupported", quotes: [] } : ableModel.verdict(prompt)
          })
        )
        yield* Effect.gen(function* () {
          const db = yield* Db
          yield* seeded
          assert.strictEqual((yield* makeMeeting(id, "briefing")).recap, "done")
          assert.deepStrictEqual(yield* db`select headline, summary, decisions from recap`, [
            {
              headline: "The greenway costs 240,000 dollars in the first year.",
              summary: "The greenway costs 240,000 dollars in the first year. The council approved the ordinance.",
              decisions: [{ outcome: "Motion carried", vote: "7-0", start: 8 }]
            }
          ])
          assert.lengthOf(yield* db`select from figure`, 0)
        }).pipe(Effect.provide(modelAt(model.url)))
      })
  )

  it.live("that arranges no briefing leaves one in the notes' own order and words", () =>
    Effect.gen(function* () {
      const model = yield* startModelServer
      model.plan(
        behaviours.byName({ ...ableModel, briefing: () => ({ headline: "", worth_watching: [], topics: [] }) })
      )
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* seeded
        const made = yield* Effect.provideService(makeMeeting(id, "briefing"), ModelPatience, noPatience)
        assert.strictEqual(
          made.briefing,
          "in part without a model: The language model's answers for briefing are not borne out by the record."
        )
        assert.lengthOf(yield* db`select from made_without where stage = 'briefing'`, 0)
        const [briefing] = yield* db<{ headline: string; sentences: ReadonlyArray<string> }>`
          select written ->> 'headline' as headline,
            array(select jsonb_path_query(written, '$.topics[*].sentences[*].text') ->> 0) as sentences from briefing`
        const first = "The greenway costs 240,000 dollars in the first year."
        assert.deepStrictEqual(briefing, { headline: first, sentences: [first, "The council approved the ordinance."] })
      }).pipe(Effect.provide(modelAt(model.url)))
    })
  )

  it.live("that exceeds the day's budget is the last: the stage waits until midnight, and operators are told", () =>
    Effect.gen(function* () {
      const model = yield* startModelServer
      model.plan(behaviours.byName({ ...ableModel, figures: () => ({ figures: [] }) }))
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* seeded
        const settings = yield* Settings
        // An answer of 40 tokens in and 7 out costs a dollar and more.
        yield* settings.set("prices.InputMicros", 1_000_000_000)
        yield* settings.set("prices.OutputMicros", 1_000_000_000)
        yield* settings.set("budget.DailyMicros", 1000)
        const made = yield* makeMeeting(id, "briefing")
        assert.strictEqual(
          made.briefing,
          "waiting: Today's budget for models is spent (setting budget.DailyMicros). Work goes on after midnight UTC."
        )
        assert.lengthOf(model.requests, 1)
        const [task] = yield* db`
          select attempts, date_trunc('day', due_at at time zone 'UTC')
            = date_trunc('day', now() at time zone 'UTC') + interval '1 day' as midnight
          from task where stage = 'briefing'`
        assert.deepStrictEqual(task, { attempts: 0, midnight: true })
        const { issues } = yield* Issues.use((service) => service.issues)
        assert.include(
          issues.map(({ kind }) => kind),
          "budget_spent"
        )
        // Paid results are stored: with a larger budget the notes are not requested again.
        yield* settings.set("budget.DailyMicros", 0)
        yield* db`update task set due_at = now() where stage = 'briefing'`
        assert.strictEqual((yield* makeMeeting(id, "briefing")).briefing, "done")
        const names = model.requests.map(({ body }) => body.response_format.json_schema.name)
        assert.lengthOf(
          names.filter((name) => name === "notes"),
          1
        )
      }).pipe(Effect.provide(modelAt(model.url)))
    })
  )
})
