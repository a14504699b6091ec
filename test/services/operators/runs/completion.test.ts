import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import { MeetingId } from "../../../../schema/primitives.ts"
import { AgencyMerge } from "../../../../src/services/directory/agency-merge.ts"
import { announceStale } from "../../../../src/services/feed/stale-meetings.ts"
import { AgentTokens } from "../../../../src/services/operators/agent-tokens.ts"
import { Completion } from "../../../../src/services/operators/runs/completion.ts"
import { Flows } from "../../../../src/services/queue/flows.ts"
import { noteLikeness } from "../../../../src/services/sources/discovered-meetings.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../../support/builders.ts"
import { TestDb } from "../../../support/database.ts"
import { discovered, failedTask, source } from "../../../support/operators.ts"

const Operating = Layer.mergeAll(
  Completion.layer.pipe(Layer.provide([AgencyMerge.layer, Flows.layer])),
  AgentTokens.layer
).pipe(Layer.provideMerge(TestDb))

/** A place with two bodies and a meeting, another place with one of each, and a run of the first. */
const begun = Effect.gen(function* () {
  yield* putOnRecord(
    place("springfield"),
    place("shelbyville"),
    agency("council", ["springfield"], { name: "Springfield City Council" }),
    agency("zoning", ["springfield"], { name: "Zoning Board of Appeals" }),
    agency("elsewhere", ["shelbyville"]),
    meeting("ours", "council"),
    meeting("theirs", "elsewhere")
  )
  const completion = yield* Completion
  const { id: run } = yield* completion.start("springfield")
  const agent = { tokenId: meetingId("token"), machine: "build-box", runId: run }
  return { completion, db: yield* Db, run, doing: { agent, run } }
})

/** The number of rows of a table that meet a condition. */
const count = (rows: ReadonlyArray<unknown>) => rows.length

layer(Operating, { excludeTestServices: true })("a completion run", (it) => {
  it.effect("is one per place while it is open, crawls its sources, and revokes its tokens when it ends", () =>
    Effect.gen(function* () {
      const { completion, db } = yield* begun
      const tokens = yield* AgentTokens
      yield* source("shelbyville")
      const [a, b] = yield* Effect.all([completion.start("shelbyville"), completion.start("shelbyville")], {
        concurrency: 2
      })
      assert.strictEqual(a.id, b.id)
      assert.deepStrictEqual([a.started, b.started].sort(), [false, true])
      assert.strictEqual(count(yield* db`select from flow f join source s on s.id = f.source_id`), 1)
      const { token } = yield* tokens.mint({ machine: "box", run: a.id })
      assert.isTrue((yield* tokens.holder(token))._tag === "Some")
      yield* completion.end(a.id)
      assert.isTrue((yield* tokens.holder(token))._tag === "None")
      const refused = yield* Effect.flip(
        completion.rerun({ agent: { tokenId: "", machine: "", runId: a.id }, run: a.id }, meetingId("theirs"), "fetch")
      )
      assert.deepInclude(refused, { _tag: "NotFound", what: "completion_run" })
    })
  )

  it.effect("puts a discovered meeting on record once, however many requests there are at the same moment", () =>
    Effect.gen(function* () {
      const { completion, db, doing } = yield* begun
      const from = yield* source("springfield", { Council: "council" })
      const id = yield* discovered(from, "Council")
      const answers = yield* Effect.all(
        [completion.importDiscovered(doing, id), completion.importDiscovered(doing, id)],
        { concurrency: 2 }
      )
      assert.deepStrictEqual(answers.map(({ changed }) => changed).sort(), [false, true])
      assert.deepStrictEqual(new Set(answers.map(({ task }) => task.id)).size, 1)
      assert.deepInclude(answers[0]?.task, { stage: "detect", state: "waiting", meeting_id: MeetingId.make(id) })
      assert.match(answers[0]?.task.reason ?? "", /No running worker does the stage detect/)
      assert.strictEqual(count(yield* db`select from flow where meeting_id = ${id}`), 1)
      assert.strictEqual(count(yield* db`select from meeting_search where meeting_id = ${id}`), 1)
      assert.strictEqual(
        count(yield* db`select from feed_event where meeting_id = ${id} and event = 'meeting.published'`),
        1
      )
      const { discovered_total, actions } = yield* completion.show(doing.run)
      assert.strictEqual(discovered_total, 0)
      assert.deepStrictEqual(
        actions.map(({ changed }) => changed),
        [false, true]
      )
    })
  )

  it.effect("refuses to guess the body of a discovered meeting", () =>
    Effect.gen(function* () {
      const { completion, db, doing } = yield* begun
      const from = yield* source("springfield")
      const id = yield* discovered(from, "Harbor Commission")
      for (const asked of [completion.importDiscovered(doing, id), completion.sameBody(doing, id)]) {
        assert.deepInclude(yield* Effect.flip(asked), { _tag: "BodyUnsettled", sourceBody: "Harbor Commission" })
      }
      assert.strictEqual(count(yield* db`select from meeting where id = ${id}`), 0)
      assert.strictEqual(count(yield* db`select from operator_action where subject = ${id}`), 0)
    })
  )

  it.effect("maps a discovered body to the one with the most similar name", () =>
    Effect.gen(function* () {
      const { completion, db, doing } = yield* begun
      const from = yield* source("springfield")
      const id = yield* discovered(from, "City Council of Springfield")
      assert.deepInclude(yield* completion.sameBody(doing, id), { changed: true })
      assert.deepInclude(yield* completion.sameBody(doing, id), { changed: false })
      const [mapped] = yield* db`
        select b.slug from source_body sb join body b on b.id = sb.body_id where sb.source_id = ${from}`
      assert.deepStrictEqual(mapped, { slug: "council" })
      assert.deepInclude(yield* completion.importDiscovered(doing, id), { changed: true })
    })
  )

  it.effect("merges a body that turned out to be a known one, including its names at sources", () =>
    Effect.gen(function* () {
      const { completion, db, doing } = yield* begun
      yield* putOnRecord(agency("double", ["springfield"]), meeting("doubled", "double"))
      const from = yield* source("springfield", { "The Council": "double", "Council (old)": "double" })
      const id = yield* discovered(from, "The Council")
      yield* db`update discovered set same_as = (select id from body where slug = 'council') where id = ${id}`
      const { changed, task } = yield* completion.sameBody(doing, id)
      assert.isTrue(changed)
      assert.deepInclude(task, { stage: "crawl", source_id: from })
      const rows = yield* db`
        select b.slug from meeting m join body b on b.id = m.body_id where m.id = ${meetingId("doubled")}
        union all select b.slug from source_body sb join body b on b.id = sb.body_id where sb.source_id = ${from}`
      assert.deepStrictEqual(rows, Array(3).fill({ slug: "council" }))
      assert.strictEqual(count(yield* db`select from retired_slug where slug = 'double'`), 1)
      assert.deepInclude(yield* completion.sameBody(doing, id), { changed: false })
    })
  )

  it.effect(
    "repeats a stage and those after it, even for a meeting without a flow, and leaves a pending one alone",
    () =>
      Effect.gen(function* () {
        const { completion, db, doing } = yield* begun
        yield* putOnRecord(meeting("repeated", "council"))
        const id = meetingId("repeated")
        const first = yield* completion.rerun(doing, id, "verify")
        assert.deepInclude(first, { changed: true })
        assert.deepInclude(first.task, { stage: "verify", state: "waiting" })
        const stages = yield* db<{ stage: string }>`
        select t.stage from task t join flow f on f.id = t.flow_id where f.meeting_id = ${id} order by t.stage`
        assert.deepStrictEqual(
          stages.map(({ stage }) => stage),
          ["figures", "mail", "publish", "recap", "verify"]
        )
        assert.deepInclude(yield* completion.rerun(doing, id, "verify"), { changed: false })
        // A stage that the flow lacks is added to it, with those after it.
        const earlier = yield* completion.rerun(doing, id, "briefing")
        assert.deepInclude(earlier.task, { stage: "briefing", state: "waiting", flow_id: first.task.flow_id })
        const [verify] = yield* db`select state from task where id = ${first.task.id}`
        assert.deepStrictEqual(verify, { state: "blocked" })
        assert.deepInclude(yield* Effect.flip(completion.rerun(doing, id, "clip")), { what: "stage" })
      })
  )

  it.effect("retries a failed task once", () =>
    Effect.gen(function* () {
      const { completion, doing } = yield* begun
      yield* putOnRecord(meeting("broken", "council"))
      const task = yield* failedTask("broken")
      const answers = yield* Effect.all([completion.retry(doing, task), completion.retry(doing, task)], {
        concurrency: 2
      })
      assert.deepStrictEqual(answers.map(({ changed }) => changed).sort(), [false, true])
      for (const { task: shown } of answers) assert.deepInclude(shown, { id: task, state: "waiting", attempts: 0 })
    })
  )

  it.effect("moves a meeting to another body of the place, announces it, and publishes it again", () =>
    Effect.gen(function* () {
      const { completion, db, doing } = yield* begun
      yield* putOnRecord(meeting("moved", "council"))
      const id = meetingId("moved")
      const { changed, task } = yield* completion.reassign(doing, id, { agency_slug: "zoning" })
      assert.isTrue(changed)
      assert.deepInclude(task, { stage: "publish", meeting_id: id })
      const [row] = yield* db`
        select b.slug, s.body_id = m.body_id as indexed from meeting m join body b on b.id = m.body_id
        join meeting_search s on s.meeting_id = m.id where m.id = ${id}`
      assert.deepStrictEqual(row, { slug: "zoning", indexed: true })
      const again = yield* completion.reassign(doing, id.toUpperCase(), { agency_slug: "zoning" })
      assert.deepInclude(again, { changed: false })
      assert.strictEqual(again.task.id, task.id)
      const unknown = yield* Effect.flip(completion.reassign(doing, id, { agency_slug: "atlantis" }))
      assert.deepInclude(unknown, { _tag: "UnknownAgency", slug: "atlantis" })
    })
  )

  it.effect("moves meetings when their body is mapped again, except those moved by hand", () =>
    Effect.gen(function* () {
      const { completion, db, doing } = yield* begun
      const from = yield* source("springfield", { Panel: "zoning" })
      const [along, byHand] = [yield* discovered(from, "Panel"), yield* discovered(from, "Panel")]
      yield* Effect.forEach([along, byHand], (id) => completion.importDiscovered(doing, id))
      yield* completion.reassign(doing, byHand, { agency_slug: "council" })
      yield* putOnRecord(agency("panel", ["springfield"]))
      yield* completion.mapBodies(doing, from, { bodies: [{ source_body: "Panel", agency_slug: "panel" }] })
      yield* announceStale
      const rows = yield* db<{ id: string; slug: string }>`
        select m.id, b.slug from meeting_search s join meeting m on m.id = s.meeting_id join body b on b.id = s.body_id
        where m.id in (${along}, ${byHand})`
      assert.deepStrictEqual(
        new Map(rows.map(({ id, slug }) => [id, slug])),
        new Map([
          [along, "panel"],
          [byHand, "council"]
        ])
      )
    })
  )

  it.effect("does not equate bodies because both contain the words of their place", () =>
    Effect.gen(function* () {
      const { completion, doing, db } = yield* begun
      const from = yield* source("springfield")
      const id = yield* discovered(from, "Springfield School Board of Education")
      yield* noteLikeness(
        db,
        from,
        (yield* db<{ id: number }>`select id from place where slug = 'springfield'`)[0]?.id ?? 0,
        0.4
      )
      assert.deepStrictEqual(yield* db`select same_as from discovered where id = ${id}`, [{ same_as: null }])
      assert.deepInclude(yield* Effect.flip(completion.sameBody(doing, id)), { _tag: "BodyUnsettled" })
    })
  )

  it.effect("maps bodies of a source and crawls it again, only if something changed", () =>
    Effect.gen(function* () {
      const { completion, db, doing } = yield* begun
      const from = yield* source("springfield", { Zoning: "council" })
      const request = { bodies: [{ source_body: "Zoning", agency_slug: "zoning" }] }
      const { changed, task } = yield* completion.mapBodies(doing, from, request)
      assert.isTrue(changed)
      assert.deepInclude(task, { stage: "crawl", state: "waiting", source_id: from })
      const again = yield* completion.mapBodies(doing, from, request)
      assert.deepInclude(again, { changed: false })
      assert.strictEqual(again.task.id, task.id)
      const [row] = yield* db`
        select b.slug from source_body sb join body b on b.id = sb.body_id where sb.source_id = ${from}`
      assert.deepStrictEqual(row, { slug: "zoning" })
    })
  )

  it.effect("files candidates of its own place, each address once", () =>
    Effect.gen(function* () {
      const { completion, doing } = yield* begun
      const { place_id } = yield* completion.show(doing.run)
      const candidates = [{ name: "Library Board", kind: "other", url: "https://library.example.gov/" } as const]
      const { changed, task } = yield* completion.fileCandidates(doing, place_id, { candidates })
      assert.isTrue(changed)
      assert.deepInclude(task, { stage: "probe", run_id: doing.run })
      assert.deepInclude(yield* completion.fileCandidates(doing, place_id, { candidates }), { changed: false })
      const shown = yield* completion.show(doing.run)
      assert.deepStrictEqual(
        shown.candidates.map(({ name, filed_by }) => [name, filed_by]),
        [["Library Board", "build-box"]]
      )
      const elsewhere = yield* Effect.flip(completion.fileCandidates(doing, meetingId("none"), { candidates }))
      assert.deepInclude(elsewhere, { what: "place_of_run" })
    })
  )

  it.effect("reaches nothing of another place", () =>
    Effect.gen(function* () {
      const { completion, doing } = yield* begun
      const theirs = meetingId("theirs")
      const from = yield* source("shelbyville", { Council: "elsewhere" })
      const task = yield* failedTask("theirs")
      const asked: ReadonlyArray<Effect.Effect<unknown, { readonly _tag: string }>> = [
        completion.importDiscovered(doing, yield* discovered(from, "Council")),
        completion.sameBody(doing, yield* discovered(from, "Council")),
        completion.rerun(doing, theirs, "fetch"),
        completion.retry(doing, task),
        completion.mapBodies(doing, from, { bodies: [{ source_body: "Council", agency_slug: "council" }] }),
        completion.reassign(doing, theirs, { agency_slug: "council" })
      ]
      const refused = yield* Effect.forEach(asked, (one) => Effect.flip(one))
      assert.deepStrictEqual(
        refused.map((failure) => "what" in failure && failure.what),
        ["discovered", "discovered", "meeting_of_run", "task", "source", "meeting_of_run"]
      )
    })
  )
})
