import * as fs from "node:fs"
import * as path from "node:path"
import { DateTime, Effect } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import { ObjectStore } from "../../../../layers/object-store/object-store.ts"
import type { BundleDocument } from "../../../../schema/bundle-document.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import { digestOfFile } from "../../../record/digest.ts"
import { readable } from "../../../record/readable.ts"
import { writeDocument } from "../../../record/write/document.ts"
import { fingerprint } from "../../../record/write/entity.ts"
import { writeMinutes } from "../../../record/write/minutes.ts"
import { announceStale, noteMeetings } from "../../../services/feed/stale-meetings.ts"
import { type ClaimedTask, Tasks } from "../../../services/queue/tasks.ts"
import { Discoveries } from "../../../services/sources/discoveries.ts"
import { type DueDocument, DueDocuments, type Looked } from "../../../services/sources/due-documents.ts"
import { given } from "../../../services/wire.ts"
import type { Bookmark } from "../../../text/packets/item-pages.ts"
import { redactedPages } from "../../../text/redact/pages.ts"
import { agendaAddresses } from "../../../text/redact/redact.ts"
import { making, meetingOf } from "../../making.ts"
import { fetchingFolders } from "../../scratch.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"
import { downloadTo } from "../../web/download.ts"
import { stageFailure } from "../../web/failure.ts"
import { asSource, PoliteWeb } from "../../web/polite-web.ts"
import { type FileOfDocument, readingDocuments } from "./read-document.ts"

const longestDocument = 100_000_000

const documents = {
  types:
    /^(application\/(pdf|octet-stream|msword|vnd\.openxmlformats-officedocument\.|xhtml\+xml)|text\/html|binary\/)/,
  what: "a document that can be read: PDF, Word or a web page",
  bytes: longestDocument,
  takesPages: true as const,
  onProgress: () => Effect.void
}

/** Pages whose words are looked through at a time, between which other work goes on. */
const pagesAtOnce = 20

/** How often what is due is asked for; the next crawl has the rest read. */
const mostRounds = 10

/** The bookmarks that lead to one of the pages, without private words. */
const bookmarksShown = (all: ReadonlyArray<Bookmark>, pages: number, known: ReadonlySet<string>) => {
  const kept = all.filter(({ title, page }) => title !== "" && page <= pages)
  const titles = redactedPages(
    kept.map(({ title }) => title),
    known
  ).pages
  return kept.flatMap(({ page }, at) => {
    const title = titles[at] ?? ""
    return title === "" ? [] : [{ title, page }]
  })
}

/** A document's file on this machine, with what is known of its address. */
interface Found extends FileOfDocument {
  readonly looked: Looked
}

/**
 * Reads the documents of a meeting that are due: agenda, packet, minutes and attachments. Each is fetched from where
 * the body publishes it, if it has changed, and read by page; private words are taken out of all but the agenda. What
 * it replaces stays as a version. Each is put on record as soon as it is read; one that cannot be had or read says why.
 */
export const documentsStage = Effect.gen(function* () {
  const db = yield* Db
  const store = yield* ObjectStore
  const web = yield* PoliteWeb
  const tasks = yield* Tasks
  const discoveries = yield* Discoveries
  const due = yield* DueDocuments
  const folderOf = yield* fetchingFolders
  const readDocument = yield* readingDocuments
  const { materials, skipped } = yield* making

  /** The copy of the agenda that the meeting has. */
  const fromStore = ({ key, hash }: NonNullable<DueDocument["file"]>, folder: string) =>
    Effect.map(
      Effect.mapError(
        store.file(key, folder),
        (cause) => new StageFailed({ message: "The agenda cannot be read from the store.", final: false, cause })
      ),
      (file): Found => ({ file, type: "application/pdf", looked: { address: null, mark: hash } })
    )

  /** What is at its address; undefined if that is what is on record. */
  const fromWeb = Effect.fnUntraced(function* (
    own: PoliteWeb["Service"],
    { id, source_url, asked_url, etag, last_modified, bytes, digest }: DueDocument & { readonly source_url: string },
    folder: string
  ) {
    const file = path.join(folder, `${id}.part`)
    const known =
      digest === null || asked_url !== source_url
        ? undefined
        : { etag, last_modified, bytes: bytes ?? 0, byLength: false, digest }
    const found = yield* downloadTo(own, source_url, file, { ...documents, known })
    if (found === undefined) return undefined
    const { type, ...validators } = found
    return { file, type, looked: { address: source_url, ...validators } } satisfies Found
  })

  /** The pages without private words; the addresses that the agenda names are public. */
  const withoutPrivate = Effect.fnUntraced(function* (pages: ReadonlyArray<string>, known: ReadonlySet<string>) {
    const kept: Array<string> = []
    let removals = 0
    for (let at = 0; at < pages.length; at += pagesAtOnce) {
      const group = redactedPages(pages.slice(at, at + pagesAtOnce), known)
      kept.push(...group.pages)
      removals += group.removals
      yield* Effect.yieldNow
    }
    return { pages: kept, removals }
  })

  const work = Effect.fn("DocumentsStage.work")(function* (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const meeting = yield* meetingOf(task)
    const standing = yield* discoveries.standing(meeting)
    let all = yield* due.of(meeting)
    if (all.length === 0) return skipped(task, "no document of the meeting is due")
    const { folder, done } = yield* folderOf(task)
    const own = standing?.source == null ? web : asSource(web, standing.source)
    const agenda = yield* materials.agenda(meeting)
    const known = agendaAddresses(agenda.map(({ title, description = "" }) => `${title}\n${description}`))
    const looked = (document: DueDocument, what: Looked) => tasks.during(task, due.looked(document.id, what))

    const readOne = Effect.fnUntraced(function* (document: DueDocument) {
      const { source_url, file } = document
      const found = yield* file !== null
        ? fromStore(file, folder)
        : source_url === null
          ? Effect.succeed(undefined)
          : fromWeb(own, { ...document, source_url }, folder)
      if (found === undefined) {
        const { etag, last_modified } = document
        return yield* looked(document, {
          address: source_url,
          ...given("etag", etag),
          ...given("last_modified", last_modified)
        })
      }
      const [bytes, digest] = [fs.statSync(found.file).size, yield* digestOfFile(found.file)]
      if (digest === document.digest) return yield* looked(document, found.looked)
      const read = yield* readDocument(found, folder, onProgress)
      const { pages, removals } =
        document.kind === "agenda"
          ? { pages: read.pages.map(({ text }) => text), removals: 0 }
          : yield* withoutPrivate(
              read.pages.map(({ text }) => text),
              known
            )
      const bookmarks = bookmarksShown(read.bookmarks, read.pages.length, known)
      // Many servers make a file anew for each request: another file that says the same is no other version.
      const before = document.version === null ? [] : yield* due.pages(document.id)
      const isSame = before.length > 0 && JSON.stringify(before) === JSON.stringify(pages)
      const entity: BundleDocument = {
        type: "document",
        meeting_id: meeting,
        id: document.id,
        kind: document.kind,
        title: readable(document.title),
        ...given("agenda_item", document.agenda_item),
        ...given("source_url", source_url),
        version: (document.version ?? 0) + 1,
        media_type: read.type,
        bytes,
        digest,
        page_count: read.count,
        ...given("unread", read.unread),
        ...(removals === 0 ? {} : { removals }),
        fetched_at: DateTime.formatIso(yield* DateTime.now),
        ...(bookmarks.length === 0 ? {} : { bookmarks }),
        pages: pages.map((text, at) => ({ text, ...(read.pages[at]?.isRecognized ? { from: "ocr" as const } : {}) }))
      }
      yield* tasks.during(task, isSame ? due.looked(document.id, found.looked) : put(meeting, entity, found.looked))
      // Where the store is a folder, the agenda's file is the one that the meeting has.
      if (file === null) fs.rmSync(found.file, { force: true })
    }, Effect.scoped)

    const readOrSay = (document: DueDocument) =>
      Effect.catchTag(readOne(document), "WebFailed", (failure) =>
        failure.reason === "busy"
          ? Effect.fail(stageFailure(failure))
          : Effect.andThen(
              Effect.logWarning(`The ${document.kind} "${document.title}" is left out. ${failure.message}`),
              looked(document, { address: document.source_url, failure: failure.message })
            )
      )

    // More may have come meanwhile, such as the agenda's file: while this flow is open, nobody adds another.
    for (let round = 0; all.length > 0 && round < mostRounds; round++) {
      for (const [at, document] of all.entries()) {
        yield* readOrSay(document)
        yield* onProgress((at + 1) / all.length)
      }
      all = yield* due.of(meeting)
    }
    return Effect.andThen(announceStale.pipe(Effect.provideService(Db, db)), done)
  })

  /** Puts a document on record. Whatever is to be made of its text is made here, in the same transaction. */
  const put = Effect.fnUntraced(function* (meeting: MeetingId, document: BundleDocument, looked: Looked) {
    yield* writeDocument(db, document, fingerprint(document))
    const { fetched_at, kind, pages, source_url } = document
    if (kind === "minutes" && pages.length > 0)
      yield* writeMinutes(
        db,
        meeting,
        pages.map(({ text }) => text),
        fetched_at,
        source_url
      )
    yield* due.looked(document.id, looked)
    yield* noteMeetings(db, [meeting])
  })

  return { work } satisfies StageHandler
})
