import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Result, Stream } from "effect"
import { ObjectStore } from "../../../../layers/object-store/object-store.ts"
import { digestOfFile } from "../../../record/digest.ts"
import { ReceivedRecordings, type WaitingRecording } from "../../../services/making/received-recordings.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { making, meetingOf } from "../../making.ts"
import { fetchingFolders } from "../../scratch.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"
import { stageFailure } from "../../web/failure.ts"
import { fetchingFiles, typeOfName } from "../fetch/files.ts"
import { captionSegments, captionsTranscript } from "../fetch/published-captions.ts"
import { aRecording } from "../fetch/recording.ts"

/** The `generator` of a transcript made from captions that an operator gave. */
const generator = "given captions"

type OfFile = Extract<WaitingRecording["from"], { readonly keys: ReadonlyArray<string> }>

/**
 * Takes a recording that an operator gave, an upload or an address, as the recording of its meeting, checked as one
 * that is fetched. What depends on it is made again. It stands from then on, whatever the meeting's source has; the
 * file that the meeting has already changes nothing.
 */
export const receiveStage = Effect.gen(function* () {
  const received = yield* ReceivedRecordings
  const store = yield* ObjectStore
  const folderOf = yield* fetchingFolders
  const { describeFile, fetchFile, keepFile } = yield* fetchingFiles
  const { materials, skipped, write } = yield* making

  const unstored = (cause: unknown) =>
    new StageFailed({ message: "The media store cannot be read.", final: false, cause })

  /** Puts the pieces of an upload together. */
  const assembled = Effect.fnUntraced(function* (
    { keys, bytes }: OfFile,
    file: string,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const target = yield* Effect.acquireRelease(
      Effect.promise(() => fs.promises.open(file, "w")),
      (handle) => Effect.promise(() => handle.close())
    )
    for (const [at, key] of keys.entries()) {
      yield* Stream.runForEach(store.read(key), (chunk) => Effect.promise(() => target.writeFile(chunk))).pipe(
        Effect.catchTags({
          ObjectNotFound: (cause) =>
            Effect.fail(
              new StageFailed({
                message: "A part of the upload is missing: discard it, and upload it again.",
                final: true,
                cause
              })
            ),
          ObjectStoreError: (cause) => Effect.fail(unstored(cause))
        })
      )
      yield* onProgress((at + 1) / keys.length)
    }
    const { size } = yield* Effect.promise(() => target.stat())
    if (size === bytes) return
    const message = "The upload is not as long as it was said to be: discard it, and upload it again."
    return yield* new StageFailed({ message, final: true })
  }, Effect.scoped)

  const work = Effect.fn("ReceiveStage.work")(function* (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const meeting = yield* meetingOf(task)
    const waiting = yield* received.waiting(meeting)
    if (waiting === undefined) return skipped(task, "no recording waits")
    const { from, captions } = waiting
    const { folder, done } = yield* folderOf(task)

    const media = yield* Effect.gen(function* () {
      const whose = { meeting_id: meeting, role: "source" as const }
      if ("address" in from) {
        const part = { address: from.address, known: null, standing: "none" as const }
        const fetching = fetchFile(meeting, "source", part, folder, { ...aRecording, onProgress })
        const file = yield* Effect.catchTag(fetching, "WebFailed", (failure) => Effect.fail(stageFailure(failure)))
        return file?.media
      }
      const part = path.join(folder, "source.part")
      yield* assembled(from, part, onProgress)
      const about = { type: typeOfName(from.name), name: from.name, digest: yield* digestOfFile(part) }
      const unfit = (cause: { readonly message: string }) =>
        new StageFailed({ message: `${from.name} is no recording that can be read.`, final: true, cause })
      return yield* describeFile(whose, part, about, unfit)
    })
    if (media === undefined) return skipped(task, "no recording is there")
    const digest = path.parse(media.path).name

    const present = yield* received.present(meeting)
    const known =
      present === undefined || present.digest !== null
        ? present?.digest
        : yield* store
            .file(present.key, folder)
            .pipe(Effect.flatMap(digestOfFile), Effect.mapError(unstored), Effect.scoped)
    const isSame = known === digest
    const segments = captions === null ? undefined : yield* captionSegments(captions)
    if (segments !== undefined && Result.isFailure(segments)) {
      return yield* new StageFailed({ message: `The captions are of no use. ${segments.failure}`, final: true })
    }
    const words = segments === undefined ? undefined : captionsTranscript(meeting, segments.success, generator)
    const putWords =
      words === undefined ? Effect.void : Effect.andThen(write([words]), materials.withhold(meeting, true))
    if (isSame && words === undefined) {
      const nothing = skipped(task, "it is the meeting's recording already")
      return Effect.all([received.forget(waiting), nothing, done], { discard: true })
    }
    return Effect.gen(function* () {
      if (!isSame) yield* keepFile(folder, media)
      yield* putWords
      const replaced = present === undefined || known === undefined || known === null || isSame
      yield* received.taken(waiting, digest, replaced ? undefined : { ...present, digest: known })
      yield* done
    })
  })

  return { work } satisfies StageHandler
})
