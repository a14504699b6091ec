import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Logger, Queue, Schema, Stream } from "effect"
import { TestClock } from "effect/testing"
import { extractText, getDocumentProxy } from "unpdf"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { type Probed, Renderer, RendererError } from "../../layers/renderer/renderer.ts"
import { BundleEntity } from "../../schema/bundle.ts"
import { bundle } from "../../src/record/formats/bundle.ts"
import { read } from "../../src/record/formats/read.ts"
import { openSource } from "../../src/record/formats/source.ts"
import { importItems } from "../../src/record/import.ts"
import { sampleMedia } from "../../src/record/sample/media.ts"
import { sampleEntities, sampleMeetings } from "../../src/record/sample/sample.ts"
import {
  isSampleWanted,
  keepSampleMedia,
  keepTryingSampleMedia,
  putSample,
  removeSample
} from "../../src/record/sample/sample-record.ts"
import { unchanged } from "../../src/record/write/outcome.ts"
import { writeBundle } from "../../src/record/write-bundle.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { meeting, meetingId, putOnRecord } from "../support/builders.ts"
import { TestDb } from "../support/database.ts"
import { importPath } from "./importing.ts"

const day = "2026-11-21"
/** A leap day, a day after the clocks change, each day of a week. */
const days = ["2028-02-29", "2026-03-09", ...Array.from({ length: 7 }, (_, at) => `2026-11-${21 + at}`)]

const countBy = <A>(items: Iterable<A>, key: (item: A) => string) => {
  const counts: Record<string, number> = {}
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1
  return counts
}

describe("the sample", () => {
  it.effect("is a bundle on any day, with the same ids on each", () =>
    Effect.gen(function* () {
      const idsOn = Effect.fnUntraced(function* (today: string) {
        return (yield* sampleEntities(today)).map((entity) => {
          Schema.decodeUnknownSync(BundleEntity, { onExcessProperty: "error" })(entity)
          return "id" in entity ? entity.id : "slug" in entity ? entity.slug : `${entity.type} ${entity.meeting_id}`
        })
      })
      const ids = yield* idsOn(day)
      for (const other of days) assert.deepStrictEqual(yield* idsOn(other), ids, other)
    })
  )

  it.effect("is centered on the day of its import", () =>
    Effect.gen(function* () {
      for (const today of days) {
        for (const { meeting } of yield* sampleMeetings(today)) {
          if (meeting.status === "held") assert.isBelow(Date.parse(meeting.date), Date.parse(today), meeting.title)
          if (meeting.status === "upcoming") assert.isAbove(Date.parse(meeting.date), Date.parse(today), meeting.title)
        }
      }
    })
  )

  it.effect("has something for every feature of the service", () =>
    Effect.gen(function* () {
      const entities = yield* sampleEntities(day)
      const of = <T extends BundleEntity["type"]>(type: T) =>
        entities.filter((entity): entity is Extract<BundleEntity, { type: T }> => entity.type === type)
      assert.strictEqual(of("agency").length, 12)
      assert.deepStrictEqual(
        countBy(of("meeting"), ({ status }) => status),
        { held: 26, upcoming: 14, cancelled: 3 }
      )
      assert.deepStrictEqual(Object.keys(countBy(of("clip"), ({ state }) => state)).sort(), [
        "alternate",
        "dismissed",
        "proposal",
        "published"
      ])
      const verdicts = countBy(
        of("claims").flatMap(({ claims }) => claims),
        ({ verdict }) => verdict ?? "none"
      )
      for (const verdict of ["supported", "unsupported", "contradicted", "none"]) assert.property(verdicts, verdict)
      assert.isAbove(of("figure").length, 2)
      assert.deepStrictEqual(
        Object.keys(countBy(of("vote"), ({ kind, from = "import" }) => `${kind} ${from}`)).sort(),
        ["roll_call source", "vote source", "vote transcript"]
      )
      const people = new Set(of("person").map(({ slug }) => slug))
      for (const { ballots } of of("vote")) assert.isTrue(ballots.every(({ person = "" }) => people.has(person)))
      // One is followed from a commission to its council.
      assert.include(
        of("matter").map(({ history }) => new Set(history.map(({ agency }) => agency)).size),
        2
      )
      const recorded = (yield* sampleMeetings(day)).filter(({ authored }) => authored.recorded)
      assert.isAtLeast(recorded.length, 3)
      // The first start makes them in the background, so they are short.
      for (const { spoken } of recorded) assert.isBelow(spoken?.duration ?? Number.NaN, 180)
    })
  )

  it.effect("times every word within its segment, and every segment within the meeting", () =>
    Effect.gen(function* () {
      for (const entity of yield* sampleEntities(day)) {
        if (entity.type !== "transcript") continue
        let before = 0
        for (const segment of entity.segments) {
          for (const { start, end } of segment.words ?? []) {
            assert.isAtLeast(start, before)
            assert.isAtLeast(end, start)
            before = start
          }
          assert.isAtMost(segment.end, entity.duration ?? 0)
        }
      }
    })
  )
})

/** A renderer that writes files with their own description, and records its calls. */
class Asked extends Context.Service<Asked, Array<string>>()("test/Asked") {}

const FakeRenderer = Layer.effect(
  Renderer,
  Effect.gen(function* () {
    const asked = yield* Asked
    const probed: Probed = { duration: 90, width: 1280, height: 720 }
    const make = (target: string, what: string) =>
      Effect.sync(() => {
        asked.push(what)
        // It begins like a real file of its kind.
        const head = what.startsWith("poster") ? "ffd8ff" : "0000001866747970"
        fs.writeFileSync(target, Buffer.concat([Buffer.from(head, "hex"), Buffer.from(what)]))
        return probed
      })
    return Renderer.of({
      synthesize: (target, { title }) => make(target, `recording of ${title}`),
      rendition: (_, target, watermark) => make(target, `rendition: ${watermark}`),
      poster: (_, at, target) => Effect.asVoid(make(target, `poster at ${at}`)),
      clip: (_, { start, end }, target) => make(target, `clip ${start} ${end}`),
      sound: (_, { start, end }, target) => Effect.asVoid(make(target, `sound ${start} ${end}`)),
      probe: () => Effect.succeed(probed),
      look: () => Effect.succeed({ duration: 90, picture: probed, hasSound: true }),
      join: (_, __, target) => Effect.asVoid(make(target, "joined")),
      picture: (_, form) => Effect.succeed(form === "png" ? { width: 1200, height: 675 } : { width: 1280, height: 720 })
    })
  })
).pipe(Layer.provideMerge(Layer.sync(Asked, () => [])))

const TestFolder = Layer.unwrap(
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-sample-"))),
      (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
    ),
    (folder) =>
      Layer.mergeAll(
        ObjectStore.layerFolder(path.join(folder, "media")),
        Layer.effect(Environment, readEnvironment({ DATA_DIR: folder }))
      )
  )
)

const counts = Effect.gen(function* () {
  const db = yield* Db
  const [row] = yield* db<Record<string, number>>`
    select (select count(*) from meeting)::int as meetings, (select count(*) from body)::int as bodies,
      (select count(*) from place)::int as places, (select count(*) from media)::int as media,
      (select count(*) from meeting where updated_at > '1970-01-01T00:00:00Z')::int as touched`
  return row
})

layer(Layer.mergeAll(Layer.provideMerge(Settings.layer, TestDb), TestFolder, FakeRenderer, NodeServices.layer))(
  "the sample on record",
  (it) => {
    it.effect("is added once, moves along with the day, and is removed again", () =>
      Effect.gen(function* () {
        const settings = yield* Settings
        assert.isTrue(yield* isSampleWanted)
        yield* putSample
        assert.isTrue(yield* settings.get("record.Sample"))
        assert.deepStrictEqual(yield* counts, { meetings: 43, bodies: 12, places: 5, media: 0, touched: 0 })
        yield* TestClock.adjust("1 hour")
        yield* putSample
        assert.strictEqual((yield* counts)?.touched, 0)
        const made = yield* keepSampleMedia
        assert.strictEqual((yield* counts)?.media, made)
        const asked = yield* Asked
        const first = asked.length
        assert.include(asked, "rendition: Civic Record · Larkmoor City Council · 1969-12-30")
        yield* keepSampleMedia
        assert.strictEqual(asked.length, first)
        yield* removeSample
        assert.deepStrictEqual(yield* counts, { meetings: 0, bodies: 0, places: 0, media: 0, touched: 0 })
        assert.isFalse(yield* isSampleWanted)
        assert.isFalse(yield* settings.get("record.Sample"))
        const db = yield* Db
        const left = db`
          select (select count(*) from removed_meeting)::int as tombstones, (select count(*) from removed_media)::int as media,
            (select count(*) from feed_event)::int as events,
            (select count(distinct meeting_id) from feed_event where event = 'meeting.removed')::int as removed`
        assert.deepStrictEqual(yield* left, [{ tombstones: 43, media: made, events: 43, removed: 43 }])
        yield* putSample
        assert.strictEqual((yield* left)[0]?.tombstones, 0)
        yield* removeSample
      })
    )

    it.effect("removes only the entities it brought, and says how many", () =>
      Effect.gen(function* () {
        yield* putSample
        const db = yield* Db
        const { report } = yield* importPath(path.join(import.meta.dirname, "../../docs/examples/manifest"))
        const imported = report.entities.meeting?.created ?? 0
        assert.isAbove(imported, 0)
        const [own] = yield* db<{ slug: string }>`select slug from body where slug = 'tamarack-county-board'`
        yield* putOnRecord(meeting("own", own?.slug ?? ""))
        const onRecord = yield* counts
        const bodies = Number(onRecord?.bodies)
        const removed = yield* removeSample
        const left = yield* counts
        assert.strictEqual(left?.meetings, imported + 1)
        assert.strictEqual(removed.meetings, 43)
        assert.strictEqual(removed.bodies, bodies - Number(left?.bodies))
        assert.isAbove(removed.kept, 0)
        const tombstones = yield* db`select from removed_meeting where id = ${meetingId("own")}`
        assert.strictEqual(tombstones.length, 0)
        yield* db`delete from meeting`
        yield* db`delete from body`
        yield* db`delete from place`
        yield* db`delete from feed_event`
        yield* db`delete from removed_meeting`
        yield* db`delete from removed_media`
      })
    )

    it.effect("gets its recordings even if making them failed before, and logs each failure once", () =>
      Effect.gen(function* () {
        yield* putSample
        const renderer = yield* Renderer
        const failures = [
          Effect.fail(new RendererError({ reason: "failed", message: "ffmpeg failed." })),
          Effect.die("the disk is full")
        ]
        const probe: typeof renderer.probe = (file) => failures.shift() ?? renderer.probe(file)
        const warnings = yield* Queue.unbounded<unknown>()
        const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
          if (logLevel === "Warn") Queue.offerUnsafe(warnings, message)
        })
        const fiber = yield* keepTryingSampleMedia.pipe(
          Effect.provideService(Renderer, { ...renderer, probe }),
          Effect.provide(Logger.layer([logger])),
          Effect.forkChild
        )
        for (const pause of ["5 seconds", "10 seconds"] as const) {
          yield* Queue.take(warnings)
          yield* Effect.yieldNow
          yield* TestClock.adjust(pause)
        }
        const made = yield* Fiber.join(fiber)
        assert.strictEqual((yield* counts)?.media, made)
        assert.strictEqual(yield* Queue.size(warnings), 0)
        yield* removeSample
      })
    )

    it.effect("is not changed by its own export", () =>
      Effect.gen(function* () {
        yield* putSample
        const { dataDir } = yield* Environment
        const target = path.join(dataDir, "sample.ndjson")
        yield* writeBundle(target)
        const report = yield* importItems(read(yield* openSource(target), bundle, {}), {
          dryRun: false,
          writeMedia: () => Effect.succeed(unchanged),
          onNotice: () => Effect.void,
          onProgress: () => Effect.void,
          writers: 1
        })
        assert.strictEqual(report.rejected, 0)
        for (const [type, tally] of Object.entries(report.entities)) {
          assert.include(tally, { created: 0, updated: 0 }, type)
          assert.isAbove(tally.unchanged, 0, type)
        }
      })
    )

    it.effect("has agendas and figures that can be read", () =>
      Effect.gen(function* () {
        const { dataDir } = yield* Environment
        const folder = path.join(dataDir, "other")
        const [council] = (yield* sampleMeetings(day)).filter(({ authored }) => authored.key === "greenway-easement")
        // The agenda comes before the figures; the test above makes those of all other meetings.
        const media = yield* sampleMedia(folder, { today: day }).pipe(
          Stream.filter(({ meeting_id }) => meeting_id === council?.meeting.id),
          Stream.takeUntil(({ role }) => role === "figure"),
          Stream.runCollect
        )
        const of = (role: string) => media.find((file) => file.role === role)?.path ?? ""
        const pdf = yield* Effect.promise(async () =>
          extractText(await getDocumentProxy(new Uint8Array(fs.readFileSync(path.join(folder, of("agenda"))))), {
            mergePages: true
          })
        )
        for (const text of [
          "Peña Springs City Council",
          "Monday, November 9, 2026, 5:30 PM",
          "Spring Creek Greenway"
        ]) {
          assert.include(pdf.text, text)
        }
        const png = fs.readFileSync(path.join(folder, of("figure")))
        assert.deepStrictEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 675])
      })
    )
  }
)
