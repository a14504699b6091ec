import { assert, describe, it } from "@effect/vitest"
import { Data, Deferred, Effect, Fiber, Schedule, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Db } from "../../layers/db/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { found } from "../../src/record/formats/item.ts"
import { importItems } from "../../src/record/import.ts"
import { created } from "../../src/record/write/outcome.ts"
import { agency, agendaItemId, clipId, meeting, meetingId, place, said, transcript } from "../support/builders.ts"
import { day, deployment, directory, everything, importEntities, meetingsOnRecord, usual } from "./importing.ts"

/** A record of two bodies in which meetings, words, clips and faults alternate, and a body comes late. */
const record = (count: number): ReadonlyArray<BundleEntity> => [
  place("springfield"),
  agency("council", ["springfield"]),
  ...Array.from({ length: count }, (_, at): ReadonlyArray<BundleEntity> => {
    const name = String(at)
    const body = at < count / 2 ? "council" : "board"
    return [
      ...(at === Math.floor(count / 2) ? [agency("board", ["springfield"])] : []),
      meeting(name, at % 17 === 3 ? "nobody" : body, {
        date: day(at % 5),
        agenda_items: [{ id: agendaItemId(name), title: `Ordinance No. ${at}` }]
      }),
      transcript(name, said([`The greenway, item ${at}, is number ${at % 7}.`, "It's adopted at 7 p.m. by AT & T."])),
      {
        type: "clip",
        meeting_id: meetingId(name),
        id: clipId(name),
        title: `Clip ${at}`,
        start: 1,
        end: at % 11 === 5 ? 1 : 2,
        state: "published"
      }
    ]
  }).flat()
]

/**
 * Every table; of the feed, the events of each meeting. How often a meeting is announced as changed depends on which of
 * its lines share a batch, as it does with one writer. The random id of a place is left out.
 */
const comparable = Effect.map(everything, ({ feed_event = [], place: places = [], ...tables }) => ({
  ...tables,
  place: places.map((row) => row.replace(/,[0-9a-f-]{36}/, "")),
  feed_event: feed_event
    .flatMap((row) => /^\(\d+,([^,]*,[^,]*,[^,]*),/.exec(row)?.[1] ?? row)
    .filter((told) => !told.endsWith("meeting.updated"))
    .toSorted()
}))

class Broken extends Data.TaggedError("Broken") {}

describe("several writers", () => {
  it.effect("put the same rows on record as one, and report the same", () =>
    Effect.gen(function* () {
      const lines = record(300)
      const [alone, together] = yield* Effect.forEach([1, 4], (writers) =>
        Effect.gen(function* () {
          const { on } = yield* deployment
          yield* TestClock.setTime(Date.parse("2026-03-10T00:00:00Z"))
          const report = yield* on(importEntities(lines, { writers }))
          return { report, tables: yield* on(comparable) }
        })
      )
      assert.isAbove(alone?.report.rejected ?? 0, 0)
      assert.deepStrictEqual(together?.report, alone?.report)
      assert.deepStrictEqual(together?.tables, alone?.tables)
    })
  )

  it.effect("resolve dependent and conflicting lines in their order", () =>
    Effect.gen(function* () {
      const contested: BundleEntity = {
        type: "clip",
        meeting_id: meetingId("1"),
        id: clipId("one"),
        title: "Once",
        start: 1,
        end: 2,
        state: "published"
      }
      const lines: ReadonlyArray<BundleEntity> = [
        place("springfield"),
        meeting("early", "council"),
        agency("council", ["springfield"]),
        ...["1", "2", "3", "4"].map((name) => meeting(name, "council")),
        contested,
        ...["2", "3", "4"].map((name) => ({ ...contested, meeting_id: meetingId(name), title: name }))
      ]
      const { on } = yield* deployment
      const report = yield* on(importEntities(lines, { writers: 4 }))
      assert.deepStrictEqual(report.entities.meeting, { created: 4, updated: 0, unchanged: 0, rejected: 1 })
      assert.deepStrictEqual(report.entities.clip, { created: 1, updated: 3, unchanged: 0, rejected: 0 })
      const [clip] = (yield* on(everything)).clip ?? []
      assert.include(clip, `${meetingId("4")},4,`)
    })
  )

  it.live("that are stopped in the middle leave whole batches, and the next run does the rest", () =>
    Effect.gen(function* () {
      const lines = record(400)
      const whole = yield* deployment
      yield* whole.on(importEntities(lines, { writers: 3 }))
      const { on } = yield* deployment
      const reached = yield* Deferred.make<void>()
      const run = yield* Effect.forkChild(
        on(importEntities(lines, { writers: 3, onProgress: () => Deferred.succeed(reached, undefined) }))
      )
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(run)
      const stopped = yield* on(everything)
      assert.isBelow(stopped.meeting?.length ?? 0, 350)
      // A meeting that is on record is indexed and announced, so no batch was stored in part.
      assert.strictEqual(stopped.meeting_search?.length, stopped.meeting?.length)
      assert.isAtLeast(stopped.feed_event?.length ?? 0, stopped.meeting?.length ?? 0)
      yield* on(importEntities(lines, { writers: 3 }))
      const [resumed, uninterrupted] = [yield* on(everything), yield* whole.on(everything)]
      for (const table of [
        "held_count",
        "body",
        "agenda_item",
        "clip",
        "transcript",
        "passage_block",
        "meeting_search"
      ]) {
        assert.deepStrictEqual(resumed[table]?.length, uninterrupted[table]?.length, table)
      }
      // A batch that was rolled back leaves a gap in the numbers of bodies.
      const held = (tables: typeof resumed) => tables.held_count?.map((row) => row.replace(/^\(\d+/, ""))
      assert.deepStrictEqual(held(resumed), held(uninterrupted))
      assert.deepStrictEqual(resumed.passage_block, uninterrupted.passage_block)
    })
  )

  it.live("continue while one of them takes long, except with lines of its meetings", () =>
    Effect.gen(function* () {
      const { on } = yield* deployment
      const meetings = Array.from({ length: 700 }, (_, at) => meeting(String(at), "council", { date: day(at) }))
      const media: BundleEntity = {
        type: "media",
        meeting_id: meetingId("0"),
        role: "poster",
        path: "poster.jpg",
        media_type: "image/jpeg"
      }
      const words = transcript("0", said(["The greenway comes first."]))
      const lines = [
        ...directory,
        ...meetings.slice(0, 1),
        media,
        ...meetings.slice(1, 450),
        words,
        ...meetings.slice(450)
      ]
      const isLong = yield* Deferred.make<void>()
      const settled: Array<number> = []
      const run = yield* Effect.forkChild(
        on(
          importEntities(lines, {
            writers: 2,
            writeMedia: () => Effect.as(Deferred.await(isLong), created),
            onProgress: (count) => Effect.sync(() => settled.push(count))
          })
        )
      )
      // Two batches of 200 overtake the first one; the one with the words of its meeting does not.
      yield* on(meetingsOnRecord).pipe(
        Effect.repeat({ until: ({ length }) => length >= 300, schedule: Schedule.spaced("50 millis") })
      )
      assert.deepStrictEqual((yield* on(everything)).transcript, [])
      assert.deepStrictEqual(settled, [2])
      yield* Deferred.succeed(isLong, undefined)
      const report = yield* Fiber.join(run)
      assert.strictEqual(report.rejected, 0)
      assert.strictEqual(report.entities.meeting?.created, 700)
      assert.deepStrictEqual(
        settled,
        settled.toSorted((a, b) => a - b)
      )
    })
  )

  it.live("put on record everything read before a source failed", () =>
    Effect.gen(function* () {
      const { on } = yield* deployment
      const entities = [...directory, ...Array.from({ length: 30 }, (_, at) => meeting(String(at), "council"))]
      const items = entities.map((entity, at) => found({ file: "record.ndjson", line: at + 1 }, entity))
      const failed = yield* on(
        importItems(Stream.concat(Stream.fromIterable(items), Stream.fail(new Broken())), { ...usual, writers: 2 })
      ).pipe(Effect.flip)
      assert.strictEqual(failed._tag, "Broken")
      assert.strictEqual((yield* on(meetingsOnRecord)).length, 30)
    })
  )

  it.live("of two imports give two meetings whose ids begin alike two short ids", () =>
    Effect.gen(function* () {
      const { on } = yield* deployment
      yield* on(importEntities(directory))
      const first = meeting("first", "council", { id: MeetingId.make("0123abcd-1111-4111-8111-111111111111") })
      const second = meeting("second", "council", { id: MeetingId.make("0123abcd-2222-4222-8222-222222222222") })
      const media: BundleEntity = {
        type: "media",
        meeting_id: first.id,
        role: "poster",
        path: "poster.jpg",
        media_type: "image/jpeg"
      }
      // A batch with a line that the record refuses is written again, line by line.
      const refused: BundleEntity = {
        type: "clip",
        meeting_id: meetingId("third"),
        id: clipId("third"),
        title: "Of no item",
        start: 1,
        end: 2,
        agenda_item: agendaItemId("nothing"),
        state: "published"
      }
      const isWritten = yield* Deferred.make<void>()
      const isOther = yield* Deferred.make<void>()
      const writeMedia = () =>
        Deferred.succeed(isWritten, undefined).pipe(Effect.andThen(Deferred.await(isOther)), Effect.as(created))
      const earlier = yield* Effect.forkChild(on(importEntities([first, media], { writeMedia })))
      yield* Deferred.await(isWritten)
      const later = yield* Effect.forkChild(on(importEntities([meeting("third", "council"), refused, second])))
      // The later one waits to see whether the earlier one claims the short id.
      yield* on(
        Effect.flatMap(
          Db,
          (db) => db`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        )
      ).pipe(Effect.repeat({ until: (waiting) => waiting.length > 0, schedule: Schedule.spaced("50 millis") }))
      yield* Deferred.succeed(isOther, undefined)
      const reports = [yield* Fiber.join(earlier), yield* Fiber.join(later)]
      assert.deepStrictEqual(
        reports.map(({ rejected, entities }) => [rejected, entities.meeting?.created]),
        [
          [0, 1],
          [1, 2]
        ]
      )
      const rows = yield* on(
        Effect.flatMap(
          Db,
          (db) => db<{ short_id: string }>`
          select short_id from meeting where short_id ~ '^0123abcd' order by id`
        )
      )
      assert.deepStrictEqual(
        rows.map(({ short_id }) => short_id),
        ["0123abcd", "0123abcd2"]
      )
    })
  )

  it.live("end with the failure of one of them", () =>
    Effect.gen(function* () {
      const { on } = yield* deployment
      const media: BundleEntity = {
        type: "media",
        meeting_id: meetingId("1"),
        role: "poster",
        path: "poster.jpg",
        media_type: "image/jpeg"
      }
      const failed = yield* on(
        importEntities([...record(40), media], { writers: 3, writeMedia: () => Effect.fail(new Broken()) })
      ).pipe(Effect.flip)
      assert.strictEqual(failed._tag, "Broken")
    })
  )
})
