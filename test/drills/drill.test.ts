import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import type { DrillParts, Watcher } from "../../src/drills/drill.ts"
import { findings } from "../../src/drills/found.ts"
import { plantedClaims } from "../../src/drills/script.ts"
import { drillStages } from "../../src/drills/stages.ts"
import { Drills } from "../../src/services/operators/drills.ts"
import { ask } from "../support/asked.ts"
import { baseAddress, drilled, drilledService, drillModel, spokenWords } from "../support/drilling.ts"
import { fullRecord } from "../support/full-record.ts"
import { liesIn, lyingModel } from "../support/lying-model.ts"
import { trusting } from "../support/making.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"
import { type ReadersView, viewOfDatabase } from "../support/reader-view.ts"
import { outbox } from "../support/service.ts"
import { startSpeechServer } from "../support/speech-server.ts"

const patience = 900_000

const publicRecord = [
  "/api/meetings/browse",
  "/api/meetings/browse?q=greenway",
  "/api/agencies",
  "/api/places",
  "/api/upcoming",
  "/sitemap.xml",
  "/sitemap",
  "/browse",
  "/"
]

/** Everything that is shown to the public, byte for byte. */
const shown = Effect.gen(function* () {
  const base = yield* baseAddress
  return yield* Effect.forEach(publicRecord, (at) =>
    Effect.map(ask(base + at), ({ status, text }) => [at, status, text])
  )
})

/** Everything else: databases of drills, objects, files, pipeline rows. */
const leftovers = Effect.gen(function* () {
  const db = yield* Db
  const { dataDir } = yield* Environment
  const folder = path.join(dataDir, "drills")
  const rows = yield* db`
    select (select count(*)::int from pg_database join drill d
        on datname = 'civic_record_drill_' || replace(d.id::text, '-', '')) as databases,
      (select count(*)::int from meeting) as meetings, (select count(*)::int from place) as places,
      (select count(*)::int from feed_event) as events, (select count(*)::int from flow) as flows,
      (select count(*)::int from source) as sources, (select count(*)::int from account) as accounts`
  return {
    rows,
    objects: yield* ObjectStore.use((store) => Stream.runCollect(store.list(""))),
    files: fs.existsSync(folder) ? fs.readdirSync(folder) : [],
    mails: fs.existsSync(yield* outbox)
  }
})

const verdicts = ({ report }: Effect.Success<ReturnType<typeof drilled>>) =>
  Object.fromEntries(report.stages.map(({ stage, verdict }) => [stage, verdict]))

const failures = ({ report }: Effect.Success<ReturnType<typeof drilled>>) =>
  report.stages.flatMap(({ stage, verdict, finding }) => (verdict === "failed" ? [`${stage}: ${finding}`] : []))

describe("a drill", () => {
  it.live(
    "without models uses the service's own address, names what it could not judge, and leaves the record unchanged",
    () =>
      Effect.gen(function* () {
        yield* fullRecord
        const base = yield* baseAddress
        const [before, left] = [yield* shown, yield* leftovers]
        const asked: Array<string> = []
        const drill = yield* drilled({
          onPrepared: ({ scheduleUrl }) =>
            Effect.gen(function* () {
              asked.push(scheduleUrl)
              assert.strictEqual((yield* ask(scheduleUrl)).status, 200)
              assert.strictEqual((yield* ask(scheduleUrl.replace("schedule", "meeting"))).status, 200)
              const forged = scheduleUrl.replace(/.\/schedule$/, (end) => `${end.startsWith("A") ? "B" : "A"}/schedule`)
              assert.strictEqual((yield* ask(forged)).status, 404)
            }).pipe(Effect.orDie)
        })
        assert.deepStrictEqual(failures(drill), [])
        const states = verdicts(drill)
        assert.deepStrictEqual(
          Object.keys(states).filter((stage) => states[stage] === "not_judged"),
          ["transcribe", "briefing", "clips", "figures"]
        )
        assert.strictEqual(
          drill.report.stages.find(({ stage }) => stage === "transcribe")?.finding,
          "No speech model is configured (SPEECH_MODEL_URL or SPEECH_MODEL_FILE)."
        )
        // The service itself served it, and no longer does.
        assert.isTrue(asked[0]?.startsWith(`${base}/api/drills/`))
        assert.strictEqual((yield* ask(asked[0] ?? "")).status, 404)
        assert.deepStrictEqual(yield* shown, before)
        assert.deepStrictEqual(yield* leftovers, left)
        const { drills } = yield* Drills.use(({ list }) => list)
        assert.strictEqual(drills[0]?.state, "passed")
        assert.deepStrictEqual(drills[0]?.report, drill.report)
      }).pipe(Effect.provide(drilledService())),
    patience
  )

  it.live(
    "with every model passes every stage, and its costs are booked under no meeting",
    () =>
      Effect.gen(function* () {
        const words = yield* spokenWords
        const [speech, model] = [yield* startSpeechServer(words), yield* startModelServer]
        model.plan(behaviours.byName(drillModel()))
        yield* Effect.gen(function* () {
          const drill = yield* drilled()
          assert.deepStrictEqual(failures(drill), [])
          assert.deepStrictEqual(new Set(Object.values(verdicts(drill))), new Set(["passed"]))
          assert.strictEqual(drill.report.words_found, 1)
          assert.isBelow(drill.report.largest_word_error ?? 1, 0.01)
          const db = yield* Db
          const spent = yield* db`
            select distinct stage, task_id, meeting_id from model_usage`
          assert.deepStrictEqual(spent, [{ stage: "drill", task_id: null, meeting_id: null }])
        }).pipe(Effect.provide(drilledService(modelsAt(speech, model))))
      }),
    patience
  )

  it.live(
    "with a liar as its models passes, because nothing that they made up is served, and says which stage kept nothing",
    () =>
      Effect.gen(function* () {
        const model = yield* startModelServer
        model.plan(behaviours.byName(lyingModel))
        yield* Effect.gen(function* () {
          const { url: own } = (yield* Db).config
          const ownUrl = new URL(own === undefined ? "" : Redacted.value(own))
          const onPrepared: Watcher["onPrepared"] = ({ id }) =>
            Effect.sync(() => {
              ownUrl.pathname = `/civic_record_drill_${id.replaceAll("-", "")}`
            })
          let served: ReadersView | undefined
          let mailed: ReadonlyArray<string> = []
          const look: DrillParts["look"] = (folder) =>
            Effect.gen(function* () {
              const found = yield* findings(folder)
              mailed = found.mails
              served = yield* viewOfDatabase(ownUrl.href)
              return found
            })
          const drill = yield* drilled({ onPrepared }, { look })
          assert.deepStrictEqual(failures(drill), [])
          assert.strictEqual(drill.state, "passed")
          assert.deepStrictEqual(liesIn({ ...served, mail: mailed.join(), report: JSON.stringify(drill.report) }), [])
          assert.include(served?.newsletter, plantedClaims.kept)
          assert.include(served?.recap, "7-0")
          assert.include(mailed[0], "7-0")
          assert.deepInclude(verdicts(drill), { agenda: "passed", refine: "passed", verify: "passed", recap: "passed" })
          assert.strictEqual(verdicts(drill).figures, "not_judged")
          const findingOf = (name: string) => drill.report.stages.find(({ stage }) => stage === name)?.finding
          assert.include(findingOf("agenda"), "The summaries that the model wrote are not borne out by the record.")
          assert.strictEqual(
            findingOf("verify"),
            "Both planted false claims were removed, by code alone. Of 9 sentences, 1 is served."
          )
        }).pipe(Effect.provide(drilledService(twoModelsAt(model.url))))
      }),
    patience
  )

  it.live(
    "with a model that answers garbage fails: such a model does no work",
    () =>
      Effect.gen(function* () {
        const model = yield* startModelServer
        model.plan(behaviours.says("Sure! Here is what you asked for."))
        yield* Effect.gen(function* () {
          const drill = yield* drilled()
          assert.strictEqual(drill.state, "failed")
          assert.include(
            failures(drill),
            "agenda: Done, without a model: The language model gave no answer for agenda that can be used."
          )
        }).pipe(Effect.provide(drilledService(twoModelsAt(model.url))))
      }),
    patience
  )

  it.live(
    "with a liar as its models fails where the check of claims has been taken out",
    () =>
      Effect.gen(function* () {
        const model = yield* startModelServer
        model.plan(behaviours.byName(lyingModel))
        yield* Effect.gen(function* () {
          const stages: DrillParts["stages"] = (truth) =>
            Effect.flatMap(drillStages(truth), (all) => Effect.map(trusting, (verify) => ({ ...all, verify })))
          const drill = yield* drilled({}, { stages })
          assert.strictEqual(drill.state, "failed")
          assert.match(failures(drill)[0] ?? "", /^verify: A false claim is served to readers/)
        }).pipe(Effect.provide(drilledService(twoModelsAt(model.url))))
      }),
    patience
  )

  it.live(
    "fails exactly the stage whose model errs: by believing a false claim, dropping words, or inventing times",
    () =>
      Effect.gen(function* () {
        const words = yield* spokenWords
        const dropped = words.filter((_, at) => at % 3 !== 0)
        const late = words.map(({ start, end, text }) => ({ start: start + 1.5, end: end + 1.5, text }))
        const heard = {
          all: yield* startSpeechServer(words),
          dropped: yield* startSpeechServer(dropped),
          late: yield* startSpeechServer(late)
        }
        const failed = (speech: { readonly url: string }, denied?: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            const model = yield* startModelServer
            model.plan(behaviours.byName(drillModel(denied)))
            const drill = yield* Effect.provide(drilled(), drilledService(modelsAt(speech, model)))
            assert.strictEqual(drill.state, "failed")
            return drill.report.stages.filter(({ verdict }) => verdict === "failed").map(({ stage }) => stage)
          })
        const drills = [failed(heard.all, []), failed(heard.dropped), failed(heard.late)]
        assert.deepStrictEqual(yield* Effect.all(drills, { concurrency: 2 }), [
          ["verify"],
          ["transcribe"],
          ["transcribe"]
        ])
      }),
    patience
  )
})

const modelsAt = (speech: { readonly url: string }, model: { readonly url: string }) => ({
  ...{ SPEECH_MODEL_URL: speech.url, SPEECH_MODEL_NAME: "a-listener" },
  ...twoModelsAt(model.url)
})
