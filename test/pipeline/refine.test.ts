import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { refineStage } from "../../src/pipeline/stages/refine/refine.ts"
import { Transcripts } from "../../src/services/meetings/transcripts.ts"
import type { ClaimedTask } from "../../src/services/queue/tasks.ts"
import { agency, agendaItemId, meeting, meetingId, place, putOnRecord, said, transcript } from "../support/builders.ts"
import { makingWith } from "../support/making.ts"
import { behaviours, startModelServer, twoModelsAt } from "../support/model-server.ts"

const id = meetingId("council")

const task: ClaimedTask = {
  id: "00000000-0000-4000-8000-000000000001",
  claim: "00000000-0000-4000-8000-000000000002",
  worker: "00000000-0000-4000-8000-000000000003",
  flow: "00000000-0000-4000-8000-000000000004",
  stage: "refine",
  attempts: 1,
  meetingId: id,
  userClipId: null,
  clipId: null,
  sourceId: null,
  traceparent: null,
  ...{ modelAway: 0, modelUnusable: 0, modelWaited: 0 }
}

const onRecord = Effect.gen(function* () {
  yield* putOnRecord(
    place("larkmoor"),
    agency("council", ["larkmoor"]),
    meeting("council", "council", {
      agenda_items: [{ id: agendaItemId("rezoning"), title: "Rezoning of 18 Elm Court" }]
    })
  )
  const db = yield* Db
  yield* db`insert into flow (id, kind, meeting_id) values (${task.flow}, 'meeting', ${id})`
  yield* db`insert into task (id, flow_id, stage, lane, state) values (${task.id}, ${task.flow}, 'refine', 'model', 'waiting')`
})

const raw = (...lines: ReadonlyArray<string>) => transcript("council", said(lines), { version: "raw" })

const refine = Effect.scoped(
  Effect.gen(function* () {
    const db = yield* Db
    const { work } = yield* refineStage
    const put = yield* work(task, () => Effect.void)
    yield* db.withTransaction(put)
  })
)

/** The transcript for readers: the refined version unless they request the raw one. */
const read = (asRaw: boolean) =>
  Transcripts.use(({ read }) => read(id, { raw: asRaw, words: true, format: "txt", coding: "identity" })).pipe(
    Effect.map(({ bytes }) => new TextDecoder().decode(bytes)),
    Effect.provide(Transcripts.layer)
  )

const address = "I live at 2214 Maple Street, near 18 Elm Court."

describe("refining a transcript", () => {
  it.effect("removes spoken home addresses from what readers get and search finds, and withholds the raw version", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* onRecord
      yield* putOnRecord(raw("Good evening.", address))
      // It waits for its task, and in the meantime nobody reads or finds it.
      assert.isTrue((yield* Effect.exit(read(true)))._tag === "Failure")
      assert.lengthOf(yield* db`select from passage`, 0)
      yield* refine
      const text = yield* read(false)
      assert.include(text, "I live at [address removed], near 18 Elm Court.")
      const refused = yield* Effect.flip(read(true))
      assert.deepInclude(refused, { _tag: "MissingPart", part: "raw_transcript" })
      const [passage] = yield* db<{ text: string }>`select text from passage where meeting_id = ${id}`
      assert.notInclude(passage?.text, "Maple")
      const events = yield* db<{ version: string }>`
        select data ->> 'version' as version from feed_event where event = 'transcript.ready' order by id`
      assert.deepStrictEqual(
        events.map(({ version }) => version),
        ["refined"]
      )
    }).pipe(Effect.provide(makingWith({})))
  )

  it.effect("leaves the raw version to readers if nothing was removed, and withholds it once something is", () =>
    Effect.gen(function* () {
      yield* onRecord
      yield* putOnRecord(raw("Good evening."))
      yield* refine
      assert.include(yield* read(true), "Good evening.")
      // Another transcript may contain words that the first did not.
      yield* putOnRecord(raw("Good evening.", address))
      // Nobody sees it before it is refined in turn, which is already scheduled.
      assert.isTrue((yield* Effect.exit(read(true)))._tag === "Failure")
      const db = yield* Db
      yield* db`update flow set state = 'done', ended_at = now()`
      yield* putOnRecord(raw("Good evening.", `${address} Thank you.`))
      assert.isTrue((yield* Effect.exit(read(true)))._tag === "Failure")
      const planned = yield* db`
        select t.stage from task t join flow f on f.id = t.flow_id where f.state = 'open' and t.state = 'waiting'`
      assert.deepStrictEqual(planned, [{ stage: "refine" }])
      yield* refine
      assert.isTrue((yield* Effect.exit(read(true)))._tag === "Failure")
      // Imported once more, it stays withheld until it has been refined.
      yield* putOnRecord(raw("Good evening, all.", address))
      assert.isTrue((yield* Effect.exit(read(true)))._tag === "Failure")
    }).pipe(Effect.provide(makingWith({})))
  )

  it.live("removes an address that the model's wording no longer reveals as a home", () =>
    Effect.gen(function* () {
      const model = yield* startModelServer
      const text = "I drove by 2214 Maple Street, near 18 Elm Court."
      model.plan(behaviours.byName({ refine: () => ({ lines: [{ line: 0, text, speaker: "Public commenter" }] }) }))
      yield* Effect.gen(function* () {
        yield* onRecord
        yield* putOnRecord(raw(address))
        yield* refine
        assert.include(yield* read(false), "I live at [address removed], near 18 Elm Court.")
        assert.isTrue((yield* Effect.exit(read(true)))._tag === "Failure")
        const db = yield* Db
        const rows = yield* db`select kind, parts, kept #>> '{parts,0,text}' as words from removal`
        const parts = [{ segment: 0, from: 10, to: 27 }]
        assert.deepStrictEqual(rows, [{ kind: "home", parts, words: "2214 Maple Street" }])
      }).pipe(Effect.provide(makingWith(twoModelsAt(model.url))))
    })
  )

  it.effect("leaves a refined transcript unchanged if it was imported", () =>
    Effect.gen(function* () {
      yield* onRecord
      yield* putOnRecord(raw(address), transcript("council", said(["Edited by the clerk."])))
      yield* refine
      assert.include(yield* read(false), "Edited by the clerk.")
    }).pipe(Effect.provide(makingWith({})))
  )
})
