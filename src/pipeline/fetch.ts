import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect } from "effect"
import { Db } from "../../layers/db.ts"
import { ObjectStore } from "../../layers/object-store.ts"
import { Renderer } from "../../layers/renderer.ts"
import type { BundleMedia } from "../../schema/bundle.ts"
import type { MeetingId } from "../../schema/primitives.ts"
import { fingerprint } from "../record/write/entity.ts"
import { measureMedia } from "../record/write/measure.ts"
import { noteNewKeys, writeMediaFrom } from "../record/write/media.ts"
import { Discoveries } from "../services/completion/discoveries.ts"
import { meetingsChanged } from "../services/feed/changed.ts"
import { cancelStages } from "../services/operations/flows.ts"
import { fromStageOn } from "../services/operations/stages.ts"
import type { ClaimedTask } from "../services/operations/tasks.ts"
import { daysForRecording, lookAgain } from "./detect.ts"
import { fetchingFolders } from "./scratch.ts"
import { StageFailed, type StageHandler, StageWaits } from "./stage.ts"
import { type Download, downloadTo } from "./web/download.ts"
import { isPassing, stageFailure, WebFailed } from "./web/failure.ts"
import { PoliteWeb } from "./web/polite-web.ts"

const longestRecording = 20_000_000_000
const longestAgenda = 100_000_000

/** Extensions by media type; what a server calls a stream of bytes has the extension of its address. */
const extensions: Readonly<Record<string, string>> = {
  "video/mp4": "mp4",
  "video/x-m4v": "mp4",
  "application/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/x-matroska": "mkv",
  "application/pdf": "pdf"
}

const recording = { types: /^(video\/|application\/(mp4|octet-stream)|binary\/octet-stream)/, what: "a recording" }
const agenda = { types: /^(application\/(pdf|octet-stream)|binary\/octet-stream)/, what: "a PDF document" }

/** SHA-256 of a file: what names it, so that the same file is the same file however often it is fetched. */
const hashOf = (file: string) =>
  Effect.promise(async (signal) => {
    const hash = createHash("sha256")
    await pipeline(fs.createReadStream(file), hash, { signal })
    return hash.digest("hex")
  })

/**
 * Fetches a meeting's recording and its agenda and puts them into the store, the recording as the source that nobody is
 * served. What was half fetched by a worker that was killed on this machine is gone on with. An agenda that cannot be had
 * is left out, because the meeting is worth more than its agenda. Done again, it fetches what is missing.
 */
export const fetchStage = Effect.gen(function* () {
  const discoveries = yield* Discoveries
  const web = yield* PoliteWeb
  const db = yield* Db
  const store = yield* ObjectStore
  const renderer = yield* Renderer
  const folderOf = yield* fetchingFolders

  /** A file that was fetched and is what it must be, as a line of a bundle names it. */
  const fetched = Effect.fnUntraced(function* (
    meeting_id: MeetingId,
    role: "source" | "agenda",
    address: string,
    folder: string,
    download: Download
  ) {
    const part = path.join(folder, `${role}.part`)
    const type = yield* downloadTo(web, address, part, download)
    const ofAddress = path.extname(URL.parse(address)?.pathname ?? "").slice(1)
    const extension = role === "agenda" ? "pdf" : (extensions[type] ?? (ofAddress === "" ? "bin" : ofAddress))
    const name = `${yield* hashOf(part)}.${extension}`
    const media: BundleMedia = {
      type: "media",
      meeting_id,
      role,
      path: name,
      media_type: role === "agenda" ? "application/pdf" : type
    }
    const measured = Effect.provideService(measureMedia(media, part), Renderer, renderer)
    yield* Effect.mapError(
      measured,
      (cause) =>
        new WebFailed({ reason: "unsuitable", message: `What is at its address is not ${download.what}.`, cause })
    )
    fs.renameSync(part, path.join(folder, name))
    fs.rmSync(`${part}.json`, { force: true })
    return media
  })

  const work = Effect.fn("FetchStage.work")(function* (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const { meetingId } = task
    const standing = meetingId === null ? undefined : yield* discoveries.standing(meetingId)
    if (meetingId === null || standing === undefined) {
      return yield* new StageFailed({ message: "The flow has no meeting.", final: true })
    }
    const { folder, done } = yield* folderOf(task)
    const paper =
      standing.agenda_url === null || standing.has_agenda
        ? undefined
        : yield* fetched(meetingId, "agenda", standing.agenda_url, folder, {
            ...agenda,
            bytes: longestAgenda,
            onProgress: () => Effect.void
          }).pipe(
            Effect.catchIf(
              (failure) => !isPassing(failure),
              (failure) => Effect.as(Effect.logWarning(`The agenda is left out. ${failure.message}`), undefined)
            ),
            Effect.mapError(stageFailure)
          )
    const film =
      standing.video_url === null || standing.has_source
        ? undefined
        : yield* fetched(meetingId, "source", standing.video_url, folder, {
            ...recording,
            bytes: longestRecording,
            onProgress
          }).pipe(
            Effect.mapError((failure) =>
              // Cities list recordings before they are there.
              failure.reason === "gone" && standing.days_past <= daysForRecording
                ? new StageWaits({ message: "Its recording is not at its address yet.", seconds: lookAgain })
                : stageFailure(failure)
            )
          )
    const files = [paper, film].filter((media) => media !== undefined)
    yield* noteNewKeys(db, files)

    const put = Effect.gen(function* () {
      for (const media of files) {
        const outcome = yield* writeMediaFrom(folder, true)(media, fingerprint(media)).pipe(
          Effect.mapError((cause) =>
            cause._tag === "SqlError"
              ? cause
              : new StageFailed({ message: "The media store did not take it.", final: false, cause })
          )
        )
        if (outcome._tag === "Refused") {
          return yield* new StageFailed({ message: `The file ${outcome.message}.`, final: false })
        }
      }
      if (files.length > 0) yield* meetingsChanged(db, [meetingId])
      // Nothing can be made of a recording that there is not.
      if (!standing.has_source && film === undefined) {
        yield* cancelStages(
          db,
          task.flow,
          [...fromStageOn("render"), ...fromStageOn("transcribe")],
          "There is no recording."
        )
      }
      yield* done
    })
    return put.pipe(
      Effect.provideService(Db, db),
      Effect.provideService(ObjectStore, store),
      Effect.provideService(Renderer, renderer)
    )
  })

  return { work } satisfies StageHandler
})
