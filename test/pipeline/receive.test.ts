import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Stream } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { receiveStage } from "../../src/pipeline/stages/receive/receive.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { fingerprint } from "../../src/record/write/entity.ts"
import { writeMediaFrom } from "../../src/record/write/media.ts"
import { RemovedMedia } from "../../src/services/clips/removed-media.ts"
import { giveFile } from "../../src/services/making/give-file.ts"
import { GivenRecordings } from "../../src/services/making/given-recordings.ts"
import { ReceivedRecordings } from "../../src/services/making/received-recordings.ts"
import { sourceKey } from "../../src/services/meetings/media-tier.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { laneNames } from "../../src/services/queue/stages.ts"
import { FetchedParts } from "../../src/services/sources/fetched-parts.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { cityServer, file } from "../support/city-server.ts"
import { Crawling } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { eventually, scratch } from "../support/rendering.ts"
import { smallRecording } from "../support/small-recording.ts"

const TestStore = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Deployment = Layer.mergeAll(GivenRecordings.layer, ReceivedRecordings.layer, RemovedMedia.layer).pipe(
  Layer.provideMerge(Crawling),
  Layer.provideMerge(Layer.mergeAll(TestDb, TestStore))
)

const councilMeeting = Effect.fnUntraced(function* (name: string) {
  yield* putOnRecord(place("springfield"), agency("council", ["springfield"]), meeting(name, "council"))
  return meetingId(name)
})

/** Has a worker receive what was given, until that is over; what the task says. */
const received = Effect.fnUntraced(function* (meeting: string) {
  const db = yield* Db
  const worker = yield* Effect.gen(function* () {
    const handlers = { receive: yield* receiveStage }
    return yield* runWorker(handlers, { jobs: 1, lanes: new Map(laneNames.map((lane) => [lane, 1])) })
  }).pipe(Effect.provide(Logger.layer([])), Effect.scoped, Effect.forkScoped)
  const ended = db<{ state: string; failure: string | null; skipped: string | null }>`
    select t.state, t.failure,
      (select detail from task_event e where e.task_id = t.id and e.kind = 'skipped' order by e.id desc limit 1) as skipped
    from task t join flow f on f.id = t.flow_id
    where f.meeting_id = ${meeting} and f.kind = 'given' and not exists (
      select from flow open where open.meeting_id = f.meeting_id and open.kind = 'given' and open.state = 'open')
    order by f.created_at desc limit 1`
  const task = yield* eventually(Effect.map(ended, ([row]) => row))
  worker.interruptUnsafe()
  return task
}, Effect.scoped)

/** A file of this content beside the service. */
const onDisk = Effect.fnUntraced(function* (name: string, content: Uint8Array) {
  const at = path.join(yield* scratch, name)
  fs.writeFileSync(at, content)
  return at
})

/** Two seconds of sound. */
const soundAlone = Effect.gen(function* () {
  const to = path.join(yield* scratch, "sound.wav")
  const from = yield* onDisk("film.mp4", yield* smallRecording(2))
  yield* Renderer.use((renderer) => renderer.sound(from, { start: 0, end: 2 }, to))
  return fs.readFileSync(to)
})

const rows = (meeting: string) =>
  Db.use(
    (db) => db<{ key: string; bytes: number }>`
      select key, bytes::float8 as bytes from media where meeting_id = ${meeting} and role = 'source'`
  )

const madeAgain = (meeting: string) =>
  Effect.map(
    Db.use(
      (db) => db<{ stage: string }>`
        select stage from task t join flow f on f.id = t.flow_id
        where f.meeting_id = ${meeting} and f.kind = 'meeting' and f.state = 'open' and t.state <> 'done'`
    ),
    (tasks) => tasks.map(({ stage }) => stage)
  )

layer(Deployment, { excludeTestServices: true })("a recording that an operator gives", (it) => {
  it.effect("becomes that of its meeting, and stands; the same again changes nothing, another one replaces it", () =>
    Effect.gen(function* () {
      const store = yield* ObjectStore
      const parts = yield* FetchedParts
      const id = yield* councilMeeting("given")
      const [one, two] = [yield* smallRecording(2), yield* smallRecording(3)]
      const first = yield* onDisk("council.mp4", one)
      const { id: upload } = yield* giveFile(id, first, { name: "council.mp4" })
      assert.deepStrictEqual(yield* received(id), { state: "done", failure: null, skipped: null })
      const kept = yield* store.file(sourceKey(id, "mp4"), yield* scratch)
      assert.isTrue(fs.readFileSync(kept).equals(one))
      assert.includeMembers([...(yield* madeAgain(id))], ["render", "transcribe", "publish"])
      const standing = (yield* parts.of(id)).find(({ part }) => part === "recording")?.standing
      assert.strictEqual(standing, "other")
      // Its pieces leave the store.
      yield* RemovedMedia.use(({ sweep }) => sweep)
      assert.deepStrictEqual(yield* Stream.runCollect(store.list(`meetings/${id}/uploads/`)), [])
      assert.strictEqual((yield* Effect.flip(GivenRecordings.use((given) => given.upload(upload))))._tag, "NotFound")

      const db = yield* Db
      yield* db`update flow set state = 'done', ended_at = now() where meeting_id = ${id} and state = 'open'`
      yield* giveFile(id, yield* onDisk("again.mp4", one), { name: "again.mp4" })
      assert.include(yield* received(id), { skipped: "skipped: it is the meeting's recording already" })
      assert.deepStrictEqual(yield* madeAgain(id), [])

      yield* giveFile(id, yield* onDisk("other.mov", two), { name: "other.mov" })
      yield* received(id)
      assert.deepStrictEqual(yield* rows(id), [{ key: sourceKey(id, "mov"), bytes: two.length }])
      const versions = yield* db`select part, address, bytes::int as bytes from part_version where meeting_id = ${id}`
      assert.deepStrictEqual(versions, [{ part: "recording", address: "council.mp4", bytes: one.length }])
    }).pipe(Effect.scoped)
  )

  it.effect("stays when the recording that it replaced is imported again, and goes when another is", () =>
    Effect.gen(function* () {
      const id = yield* councilMeeting("imported")
      const [former, given, later] = [yield* smallRecording(2), yield* smallRecording(3), yield* smallRecording(4)]
      const imported = Effect.fnUntraced(function* (content: Uint8Array, name: string) {
        const folder = path.dirname(yield* onDisk(name, content))
        const media = {
          type: "media" as const,
          meeting_id: id,
          role: "source" as const,
          path: name,
          media_type: "video/mp4"
        }
        return yield* writeMediaFrom(folder, true)(media, fingerprint(media))
      })
      yield* imported(former, "former.mp4")
      yield* giveFile(id, yield* onDisk("given.mp4", given), { name: "given.mp4" })
      yield* received(id)
      assert.strictEqual((yield* rows(id))[0]?.bytes, given.length)
      assert.strictEqual((yield* imported(former, "former.mp4"))._tag, "Unchanged")
      assert.strictEqual((yield* rows(id))[0]?.bytes, given.length)
      yield* imported(later, "later.mp4")
      assert.strictEqual((yield* rows(id))[0]?.bytes, later.length)
      // Not even the first is left alone now.
      yield* imported(former, "former.mp4")
      assert.strictEqual((yield* rows(id))[0]?.bytes, former.length)
    }).pipe(Effect.scoped)
  )

  it.effect("arrives in pieces, in turn; one that stopped goes on where it was, and a wrong one is refused", () =>
    Effect.gen(function* () {
      const given = yield* GivenRecordings
      const db = yield* Db
      const id = yield* councilMeeting("pieces")
      const film = yield* smallRecording(2)
      const about = { name: "film.mp4", bytes: film.length, modified: 1_700_000_000_000 }
      const begun = yield* given.begin(id, about)
      yield* db`update given_recording set piece_bytes = 1000 where id = ${begun.id}`
      const piece = (from: number, to: number) => Stream.make(new Uint8Array(film.subarray(from, to)))
      const short = yield* Effect.flip(given.append(begun.id, 0, piece(0, 999)))
      assert.include(short, { _tag: "OutOfStep", received: 0, next: 1000 })
      assert.include(yield* Effect.flip(given.append(begun.id, 0, piece(0, 1001))), { received: 0 })
      assert.include(yield* given.append(begun.id, 0, piece(0, 1000)), { received: 1000 })
      assert.include(yield* Effect.flip(given.append(begun.id, 0, piece(0, 1000))), { received: 1000 })
      assert.include(yield* Effect.flip(given.finish(begun.id)), { _tag: "OutOfStep", received: 1000 })
      // Another file of that name is another upload; the same goes on.
      assert.notStrictEqual((yield* given.begin(id, { ...about, modified: 1 })).id, begun.id)
      assert.include(yield* given.begin(id, about), { id: begun.id, received: 1000 })
      const whole = yield* giveFile(id, yield* onDisk("film.mp4", film), about)
      assert.include(whole, { id: begun.id, received: film.length, finished: true })
      assert.include(yield* received(id), { state: "done" })
      assert.strictEqual((yield* rows(id))[0]?.bytes, film.length)

      yield* given.begin(id, { ...about, bytes: 20_000_000_001 }).pipe(
        Effect.flip,
        Effect.map((failure) => assert.include(failure, { _tag: "UnfitUpload", field: "bytes" }))
      )
      assert.include(yield* Effect.flip(given.begin(id, { ...about, name: "../x" })), { field: "name" })
    }).pipe(Effect.scoped)
  )

  it.effect("that is none fails with why; an address is fetched, and the meeting no longer waits", () =>
    Effect.gen(function* () {
      const given = yield* GivenRecordings
      const city = yield* cityServer()
      const film = yield* smallRecording(2)
      city.answers.set("/film.mp4", file(film, "video/mp4"))
      const id = yield* councilMeeting("address")
      yield* giveFile(id, yield* onDisk("notes.txt", Buffer.from("no film")), { name: "notes.txt" })
      const failure = "notes.txt is no recording that can be read."
      assert.include(yield* received(id), { state: "failed", failure })
      assert.include(yield* Effect.flip(given.fromAddress(id, "file:///etc/passwd")), { field: "address" })
      const db = yield* Db
      // Sound alone is a recording too.
      city.answers.set("/film.mp3", file(yield* soundAlone, "audio/mpeg"))
      yield* given.fromAddress(id, `${city.url}/film.mp3`)
      assert.include(yield* received(id), { state: "done" })
      assert.strictEqual((yield* rows(id))[0]?.key, sourceKey(id, "mp3"))
      yield* db`delete from flow where meeting_id = ${id}`
      // The meeting's own flow waits for its recording, and is woken.
      yield* addFlows(db, "meeting", [{ meeting_id: id }])
      yield* db`update task set due_at = now() + interval '6 hours' where stage = 'detect'`
      const captions = Buffer.from("WEBVTT\n\n00:00.000 --> 00:01.000\nThe levee holds.\n")
      yield* given.fromAddress(id, `${city.url}/film.mp4`, captions)
      assert.include(yield* received(id), { state: "done" })
      assert.strictEqual((yield* rows(id))[0]?.bytes, film.length)
      const said = yield* db`select version, generator, withheld from transcript where meeting_id = ${id}`
      assert.deepStrictEqual(said, [{ version: "raw", generator: "given captions", withheld: true }])
      const due = yield* db`select from task where stage = 'detect' and due_at <= now()`
      assert.lengthOf(due, 1)
    }).pipe(Effect.scoped)
  )
})
