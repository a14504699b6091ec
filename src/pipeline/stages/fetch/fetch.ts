import { Effect, Result } from "effect"
import { SpeechModel } from "../../../../layers/speech-model/speech-model.ts"
import type { BundleMeeting } from "../../../../schema/bundle.ts"
import type { BundleVote } from "../../../../schema/bundle-people.ts"
import { digestOf } from "../../../record/digest.ts"
import { writeAgenda, writeAttachments } from "../../../record/write/meeting.ts"
import { numberMeeting } from "../../../record/write/votes.ts"
import { meetingsChanged } from "../../../services/feed/changed.ts"
import { mattersAt } from "../../../services/people/spoken-votes.ts"
import { addFlows } from "../../../services/queue/add-flows.ts"
import { Flows } from "../../../services/queue/flows.ts"
import type { Stage } from "../../../services/queue/stages.ts"
import { type ClaimedTask, Tasks } from "../../../services/queue/tasks.ts"
import { Settings } from "../../../services/settings/settings.ts"
import { Discoveries } from "../../../services/sources/discoveries.ts"
import {
  type Fetched,
  FetchedParts,
  type ItemChanges,
  type PartStanding,
  type Replaced
} from "../../../services/sources/fetched-parts.ts"
import { given } from "../../../services/wire.ts"
import { making } from "../../making.ts"
import { fetchingFolders } from "../../scratch.ts"
import type { NoCalendar } from "../../sources/calendar.ts"
import { StageFailed, type StageFailure, type StageHandler, StageWaits } from "../../stage.ts"
import { isPassing, stageFailure, type WebFailed } from "../../web/failure.ts"
import { asSource, PoliteWeb } from "../../web/polite-web.ts"
import { daysForRecording, lookAgain } from "../detect/detect.ts"
import { fetchingFiles } from "./files.ts"
import { listedItems } from "./listed-items.ts"
import { listedVotes, votesOfItems } from "./listed-votes.ts"
import { captionsTranscript, publishedCaptions } from "./published-captions.ts"
import { aRecording, closedPlayer, playerCaptions } from "./recording.ts"

const longestAgenda = 100_000_000

const agenda = { types: /^(application\/(pdf|octet-stream)|binary\/octet-stream)/, what: "a PDF document" }

type Items = BundleMeeting["agenda_items"]

/** How a list of items differs from the one before it. */
const changesOf = (before: Items, after: Items): ItemChanges => {
  const known = new Map(before.map((item) => [item.id, item]))
  const renamed = after.filter(({ id, title, number }) => {
    const old = known.get(id)
    return old !== undefined && (old.title !== title || old.number !== number)
  })
  const added = after.filter(({ id }) => !known.has(id)).length
  return { added, removed: before.length - (after.length - added), renamed: renamed.length }
}

/** A part with an address. */
type Published = PartStanding & { readonly address: string }

/** The validators of the page that a part was fetched from, if it is still to be fetched from there. */
const validatorsOf = ({ address, known, standing }: Published) =>
  standing === "fetched" && known?.address === address
    ? { etag: known.etag ?? undefined, lastModified: known.last_modified ?? undefined }
    : {}

/**
 * Fetches everything a city publishes about a meeting and records each part separately: the agenda's items, with the
 * votes on them and who was there, and its PDF, published captions as the raw transcript, and the recording as the
 * source, which is never served. A download that a killed worker left behind on this machine is resumed. If a part is
 * unavailable, the task says so and goes on, because the meeting is worth having without it.
 *
 * Run again, the stage fetches missing parts, and asks for those that it has fetched whether they have changed: then
 * what was there before becomes a version, and what depends on the part is made again. Imported parts stand.
 */
export const fetchStage = Effect.gen(function* () {
  const discoveries = yield* Discoveries
  const parts = yield* FetchedParts
  const flows = yield* Flows
  const web = yield* PoliteWeb
  const settings = yield* Settings
  const tasks = yield* Tasks
  const speech = yield* SpeechModel
  const folderOf = yield* fetchingFolders
  const { hasCommand, fetchFile, keepFile, compared, keepingFormer } = yield* fetchingFiles
  const { db, materials, skipped, write } = yield* making

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
    const isHeld = standing.status === "held" || standing.has_source
    const hasFilm = standing.video_url !== null
    const without = (part: string, reason: string) =>
      Effect.andThen(Effect.logWarning(`${part} left out. ${reason}`), skipped(task, `${part} left out. ${reason}`))
    const asked = ({ part, address }: Published, seen?: Fetched) =>
      tasks.during(task, parts.asked(meetingId, part, address, seen))

    /** Puts a part on record, and has made again what depends on it. */
    const put = Effect.fnUntraced(function* (
      { part, standing }: Published,
      writing: Effect.Effect<unknown, StageFailure>,
      fetched: Fetched,
      replaced: Replaced,
      from: ReadonlyArray<Stage>
    ): Effect.fn.Return<void, StageFailure> {
      yield* writing
      yield* parts.fetched(meetingId, part, fetched, standing === "fetched" ? replaced : undefined)
      yield* meetingsChanged(db, [meetingId])
      if (from.length === 0) return
      const again = flows.makeAgain(meetingId, from)
      yield* Effect.catchTags(again, { UnknownFlow: Effect.die, NewerFlow: Effect.die })
    })

    /**
     * Continues without an unavailable part, but retries one that may soon be available. What is on record stays, even
     * if its address leads nowhere any more.
     */
    const orWithout =
      (label: string, part: Published) =>
      <A, R>(had: Effect.Effect<A, WebFailed | NoCalendar | StageFailure, R>) => {
        const otherwise = ({ message }: { readonly message: string }) =>
          part.standing === "fetched"
            ? Effect.andThen(Effect.logWarning(`${label} not looked at again. ${message}`), asked(part))
            : Effect.andThen(without(label, message), asked(part))
        return had.pipe(
          Effect.catchTag("NoCalendar", otherwise),
          Effect.catchTag("WebFailed", (failure) =>
            isPassing(failure) && (part.standing === "none" || failure.reason === "busy")
              ? Effect.fail(stageFailure(failure))
              : otherwise(failure)
          )
        )
      }

    const getItems = Effect.fnUntraced(function* (part: Published) {
      const list = yield* listedItems(own, part.address, standing.place ?? "", hasFilm, validatorsOf(part))
      if (list === undefined || list.items.length === 0) return yield* asked(part)
      const { attachments } = list
      const json = JSON.stringify(attachments.length === 0 ? list.items : [list.items, attachments])
      const { etag, lastModified } = list.validators
      const [bytes, digest] = [Buffer.byteLength(json), digestOf(json)]
      const fetched = { address: part.address, etag, last_modified: lastModified, bytes, digest }
      if (part.standing === "fetched" && part.known?.digest === digest) return yield* asked(part, fetched)
      const before = yield* materials.agenda(meetingId)
      const begins = new Map(before.map(({ id, start }) => [id, start]))
      // The list may not say when an item begins, while the transcript does.
      const items = list.items.map((item) => {
        const start = item.start ?? begins.get(item.id)
        return start === undefined ? item : { ...item, start }
      })
      const changes = changesOf(before, list.items)
      const isOther = changes.added + changes.removed + changes.renamed > 0
      const place = standing.place ?? ""
      const listed = isHeld ? yield* listedVotes(own, part.address, place, meetingId, list.listed) : []
      const votes = isHeld ? [...listed, ...votesOfItems(yield* list.votes, meetingId, place)] : []
      const writing = Effect.gen(function* () {
        yield* writeAgenda(db, { id: meetingId, agenda_items: items })
        if (list.event !== undefined) yield* numberMeeting(db, meetingId, list.event)
        if (attachments.length > 0) {
          yield* writeAttachments(db, meetingId, attachments)
          yield* addFlows(db, "documents", [{ meeting_id: meetingId }])
        }
        const matters = yield* mattersAt(db, meetingId)
        const about = ({ agenda_item, item }: BundleVote) =>
          given("matter", matters.get(items.find((one) => one.id === agenda_item || one.identifier === item)?.id ?? ""))
        if (votes.length > 0) yield* write(votes.map((vote) => ({ ...vote, ...about(vote) })))
      })
      yield* tasks.during(task, put(part, writing, fetched, { items: before, changes }, isOther ? ["agenda"] : []))
    })

    const getAgenda = Effect.fnUntraced(function* (part: Published) {
      const how = { ...agenda, bytes: longestAgenda, onProgress: () => Effect.void }
      const file = yield* fetchFile(meetingId, "agenda", part, folder, how)
      if (file === undefined) return yield* asked(part)
      const known = part.standing === "fetched" ? part.known : null
      if (known?.digest === file.fetched.digest) return yield* asked(part, file.fetched)
      const says = known === null ? "other" : yield* compared(folder, file)
      if (says === "same") return yield* asked(part, file.fetched)
      const former = known === null ? undefined : yield* keepingFormer(folder, meetingId, known.digest)
      const writing = Effect.gen(function* () {
        if (former !== undefined) yield* former.keep
        yield* keepFile(folder, file.media)
        yield* addFlows(db, "documents", [{ meeting_id: meetingId }])
      })
      const from: ReadonlyArray<Stage> = says === "other" ? ["agenda"] : []
      yield* tasks.during(task, put(part, writing, file.fetched, { key: former?.key }, from))
    })

    const getCaptions = Effect.fnUntraced(function* (part: Published) {
      const found = yield* publishedCaptions(own, part.address, validatorsOf(part))
      if (found === undefined) return yield* asked(part)
      const { text, validators, segments } = found
      const fetched = {
        ...{ address: part.address, etag: validators.etag, last_modified: validators.lastModified },
        ...{ bytes: text.length, digest: digestOf(text) }
      }
      if (part.standing === "fetched" && part.known?.digest === fetched.digest) return yield* asked(part, fetched)
      if (Result.isFailure(segments)) {
        if (part.standing !== "fetched") yield* without("The published captions are", segments.failure)
        return yield* asked(part)
      }
      const transcript = captionsTranscript(meetingId, segments.success)
      // They may contain home addresses until they are refined.
      const writing = Effect.andThen(write([transcript]), materials.withhold(meetingId, true))
      yield* tasks.during(task, put(part, writing, fetched, {}, ["refine"]))
    })

    /** Returns what puts the recording on record, in the transaction that ends the task. */
    const getRecording = Effect.fnUntraced(function* (part: Published) {
      const closed = closedPlayer(part.address)
      if (closed !== undefined && !hasCommand) {
        yield* skipped(task, `The recording stays at ${closed}, which offers no file of it; readers are led there.`)
        return yield* asked(part)
      }
      const how = { ...aRecording, onProgress }
      const file = yield* fetchFile(meetingId, "source", part, folder, how).pipe(
        Effect.catchIf(
          // Cities list recordings before they are available.
          (failure) =>
            failure._tag === "WebFailed" &&
            failure.reason === "gone" &&
            part.standing === "none" &&
            standing.days_past <= daysForRecording,
          () => Effect.fail(new StageWaits({ message: "Its recording is not at its address yet.", seconds: lookAgain }))
        )
      )
      if (file === undefined || (part.standing === "fetched" && part.known?.digest === file.fetched.digest)) {
        return parts.asked(meetingId, part.part, part.address, file?.fetched)
      }
      const putting = put(part, keepFile(folder, file.media), file.fetched, {}, ["render", "transcribe"])
      return Effect.gen(function* () {
        const now = (yield* parts.of(meetingId)).find((one) => one.part === part.part)
        // One that an operator gave meanwhile stands.
        return yield* now?.standing === part.standing ? putting : parts.asked(meetingId, part.part, part.address)
      })
    })

    const all = yield* parts.of(meetingId)
    /** The part if it is to be fetched or looked at: it is published, and missing, or due and as it was fetched. */
    const wanted = Effect.fnUntraced(function* (name: PartStanding["part"], isTaken: boolean) {
      const part = all.find((one) => one.part === name)
      if (part === undefined || part.address === null) return undefined
      const published: Published = { ...part, address: part.address }
      const made = name === "items" ? "agenda" : name === "captions" ? "raw_transcript" : undefined
      // What the city publishes is better than what was made here.
      const isMade = part.isDue && made !== undefined && (yield* materials.standing(meetingId, made)) === "made"
      const isOpen = part.standing === "none" || (part.isDue && (part.standing === "fetched" || isMade))
      if (isTaken && isOpen) return published
      if (part.isDue) yield* asked(published)
      return undefined
    })

    /** The captions that the recording's player publishes, where nobody else does. */
    const captionsOfPlayer = Effect.fnUntraced(function* (isTaken: boolean) {
      const part = all.find((one) => one.part === "captions")
      const film = all.find((one) => one.part === "recording")?.address
      if (part === undefined || part.address !== null || part.standing !== "none" || !isHeld || !isTaken) return
      const address =
        typeof film === "string" ? yield* Effect.orElseSucceed(playerCaptions(web, film), () => undefined) : undefined
      return address === undefined ? undefined : { ...part, address }
    })

    const items = yield* wanted("items", true)
    if (items !== undefined) yield* getItems(items).pipe(orWithout("The agenda's items are", items))
    const copy = yield* wanted("agenda", true)
    if (copy !== undefined) yield* getAgenda(copy).pipe(orWithout("The agenda is", copy))
    const takesCaptions = !speech.isConfigured || (yield* settings.get("pipeline.PublishedCaptions"))
    const captions = (yield* wanted("captions", isHeld && takesCaptions)) ?? (yield* captionsOfPlayer(takesCaptions))
    if (captions !== undefined) yield* getCaptions(captions).pipe(orWithout("The published captions are", captions))
    const film = yield* wanted("recording", isHeld)
    const kept = film === undefined ? undefined : yield* getRecording(film).pipe(orWithout("The recording is", film))
    return typeof kept === "object" ? Effect.andThen(kept, done) : done
  })

  return { work } satisfies StageHandler
})
