import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Layer, Logger, Schedule } from "effect"
import { Environment, readEnvironment } from "../../layers/config.ts"
import { Db } from "../../layers/db.ts"
import { ObjectStore } from "../../layers/object-store.ts"
import { Renderer } from "../../layers/renderer.ts"
import type { MeetingId } from "../../schema/primitives.ts"
import { PipelineLive } from "../../src/pipeline/pipeline.ts"
import { renditionKey } from "../../src/services/meetings/media-tier.ts"

/** A folder that is removed with the scope. */
export const scratch = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-rendering-"))),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

/** Real ffmpeg, found as the service finds it. */
export const TestRenderer = Renderer.layer.pipe(
  Layer.provide(Layer.effect(Environment, readEnvironment({ PATH: process.env.PATH })))
)

/** A worker with real ffmpeg, beside a service under test. */
export const TestWorker = PipelineLive({ jobs: 1, lanes: new Map([["media", 1]]) }).pipe(
  Layer.provide([
    TestRenderer,
    Layer.effect(
      Environment,
      Effect.flatMap(scratch, (folder) => readEnvironment({ DATA_DIR: folder }))
    )
  ]),
  Layer.provide(Logger.layer([]))
)

/** Gives a meeting a made-up rendition of the given length in seconds, with a watermark. */
export const putRecording = Effect.fnUntraced(function* (meeting: MeetingId, seconds: number) {
  const folder = yield* scratch
  const renderer = yield* Renderer
  const [source, web] = [path.join(folder, "source.mp4"), path.join(folder, "web.mp4")]
  yield* renderer.synthesize(source, { title: "Council", subtitle: "Regular", duration: seconds, captions: [] })
  const { width, height, duration } = yield* renderer.rendition(source, web, "Civic Record · Council · 2026-03-10")
  const store = yield* ObjectStore
  const { bytes } = yield* store.put(renditionKey(meeting), web, "video/mp4")
  const db = yield* Db
  yield* db`
    insert into media ${db.insert({
      key: renditionKey(meeting),
      meeting_id: meeting,
      role: "rendition",
      media_type: "video/mp4",
      bytes,
      width,
      height,
      duration,
      content_hash: "made up"
    })}
    on conflict (key) do update set bytes = excluded.bytes, duration = excluded.duration`
  return duration
}, Effect.scoped)

/** Repeats until there is an answer; a test that waits in vain ends by its own time limit. */
export const eventually = <A, E, R>(look: Effect.Effect<A | undefined, E, R>) =>
  look.pipe(
    Effect.repeat({ while: (found) => found === undefined, schedule: Schedule.spaced("100 millis") }),
    Effect.flatMap((found) => (found === undefined ? Effect.never : Effect.succeed(found)))
  )
