import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CloudModel } from "../../../layers/cloud-model/cloud-model.ts"
import { Db } from "../../../layers/db/db.ts"
import { verifyStage } from "../../../src/pipeline/stages/verify/verify.ts"
import { ModelPatience } from "../../../src/services/queue/model-patience.ts"
import { Settings } from "../../../src/services/settings/settings.ts"
import type { WrittenBriefing } from "../../../src/text/served-briefing.ts"
import { agency, claimId, meeting, place, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { noPatience } from "../../support/making.ts"
import { carefulModelThat, modelThat, writerThat } from "./fake-model.ts"
import { briefing, id, served, task, VerifyServices, verify, written } from "./verifying.ts"

const agreeing = carefulModelThat(() => ({ verdict: "supported", quotes: [{ passage: 1, words: "keep the clinic" }] }))

/** Supports every claim by the first words spoken. */
const convinced = carefulModelThat((prompt) => ({
  verdict: "supported",
  quotes: [{ passage: 1, words: prompt.includes("safe for trucks") ? "The bridge is safe" : "keep the clinic" }]
}))

const sentencesIn = (newsletter: Effect.Success<typeof served>[0]) =>
  newsletter.pending_verification
    ? ["pending"]
    : newsletter.topics.flatMap(({ sentences }) => sentences.map(({ text }) => text))

describe("verifying a briefing", () => {
  it.effect("serves the sentences that code or the model supports, each with its evidence, and announces it", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* written
      assert.deepStrictEqual(sentencesIn((yield* served)[0]), ["pending"])
      yield* Effect.provide(verify, agreeing)
      const [newsletter, claims] = yield* served
      assert.deepStrictEqual(sentencesIn(newsletter), ["The bridge is safe for trucks.", "The clinic is to stay."])
      assert.deepInclude(newsletter, { verification: "verified", removed_sentences: 2 })
      assert.deepStrictEqual(
        claims.claims.map(({ verdict, kept, evidence }) => [verdict, kept, evidence.map(({ quote }) => quote)]),
        [
          ["supported", true, ["The bridge is safe for trucks"]],
          ["contradicted", false, ["two million"]],
          ["supported", true, ["keep the clinic"]],
          ["unsupported", false, []],
          // The headline and what is worth watching.
          ["unsupported", false, []],
          ["supported", true, ["The bridge is safe for trucks"]],
          ["unsupported", false, []],
          ["contradicted", false, ["two million"]]
        ]
      )
      assert.deepInclude(newsletter, {
        headline: "The bridge is safe for trucks.",
        worth_watching: [
          { text: "The bridge is safe for trucks.", start: 0 },
          { text: "The clinic is to stay.", start: 10 }
        ]
      })
      const told = yield* db`select from feed_event where event = 'briefing.verified'`
      assert.lengthOf(told, 1)
      const [row] = yield* db<{ checked_by: string }>`select checked_by from claims`
      assert.strictEqual(row?.checked_by, "rules-5 verify-1")
      yield* Effect.provide(verify, agreeing)
      assert.deepStrictEqual(
        (yield* served)[1].claims.slice(0, 4).map((claim) => claim.id),
        claims.claims.slice(0, 4).map((claim) => claim.id)
      )
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("has nothing to do for a meeting without a briefing, and says so", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(place("larkmoor"), agency("council", ["larkmoor"]), meeting("council", "council"))
      yield* db`insert into flow (id, kind, meeting_id) values (${task.flow}, 'meeting', ${id})`
      yield* db`
        insert into task (id, flow_id, stage, lane, state) values (${task.id}, ${task.flow}, 'verify', 'model', 'waiting')`
      yield* Effect.provide(verify, CloudModel.layerNone)
      const events = yield* db`select kind, detail from task_event`
      assert.deepStrictEqual(events, [{ kind: "skipped", detail: "skipped: the meeting has no briefing" }])
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("without a model serves only sentences that code supports", () =>
    Effect.gen(function* () {
      yield* written
      yield* Effect.provide(verify, CloudModel.layerNone)
      assert.deepStrictEqual(sentencesIn((yield* served)[0]), ["The bridge is safe for trucks."])
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("gives a briefing without a supported sentence the meeting's title as its headline", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* written
      yield* db`
        update briefing set written = jsonb_set(written, '{topics,0,sentences,0,text}', '"The bridge is not safe for trucks."')`
      yield* Effect.provide(verify, CloudModel.layerNone)
      const [{ title = "" } = {}] = yield* db<{ title: string }>`select title from meeting`
      assert.notStrictEqual(title, "")
      assert.deepInclude((yield* served)[0], { headline: title, topics: [] })
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("serves the headline and the lines as they were written once a better check supports them", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const line = { text: "The county wants to keep the clinic.", start: 10 }
      yield* written
      yield* putOnRecord({ ...briefing, worth_watching: [line] })
      const [{ hash = "" } = {}] = yield* db<{ hash: string }>`select content_hash as hash from briefing`
      yield* Effect.provide(verify, CloudModel.layerNone)
      assert.deepInclude((yield* served)[0], { headline: "The bridge is safe for trucks.", worth_watching: [] })
      const [kept] = yield* db<{ written: WrittenBriefing; content_hash: string }>`
        select written, content_hash from briefing`
      assert.deepInclude(kept?.written, { headline: "The bridge" })
      assert.deepInclude(kept?.written.worth_watching[0], line)
      assert.strictEqual(kept?.content_hash, hash)
      yield* Effect.provide(verify, convinced)
      assert.deepInclude((yield* served)[0], { headline: "The bridge", worth_watching: [line] })
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("leaves what code cannot settle unchecked if there is no model but the writer, whatever that says", () =>
    Effect.gen(function* () {
      yield* written
      const settings = yield* Settings
      const saysYes = writerThat(() => ({ verdict: "supported", quotes: [{ passage: 1, words: "keep the clinic" }] }))
      yield* Effect.provide(verify, saysYes)
      const [newsletter, claims] = yield* served
      assert.deepStrictEqual(sentencesIn(newsletter), ["The bridge is safe for trucks."])
      const unchecked = claims.claims.filter(({ verdict }) => verdict === "unchecked")
      assert.isNotEmpty(unchecked)
      assert.isTrue(unchecked.every(({ kept, evidence }) => !kept && evidence.length === 0))
      if (newsletter.pending_verification) return assert.fail("It is pending.")
      assert.deepInclude(newsletter, { verification: "verified", unchecked_sentences: 1 })
      yield* settings.set("pipeline.ServeUnchecked", true)
      const [all, kept] = yield* served
      assert.deepStrictEqual(sentencesIn(all), ["The bridge is safe for trucks.", "The clinic is to stay."])
      assert.deepInclude(all, { verification: "unchecked", unchecked_sentences: 1 })
      assert.isTrue(kept.claims.filter(({ verdict }) => verdict === "unchecked").every((claim) => claim.kept))
      yield* settings.set("pipeline.ServeUnchecked", false)
      assert.deepStrictEqual(sentencesIn((yield* served)[0]), ["The bridge is safe for trucks."])
    }).pipe(Effect.provide(Layer.provideMerge(Settings.layer, TestDb)))
  )

  it.effect("leaves verdicts that were imported where no model can check them again, while their quotes stand", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* written
      const texts = [
        ...briefing.topics.flatMap(({ sentences }) => sentences.map(({ text }) => text)),
        ...briefing.worth_watching.map(({ text }) => text),
        briefing.headline
      ]
      const quote = { start: 10, end: 15, quote: "We would rather keep the clinic." }
      const claims = texts.map((text, at) => ({
        ...{ id: claimId(`imported ${at}`), topic: "Any", text, verdict: "supported" as const },
        ...{ evidence: [quote], checked_at: "2026-03-11T00:00:00Z" }
      }))
      yield* putOnRecord({ type: "claims", meeting_id: id, claims })
      const supported = Effect.map(
        db`select from claim where meeting_id = ${id} and verdict = 'supported'`,
        (rows) => rows.length
      )
      yield* Effect.provide(
        verify,
        writerThat(() => ({ verdict: "supported", quotes: [] }))
      )
      assert.strictEqual(yield* supported, texts.length)
      yield* putOnRecord(
        transcript("council", said(["The bridge is safe for trucks.", "It costs two million dollars."]))
      )
      yield* Effect.provide(
        verify,
        writerThat(() => ({ verdict: "supported", quotes: [] }))
      )
      assert.isBelow(yield* supported, texts.length)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("leaves it unchecked if the model that checks gives no verdict for good, to be checked when it does", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* written
      const babbling = modelThat(() => "Sure!")
      const failure = yield* Effect.flip(Effect.provide(verify, babbling))
      assert.deepInclude(failure, { _tag: "ModelFailed", role: "checker", kind: "unusable", seconds: 60 })
      assert.deepStrictEqual(sentencesIn((yield* served)[0]), ["pending"])
      yield* Effect.provideService(Effect.provide(verify, babbling), ModelPatience, noPatience)
      const [newsletter, claims] = yield* served
      assert.deepStrictEqual(sentencesIn(newsletter), ["The bridge is safe for trucks."])
      assert.include(
        claims.claims.map(({ verdict }) => verdict),
        "unchecked"
      )
      assert.deepStrictEqual(yield* db`select checked_by from claims`, [{ checked_by: "rules-5" }])
      assert.deepStrictEqual(yield* db`select stage, role, model from made_without`, [
        { stage: "verify", role: "checker", model: "fake (here)" }
      ])
      yield* Effect.provide(verify, agreeing)
      assert.lengthOf(sentencesIn((yield* served)[0]), 2)
      assert.lengthOf(yield* db`select from made_without`, 0)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("notes what no checker was there to check, until there is one", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* written
      yield* Effect.provide(verify, CloudModel.layerNone)
      assert.deepStrictEqual(yield* db`select stage, role, model, kind from made_without`, [
        { stage: "verify", role: "checker", model: "", kind: "none" }
      ])
      yield* Effect.provide(verify, convinced)
      assert.lengthOf(yield* db`select from made_without`, 0)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("writes nothing if the transcript was replaced in the meantime", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* written
      const { work } = yield* Effect.provide(verifyStage, Layer.mergeAll(VerifyServices, agreeing))
      const put = yield* work(task, () => Effect.void)
      yield* putOnRecord(transcript("council", said(["The bridge is not safe for trucks."])))
      const failure = yield* Effect.flip(db.withTransaction(put))
      assert.deepInclude(failure, { _tag: "StageFailed", final: false })
      assert.deepStrictEqual(sentencesIn((yield* served)[0]), ["pending"])
    }).pipe(Effect.scoped, Effect.provide(TestDb))
  )

  it.effect("waits for midnight UTC once the day's budget is spent, and then continues", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* written
      // A test's clock begins in 1970.
      yield* db`insert into setting (name, value, updated_at) values ('budget.DailyMicros', '1000000', now())`
      yield* db`
        insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms, cost)
        values ('1970-01-01T00:00:00Z', 'm', 'verify', 'ok', 1, 1, 1, 1.5)`
      const failure = yield* Effect.flip(Effect.provide(verify, agreeing))
      assert.deepInclude(failure, { _tag: "ModelFailed", kind: "budget", seconds: 86_400 })
      // Spending of the day before does not count.
      yield* db`update model_usage set at = '1969-12-31T23:59:59Z'`
      yield* Effect.provide(verify, agreeing)
      assert.lengthOf(sentencesIn((yield* served)[0]), 2)
    }).pipe(Effect.provide(TestDb))
  )
})
