import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Data, Deferred, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Db } from "../../layers/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { found } from "../../src/record/formats/item.ts"
import { type ImportOptions, importItems } from "../../src/record/import.ts"
import { created } from "../../src/record/write/outcome.ts"
import { agency, agendaItemId, clipId, meeting, meetingId, place, said, transcript } from "../support/builders.ts"
import { deployment, everything, exported, importPath, writeLines } from "./importing.ts"

const day = (at: number) => new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10)

const directory = [place("springfield"), agency("council", ["springfield"])]

const meetings = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    meeting(String(at), "council", {
      date: day(at),
      agenda_items: [{ id: agendaItemId(String(at)), title: `Item ${at}` }]
    })
  )

/** The options of an import, unless a test says otherwise. */
const usual = {
  dryRun: false,
  writeMedia: () => Effect.succeed(created),
  onNotice: () => Effect.void,
  onProgress: () => Effect.void
} satisfies ImportOptions<never, never>

const importEntities = <E, R>(entities: ReadonlyArray<BundleEntity>, options: Partial<ImportOptions<E, R>> = {}) =>
  importItems(
    Stream.fromIterable(entities.map((entity, at) => found({ file: "record.ndjson", line: at + 1 }, entity))),
    { ...usual, ...options }
  )

const meetingsOnRecord = Effect.flatMap(Db, (db) => db<{ id: string }>`select id from meeting order by id`).pipe(
  Effect.map((rows) => rows.map(({ id }) => id))
)

describe("bad lines", () => {
  it.live("are reported with their number and field, and the good ones are kept", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const clip = { type: "clip", meeting_id: meetingId("good"), id: clipId("a"), title: "A", start: 1, end: 2 }
      const file = writeLines(path.join(folder, "record.ndjson"), [
        place("springfield"),
        { ...place("shelbyville"), kind: "x".repeat(50_000) },
        agency("council", ["springfield"]),
        agency("lost-council", ["atlantis"]),
        "{ this is no JSON",
        "",
        meeting("good", "council", { agenda_items: [{ id: agendaItemId("good"), title: "Roll call" }] }),
        meeting("lost", "no-such-council"),
        { ...meeting("bad", "council"), date: "2026-02-30" },
        transcript("lost", said(["nobody hears this"])),
        transcript("good", said(["Good evening."])),
        { ...clip, end: 0.5, state: "published" },
        { ...clip, agenda_item: agendaItemId("none"), state: "published" },
        { ...clip, id: clipId("b"), state: "published" },
        { ...clip, id: clipId("c"), state: "secret" },
        { type: "media", meeting_id: meetingId("good"), role: "source", path: "not/here.mp4", media_type: "video/mp4" }
      ])
      const { report, notices } = yield* on(importPath(file))
      assert.deepStrictEqual(notices, [
        "rejected 2 kind: must be one of city, county",
        "rejected 5 : is not JSON",
        "rejected 9 date: must be a day that exists",
        "rejected 15 state: must be one of published, proposal, dismissed, alternate",
        "rejected 4 places: place atlantis is neither on record nor on an earlier line",
        "rejected 8 agency: agency no-such-council is neither on record nor on an earlier line",
        `rejected 10 meeting_id: meeting ${meetingId("lost")} is neither on record nor on an earlier line`,
        "rejected 12 end: breaks the rule clip_check",
        "rejected 13 agenda_item: breaks the rule clip_meeting_id_agenda_item_id_fkey",
        "rejected 16 path: not/here.mp4 is not a file of the bundle"
      ])
      assert.deepStrictEqual(report, {
        entities: {
          place: { created: 1, updated: 0, unchanged: 0, rejected: 0 },
          agency: { created: 1, updated: 0, unchanged: 0, rejected: 1 },
          meeting: { created: 1, updated: 0, unchanged: 0, rejected: 1 },
          transcript: { created: 1, updated: 0, unchanged: 0, rejected: 1 },
          clip: { created: 1, updated: 0, unchanged: 0, rejected: 2 },
          media: { created: 0, updated: 0, unchanged: 0, rejected: 1 }
        },
        rejected: 10,
        warnings: 0,
        repeated: 0
      })
      assert.deepStrictEqual(
        (yield* on(exported)).map(({ type }) => type),
        ["place", "agency", "meeting", "transcript", "clip"]
      )
    })
  )

  const item = { id: agendaItemId("one"), title: "One" }
  const unkeepable: ReadonlyArray<readonly [string, BundleEntity]> = [
    ["an hour that no day has", meeting("bad", "council", { starts_at: "2026-03-10T25:00:00Z" })],
    ["a length beyond measure", meeting("bad", "council", { duration: 1e12 })],
    ["an agenda with one id twice", meeting("bad", "council", { agenda_items: [item, item] })],
    ["a year that never was", meeting("bad", "council", { date: "0000-01-01" })],
    [
      "two claims of one id",
      {
        type: "claims",
        meeting_id: meetingId("good"),
        claims: [0, 1].map(() => ({ id: clipId("x") as never, topic: "A", text: "B", evidence: [] }))
      }
    ],
    ["a place named twice", agency("doubled", ["springfield", "springfield"])]
  ]
  for (const [what, bad] of unkeepable) {
    it.live(`with ${what}, which the database cannot store, do not affect the other lines`, () =>
      Effect.gen(function* () {
        const { on } = yield* deployment
        const good = [...directory, meeting("good", "council"), transcript("good", said(["Good evening."]))]
        const after = meeting("after", "council", { date: day(1) })
        const notices: Array<string> = []
        const report = yield* on(
          importEntities([...good, bad, after], {
            onNotice: ({ line, message }) => Effect.sync(() => notices.push(`${line} ${message}`))
          })
        )
        assert.strictEqual(report.rejected, 1)
        assert.match(notices.join(), /^5 \S/)
        assert.deepStrictEqual(
          (yield* on(meetingsOnRecord)).toSorted(),
          [good[2], after].map((one) => (one as typeof after).id).toSorted()
        )
      })
    )
  }
})

describe("characters that text cannot store", () => {
  it.live("are taken out and counted, naming the meeting and the field, and nothing else is lost", () =>
    Effect.gen(function* () {
      const { folder, on } = yield* deployment
      const words = said(["Good\u0000 evening.", "All \u0000\u0000here.", "Half \ud800 of it."])
      const file = writeLines(path.join(folder, "record.ndjson"), [
        place("springfield"),
        agency("council", ["springfield"]),
        meeting("good", "council", { title: "Regular\u0000 Meeting" }),
        transcript("good", words),
        // A byte of its own, as a damaged file has it.
        JSON.stringify(transcript("good", said(["Raw~words."]), { version: "raw" })).replace("~", "\0")
      ])
      const { report, notices } = yield* on(importPath(file))
      const of = `transcript of meeting ${meetingId("good")}`
      assert.deepStrictEqual(notices, [
        `warning 3 title: 1 NUL character (U+0000) is left out, from here on in meeting ${meetingId("good")}`,
        `warning 4 segments.0.text: 3 NUL characters (U+0000) are left out and 1 half of a surrogate pair is replaced with U+FFFD, from here on in the refined ${of}`,
        `warning 5 segments.0.text: 1 NUL character (U+0000) is left out, from here on in the raw ${of}`
      ])
      assert.deepStrictEqual([report.rejected, report.warnings], [0, 3])
      const entities = yield* on(exported)
      assert.deepStrictEqual(
        entities.flatMap((entity) => {
          if (entity.type === "meeting") return [entity.title]
          return entity.type === "transcript" ? entity.segments.map(({ text }) => text) : []
        }),
        ["Regular Meeting", "Rawwords.", "Good evening.", "All here.", "Half \ufffd of it."]
      )
      const again = yield* on(importPath(file))
      assert.deepStrictEqual(again.report.entities.transcript, { created: 0, updated: 0, unchanged: 2, rejected: 0 })
    })
  )
})

describe("run again, an import", () => {
  for (const example of ["bundle", "manifest", "whisper", "cdp", "captions", "agendas.json", "places"]) {
    it.live(`of docs/examples/${example} leaves every table as it was, and reports everything as unchanged`, () =>
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

  it.effect("with one line changed updates what that line says, and moves only that meeting's updated_at", () =>
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
              (select string_agg(c.text, ' ') from transcript_chunk c where c.meeting_id = m.id) as said
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
  it.live("does everything, reports what would become of every line, and leaves every table as it was", () =>
    Effect.gen(function* () {
      const { folder, store, on } = yield* deployment
      yield* on(importEntities([...directory, ...meetings(3)]))
      const before = yield* on(everything)
      const bundle = path.join(folder, "bundle")
      writeLines(path.join(bundle, "record.ndjson"), [
        ...directory,
        ...meetings(450).map((one, at) => (at === 0 ? { ...one, title: "Changed" } : one)),
        { type: "media", meeting_id: meetingId("0"), role: "source", path: "record.ndjson", media_type: "video/mp4" },
        meeting("lost", "none")
      ])
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
      // The same run without it does what was foretold.
      const wet = yield* on(importPath(bundle))
      assert.deepStrictEqual(wet, dry)
    })
  )
})

describe("a dry run of several batches", () => {
  it.live("leaves the feed's lock to those who write meanwhile", () =>
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
