import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Db, type ReadDb } from "../../layers/db/db.ts"
import type { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { RemovedMedia } from "../../src/services/clips/removed-media.ts"
import { cardsOf } from "../../src/services/meetings/cards.ts"
import { mediaTier, posterKey, renditionKey, sourceKey } from "../../src/services/meetings/media-tier.ts"
import { deployment, directory, importPath, writeLines } from "../record/importing.ts"
import { clipId, meeting, meetingId } from "../support/builders.ts"
import { eventually, TestRenderer, TestWorker } from "../support/rendering.ts"

const id = meetingId("recorded")
const file = (role: string, name: string, media_type: string) => ({
  type: "media",
  meeting_id: id,
  role,
  path: name,
  media_type
})
const source = file("source", "recording.mp4", "video/mp4")

/** A deployment that imported a meeting with these media lines, in a bundle with a recording and pictures of it. */
const imported = Effect.fnUntraced(function* (seconds: number, ...lines: ReadonlyArray<object>) {
  const { folder, store, on } = yield* deployment
  const bundle = path.join(folder, "bundle")
  const at = (name: string) => path.join(bundle, name)
  fs.mkdirSync(bundle)
  yield* Effect.gen(function* () {
    const renderer = yield* Renderer
    const picture = { title: "Council", subtitle: "Regular", duration: seconds, captions: [] }
    yield* renderer.synthesize(at("recording.mp4"), picture)
    yield* renderer.poster(at("recording.mp4"), 0, at("poster.jpg"))
  }).pipe(Effect.provide(TestRenderer))
  writeLines(at("record.ndjson"), [...directory, meeting("recorded", "council"), ...lines])
  const load = on(importPath(bundle))
  assert.deepStrictEqual((yield* load).notices, [])
  const within = <A, E>(effect: Effect.Effect<A, E, Db | ReadDb | ObjectStore | RemovedMedia>) =>
    on(Effect.provide(effect, RemovedMedia.layer))
  return { bundle, store, load, within }
})

const flows = Effect.flatMap(Db, (db) => db<{ state: string }>`select state from flow where kind = 'meeting_media'`)

const done = eventually(
  Effect.map(flows, (rows) => (rows.length > 0 && rows.every(({ state }) => state !== "open") ? rows : undefined))
)

const media = Effect.flatMap(
  Db,
  (db) => db<{
    key: string
    width: number | null
    height: number | null
    duration: number | null
    content_hash: string
  }>`
    select key, width, height, duration::float8 as duration, content_hash from media order by key`
)

const videoEvents = Effect.flatMap(Db, (db) => db`select data from feed_event where event = 'video.ready'`)

describe("a source recording that is imported", () => {
  it.live(
    "becomes a watermarked rendition and a poster, which are announced; the recording itself is never served",
    () =>
      Effect.gen(function* () {
        const early = { type: "clip", meeting_id: id, id: clipId("early"), title: "Early", start: 1, end: 2 }
        const { store, load, within } = yield* imported(4, source, { ...early, state: "published" })
        yield* within(
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* flows, [{ state: "open" }])
            const before = yield* Effect.flatMap(Db, (db) => cardsOf(db, [id], ""))
            assert.isFalse(before[0]?.has.video)
            assert.deepStrictEqual(yield* Effect.provide(done, TestWorker), [{ state: "done" }])
            const rows = (yield* media).filter(({ key }) => !key.includes("/clips/"))
            // A clip that waited for the recording is rendered as well.
            const db = yield* Db
            assert.lengthOf(yield* db`select from flow where kind = 'clip' and clip_id = ${early.id}`, 1)
            assert.deepStrictEqual(rows.map(({ key, width, height }) => [key, width, height]).slice(0, 1), [
              [posterKey(id), 1280, 720]
            ])
            assert.deepStrictEqual(
              rows.map(({ key }) => key),
              [posterKey(id), sourceKey(id, "mp4"), renditionKey(id)]
            )
            assert.approximately(rows[2]?.duration ?? 0, 4, 0.2)
            const renderer = yield* Effect.provide(Renderer, TestRenderer)
            assert.deepInclude(yield* renderer.probe(path.join(store, renditionKey(id))), { width: 1280, height: 720 })
            assert.strictEqual(fs.readFileSync(path.join(store, posterKey(id))).toString("hex", 0, 3), "ffd8ff")
            // The watermark changed the picture.
            assert.notDeepEqual(
              fs.readFileSync(path.join(store, renditionKey(id))),
              fs.readFileSync(path.join(store, sourceKey(id, "mp4")))
            )
            assert.deepStrictEqual(yield* videoEvents, [{ data: { meeting_id: id } }])
            const [card] = yield* Effect.flatMap(Db, (db) => cardsOf(db, [id], ""))
            assert.isTrue(card?.has.video)
            assert.strictEqual(card?.poster_url, `/api/media/${posterKey(id)}`)
            assert.deepStrictEqual(mediaTier(sourceKey(id, "mp4")), { tier: 3 })
          })
        )
        // Imported again, it is not rendered again.
        yield* load
        yield* within(Effect.map(flows, (rows) => assert.lengthOf(rows, 1)))
      })
  )

  it.live("is rendered once, whichever worker is stopped in the middle, and nothing half made remains", () =>
    Effect.gen(function* () {
      const { store, within } = yield* imported(12, source)
      yield* within(
        Effect.gen(function* () {
          const db = yield* Db
          const first = yield* Effect.forkChild(Effect.provide(Effect.never, TestWorker))
          yield* eventually(Effect.map(db`select from task where state = 'running'`, (rows) => rows[0]))
          yield* Fiber.interrupt(first)
          assert.deepStrictEqual(yield* db`select state, attempts from task`, [{ state: "waiting", attempts: 0 }])
          assert.deepStrictEqual(
            (yield* media).map(({ key }) => key),
            [sourceKey(id, "mp4")]
          )
          assert.isFalse(fs.existsSync(path.join(store, renditionKey(id))))
          assert.deepStrictEqual(yield* Effect.provide(done, TestWorker), [{ state: "done" }])
          // Done again, it makes nothing.
          const made = yield* media
          yield* db`update flow set state = 'open', ended_at = null`
          yield* db`update task set state = 'waiting', ended_at = null`
          yield* Effect.provide(done, TestWorker)
          assert.deepStrictEqual(yield* media, made)
          assert.lengthOf(yield* videoEvents, 1)
        })
      )
    })
  )

  it.live("does not replace media of the bundle, and makes only what is missing", () =>
    Effect.gen(function* () {
      const { within } = yield* imported(4, source, file("poster", "poster.jpg", "image/jpeg"))
      yield* within(
        Effect.gen(function* () {
          const [imported] = yield* media
          yield* Effect.provide(done, TestWorker)
          const [poster, , rendition] = yield* media
          assert.deepStrictEqual(poster, imported)
          assert.strictEqual(rendition?.key, renditionKey(id))
        })
      )
      const whole = yield* imported(
        4,
        source,
        file("rendition", "recording.mp4", "video/mp4"),
        file("poster", "poster.jpg", "image/jpeg")
      )
      yield* whole.within(Effect.map(flows, (rows) => assert.deepStrictEqual(rows, [])))
    })
  )
})
