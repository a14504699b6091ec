import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Scope } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import type { BundleMeeting } from "../../schema/bundle.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { sourceKey } from "../../src/services/meetings/media-tier.ts"
import { segmentsFrom } from "../../src/services/meetings/packed-segments.ts"
import { Issues } from "../../src/services/operators/issues.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { cityServer, file, says, status } from "../support/city-server.ts"
import { Crawling, crawled, crawlingWorker } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { eventually, scratch } from "../support/rendering.ts"
import { transportStream } from "../support/streams.ts"

const TestStore = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Deployment = Crawling.pipe(Layer.provideMerge(Layer.mergeAll(TestDb, TestStore)))

/** A recording of two seconds. */
const recording = Effect.gen(function* () {
  const at = path.join(yield* scratch, "recording.mp4")
  const renderer = yield* Renderer
  yield* renderer.synthesize(at, { title: "Council", subtitle: "Regular", duration: 2, captions: [] })
  return fs.readFileSync(at)
})

/** A held meeting on record with a flow; its id. */
const heldMeeting = Effect.fnUntraced(function* (name: string, over: Partial<BundleMeeting>) {
  yield* putOnRecord(place("springfield"), agency("council", ["springfield"]), meeting(name, "council", over))
  const db = yield* Db
  yield* db.withTransaction(addFlows(db, "meeting", [{ meeting_id: meetingId(name) }]))
  return meetingId(name)
})

const taskOf = (meeting: string, stage: string) =>
  Effect.flatMap(Db, (db) =>
    Effect.map(
      db<{ state: string; attempts: number; failure: string | null; waits: boolean }>`
        select t.state, t.attempts, t.failure, t.due_at > clock_timestamp() + interval '1 minute' as waits
        from task t join flow f on f.id = t.flow_id where f.meeting_id = ${meeting} and t.stage = ${stage}`,
      ([row]) => row
    )
  )

/** The files that the fetch of a meeting reports as skipped. */
const skippedOf = (meeting: string) =>
  Effect.flatMap(Db, (db) =>
    Effect.map(
      db<{ detail: string }>`
        select e.detail from task_event e join task t on t.id = e.task_id join flow f on f.id = t.flow_id
        where f.meeting_id = ${meeting} and t.stage = 'fetch' and e.kind = 'skipped' order by e.id`,
      (rows) => rows.map(({ detail }) => detail)
    )
  )

/** Waits until a task is in the expected state. */
const reached = (meeting: string, stage: string, isSo: (task: { state: string; failure: string | null }) => boolean) =>
  eventually(Effect.map(taskOf(meeting, stage), (task) => (task !== undefined && isSo(task) ? task : undefined)))

layer(Deployment, { excludeTestServices: true })("a recording", (it) => {
  it.effect(
    "half fetched when its worker was stopped is continued by the next, and stored as it is",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const store = yield* ObjectStore
        const film = yield* recording
        // The first response never ends.
        city.answers.set("/film.mp4", (_, response) => {
          response.writeHead(200, { "content-type": "video/mp4", "content-length": film.length, etag: '"1"' })
          response.write(film.subarray(0, film.length / 2))
        })
        const id = yield* heldMeeting("resumed", { video_url: `${city.url}/film.mp4` })
        const first = yield* Scope.make()
        yield* Effect.provideService(crawlingWorker, Scope.Scope, first)
        const db = yield* Db
        yield* eventually(
          Effect.map(db`select from task where stage = 'fetch' and state = 'running' and progress > 0`, (rows) =>
            rows.length > 0 ? true : undefined
          )
        )
        yield* Scope.close(first, Exit.void)
        city.answers.set("/film.mp4", file(film, "video/mp4"))
        yield* crawlingWorker
        yield* reached(id, "fetch", ({ state }) => state === "done")
        assert.match(city.asked.at(-1)?.headers.range ?? "", /^bytes=[1-9]\d*-$/)
        const kept = yield* store.file(sourceKey(id, "mp4"), yield* scratch)
        assert.isTrue(fs.readFileSync(kept).equals(film))
        assert.deepStrictEqual(yield* db`select from removed_media where key = ${sourceKey(id, "mp4")}`, [])
      }),
    300_000
  )

  it.effect(
    "that is a stream goes on with the piece at which its worker was stopped",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const store = yield* ObjectStore
        const renderer = yield* Renderer
        const { pieces } = yield* transportStream(3)
        const list = pieces.map((_, at) => `#EXTINF:1,\n${at}.ts\n`).join("")
        city.answers.set("/list.m3u8", says(`#EXTM3U\n${list}#EXT-X-ENDLIST\n`, "application/x-mpegurl"))
        for (const [at, piece] of pieces.entries()) city.answers.set(`/${at}.ts`, says(piece, "video/mp2t"))
        // The second piece never ends.
        city.answers.set("/1.ts", (_, response) => void response.writeHead(200).write(pieces[1]?.subarray(0, 376)))
        const id = yield* heldMeeting("stream", { video_url: `${city.url}/list.m3u8` })
        const first = yield* Scope.make()
        yield* Effect.provideService(crawlingWorker, Scope.Scope, first)
        yield* eventually(Effect.sync(() => (city.asked.some(({ path }) => path === "/1.ts") ? true : undefined)))
        yield* Scope.close(first, Exit.void)
        city.answers.set("/1.ts", says(pieces[1] ?? "", "video/mp2t"))
        yield* crawlingWorker
        yield* reached(id, "fetch", ({ state }) => state === "done")
        assert.deepStrictEqual(
          city.asked.map(({ path }) => path).filter((at) => at.endsWith(".ts")),
          ["/0.ts", "/1.ts", "/1.ts", "/2.ts"]
        )
        const kept = yield* store.file(sourceKey(id, "mp4"), yield* scratch)
        assert.strictEqual(Math.round((yield* renderer.probe(kept)).duration), 3)
      }),
    300_000
  )

  it.effect(
    "that is a web page, a playlist or no recording at all is skipped with an issue; a new one may still come",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        city.answers.set("/page", says("<html>", "text/html"))
        city.answers.set("/list.m3u8", says("#EXTM3U", "application/vnd.apple.mpegurl"))
        city.answers.set("/broken", says("no film", "video/mp4"))
        const lately = DateTime.formatIsoDate(DateTime.subtract(DateTime.nowUnsafe(), { days: 3 }))
        const page = yield* heldMeeting("page", { video_url: `${city.url}/page`, date: lately })
        const list = yield* heldMeeting("list", { video_url: `${city.url}/list.m3u8` })
        const broken = yield* heldMeeting("broken", { video_url: `${city.url}/broken` })
        const gone = yield* heldMeeting("gone", { video_url: `${city.url}/gone` })
        const late = yield* heldMeeting("late", { video_url: `${city.url}/late`, date: lately })
        yield* crawlingWorker
        const waits = { state: "waiting", attempts: 0, failure: "Its recording is not at its address yet." }
        assert.deepInclude(yield* reached(late, "fetch", ({ failure }) => failure !== null), waits)
        for (const [id, reason] of [
          [page, "Its address leads to a web page, not a recording."],
          [list, "Its stream has no end: it is live, or still being made."],
          [broken, "Its address does not lead to a recording."],
          [gone, "Nothing was found at its address (HTTP 404)."]
        ] as const) {
          yield* reached(id, "fetch", ({ state }) => state === "done")
          assert.deepStrictEqual(yield* skippedOf(id), [`skipped: The recording is left out. ${reason}`])
          // The parts that do not need it are made.
          assert.strictEqual((yield* taskOf(id, "agenda"))?.state, "waiting")
          assert.strictEqual((yield* taskOf(id, "render"))?.state, "waiting")
        }
        const { issues } = yield* Issues.use(({ issues }) => issues)
        assert.deepStrictEqual(
          issues
            .filter(({ kind }) => kind === "recording_left_out")
            .map(({ subject, message }) => [subject.id, message]),
          [[page, "The recording is left out. Its address leads to a web page, not a recording."]]
        )
      }).pipe(Effect.provide(Issues.layer)),
    300_000
  )

  it.effect(
    "on a busy server is retried later, without counting as an attempt",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        city.answers.set("/busy", status(429, { "retry-after": "600" }))
        const id = yield* heldMeeting("busy", { video_url: `${city.url}/busy` })
        yield* crawlingWorker
        assert.deepStrictEqual(yield* reached(id, "fetch", ({ failure }) => failure !== null), {
          state: "waiting",
          attempts: 0,
          failure: "The server asked to be left alone for a while (HTTP 429).",
          waits: true
        })
        // For an hour it is only a busy server; after that, an operator has to look.
        const db = yield* Db
        const busy = Effect.map(
          Issues.use(({ issues }) => issues),
          ({ issues }) => issues.filter(({ kind, subject }) => kind === "host_busy" && city.url.endsWith(subject.id))
        )
        assert.lengthOf(yield* busy, 0)
        const host = new URL(city.url).host
        yield* db`update host_pace set held_since = held_since - interval '2 hours', next_at = now() where host = ${host}`
        assert.lengthOf(yield* busy, 1)
        // It remains an issue until the server answers again.
        city.answers.set("/busy", status(404))
        yield* db`update task set due_at = now() where state = 'waiting' and stage = 'fetch'`
        yield* reached(id, "fetch", ({ state }) => state === "done")
        assert.lengthOf(yield* busy, 0)
      }).pipe(Effect.provide(Issues.layer)),
    300_000
  )

  it.effect(
    "that was never published still leaves the agenda and the parts made from it",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        city.answers.set("/agenda", file(Buffer.from("%PDF-1.7\n"), "application/octet-stream"))
        const id = yield* heldMeeting("silent", { agenda_url: `${city.url}/agenda` })
        const none = yield* heldMeeting("nothing", {})
        yield* crawlingWorker
        yield* reached(id, "fetch", ({ state }) => state === "done")
        const db = yield* Db
        const media = yield* db`select role, media_type from media where meeting_id = ${MeetingId.make(id)}`
        assert.deepStrictEqual(media, [{ role: "agenda", media_type: "application/pdf" }])
        assert.strictEqual((yield* taskOf(id, "agenda"))?.state, "waiting")
        // Each of the others finds for itself that it has nothing to do.
        assert.strictEqual((yield* taskOf(id, "transcribe"))?.state, "waiting")
        yield* reached(none, "fetch", ({ state }) => state === "cancelled")
      }),
    300_000
  )

  it.effect(
    "with published captions has them as its raw transcript, which nobody sees before it is refined",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const db = yield* Db
        const sources = yield* Sources
        yield* putOnRecord(place("ogden"), agency("ogden-council", ["ogden"], { name: "Ogden City Council" }))
        const lately = DateTime.formatIsoDate(DateTime.subtract(DateTime.nowUnsafe(), { days: 20 }))
        // In windows-1252, out of order, with a broken cue, one of another day, a U+0000 and a bell.
        const srt = [
          "2\r\n00:00:09,000 --> 00:00:12,000\r\nI live at 1420 Maple Street\0.\r\n",
          "1\r\n00:00:01,000 --> 00:00:04,000\r\nGood\x07evening, Jos\xe9.\r\n",
          "3\r\n00:00:xx --> nonsense\r\nNobody reads this.\r\n",
          "4\r\n72:00:01,000 --> 72:00:04,000\r\nThree days later.\r\n"
        ].join("\r\n")
        city.answers.set("/captions.srt", says(Buffer.from(srt, "latin1"), "text/plain"))
        city.answers.set("/page.vtt", says("<html>", "text/html"))
        city.answers.set("/empty.vtt", says("WEBVTT\n\n", "text/vtt"))
        city.answers.set("/agenda.pdf", file(Buffer.from("%PDF-1.7\n"), "application/pdf"))
        const listed = (id: string, captions: string) => ({
          ...{ id, body: "Ogden City Council", title: id, date: lately },
          ...{ captions_url: `${city.url}/${captions}`, agenda_url: `${city.url}/agenda.pdf` }
        })
        const meetings = [listed("good", "captions.srt"), listed("page", "page.vtt"), listed("empty", "empty.vtt")]
        city.answers.set("/calendar", says(JSON.stringify({ meetings })))
        const url = `${city.url}/calendar`
        const source = yield* sources.add({ kind: "json", url, place: "ogden", everySeconds: 3600 })
        yield* crawlingWorker
        assert.deepStrictEqual(yield* crawled(source), { outcome: "ok", failure: null })
        const ids = new Map(
          (yield* db<{ id: string; title: string }>`
            select m.id, m.title from meeting m join body b on b.id = m.body_id where b.slug = 'ogden-council'`).map(
            ({ id, title }) => [title, id]
          )
        )
        for (const id of ids.values()) yield* reached(id, "fetch", ({ state }) => state === "done")
        const rows = yield* db<{ segments: Uint8Array }>`
          select meeting_id, version, withheld, generator, segments from transcript`
        const transcripts = yield* Effect.forEach(rows, (row) =>
          Effect.map(segmentsFrom(row.segments), (segments) => ({ ...row, segments }))
        )
        assert.deepStrictEqual(transcripts, [
          {
            ...{ meeting_id: ids.get("good"), version: "raw", withheld: true, generator: "published captions" },
            segments: [
              { start: 1, end: 4, text: "Good evening, José." },
              { start: 9, end: 12, text: "I live at 1420 Maple Street." }
            ]
          }
        ])
        assert.deepStrictEqual(yield* skippedOf(ids.get("page") ?? ""), [
          "skipped: The published captions are left out. The server did not answer with text/vtt."
        ])
        assert.deepStrictEqual(yield* skippedOf(ids.get("empty") ?? ""), [
          "skipped: The published captions are left out. They have no cues that can be read."
        ])
      }),
    300_000
  )
})
