import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { CloudModel } from "../../layers/cloud-model/cloud-model.ts"
import { Db } from "../../layers/db/db.ts"
import { Asking } from "../../src/pipeline/asking.ts"
import type { StageHandler } from "../../src/pipeline/stage.ts"
import { refineStage } from "../../src/pipeline/stages/refine/refine.ts"
import { verifyStage } from "../../src/pipeline/stages/verify/verify.ts"
import { exportEntities } from "../../src/record/export.ts"
import { EmailPrefs } from "../../src/services/accounts/email-prefs.ts"
import { SavedSearches } from "../../src/services/accounts/saved-searches.ts"
import { Digests } from "../../src/services/mail/digests.ts"
import { ClaimChecks } from "../../src/services/making/claim-checks.ts"
import { MeetingMaterials } from "../../src/services/making/meeting-materials.ts"
import { ModelBudget } from "../../src/services/making/model-budget.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { StagePieces } from "../../src/services/queue/stage-pieces.ts"
import type { ClaimedTask } from "../../src/services/queue/tasks.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { type Credentials, grantTo, keptBy, nobody, reader, readyClip, shareToken } from "../support/actors.ts"
import { claimId, meetingId, putOnRecord, transcript } from "../support/builders.ts"
import { call } from "../support/call.ts"
import { fullRecord } from "../support/full-record.ts"
import { operated } from "../support/operators.ts"
import { readOutbox } from "../support/outbox.ts"
import { TestRenderer } from "../support/rendering.ts"
import { outbox, TestService } from "../support/service.ts"
import { callsOf, send } from "../wire/calls.ts"

const id = meetingId("full")

/** Words that are spoken only in the address. */
// The number by itself: a UUID or a hash may contain these digits.
const secret = /quillfeather|(?<![\da-f-])7731(?![\da-f-])/i
const spoken = "Good evening. I live at 7731 Quillfeather Lane and I oppose the asphalt plant."

/** Words of half a second each. */
const timed = (text: string) => {
  const words = text.split(" ").map((word, at) => ({ start: at / 2, end: at / 2 + 0.4, text: word }))
  return [{ start: 0, end: words.length / 2, speaker: "Dana Reyes", text, words }]
}
const raw = (text: string) => transcript("full", timed(text), { version: "raw" })

const Stages = Layer.mergeAll(
  ClaimChecks.layer,
  ModelBudget.layer,
  Asking.layer.pipe(Layer.provide(ModelBudget.layer))
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(MeetingMaterials.layer, StagePieces.layer, CloudModel.layerNone, TestRenderer).pipe(
      Layer.provideMerge(Settings.layer)
    )
  )
)

/** Runs one task of the meeting's flow. */
const done = Effect.fnUntraced(function* (stage: "refine" | "verify", { work }: StageHandler) {
  const db = yield* Db
  const [row] = yield* db<Pick<ClaimedTask, "flow" | "id">>`
    select t.id, t.flow_id as flow from task t join flow f on f.id = t.flow_id
    where t.stage = ${stage} and f.meeting_id = ${id} and f.state = 'open'`
  assert.isDefined(row)
  const task: ClaimedTask = {
    ...{ ...row, claim: row.id, worker: row.id, stage, attempts: 1, meetingId: id },
    ...{
      userClipId: null,
      clipId: null,
      sourceId: null,
      traceparent: null,
      modelAway: 0,
      modelUnusable: 0,
      modelWaited: 0
    }
  }
  yield* db.withTransaction(yield* work(task, () => Effect.void))
})

/** Refines the meeting's transcript and checks its briefing, as the pipeline does. */
const madeReadable = Effect.gen(function* () {
  yield* done("refine", yield* refineStage)
  yield* done("verify", yield* verifyStage)
}).pipe(Effect.scoped, Effect.provide(Stages))

const planned = Effect.gen(function* () {
  const db = yield* Db
  yield* db.withTransaction(addFlows(db, "meeting", [{ meeting_id: id }], "refine"))
})

/** A meeting with one of everything, whose transcript the pipeline makes. */
const world = Effect.gen(function* () {
  const db = yield* Db
  yield* fullRecord
  yield* db`delete from transcript`
  yield* db`delete from passage_block`
  yield* planned
  yield* putOnRecord(raw(spoken), {
    type: "briefing",
    meeting_id: id,
    headline: "A neighbor opposes the asphalt plant",
    worth_watching: [{ text: "I oppose the asphalt plant", start: 0 }],
    topics: [
      {
        title: "Asphalt plant",
        sentences: [
          {
            text: "Dana Reyes said: I oppose the asphalt plant.",
            citations: [{ start: 0, end: 6 }],
            claim: claimId("good")
          }
        ],
        figures: []
      }
    ],
    published_at: "2026-03-12T08:00:00Z"
  })
})

/** A reader who follows the place, has saved searches, one of them for the address, and is mailed all that is due. */
const subscribed = Effect.gen(function* () {
  const db = yield* Db
  const { accountId } = yield* reader("follower@example.org")
  yield* EmailPrefs.use(({ update }) => update(accountId, { recaps: "each", saved_searches: "daily" }))
  yield* db`insert into followed_place (account_id, place_id) select ${accountId}, id from place`
  for (const q of ["quillfeather", "good evening"]) {
    yield* SavedSearches.use(({ save }) => save(accountId, { query: { q } }))
  }
})

/**
 * Every mail sent so far, after another round of everything due that many days from now, as if none had been mailed.
 */
const mailedBy = Effect.fnUntraced(function* (days: number) {
  const { plan, deliver } = yield* Digests
  const db = yield* Db
  yield* db`delete from mailed`
  yield* db`delete from recap_ready`
  yield* TestClock.setTime(Date.now() + days * 86_400_000).pipe(
    Effect.andThen(plan),
    Effect.andThen(deliver),
    Effect.provide(TestClock.layer())
  )
  const folder = yield* outbox
  const mails = yield* Effect.promise(() => readOutbox(folder))
  return mails.map(({ subject, text, html }) => ({
    path: `mail: ${subject}`,
    status: 200,
    text: `${subject} ${text} ${html}`
  }))
})

const searches = ["quillfeather", "7731", '"7731 quillfeather"', '"quillfeather lane"', "oppose or quillfeather"]
const formats = ["json", "vtt", "srt", "txt"].flatMap((format) =>
  ["", "&raw=1", "&words=0", "&raw=1&words=0"].map((rest) => `/api/meetings/${id}/transcript?format=${format}${rest}`)
)

/** The responses of some addresses to some callers. */
const answersAt = Effect.fnUntraced(function* (paths: ReadonlyArray<string>, callers: ReadonlyArray<Credentials>) {
  return yield* Effect.forEach(paths, (path) =>
    Effect.forEach(callers, (who) => Effect.map(send({ path, who }), ({ status, text }) => ({ path, status, text })))
  ).pipe(Effect.map((answers) => answers.flat()))
})

const tool = (name: string, args: unknown) =>
  Effect.map(
    call(
      "POST",
      "/mcp",
      nobody,
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
      {
        accept: "application/json, text/event-stream"
      }
    ),
    ({ status, text }) => ({ path: `/mcp ${name}`, status, text })
  )

/** Everything about the meeting that leaves the service, by its exit: mail as of that many days from now. */
const everything = Effect.fnUntraced(function* (days: number) {
  const db = yield* Db
  const own = yield* reader()
  const clip = yield* readyClip(own.accountId, id)
  const shared = yield* call("GET", `/api/user-clips/shared/${clip.slug}`)
  const captions = String(shared.json().captions_url ?? "/captions/none").replace("http://record.example.gov", "")
  const grant = yield* grantTo(id)
  const calls = callsOf(own.credentials, grant, yield* keptBy(own.accountId), clip, yield* operated)
  const operations = yield* Effect.forEach(
    Object.values(calls).filter(({ good }) => (good.method ?? "GET") === "GET"),
    ({ good }) => Effect.map(send(good), ({ status, text }) => ({ path: good.path, status, text }))
  )
  const page = String((yield* call("GET", `/api/meetings/${id}`)).json().path)
  const pages = [page, "/", "/browse", "/in/springfield", "/in/springfield/council", `/clips/${clip.slug}`]
  const others = yield* answersAt(
    [
      ...formats,
      ...pages.flatMap((path) => [path, `/md${path}`]),
      `${page}?t=3`,
      `/embed/clips/${clip.slug}`,
      captions,
      "/browse.atom",
      "/in/springfield.atom",
      "/in/springfield/council.atom",
      "/in/springfield/council.ics",
      "/sitemaps/1.xml"
    ],
    [own.credentials, shareToken(grant)]
  )
  const found = yield* answersAt(
    searches.flatMap((q) => [
      `/api/meetings/browse?${new URLSearchParams({ q })}`,
      `/browse.atom?${new URLSearchParams({ q })}`
    ]),
    [nobody]
  )
  const tools = yield* Effect.all([
    tool("read_meeting", { id }),
    tool("read_meeting", { id, from: 0, share_token: grant }),
    tool("read_meeting", { id, q: "asphalt", share_token: grant }),
    tool("search_meetings", { q: "quillfeather" }),
    tool("search_meetings", { q: "asphalt" })
  ])
  const exported = yield* Stream.runCollect(yield* exportEntities)
  const told = yield* db<{ text: string }>`select data::text as text from feed_event`
  return {
    found,
    left: [
      ...operations,
      ...others,
      // A search response repeats the query, but finds nothing by it.
      ...tools.filter(({ text }) => !text.includes('"q":"quillfeather"')),
      ...(yield* mailedBy(days)),
      { path: "export", status: 200, text: JSON.stringify([...exported]) },
      ...told.map(({ text }) => ({ path: "events", status: 200, text }))
    ]
  }
})

const totalOf = Effect.fnUntraced(function* (q: string) {
  return Number((yield* call("GET", `/api/meetings/browse?${new URLSearchParams({ q, exact: "1" })}`)).json().total)
})

/** Asserts that the address appears nowhere, and that nothing is found by it. */
const keepsTheSecret = Effect.fnUntraced(function* (days: number) {
  const { left, found } = yield* everything(days)
  for (const { path, text } of left) assert.notMatch(text, secret, path)
  for (const { path, text } of found) assert.notInclude(text, "Quillfeather Lane", path)
  for (const q of searches.slice(0, 4)) assert.strictEqual(yield* totalOf(q), 0, q)
  return left
})

/** The mails, by name: those sent in the same millisecond of the test's clock have no order. */
const mailsAmong = (left: ReadonlyArray<{ readonly path: string }>) =>
  left
    .map(({ path }) => path)
    .filter((path) => path.startsWith("mail: "))
    .toSorted()

layer(Layer.mergeAll(Layer.effectDiscard(world), Digests.layer).pipe(Layer.provideMerge(TestService)), {
  excludeTestServices: true
})("a spoken home address", (it) => {
  it.effect(
    "never leaves the service: before refining, after, or when the transcript is imported again",
    () =>
      Effect.gen(function* () {
        const db = yield* Db
        yield* subscribed
        const before = yield* keepsTheSecret(1)
        assert.deepStrictEqual(mailsAmong(before), ["mail: Council, March 10: Recap"])
        assert.strictEqual(yield* totalOf("asphalt plant dana"), 0)

        yield* madeReadable
        const left = yield* keepsTheSecret(2)
        // Public text is readable: otherwise the test would pass for an empty record.
        const saying = left.filter(({ text }) => /address removed|asphalt plant/.test(text)).map(({ path }) => path)
        for (const path of [`/api/meetings/${id}/transcript`, `/api/meetings/${id}/claims`, "export", ...formats]) {
          if (!path.includes("raw=1")) assert.include(saying, path)
        }
        assert.deepStrictEqual(mailsAmong(left), [
          "mail: 1 new meeting for “good evening”",
          "mail: Council, March 10: Recap",
          "mail: Council, March 10: Recap"
        ])
        assert.include(saying, "mail: Council, March 10: Recap")
        assert.strictEqual(yield* totalOf('"oppose the asphalt plant"'), 1)

        yield* putOnRecord(raw(`${spoken} Thank you.`))
        yield* keepsTheSecret(3)

        yield* db`update flow set state = 'done', ended_at = now() where meeting_id = ${id}`
        yield* putOnRecord({ type: "removed", what: "transcript", id })
        yield* putOnRecord(raw(`${spoken} Thanks to all.`))
        yield* keepsTheSecret(4)
        // It is waiting to be refined.
        assert.strictEqual(yield* totalOf('"oppose the asphalt plant"'), 0)
      }),
    180_000
  )
})
