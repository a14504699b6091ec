import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Option } from "effect"
import { CloudModel } from "../../layers/cloud-model/cloud-model.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { type Probed, Renderer } from "../../layers/renderer/renderer.ts"
import { SpeechModel } from "../../layers/speech-model/speech-model.ts"
import { digestOf } from "../record/digest.ts"
import { MeetingMaterials } from "../services/making/meeting-materials.ts"
import { Briefings } from "../services/meetings/briefings.ts"
import { Summaries } from "../services/meetings/summaries.ts"
import { type DrilledFile, type DrilledMeeting, DrillRecord } from "../services/operators/drill-record.ts"
import { Browse } from "../services/search/browse.ts"

export const sha256 = (file: string): string => digestOf(fs.readFileSync(file))

/** What the stages left of a file: the SHA-256 of its bytes, and its length and size in pixels if it can be played. */
const fileOf = Effect.fnUntraced(
  function* (file: DrilledFile, folder: string) {
    const store = yield* ObjectStore
    const renderer = yield* Renderer
    const at = yield* store.file(file.key, folder)
    const isRecording = ["source", "rendition", "clip"].includes(file.role)
    const probed = isRecording ? yield* Effect.option(renderer.probe(at)) : Option.none<Probed>()
    return { ...file, sha256: sha256(at), ...(Option.isSome(probed) ? { probed: probed.value } : {}) }
  },
  // A file on record whose bytes are missing counts as missing.
  Effect.option,
  Effect.scoped
)

/** Everything that a drill left of its meeting, as its services and readers see it. */
const ofMeeting = Effect.fnUntraced(function* (meeting: DrilledMeeting, folder: string) {
  const record = yield* DrillRecord
  const materials = yield* MeetingMaterials
  const { id } = meeting
  const files = yield* Effect.forEach(yield* record.files, (file) => fileOf(file, folder))
  const newsletter = yield* Effect.option(Briefings.use((briefings) => briefings.newsletter(id)))
  const listed = yield* Browse.use((browse) => browse.search({}))
  return {
    meeting,
    files: files.flatMap((file) => Option.toArray(file)),
    raw: yield* materials.transcript(id, "raw"),
    refined: yield* materials.transcript(id, "refined"),
    shown: yield* record.shown,
    agenda: yield* materials.agenda(id),
    summary: yield* Effect.option(Summaries.use((summaries) => summaries.agenda(id))),
    chapters: yield* materials.chapters(id),
    briefing: yield* materials.briefing(id),
    newsletter: Option.getOrUndefined(newsletter),
    checkedBy: yield* record.checkedBy,
    clips: yield* record.clips,
    recap: Option.getOrUndefined(yield* Effect.option(Summaries.use((summaries) => summaries.recap(id)))),
    listed: listed.total
  }
})
export type FoundMeeting = Effect.Success<ReturnType<typeof ofMeeting>>

/** Collects what a drill left behind, for comparison with its script. */
export const findings = Effect.fn("Drill.findings")(function* (folder: string) {
  const record = yield* DrillRecord
  const meetings = yield* record.meetings
  const [meeting] = meetings
  const outbox = path.join(folder, "outbox")
  const mails = fs.existsSync(outbox) ? fs.readdirSync(outbox).filter((name) => name.endsWith(".eml")) : []
  return {
    tasks: yield* record.tasks,
    meetings: meetings.length,
    found: meeting === undefined ? undefined : yield* ofMeeting(meeting, folder),
    mails: mails.map((name) => fs.readFileSync(path.join(outbox, name), "utf8")),
    speech: (yield* SpeechModel).isConfigured,
    language: (yield* CloudModel).isConfigured
  }
})
export type Findings = Effect.Success<ReturnType<typeof findings>>
