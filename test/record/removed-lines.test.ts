import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import { agency, meeting, meetingId, said, transcript } from "../support/builders.ts"
import { deployment, directory, everything, exported, importPath, meetingsOnRecord, writeLines } from "./importing.ts"

const [a, b] = [meetingId("a"), meetingId("b")]

const meetings = [meeting("a", "council"), transcript("a", said(["The aqueduct leaks."])), meeting("b", "council")]

const removed = (what: string, id: string, reason?: string) => ({
  type: "removed",
  what,
  id,
  ...(reason === undefined ? {} : { reason })
})

const mistake = removed("meeting", a, "It was published by mistake.")

const tombstones = Effect.flatMap(Db, (db) => db`select id, short_id, reason from removed_meeting order by id`)

const stands = "was taken off the record by a removed line and stays off; a line that differs puts it on record again"

const outcome = (counts: object) => ({ created: 0, updated: 0, unchanged: 0, rejected: 0, ...counts })

/** A deployment, and the report of importing these lines into it. */
const machine = Effect.gen(function* () {
  const { folder, on } = yield* deployment
  let count = 0
  const load = (lines: ReadonlyArray<object>, dryRun = false) =>
    on(importPath(writeLines(path.join(folder, `${count++}.ndjson`), lines), { dryRun }))
  return { on, load }
})

describe("a removed line", () => {
  it.live(
    "takes a meeting off the record with its reason, and importing it again with its bundle changes nothing",
    () =>
      Effect.gen(function* () {
        const { on, load } = yield* machine
        const bundle = [...directory, ...meetings, mistake]
        const first = yield* load(bundle)
        assert.deepStrictEqual(first.report.entities.removed, outcome({ created: 1 }))
        assert.deepStrictEqual(yield* on(meetingsOnRecord), [b])
        assert.deepStrictEqual(yield* on(tombstones), [
          { id: a, short_id: a.slice(0, 8), reason: "It was published by mistake." }
        ])
        const before = yield* on(everything)
        const again = yield* load(bundle)
        assert.deepStrictEqual(yield* on(everything), before)
        assert.deepStrictEqual(again.report.entities.meeting, outcome({ unchanged: 2 }))
        assert.deepStrictEqual(again.report.entities.transcript, outcome({ unchanged: 1 }))
        assert.deepStrictEqual(again.report.entities.removed, outcome({ unchanged: 1 }))
        assert.deepStrictEqual(again.notices, [
          `warning 3 : this meeting ${stands}`,
          `warning 4 : this transcript ${stands}`
        ])
      })
  )

  it.live("changes the reason when it is imported with another", () =>
    Effect.gen(function* () {
      const { on, load } = yield* machine
      yield* load([...directory, ...meetings, mistake])
      const { report } = yield* load([removed("meeting", a, "It names a minor.")])
      assert.deepStrictEqual(report.entities.removed, outcome({ updated: 1 }))
      assert.deepStrictEqual(yield* on(tombstones), [{ id: a, short_id: a.slice(0, 8), reason: "It names a minor." }])
    })
  )

  it.live("yields to a line that differs, which restores what belongs to the meeting", () =>
    Effect.gen(function* () {
      const { on, load } = yield* machine
      yield* load([...directory, ...meetings, mistake])
      const { report } = yield* load([meeting("a", "council", { title: "Mended" }), ...meetings.slice(1)])
      assert.deepStrictEqual(report.entities.meeting, outcome({ created: 1, unchanged: 1 }))
      assert.deepStrictEqual(report.entities.transcript, outcome({ created: 1 }))
      assert.deepStrictEqual(yield* on(tombstones), [])
      const { withdrawn_line } = yield* on(everything)
      assert.deepStrictEqual(withdrawn_line, [])
    })
  )

  it.live("takes off a transcript and keeps the meeting, or a body with all of its meetings", () =>
    Effect.gen(function* () {
      const { on, load } = yield* machine
      const bundle = [
        ...directory,
        ...meetings,
        agency("board", ["springfield"]),
        meeting("c", "board"),
        removed("transcript", a),
        removed("agency", "board", "It is not a public body.")
      ]
      const first = yield* load(bundle)
      assert.deepStrictEqual(first.report.entities.removed, outcome({ created: 2 }))
      const before = yield* on(everything)
      assert.deepStrictEqual([before.meeting?.length, before.transcript, before.body?.length], [2, [], 1])
      assert.deepStrictEqual(yield* on(tombstones), [
        { id: meetingId("c"), short_id: meetingId("c").slice(0, 8), reason: "It is not a public body." }
      ])
      const again = yield* load(bundle)
      assert.deepStrictEqual(yield* on(everything), before)
      assert.deepStrictEqual(again.report.entities.removed, outcome({ unchanged: 2 }))
    })
  )

  it.live("is reported by a dry run, which keeps everything", () =>
    Effect.gen(function* () {
      const { on, load } = yield* machine
      yield* load([...directory, ...meetings])
      const before = yield* on(everything)
      const dry = yield* load([mistake, removed("transcript", b)], true)
      assert.deepStrictEqual(yield* on(everything), before)
      assert.deepStrictEqual(dry.report.entities.removed, outcome({ created: 1, rejected: 1 }))
      assert.deepStrictEqual(dry.notices, [
        `rejected 2 id: a transcript of meeting ${b} is neither on record nor on an earlier line; correct it or leave the line out`
      ])
    })
  )

  it.live("without a valid meeting id is skipped, with the field and what to write", () =>
    Effect.gen(function* () {
      const { load } = yield* machine
      const { notices } = yield* load([
        removed("meeting", "council"),
        removed("agency", "nobody"),
        removed("place", "springfield"),
        removed("agency", "council", "x".repeat(501))
      ])
      assert.deepStrictEqual(notices, [
        "rejected 3 what: must be one of meeting, transcript, agency",
        "rejected 4 reason: must have at most 500 characters",
        "rejected 1 id: must be the id (a UUID) of the meeting",
        "rejected 2 id: agency nobody is neither on record nor on an earlier line; correct it or leave the line out"
      ])
    })
  )
})

describe("the tombstones of a record", () => {
  it.live("are part of an export, and apply in the deployment that imports it", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* machine, yield* machine]
      yield* here.load([...directory, ...meetings, mistake])
      const record = yield* here.on(exported)
      assert.deepStrictEqual<unknown>(record.at(-1), mistake)
      const { notices } = yield* there.load(record)
      assert.deepStrictEqual(notices, [
        `warning 4 id: meeting ${a} was not on record; its address says now that it was removed`
      ])
      assert.deepStrictEqual(yield* there.on(tombstones), yield* here.on(tombstones))
      assert.deepStrictEqual(yield* there.on(exported), record)
    })
  )
})
