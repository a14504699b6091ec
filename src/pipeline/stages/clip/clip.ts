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
import { clipCaptions } from "../../../services/clips/clip-captions.ts"
import { ClipRenders } from "../../../services/clips/clip-renders.ts"
import { RemovedMedia } from "../../../services/clips/removed-media.ts"
import { clipKey, renditionKey, userClipCaptionsKey, userClipKey } from "../../../services/meetings/media-tier.ts"
import { spokenIn } from "../../../services/meetings/recording.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { renderingFolders } from "../../scratch.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"

const sweepEvery = "30 seconds"

/** Why a clip could not be made, in words fit for its owner. */
const failedBy = (cause: RendererError | ObjectStoreError | ObjectNotFound): StageFailed => {
  if (cause._tag === "ObjectNotFound") {
    return new StageFailed({ message: "The meeting's recording is not there any more.", final: true, cause })
  }
  if (cause._tag === "RendererError" && cause.reason === "input_unreadable") {
    return new StageFailed({ message: "The meeting's recording cannot be read.", final: true, cause })
  }
  const message =
    cause._tag === "RendererError" && cause.reason === "timed_out"
      ? "It took too long to render."
      : "It could not be rendered."
  return new StageFailed({ message, final: false, cause })
}

/**
 * Renders one clip, a reader's or a curated one. Unfinished files stay in a folder that is removed with the task. The
 * objects are uploaded in the transaction that makes the clip ready, so a worker that has lost its claim uploads
 * nothing, and a deleted clip cannot reappear. While the scope is open, the media of deleted clips is also cleaned up.
 */
export const clipStage = Effect.gen(function* () {
  const renders = yield* ClipRenders
  const renderer = yield* Renderer
  const store = yield* ObjectStore
  const removed = yield* RemovedMedia
  const db = yield* Db
  const folderOf = yield* renderingFolders
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(removed.sweep, Effect.sleep(sweepEvery))))

  const work = Effect.fn("ClipStage.work")(function* (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const clip = yield* renders.wanted(task)
    if (clip === undefined) return yield* new StageFailed({ message: "The clip is not there any more.", final: true })
    const { meetingId, span } = clip
    const folder = yield* folderOf(task)
    const spoken = yield* spokenIn(db, meetingId, span)
    const vtt = spoken === undefined ? undefined : clipCaptions(spoken.segments, span)
    const captions = spoken === undefined || vtt === undefined ? undefined : { vtt, language: spoken.language }
    const target = path.join(folder, "clip.mp4")
    const made = yield* store.file(renditionKey(meetingId), folder).pipe(
      Effect.flatMap((rendition) => renderer.clip(rendition, span, target, { captions, onProgress })),
      Effect.mapError(failedBy)
    )
    const { size } = yield* Effect.promise(() => fs.promises.stat(target))
    const put = Effect.gen(function* () {
      if (clip.kind === "user_clip" && captions !== undefined) {
        const words = path.join(folder, "clip.vtt")
        yield* Effect.promise(() => fs.promises.writeFile(words, captions.vtt))
        yield* store.put(userClipCaptionsKey(clip.clipId), words, "text/vtt; charset=utf-8")
      }
      const key = clip.kind === "user_clip" ? userClipKey(clip.clipId) : clipKey(meetingId, clip.clipId)
      yield* store.put(key, target, "video/mp4")
    }).pipe(Effect.mapError(failedBy))
    return Effect.andThen(Effect.andThen(renders.keep(clip), put), renders.ready(clip, { bytes: size, ...made }))
  })

  return {
    work,
    failed: (task, failure) =>
      renders.failed(
        task,
        failure === undefined
          ? "Its rendering never finished, however often it was tried."
          : failure._tag === "StageFailed"
            ? failure.message
            : "It could not be rendered."
      )
  } satisfies StageHandler
})
