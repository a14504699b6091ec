import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import {
  type ObjectNotFound,
  ObjectStore,
  type ObjectStoreError
} from "../../../../layers/object-store/object-store.ts"
import { Renderer, type RendererError } from "../../../../layers/renderer/renderer.ts"
import { MeetingRenders } from "../../../services/making/meeting-renders.ts"
import { posterKey, renditionKey } from "../../../services/meetings/media-tier.ts"
import { recordTaskEvents } from "../../../services/queue/task-events.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { renderingFolders } from "../../scratch.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"

/** The second of the recording that its poster shows: most recordings begin with a title. */
const posterAt = 12

/** Why a recording cannot be rendered; retrying does not help if the file itself is at fault. */
const failedBy = (cause: RendererError | ObjectStoreError | ObjectNotFound): StageFailed => {
  if (cause._tag === "ObjectNotFound") {
    return new StageFailed({ message: "The source recording is not in the store.", final: true, cause })
  }
  if (cause._tag === "RendererError" && cause.reason === "input_unreadable") {
    return new StageFailed({ message: `The source recording cannot be read: ${cause.message}`, final: true, cause })
  }
  const message =
    cause._tag === "RendererError" && cause.reason === "timed_out"
      ? "It took too long to render."
      : "It could not be rendered."
  return new StageFailed({ message, final: false, cause })
}

const bytesOf = (file: string) => Effect.promise(async () => (await fs.promises.stat(file)).size)

/**
 * Makes the web rendition, with its watermark, and the poster of a meeting from its source recording, unless the import
 * brought them. The objects are uploaded in the transaction that records them, so a worker that has lost its claim
 * uploads nothing. Run again, the stage finds nothing to do.
 */
export const renderStage = Effect.gen(function* () {
  const db = yield* Db
  const renders = yield* MeetingRenders
  const renderer = yield* Renderer
  const store = yield* ObjectStore
  const folderOf = yield* renderingFolders

  const work = Effect.fn("RenderStage.work")(function* (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const { meetingId } = task
    const wanted = meetingId === null ? undefined : yield* renders.wanted(meetingId)
    if (meetingId === null || wanted === undefined) {
      const detail = "skipped: the meeting has no source recording"
      return recordTaskEvents(db, "skipped", [task], { worker: task.worker, detail })
    }
    if (!wanted.rendition && !wanted.poster) return Effect.void
    const folder = yield* folderOf(task)
    const [web, picture] = [path.join(folder, "720p.mp4"), path.join(folder, "poster.jpg")]
    const { size, from } = yield* Effect.gen(function* () {
      if (!wanted.rendition) {
        const from = yield* store.file(renditionKey(meetingId), folder)
        return { from, size: yield* renderer.probe(from) }
      }
      const source = yield* store.file(wanted.source.key, folder)
      return { from: web, size: yield* renderer.rendition(source, web, wanted.watermark, onProgress) }
    }).pipe(Effect.mapError(failedBy))
    if (wanted.poster) yield* Effect.mapError(renderer.poster(from, posterAt, picture), failedBy)
    const { width, height, duration } = size
    const rendition = wanted.rendition ? { bytes: yield* bytesOf(web), width, height, duration } : undefined
    const poster = wanted.poster ? { bytes: yield* bytesOf(picture), width, height } : undefined

    return Effect.gen(function* () {
      const now = yield* renders.hold(meetingId)
      if (now?.source.hash !== wanted.source.hash) {
        return yield* new StageFailed({ message: "The source recording was replaced meanwhile.", final: false })
      }
      // Objects that an import has added in the meantime stay.
      const made = { rendition: now.rendition ? rendition : undefined, poster: now.poster ? poster : undefined }
      if (made.rendition !== undefined)
        yield* Effect.mapError(store.put(renditionKey(meetingId), web, "video/mp4"), failedBy)
      if (made.poster !== undefined)
        yield* Effect.mapError(store.put(posterKey(meetingId), picture, "image/jpeg"), failedBy)
      yield* renders.ready(wanted, made)
    })
  })

  return { work } satisfies StageHandler
})
