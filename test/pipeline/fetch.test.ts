import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Scope } from "effect"
import { Db } from "../../layers/db.ts"
import { ObjectStore } from "../../layers/object-store.ts"
import { Renderer } from "../../layers/renderer.ts"
import type { BundleMeeting } from "../../schema/bundle.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { sourceKey } from "../../src/services/meetings/media-tier.ts"
import { addFlows } from "../../src/services/operations/add-flows.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { cityServer, file, says, status } from "../support/city-server.ts"
import { Crawling, crawlingWorker } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { eventually, scratch } from "../support/rendering.ts"

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

/** Waits until a task is as it should be. */
const reached = (meeting: string, stage: string, isSo: (task: { state: string; failure: string | null }) => boolean) =>
  eventually(Effect.map(taskOf(meeting, stage), (task) => (task !== undefined && isSo(task) ? task : undefined)))

layer(Deployment, { excludeTestServices: true })("a recording", (it) => {
  it.effect(
    "that a stopped worker had half of is gone on with by the next, and kept as it is",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const store = yield* ObjectStore
        const film = yield* recording
        // The first answer never ends.
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
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "that is a web page, or no recording at all, fails with the reason; one that is new may still come",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        city.answers.set("/page", says("<html>", "text/html"))
        city.answers.set("/broken", says("no film", "video/mp4"))
        const page = yield* heldMeeting("page", { video_url: `${city.url}/page` })
        const broken = yield* heldMeeting("broken", { video_url: `${city.url}/broken` })
        const gone = yield* heldMeeting("gone", { video_url: `${city.url}/gone` })
        const lately = DateTime.formatIsoDate(DateTime.subtract(DateTime.nowUnsafe(), { days: 3 }))
        const late = yield* heldMeeting("late", { video_url: `${city.url}/late`, date: lately })
        yield* crawlingWorker
        const waits = { state: "waiting", attempts: 0, failure: "Its recording is not at its address yet." }
        assert.deepInclude(yield* reached(late, "fetch", ({ failure }) => failure !== null), waits)
        for (const [id, failure] of [
          [page, "What is at its address is not a recording."],
          [broken, "What is at its address is not a recording."],
          [gone, "There is nothing at its address (HTTP 404)."]
        ] as const) {
          assert.deepInclude(yield* reached(id, "fetch", ({ state }) => state === "failed"), { attempts: 1, failure })
        }
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "of a server that is busy is asked for later, and that is no try",
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
      }).pipe(Effect.scoped),
    60_000
  )

  it.effect(
    "that was never published leaves the agenda, and what is made of it",
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
        assert.strictEqual((yield* taskOf(id, "transcribe"))?.state, "cancelled")
        assert.strictEqual((yield* taskOf(id, "publish"))?.state, "cancelled")
        yield* reached(none, "fetch", ({ state }) => state === "cancelled")
      }).pipe(Effect.scoped),
    60_000
  )
})
