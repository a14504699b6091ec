import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { pipeline } from "node:stream/promises"
import { Effect, Result } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import { ObjectStore } from "../../../../layers/object-store/object-store.ts"
import { Renderer } from "../../../../layers/renderer/renderer.ts"
import { SpeechModel } from "../../../../layers/speech-model/speech-model.ts"
import type { BundleMedia, BundleTranscript } from "../../../../schema/bundle.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import { usualLanguage } from "../../../record/formats/transcripts.ts"
import { fingerprint } from "../../../record/write/entity.ts"
import { measureMedia } from "../../../record/write/measure.ts"
import { noteNewKeys, writeMediaFrom } from "../../../record/write/media.ts"
import { writeAgenda } from "../../../record/write/meeting.ts"
import { meetingsChanged } from "../../../services/feed/changed.ts"
import { type ClaimedTask, Tasks } from "../../../services/queue/tasks.ts"
import { Settings } from "../../../services/settings/settings.ts"
import { Discoveries } from "../../../services/sources/discoveries.ts"
import { making } from "../../making.ts"
import { fetchingFolders } from "../../scratch.ts"
import type { NoCalendar } from "../../sources/calendar.ts"
import { StageFailed, type StageFailure, type StageHandler, StageWaits } from "../../stage.ts"
import { type Download, downloadTo } from "../../web/download.ts"
import { isPassing, stageFailure, WebFailed } from "../../web/failure.ts"
import { asSource, PoliteWeb } from "../../web/polite-web.ts"
import { daysForRecording, lookAgain } from "../detect/detect.ts"
import { listedItems } from "./listed-items.ts"
import { captionSegments, captionsGenerator, captionTypes, longestCaptions } from "./published-captions.ts"

const longestRecording = 20_000_000_000
const longestAgenda = 100_000_000

/** File extensions by media type; for a generic byte stream, the extension in the address is used. */
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

/** SHA-256 of a file, used as its name, so that fetching a file again yields the same name. */
const hashOf = (file: string) =>
  Effect.promise(async (signal) => {
    const hash = createHash("sha256")
    await pipeline(fs.createReadStream(file), hash, { signal })
    return hash.digest("hex")
  })

/**
 * Fetches everything a city publishes about a meeting and records each part separately: the agenda's items and its PDF,
 * published captions as the raw transcript, and the recording as the source, which is never served. A download that a
 * killed worker left behind on this machine is resumed. If a part is unavailable, the task says so and goes on, because
 * the meeting is worth having without it. Running the stage again fetches only missing parts.
 */
export const fetchStage = Effect.gen(function* () {
  const discoveries = yield* Discoveries
  const web = yield* PoliteWeb
  const settings = yield* Settings
  const tasks = yield* Tasks
  const speech = yield* SpeechModel
  const store = yield* ObjectStore
  const renderer = yield* Renderer
  const folderOf = yield* fetchingFolders
  const { db, materials, skipped, write } = yield* making

  /** Fetches a file, checks its type, and describes it as a bundle does. */
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
        new WebFailed({ reason: "unsuitable", message: `Its address does not lead to ${download.what}.`, cause })
    )
    fs.renameSync(part, path.join(folder, name))
    fs.rmSync(`${part}.json`, { force: true })
    yield* noteNewKeys(db, [media])
    return media
  })

  /** Records a file in the caller's transaction. */
  const keep = (folder: string, media: BundleMedia) =>
    Effect.gen(function* () {
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
      yield* meetingsChanged(db, [media.meeting_id])
    }).pipe(
      Effect.provideService(Db, db),
      Effect.provideService(ObjectStore, store),
      Effect.provideService(Renderer, renderer)
    )

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
    const own = standing.source === null ? web : asSource(web, standing.source)
    const without = (part: string, reason: string) =>
      Effect.andThen(Effect.logWarning(`${part} left out. ${reason}`), skipped(task, `${part} left out. ${reason}`))

    /** Continues without an unavailable part, but retries one that may soon be available. */
    const orWithout =
      (part: string) =>
      <A, R>(had: Effect.Effect<A, WebFailed | NoCalendar | StageFailure, R>) =>
        had.pipe(
          Effect.catchTag("NoCalendar", ({ message }) => without(part, message)),
          Effect.catchTag("WebFailed", (failure) =>
            isPassing(failure) ? Effect.fail(stageFailure(failure)) : without(part, failure.message)
          )
        )

    const { items_url: itemsUrl, agenda_url: agendaUrl, captions_url: captionsUrl, video_url: videoUrl } = standing
    if (itemsUrl !== null && !standing.has_items) {
      yield* Effect.gen(function* () {
        const items = yield* listedItems(own, itemsUrl, standing.place ?? "", videoUrl !== null)
        if (items.length === 0) return
        const written = writeAgenda(db, { id: meetingId, agenda_items: items })
        yield* tasks.during(task, Effect.andThen(written, meetingsChanged(db, [meetingId])))
      }).pipe(orWithout("The agenda's items are"))
    }
    if (agendaUrl !== null && !standing.has_agenda) {
      const download = { ...agenda, bytes: longestAgenda, onProgress: () => Effect.void }
      yield* fetched(meetingId, "agenda", agendaUrl, folder, download).pipe(
        Effect.flatMap((media) => tasks.during(task, keep(folder, media))),
        orWithout("The agenda is")
      )
    }
    const takesCaptions = !speech.isConfigured || (yield* settings.get("pipeline.PublishedCaptions"))
    if (captionsUrl !== null && !standing.has_transcript && takesCaptions) {
      yield* Effect.gen(function* () {
        const page = yield* own.page(captionsUrl, {
          accept: "text/vtt, application/x-subrip, text/plain",
          types: captionTypes,
          bytes: longestCaptions
        })
        const segments = yield* captionSegments(page?.body ?? Buffer.alloc(0))
        if (Result.isFailure(segments)) return yield* without("The published captions are", segments.failure)
        const transcript: BundleTranscript = {
          ...{ type: "transcript", meeting_id: meetingId, version: "raw", language: usualLanguage },
          ...{ generator: captionsGenerator, segments: segments.success },
          duration: segments.success.reduce((end, segment) => Math.max(end, segment.end), 0)
        }
        // They may contain home addresses until they are refined.
        const written = Effect.andThen(write([transcript]), materials.withhold(meetingId, true))
        yield* tasks.during(task, Effect.andThen(written, meetingsChanged(db, [meetingId])))
      }).pipe(orWithout("The published captions are"))
    }
    const film =
      videoUrl === null || standing.has_source
        ? undefined
        : yield* fetched(meetingId, "source", videoUrl, folder, {
            ...recording,
            bytes: longestRecording,
            onProgress
          }).pipe(
            Effect.catchIf(
              // Cities list recordings before they are available.
              ({ reason }) => reason === "gone" && standing.days_past <= daysForRecording,
              () =>
                Effect.fail(new StageWaits({ message: "Its recording is not at its address yet.", seconds: lookAgain }))
            ),
            orWithout("The recording is")
          )
    return Effect.andThen(film === undefined ? Effect.void : keep(folder, film), done)
  })

  return { work } satisfies StageHandler
})
