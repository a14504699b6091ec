import * as fs from "node:fs"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { Db, type ReadDb } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { handlers, PipelineServices } from "../../src/pipeline/pipeline.ts"
import { EmailPrefs } from "../../src/services/accounts/email-prefs.ts"
import { SavedSearches } from "../../src/services/accounts/saved-searches.ts"
import { Shares } from "../../src/services/accounts/shares.ts"
import { UserClips } from "../../src/services/clips/user-clips.ts"
import { MeetingCorrections } from "../../src/services/feed/meeting-corrections.ts"
import { MeetingRemoval } from "../../src/services/feed/meeting-removal.ts"
import { Digests } from "../../src/services/mail/digests.ts"
import { userClipCaptionsKey } from "../../src/services/meetings/media-tier.ts"
import { Meetings } from "../../src/services/meetings/meetings.ts"
import { Completion } from "../../src/services/operators/runs/completion.ts"
import { fakeCloudModel } from "../layers/fake-cloud-model.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { reader } from "../support/actors.ts"
import { at } from "../support/at.ts"
import { agency, claimId, meeting, meetingId, place, putOnRecord, said, transcript } from "../support/builders.ts"
import { EmptyReplicaDb } from "../support/database.ts"
import { readOutbox } from "../support/outbox.ts"
import { putRecording } from "../support/put-recording.ts"
import { eventually, scratch, TestRenderer, TestWorker } from "../support/rendering.ts"
import { outbox, serviceOf, TestSetup } from "../support/service.ts"

const id = meetingId("told")

const World = Layer.effectDiscard(
  putOnRecord(
    place("springfield"),
    agency("council", ["springfield"]),
    meeting("told", "council"),
    transcript("told", said(["The motion carries.", "Thank you all.", "We are adjourned."])),
    { type: "recap", meeting_id: id, headline: "Told", summary: "All that was decided.", decisions: [] },
    {
      type: "briefing",
      meeting_id: id,
      headline: "In brief",
      worth_watching: [],
      topics: [
        {
          title: "Money",
          sentences: [{ text: "The budget passed.", citations: [], claim: claimId("passed") }],
          figures: []
        }
      ],
      published_at: "2026-03-11T08:00:00Z"
    },
    {
      type: "claims",
      meeting_id: id,
      claims: [
        {
          ...{ id: claimId("passed"), topic: "Money", text: "passed", evidence: [] },
          ...{ verdict: "supported", checked_at: "2026-03-11T09:00:00Z" }
        }
      ]
    }
  )
).pipe(
  Layer.provideMerge(Digests.layer),
  Layer.provideMerge(
    serviceOf(TestSetup, fakeIdentity, undefined, fakeCloudModel({ answer: {} }).layer, EmptyReplicaDb)
  )
)

/** The mails sent, as text, the oldest first. */
const mailed = Effect.gen(function* () {
  yield* Digests.use(({ plan, deliver }) => Effect.andThen(plan, deliver))
  const mails = yield* Effect.flatMap(outbox, (folder) => Effect.promise(() => readOutbox(folder)))
  return mails.map(({ text }) => text ?? "")
})

/** Compiles with `true` only for services that take no public reads. */
const readsPrimary = <A, E, R>(_: Layer.Layer<A, E, R>, isSo: ReadDb extends R ? false : true) => isSo

it("the stages of the pipeline, mail and all services that decide use the primary, as the compiler knows", () => {
  const found = [
    readsPrimary(Layer.effectDiscard(handlers), true),
    readsPrimary(PipelineServices, true),
    readsPrimary(Digests.layer, true),
    readsPrimary(Layer.mergeAll(SavedSearches.layer, Shares.layer, UserClips.layer), true),
    readsPrimary(Layer.mergeAll(Completion.layer, MeetingCorrections.layer, MeetingRemoval.layer), true)
  ]
  assert.notInclude(found, false)
  assert.isFalse(readsPrimary(Meetings.layer, false))
})

layer(World, { excludeTestServices: true })("while the replica is empty", (it) => {
  it.effect("readers find nothing, and nothing else depends on it", () =>
    Effect.gen(function* () {
      const found = yield* Effect.exit(Meetings.use(({ resolve }) => resolve(id)))
      assert.isTrue(Exit.isFailure(found))
    })
  )

  it.effect("a recap is mailed with its words and its briefing", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { accountId } = yield* reader()
      yield* EmailPrefs.use(({ update }) => update(accountId, { recaps: "each" }))
      yield* db`insert into followed_body (account_id, body_id) select ${accountId}, id from body`
      const [mail, ...others] = yield* at("2030-03-11T15:01:00Z")(mailed)
      assert.lengthOf(others, 0)
      assert.include(mail, "All that was decided.")
      assert.include(mail, "The budget passed.")
    })
  )

  it.effect("a saved search knows the meetings it finds already, and mails the rest", () =>
    Effect.gen(function* () {
      const { accountId } = yield* reader("saver@example.org")
      const before = yield* at("2030-03-12T12:00:00Z")(mailed)
      yield* SavedSearches.use(({ save }) => save(accountId, { query: {} }))
      yield* putOnRecord(meeting("later", "council", { title: "Later Meeting" }))
      const [mail, ...others] = (yield* at("2030-03-14T12:00:00Z")(mailed)).slice(before.length)
      assert.lengthOf(others, 0)
      assert.include(mail, "Later Meeting")
      assert.notInclude(mail, "Regular Meeting")
    })
  )

  it.effect("a meeting is shared and recorded as shared", () =>
    Effect.gen(function* () {
      const { accountId } = yield* reader()
      const shares = yield* Shares
      assert.strictEqual((yield* shares.mint(id, accountId)).meeting_id, id)
      yield* shares.record({ meeting_id: id, channel: "link" }, accountId)
    })
  )

  it.effect("a clip is cut with its captions", () =>
    Effect.gen(function* () {
      const { accountId } = yield* reader()
      yield* Effect.provide(putRecording(id, 12), TestRenderer)
      const clips = yield* UserClips
      const clip = yield* clips.create({ meeting_id: id, start: 1, end: 9 }, accountId)
      const isReady = Effect.map(clips.list(accountId, id), ({ clips: [first] }) =>
        first?.state === "ready" ? true : undefined
      )
      yield* Effect.provide(eventually(isReady), TestWorker)
      const store = yield* ObjectStore
      const folder = yield* scratch
      const words = yield* store.file(userClipCaptionsKey(clip.id), folder)
      assert.include(fs.readFileSync(words, "utf8"), "The motion carries.")
    })
  )

  it.effect("an operator corrects a meeting and removes it", () =>
    Effect.gen(function* () {
      const corrected = yield* MeetingCorrections.use(({ correct }) => correct(id, { title: "Corrected" }))
      assert.isTrue(corrected.changed)
      yield* MeetingRemoval.use(({ removeTranscript }) => removeTranscript(id, undefined))
      yield* MeetingRemoval.use(({ remove }) => remove(id, undefined))
      assert.deepStrictEqual(yield* Db.use((db) => db`select from meeting where id = ${id}`), [])
    })
  )
})
