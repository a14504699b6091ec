import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Data, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Db } from "../../layers/db/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { agendaItemId, clipId, meeting, meetingId, said, transcript } from "../support/builders.ts"
import { mediaFiles } from "../support/media-files.ts"
import {
  day,
  deployment,
  directory,
  everything,
  exported,
  importEntities,
  importPath,
  meetingsOnRecord,
  writeLines
} from "./importing.ts"

const meetings = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    meeting(String(at), "council", {
      date: day(at),
      agenda_items: [{ id: agendaItemId(String(at)), title: `Item ${at}` }]
    })
  )

describe("run again, an import", () => {
  for (const example of ["bundle", "manifest", "whisper", "cdp", "captions", "agendas.json", "places"]) {
    it.live(`of docs/examples/${example} leaves every table unchanged, and reports everything as unchanged`, () =>
      Effect.gen(function* () {
        const { on } = yield* deployment
        const first = yield* on(importPath(`docs/examples/${example}`))
        const before = yield* on(everything)
        const second = yield* on(importPath(`docs/examples/${example}`))
        assert.deepStrictEqual(yield* on(everything), before)
        const settled = Object.entries(first.report.entities).map(([type, { created }]) => [
          type,
          { created: 0, updated: 0, unchanged: created, rejected: 0 }
        ])
        assert.isAbove(settled.length, 0)
        assert.deepStrictEqual(second.report.entities, Object.fromEntries(settled))
      })
    )
  }

  it.effect("with one line changed updates the content of that line, and moves only that meeting's updated_at", () =>
    Effect.gen(function* () {
      const { on } = yield* deployment
      const words = transcript("0", said(["The greenway comes first."]))
      const [first, second] = meetings(2)
      const record = [...directory, first, second, words].filter((entity) => entity !== undefined)
      yield* TestClock.setTime(Date.parse("2026-03-10T00:00:00Z"))
      yield* on(importEntities(record))
      yield* TestClock.setTime(Date.parse("2026-03-11T00:00:00Z"))
      const report = yield* on(
        importEntities(
          record.map((entity) => {
            if (entity === words) return { ...words, segments: said(["The library comes first."]) }
            return entity === first
              ? { ...first, title: "Special Meeting", agenda_items: [{ id: agendaItemId("new"), title: "Library" }] }
              : entity
          })
        )
      )
      assert.deepStrictEqual(report.entities, {
        place: { created: 0, updated: 0, unchanged: 1, rejected: 0 },
        agency: { created: 0, updated: 0, unchanged: 1, rejected: 0 },
        meeting: { created: 0, updated: 1, unchanged: 1, rejected: 0 },
        transcript: { created: 0, updated: 1, unchanged: 0, rejected: 0 }
      })
      const rows = yield* on(
        Effect.flatMap(
          Db,
          (db) => db<{ title: string; updated_at: Date; items: string; said: string }>`
            select m.title, m.updated_at,
              (select string_agg(a.title, ', ') from agenda_item a where a.meeting_id = m.id) as items,
              (select string_agg(p.text, ' ') from passage p where p.meeting_id = m.id) as said
            from meeting m order by m.date`
        )
      )
      assert.deepStrictEqual(
        rows.map(({ title, updated_at, items, said }) => [title, updated_at.toISOString(), items, said]),
        [
          ["Special Meeting", "2026-03-11T00:00:00.000Z", "Library", "The library comes first."],
          ["Regular Meeting", "2026-03-10T00:00:00.000Z", "Item 1", null]
        ]
      )
    })
  )
})

describe("a dry run", () => {
  it.live("does everything, reports the outcome of every line, and leaves every table unchanged", () =>
    Effect.gen(function* () {
      const { folder, store, on } = yield* deployment
      yield* on(importEntities([...directory, ...meetings(3)]))
      const before = yield* on(everything)
      const bundle = path.join(folder, "bundle")
      writeLines(path.join(bundle, "record.ndjson"), [
        ...directory,
        ...meetings(450).map((one, at) => (at === 0 ? { ...one, title: "Changed" } : one)),
        { type: "media", meeting_id: meetingId("0"), role: "source", path: "a.mp4", media_type: "video/mp4" },
        meeting("lost", "none")
      ])
      fs.writeFileSync(path.join(bundle, "a.mp4"), (yield* mediaFiles).mp4)
      const dry = yield* on(importPath(bundle, { dryRun: true }))
      assert.deepStrictEqual(yield* on(everything), before)
      assert.throws(() => fs.readdirSync(path.join(store, "meetings")), /ENOENT/)
      assert.deepStrictEqual(dry.report.entities, {
        place: { created: 0, updated: 0, unchanged: 1, rejected: 0 },
        agency: { created: 0, updated: 0, unchanged: 1, rejected: 0 },
        meeting: { created: 447, updated: 1, unchanged: 2, rejected: 1 },
        media: { created: 1, updated: 0, unchanged: 0, rejected: 0 }
      })
      assert.deepStrictEqual(dry.notices, [
        "rejected 454 agency: agency none is neither on record nor on an earlier line"
      ])
      // The same run without it does what was predicted.
      const wet = yield* on(importPath(bundle))
      assert.deepStrictEqual(wet, dry)
    })
  )
})

describe("a dry run of several batches", () => {
  it.live("leaves the feed's lock to processes that write in the meantime", () =>
    Effect.gen(function* () {
      const { on } = yield* deployment
      const locks: Array<number> = []
      yield* on(
        Effect.flatMap(Db, (db) =>
          importEntities([...directory, ...meetings(450)], {
            dryRun: true,
            onProgress: () =>
              Effect.map(
                Effect.orDie(
                  db<{ held: number }>`
                    select count(*)::int as held from pg_locks l join pg_database d on d.oid = l.database
                    where l.locktype = 'advisory' and d.datname = current_database()`
                ),
                ([row]) => {
                  locks.push(row?.held ?? Number.NaN)
                }
              )
          })
        )
      )
      assert.deepStrictEqual(locks, [0, 0, 0])
    })
  )
})

class Broken extends Data.TaggedError("Broken") {}

describe("a batch", () => {
  const blocking: BundleEntity = {
    type: "media",
    meeting_id: meetingId("0"),
    role: "source",
    path: "a.mp4",
    media_type: "video/mp4"
  }

  it.live("that is interrupted halfway leaves nothing behind, and another run does the rest", () =>
    Effect.gen(function* () {
      const whole = yield* deployment
      const record = [...directory, ...meetings(500)]
      yield* whole.on(importEntities(record))

      const { on } = yield* deployment
      // 200 entities a batch: the third stops forever at its hundredth entity.
      const reached = yield* Deferred.make<void>()
      const settled: Array<number> = []
      const run = yield* Effect.forkChild(
        on(
          importEntities([...record.slice(0, 450), blocking, ...record.slice(450)], {
            writeMedia: () => Effect.andThen(Deferred.succeed(reached, undefined), Effect.never),
            onProgress: (count) => Effect.sync(() => settled.push(count))
          })
        )
      )
      yield* Deferred.await(reached)
      assert.deepStrictEqual(settled, [200, 400])
      yield* Fiber.interrupt(run)
      const kept = yield* on(meetingsOnRecord)
      assert.deepStrictEqual(
        kept,
        meetings(398)
          .map(({ id }) => id as string)
          .toSorted()
      )
      const report = yield* on(importEntities(record))
      assert.deepStrictEqual(report.entities.meeting, { created: 102, updated: 0, unchanged: 398, rejected: 0 })
      assert.deepStrictEqual(yield* on(exported), yield* whole.on(exported))
      const [resumed, uninterrupted] = [yield* on(everything), yield* whole.on(everything)]
      for (const table of ["held_count", "body", "body_place", "agenda_item"]) {
        assert.deepStrictEqual(resumed[table], uninterrupted[table], table)
      }
      assert.strictEqual(resumed.feed_event?.length, uninterrupted.feed_event?.length)
    })
  )

  it.live("that fails is rolled back entirely, and the batches before it stay", () =>
    Effect.gen(function* () {
      const { on } = yield* deployment
      const record = [...directory, ...meetings(250), blocking]
      const failed = yield* on(importEntities(record, { writeMedia: () => Effect.fail(new Broken()) })).pipe(
        Effect.flip
      )
      assert.strictEqual(failed._tag, "Broken")
      assert.strictEqual((yield* on(meetingsOnRecord)).length, 198)
      assert.strictEqual((yield* on(everything)).feed_event?.length, 198)
    })
  )

  it.live("with one refused entity keeps all the others, and search finds them", () =>
    Effect.gen(function* () {
      const { on } = yield* deployment
      const clip = (name: string, end: number): BundleEntity => ({
        type: "clip",
        meeting_id: meetingId("0"),
        id: clipId(name),
        title: name,
        start: 1,
        end,
        state: "published"
      })
      const report = yield* on(
        importEntities([...directory, ...meetings(100), clip("good", 2), clip("bad", 0), clip("better", 3)])
      )
      assert.deepStrictEqual(report.entities.meeting, { created: 100, updated: 0, unchanged: 0, rejected: 0 })
      assert.deepStrictEqual(report.entities.clip, { created: 2, updated: 0, unchanged: 0, rejected: 1 })
      const tables = yield* on(everything)
      assert.strictEqual(tables.meeting?.length, 100)
      assert.strictEqual(tables.meeting_search?.length, 100)
      assert.strictEqual(tables.clip?.length, 2)
    })
  )
})
