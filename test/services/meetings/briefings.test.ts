import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { Claims, Newsletter, type Verdict } from "../../../schema/briefing.ts"
import type { BundleBriefing, BundleClaims } from "../../../schema/bundle.ts"
import { Briefings } from "../../../src/services/meetings/briefings.ts"
import { Settings } from "../../../src/services/settings/settings.ts"
import { agency, claimId, figureId, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

const checkedAt = "2026-03-12T09:00:00.000Z"

const sentence = (text: string, claim?: string) => ({
  text,
  citations: [{ start: 10, end: 12.5 }],
  ...(claim === undefined ? {} : { claim: claimId(claim) })
})

const briefing = (name: string): BundleBriefing => ({
  type: "briefing",
  meeting_id: meetingId(name),
  headline: "Council funds the greenway",
  worth_watching: [{ text: "The vote", start: 1804 }],
  topics: [
    {
      title: "Greenway",
      sentences: [
        sentence("The bond passed.", `${name} true`),
        sentence("It was unanimous.", `${name} false`),
        sentence("There was rain.")
      ],
      figures: [figureId("map")]
    },
    { title: "Budget", sentences: [sentence("Taxes doubled.", `${name} contrary`)], figures: [] },
    { title: "Later", sentences: [], figures: [figureId("chart")] }
  ],
  generator: "writer 3",
  published_at: "2026-03-12T08:00:00Z"
})

const claims = (name: string, verdicts: Readonly<Record<string, Verdict | undefined>>): BundleClaims => ({
  type: "claims",
  meeting_id: meetingId(name),
  claims: Object.entries(verdicts).map(([claim, verdict]) => ({
    id: claimId(`${name} ${claim}`),
    topic: "Greenway",
    text: `It is ${claim}.`,
    evidence: [{ start: 1, end: 2, quote: "so moved" }],
    ...(verdict === undefined ? {} : { verdict, checked_at: checkedAt })
  }))
})

const record = putOnRecord(
  place("springfield"),
  agency("council", ["springfield"]),
  ...["verified", "pending", "unchecked", "partial", "empty", "bare"].map((name) => meeting(name, "council")),
  briefing("verified"),
  claims("verified", { true: "supported", false: "unsupported", contrary: "contradicted" }),
  briefing("pending"),
  claims("pending", { true: "supported", false: "unsupported", contrary: undefined }),
  briefing("unchecked"),
  briefing("empty"),
  claims("empty", {}),
  briefing("partial"),
  claims("partial", { true: "supported" })
)

const newsletter = (name: string) =>
  Briefings.use((briefings) => briefings.newsletter(meetingId(name))).pipe(
    Effect.tap((sent) => Effect.orDie(Schema.decodeUnknownEffect(Newsletter, { onExcessProperty: "error" })(sent)))
  )
const claimsOf = (name: string) =>
  Briefings.use((briefings) => briefings.claims(meetingId(name))).pipe(
    Effect.tap((sent) => Effect.orDie(Schema.decodeUnknownEffect(Claims, { onExcessProperty: "error" })(sent)))
  )

const kept = { text: "The bond passed.", citations: [{ start: 10, end: 12.5 }] }
const rain = { text: "There was rain.", citations: [{ start: 10, end: 12.5 }] }

layer(
  Layer.effectDiscard(record).pipe(
    Layer.provideMerge(Layer.mergeAll(Briefings.layer, Settings.layer)),
    Layer.provideMerge(TestDb)
  )
)("Briefings", (it) => {
  it.effect("sends a verified briefing without the sentences that the check did not support", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* newsletter("verified"), {
        meeting_id: meetingId("verified"),
        pending_verification: false,
        verification: "unchecked",
        headline: "Council funds the greenway",
        worth_watching: [{ text: "The vote", start: 1804 }],
        topics: [
          { title: "Greenway", sentences: [kept, rain], figures: [figureId("map")] },
          { title: "Later", sentences: [], figures: [figureId("chart")] }
        ],
        unchecked_sentences: 0,
        removed_sentences: 2,
        generator: "writer 3",
        published_at: "2026-03-12T08:00:00.000Z"
      })
    })
  )

  it.effect("reports a briefing as pending while a verdict is missing", () =>
    Effect.gen(function* () {
      const pending = { meeting_id: meetingId("pending"), pending_verification: true }
      assert.deepStrictEqual(yield* newsletter("pending"), pending)
    })
  )

  it.effect("sends a briefing that came without claims, whole, and marks it as unchecked", () =>
    Effect.gen(function* () {
      for (const name of ["unchecked", "empty"]) {
        const sent = yield* newsletter(name)
        assert.deepInclude(sent, { pending_verification: false, verification: "unchecked", removed_sentences: 0 })
        assert.strictEqual((yield* claimsOf(name)).status, "pending")
      }
    })
  )

  it.effect("omits sentences with unknown claims", () =>
    Effect.gen(function* () {
      const sent = yield* newsletter("partial")
      assert.isFalse(sent.pending_verification)
      if (sent.pending_verification) return
      assert.deepStrictEqual(sent.topics[0]?.sentences, [kept, rain])
      assert.strictEqual(sent.removed_sentences, 2)
    })
  )

  it.effect("lists the claims with their verdicts", () =>
    Effect.gen(function* () {
      const evidence = [{ start: 1, end: 2, quote: "so moved" }]
      const claim = (name: string, verdict: Verdict, isKept: boolean) => ({
        id: claimId(`verified ${name}`),
        topic: "Greenway",
        text: `It is ${name}.`,
        verdict,
        kept: isKept,
        evidence,
        checked_at: checkedAt
      })
      assert.deepStrictEqual(yield* claimsOf("verified"), {
        meeting_id: meetingId("verified"),
        enabled: true,
        status: "verified",
        imported: true,
        claims: [
          claim("true", "supported", true),
          claim("false", "unsupported", false),
          claim("contrary", "contradicted", false)
        ]
      })
    })
  )

  it.effect("lists the claims checked so far while the check is pending", () =>
    Effect.gen(function* () {
      const pending = yield* claimsOf("pending")
      assert.strictEqual(pending.status, "pending")
      assert.deepStrictEqual(
        pending.claims.map(({ verdict }) => verdict),
        ["supported", "unsupported"]
      )
      assert.deepStrictEqual(yield* claimsOf("unchecked"), {
        meeting_id: meetingId("unchecked"),
        enabled: true,
        status: "pending",
        imported: false,
        claims: []
      })
    })
  )

  it.effect("tells imported verdicts as a check made here only where an operator trusts them", () =>
    Effect.gen(function* () {
      const verification = Effect.map(newsletter("verified"), (sent) => !sent.pending_verification && sent.verification)
      const settings = yield* Settings
      assert.strictEqual(yield* verification, "unchecked")
      yield* settings.set("pipeline.TrustImportedVerdicts", true)
      assert.strictEqual(yield* verification, "verified")
      yield* settings.set("pipeline.TrustImportedVerdicts", false)
      const db = yield* Db
      yield* db`update claims set checked_by = 'rules-1' where meeting_id = ${meetingId("verified")}`
      assert.strictEqual(yield* verification, "verified")
      yield* db`update claims set checked_by = null where meeting_id = ${meetingId("verified")}`
    })
  )

  it.effect("has nothing for a meeting without a briefing", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(newsletter("bare"))).part, "briefing")
      assert.strictEqual((yield* Effect.flip(claimsOf("bare"))).part, "briefing")
    })
  )

  it.effect("sends sentences without a verdict while the check is disabled, and still none that failed it", () =>
    Effect.gen(function* () {
      yield* Settings.use((settings) => settings.set("pipeline.ClaimCheck", false))
      const pending = yield* newsletter("pending")
      const unchecked = yield* newsletter("unchecked")
      assert.isFalse(pending.pending_verification || unchecked.pending_verification)
      if (pending.pending_verification || unchecked.pending_verification) return
      assert.strictEqual(pending.verification, "disabled")
      assert.deepStrictEqual(
        pending.topics.map(({ sentences }) => sentences.map(({ text }) => text)),
        [["The bond passed.", "There was rain."], ["Taxes doubled."], []]
      )
      assert.strictEqual(pending.removed_sentences, 1)
      assert.strictEqual(unchecked.verification, "disabled")
      assert.strictEqual(unchecked.removed_sentences, 0)
      const { enabled, status } = yield* claimsOf("pending")
      assert.deepStrictEqual([enabled, status], [false, "pending"])
      yield* Settings.use((settings) => settings.set("pipeline.ClaimCheck", true))
      assert.isTrue((yield* newsletter("pending")).pending_verification)
    })
  )

  it.effect("applies the setting to a briefing that is being written while it is switched", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const settings = yield* Settings
      const [written, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const late = { ...briefing("bare"), topics: [{ title: "Late", sentences: [sentence("It came.")], figures: [] }] }
      const writing = yield* putOnRecord(late, claims("bare", { late: undefined })).pipe(
        Effect.andThen(Deferred.succeed(written, undefined)),
        Effect.andThen(Deferred.await(commit)),
        db.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(written)
      const switching = yield* Effect.forkChild(settings.set("pipeline.ClaimCheck", false))
      yield* db<{ waits: boolean }>`
        select exists (select from pg_locks where locktype = 'advisory' and not granted and database = (
          select oid from pg_database where datname = current_database())) as waits`.pipe(
        Effect.repeat({ until: ([row]) => row?.waits === true })
      )
      yield* Deferred.succeed(commit, undefined)
      yield* Fiber.join(writing)
      yield* Fiber.join(switching)
      assert.deepInclude(yield* newsletter("bare"), { pending_verification: false, verification: "disabled" })
      yield* settings.set("pipeline.ClaimCheck", true)
      assert.isTrue((yield* newsletter("bare")).pending_verification)
    })
  )
})
