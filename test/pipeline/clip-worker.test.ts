import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { AccountId, UserClipId } from "../../schema/primitives.ts"
import { enqueueUserClip } from "../../src/services/clips/clip-renders.ts"
import { userClipKey } from "../../src/services/meetings/media-tier.ts"
import { agency, meeting, meetingId, place, putOnRecord, said, transcript } from "../support/builders.ts"
import { databaseAt, freshDatabase } from "../support/database.ts"
import { putRecording } from "../support/put-recording.ts"
import { eventually, scratch, TestRenderer } from "../support/rendering.ts"

const id = meetingId("recorded")

/** Clips that repeat none of the others, so that each is one of the community set. */
const spans = Array.from({ length: 68 }, (_, at) => ({ start: at / 2, end: at / 2 + 2 }))

interface Worker {
  readonly child: ChildProcess
  /** A data folder of its own, so that its state can be told apart from that of others. */
  readonly folder: string
  readonly ended: Promise<number | null>
}

/** A database with a recorded meeting, a folder of media, and workers on both as they are run in production. */
const machine = Effect.fnUntraced(function* (size: "small" | "720p") {
  const url = yield* freshDatabase
  const folder = yield* scratch
  const media = path.join(folder, "media")
  const context = yield* Layer.build(Layer.mergeAll(databaseAt(url), ObjectStore.layerFolder(media), TestRenderer))
  yield* Effect.gen(function* () {
    yield* putOnRecord(
      place("springfield"),
      agency("council", ["springfield"]),
      meeting("recorded", "council"),
      transcript("recorded", said(Array.from({ length: 8 }, (_, at) => `Motion number ${at}.`)))
    )
    yield* putRecording(id, 36, size)
  }).pipe(Effect.provide(context))
  let count = 0
  const start = Effect.acquireRelease(
    Effect.sync((): Worker => {
      const own = path.join(folder, `worker-${count++}`)
      const child = spawn(process.execPath, ["src/main.ts", "worker"], {
        env: {
          PATH: process.env.PATH,
          DATABASE_URL: Redacted.value(url),
          DATA_DIR: own,
          MEDIA_URL: `file:${media}`
        },
        stdio: "ignore"
      })
      return { child, folder: own, ended: new Promise((resolve) => child.on("exit", resolve)) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )
  return { context, media, start }
})

const putClips = Effect.fnUntraced(function* (wanted: ReadonlyArray<{ start: number; end: number }>) {
  const db = yield* Db
  const [account] = yield* db<{ id: string }>`
    insert into account (email, email_key, created_at) values ('reader@example.org', 'reader@example.org', now())
    on conflict (email_key) do update set email = excluded.email returning id`
  return yield* Effect.forEach(wanted, ({ start, end }) =>
    Effect.gen(function* () {
      const clip = UserClipId.make(randomUUID())
      const slug = randomBytes(12).toString("base64url")
      const account_id = AccountId.make(account?.id ?? "")
      yield* db`insert into user_clip ${db.insert({ id: clip, slug, account_id, meeting_id: id, start, end, state: "rendering", created_at: new Date().toISOString() })}`
      yield* enqueueUserClip(db, clip)
      return { id: clip, slug, start, end }
    })
  )
})

/** Command lines of running processes that mention a folder. */
const processesAt = (folder: string): ReadonlyArray<string> =>
  fs.existsSync("/proc")
    ? fs
        .readdirSync("/proc")
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => {
          try {
            const line = fs.readFileSync(`/proc/${name}/cmdline`, "utf8")
            return line.includes(`${folder}/`) ? [line] : []
          } catch {
            return []
          }
        })
    : []

const under = (folder: string): ReadonlyArray<string> =>
  fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }).map(String) : []

/** The points in its work at which a worker is killed, found by its own folder or by the store. */
const points: ReadonlyArray<readonly [name: string, reached: (worker: Worker, media: string) => boolean]> = [
  ["before it has claimed anything", ({ folder }) => fs.existsSync(folder)],
  ["when it has claimed a clip", ({ folder }) => under(path.join(folder, "rendering")).length > 0],
  ["when ffmpeg begins", ({ folder }) => under(folder).some((name) => name.includes(".rendering-"))],
  ["when ffmpeg has written", ({ folder }) => under(folder).some((name) => name.endsWith("made"))],
  ["in the middle of it", ({ folder }) => sizeOf(folder, "made") > 0],
  ["when the file is whole", ({ folder }) => under(folder).some((name) => name.endsWith("clip.mp4"))],
  ["when its words are written", ({ folder }) => under(folder).some((name) => name.endsWith("clip.vtt"))],
  ["when it is copied into the store", (_, media) => under(path.join(media, ".making")).length > 0],
  ["when a clip has come into the store", (_, media) => appeared(media)],
  ["when another has", (_, media) => appeared(media)]
]

const sizeOf = (folder: string, ending: string): number => {
  const name = under(folder).find((one) => one.endsWith(ending))
  return name === undefined ? 0 : (fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
}

let known = 0
/** Whether there are more clips in the store than at the last check. */
const appeared = (media: string): boolean => {
  const count = under(path.join(media, "user-clips")).filter((name) => name.endsWith(".mp4")).length
  const more = count > known
  known = count
  return more
}

/** Polls each millisecond until it is true, or gives up once the worker has had its chance. */
const soon = (isSo: () => boolean) =>
  Effect.callback<boolean>((resume) => {
    const until = performance.now() + 90_000
    const look = () => {
      if (isSo()) return resume(Effect.succeed(true))
      if (performance.now() > until) return resume(Effect.succeed(false))
      setTimeout(look, 1)
    }
    look()
  })

describe("civic-record worker", () => {
  it.live(
    "killed at any point, leaves every clip ready once or failed with its reason, and shows nothing half made",
    () =>
      Effect.gen(function* () {
        const { context, media, start } = yield* machine("small")
        yield* Effect.gen(function* () {
          const db = yield* Db
          let used = 0
          /** There is always work to do: the worker to be killed at a point has to reach it. */
          const stock = Effect.gen(function* () {
            const [waiting] = yield* db<{ jobs: number }>`
              select count(*)::int as jobs from task where state = 'waiting'`
            const wanted = spans.slice(used, used + Math.max(0, 6 - (waiting?.jobs ?? 0)))
            used += wanted.length
            yield* putClips(wanted)
          }).pipe(
            // Counted spans are put on record, even if the stocking ends meanwhile.
            Effect.uninterruptible
          )
          yield* stock
          const stocking = yield* Effect.forkScoped(Effect.forever(Effect.andThen(stock, Effect.sleep("100 millis"))))
          /** The file of each clip when it was first seen ready; one that is rendered again would differ. */
          const seen = new Map<string, number>()
          const watch = Effect.gen(function* () {
            const ready = yield* db<{ id: string }>`select id from user_clip where state = 'ready'`
            for (const { id } of ready) {
              const file = path.join(media, userClipKey(UserClipId.make(id)))
              const { ino } = fs.statSync(file)
              assert.strictEqual(seen.get(id) ?? ino, ino, id)
              seen.set(id, ino)
            }
            // Every file under a key is whole: its index comes first and its last box ends with the file.
            for (const name of under(path.join(media, "user-clips")).filter((one) => one.endsWith(".mp4"))) {
              assert.strictEqual(
                boxesOf(fs.readFileSync(path.join(media, "user-clips", name))),
                "ftyp moov free mdat",
                name
              )
            }
          })
          const watching = yield* Effect.forkScoped(Effect.forever(Effect.andThen(watch, Effect.sleep("150 millis"))))

          const workers = [yield* start, yield* start, yield* start]
          const missed: Array<string> = []
          for (const [at, [name, isSo]] of points.entries()) {
            const victim = workers[at % 3]
            if (victim === undefined) return assert.fail("there are three workers")
            known = under(path.join(media, "user-clips")).filter((name) => name.endsWith(".mp4")).length
            if (!(yield* soon(() => isSo(victim, media)))) missed.push(name)
            victim.child.kill("SIGKILL")
            yield* Effect.promise(() => victim.ended)
            yield* eventually(Effect.sync(() => processesAt(victim.folder).length === 0 || undefined))
            // One worker is enough for the rest of the work.
            if (at < points.length - 2) workers[at % 3] = yield* start
          }
          yield* Fiber.interrupt(stocking)
          assert.deepStrictEqual(missed, [])
          yield* eventually(
            Effect.map(db`select from user_clip where state = 'rendering'`, (rows) => rows.length === 0 || undefined)
          )
          yield* watch
          // Neither found a fault: they run until they are stopped.
          for (const going of [watching, stocking]) {
            yield* Fiber.interrupt(going)
            assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(going)))
          }
          assert.deepStrictEqual(yield* db`select from task where state not in ('done', 'failed')`, [])
          const settled = yield* db<{ id: string; state: string; failure: string | null }>`
            select id, state, failure from user_clip order by start`
          assert.strictEqual(settled.length, used)
          const renderer = yield* Renderer
          for (const { id, state, failure } of settled) {
            if (state === "failed")
              assert.strictEqual(failure, "Its rendering never finished, however often it was tried.")
            else {
              const { duration } = yield* renderer.probe(path.join(media, userClipKey(UserClipId.make(id))))
              assert.approximately(duration, 2, 1 / 5)
            }
          }
          const ready = settled.filter(({ state }) => state === "ready").length
          assert.isAtLeast(ready, used - 3)
          // Each was announced once.
          const told = yield* db<{ slug: string }>`
            select data ->> 'slug' as slug from feed_event where event = 'community_clip.ready'`
          assert.strictEqual(told.length, ready)
          assert.strictEqual(new Set(told.map(({ slug }) => slug)).size, ready)
          // Told to stop, it exits cleanly, and leaves nothing.
          const [left, ...others] = workers.filter(({ child }) => child.signalCode === null)
          if (left === undefined) return assert.fail("one worker has been left alone")
          assert.deepStrictEqual(others, [])
          left.child.kill("SIGTERM")
          assert.strictEqual(yield* Effect.promise(() => left.ended), 0)
          assert.deepStrictEqual(under(path.join(left.folder, "rendering")), [])
        }).pipe(Effect.provide(context))
      }),
    600_000
  )

  it.live("that is stopped gives back its task, and no attempt is counted against it", () =>
    Effect.gen(function* () {
      const { context, start } = yield* machine("720p")
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* putClips([{ start: 0, end: 36 }])
        const { child, ended, folder } = yield* start
        yield* soon(() => under(folder).some((name) => name.endsWith("made")))
        child.kill("SIGTERM")
        assert.strictEqual(yield* Effect.promise(() => ended), 0)
        const [job] = yield* db`select attempts, held_by from task`
        assert.deepStrictEqual(job, { attempts: 0, held_by: null })
        assert.deepStrictEqual(under(path.join(folder, "rendering")), [])
        assert.deepStrictEqual(processesAt(folder), [])
      }).pipe(Effect.provide(context))
    })
  )
})

/** The kinds of the boxes in an MP4 file (ISO 14496-12), in order; "?" if the last one is cut off. */
const boxesOf = (bytes: Buffer): string => {
  const kinds: Array<string> = []
  for (let at = 0; at < bytes.length; ) {
    if (at + 8 > bytes.length) return [...kinds, "?"].join(" ")
    const size = bytes.readUInt32BE(at)
    kinds.push(bytes.toString("latin1", at + 4, at + 8))
    if (size < 8 || at + size > bytes.length) return [...kinds, "?"].join(" ")
    at += size
  }
  return kinds.join(" ")
}
