import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Result } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import { ObjectStore } from "../../../../layers/object-store/object-store.ts"
import { Renderer } from "../../../../layers/renderer/renderer.ts"
import type { BundleMedia } from "../../../../schema/bundle.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import { digestOfFile } from "../../../record/digest.ts"
import { fingerprint } from "../../../record/write/entity.ts"
import { measureMedia } from "../../../record/write/measure.ts"
import { noteNewKeys, writeMediaFrom } from "../../../record/write/media.ts"
import { meetingsChanged } from "../../../services/feed/changed.ts"
import { agendaKey, formerAgendaKey } from "../../../services/meetings/media-tier.ts"
import type { Fetched, PartStanding } from "../../../services/sources/fetched-parts.ts"
import { agendaLines } from "../../reading/read-pages.ts"
import { StageFailed } from "../../stage.ts"
import { type Download, type Downloaded, downloadTo } from "../../web/download.ts"
import { WebFailed } from "../../web/failure.ts"
import { PoliteWeb } from "../../web/polite-web.ts"
import { fetchCommand } from "./fetch-command.ts"
import { closedPlayer, recordingTo } from "./recording.ts"

/** File extensions by media type; for a generic byte stream, that of its name is used. */
const extensions: Readonly<Record<string, string>> = {
  "video/mp4": "mp4",
  "video/x-m4v": "mp4",
  "application/mp4": "mp4",
  "video/quicktime": "mov",
  "video/webm": "webm",
  "video/x-matroska": "mkv",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/x-m4a": "m4a",
  "audio/aac": "aac",
  "audio/ogg": "ogg",
  "audio/wav": "wav",
  "audio/x-wav": "wav",
  "audio/flac": "flac",
  "application/pdf": "pdf"
}

/** The media type of a recording by the name of its file. */
export const typeOfName = (name: string): string => {
  const extension = path.extname(name).slice(1).toLowerCase()
  return Object.entries(extensions).find(([, one]) => one === extension)?.[0] ?? "application/octet-stream"
}

/** The text of a PDF; undefined if it has none that can be read. */
const textOf = (file: string) =>
  Effect.map(Effect.result(agendaLines(file)), (lines) =>
    Result.isFailure(lines) || lines.success.length === 0 ? undefined : lines.success.join("\n")
  )

/** A file that was fetched, as a bundle describes it, and what is known of it. */
export interface FetchedFile {
  readonly media: BundleMedia
  readonly fetched: Fetched
}

/** Fetches the files of meetings and puts them on record. */
export const fetchingFiles = Effect.gen(function* () {
  const db = yield* Db
  const web = yield* PoliteWeb
  const store = yield* ObjectStore
  const renderer = yield* Renderer
  const command = yield* fetchCommand

  const unstored = (cause: unknown) =>
    new StageFailed({ message: "The media store did not take it.", final: false, cause })

  /**
   * Describes a file that is here as a bundle does, under a name in its folder that its content decides. Fails with
   * `unfit` if it is not what its role needs.
   */
  const describeFile = Effect.fnUntraced(function* <E>(
    { meeting_id, role }: Pick<BundleMedia, "meeting_id" | "role">,
    part: string,
    { type, name, digest }: { readonly type: string; readonly name: string; readonly digest: string },
    unfit: (cause: { readonly message: string }) => E
  ) {
    const ofName = path.extname(name).slice(1)
    const extension = role === "agenda" ? "pdf" : (extensions[type] ?? (ofName === "" ? "bin" : ofName))
    const media: BundleMedia = {
      type: "media",
      meeting_id,
      role,
      path: `${digest}.${extension}`,
      media_type: role === "agenda" ? "application/pdf" : type
    }
    const measured = Effect.provideService(measureMedia(media, part), Renderer, renderer)
    yield* Effect.mapError(measured, unfit)
    fs.renameSync(part, path.join(path.dirname(part), media.path))
    fs.rmSync(`${part}.json`, { force: true })
    yield* noteNewKeys(db, [media])
    return media
  })

  /**
   * Fetches a file, checks its type, and describes it as a bundle does. Undefined if its headers show that it is the
   * one that was fetched from there before.
   */
  const fetchFile = Effect.fnUntraced(function* (
    meeting_id: MeetingId,
    role: "source" | "agenda",
    { address, known, standing }: Pick<PartStanding, "known" | "standing"> & { readonly address: string },
    folder: string,
    how: Download
  ) {
    const part = path.join(folder, `${role}.part`)
    const before = standing === "fetched" && known !== null ? known : undefined
    const download = before?.address === address ? { ...how, known: { ...before, byLength: role === "source" } } : how
    const found: (Downloaded & { readonly digest?: string }) | undefined = yield* role === "source"
      ? command !== undefined && closedPlayer(address) !== undefined
        ? command(address, part, how)
        : recordingTo(web, renderer, address, part, download)
      : downloadTo(web, address, part, download)
    if (found === undefined) return undefined
    const { type, ...validators } = found
    const digest = found.digest ?? (yield* digestOfFile(part))
    const fetched = { ...validators, address, bytes: fs.statSync(part).size, digest } satisfies Fetched
    const name = URL.parse(address)?.pathname ?? ""
    const unfit = (cause: unknown) =>
      new WebFailed({ reason: "unsuitable", message: `Its address does not lead to ${how.what}.`, cause })
    const media = yield* describeFile({ meeting_id, role }, part, { type, name, digest }, unfit)
    return { media, fetched } satisfies FetchedFile
  })

  /** Records a file in the caller's transaction. */
  const keepFile = (folder: string, media: BundleMedia) =>
    Effect.gen(function* () {
      const outcome = yield* writeMediaFrom(folder, true)(media, fingerprint(media)).pipe(
        Effect.mapError((cause) => (cause._tag === "SqlError" ? cause : unstored(cause)))
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

  /**
   * Whether another file of an agenda says the same: many servers make the PDF anew for each request, with another date
   * inside. Pictures say nothing.
   */
  const compared = Effect.fnUntraced(function* (folder: string, { media }: FetchedFile) {
    const former = yield* Effect.mapError(store.file(agendaKey(media.meeting_id), folder), unstored)
    const [before, after] = [yield* textOf(former), yield* textOf(path.join(folder, media.path))]
    if (after === undefined) return "unreadable"
    return before === after ? "same" : "other"
  }, Effect.scoped)

  /**
   * The key under which the agenda that another replaces is kept, and what keeps it there, in the transaction that puts
   * the other on record. If that is killed, the sweep of removed media deletes the copy.
   */
  const keepingFormer = Effect.fnUntraced(function* (folder: string, meeting: MeetingId, digest: string) {
    const key = formerAgendaKey(meeting, digest)
    yield* db`insert into removed_media (key) values (${key}) on conflict do nothing`
    const keep = Effect.gen(function* () {
      yield* db`delete from removed_media where key = ${key}`
      const former = yield* Effect.mapError(store.file(agendaKey(meeting), folder), unstored)
      yield* Effect.mapError(store.put(key, former, "application/pdf"), unstored)
    }).pipe(Effect.scoped)
    return { key, keep }
  })

  return { hasCommand: command !== undefined, describeFile, fetchFile, keepFile, compared, keepingFormer }
})
