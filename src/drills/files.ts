import * as fs from "node:fs"
import * as path from "node:path"
import { DateTime, Effect } from "effect"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer, type RendererError } from "../../layers/renderer/renderer.ts"
import { Signer } from "../../layers/signer/signer.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { agendaPdf } from "../record/sample/agenda-pdf.ts"
import { agendaKey, mediaPath, renditionKey } from "../services/meetings/media-tier.ts"
import { type DrillCalendar, drillPaths } from "../services/operators/drills.ts"
import { drillAgenda, drillBody, drillRoom, drillTitle, drillTurns } from "./script.ts"
import { type SpeechFailed, type SpokenMeeting, spokenMeeting } from "./speech.ts"

/** The files made for a drill, which a working stage must find. */
export interface DrillTruth {
  readonly date: string
  readonly starts_at: string
  readonly spoken: SpokenMeeting
  /** The files as they are served. */
  readonly recording: string
  readonly agenda: string
}

/** Makes the recording and the agenda of a meeting held yesterday, in a folder. */
export const makeDrillFiles = Effect.fn("Drill.files")(function* (
  folder: string
): Effect.fn.Return<DrillTruth, RendererError | SpeechFailed, Renderer> {
  const renderer = yield* Renderer
  const yesterday = DateTime.subtract(yield* DateTime.now, { days: 1 })
  const date = DateTime.formatIsoDate(yesterday)
  const starts_at = `${date}T23:00:00Z`
  const spoken = yield* spokenMeeting(drillTurns, folder)
  const recording = path.join(folder, "recording.mp4")
  yield* renderer.synthesize(recording, {
    title: drillBody,
    subtitle: `${drillTitle}, a drill`,
    duration: spoken.duration,
    captions: spoken.segments.map(({ start, end, speaker = "" }) => ({ start, end, text: speaker })),
    sound: spoken.file
  })
  const agenda = path.join(folder, "agenda.pdf")
  const meeting = { title: drillTitle, date, starts_at, status: "held", agenda_items: drillAgenda }
  const pdf = yield* Effect.promise(() => agendaPdf({ body: { name: drillBody, room: drillRoom }, meeting }))
  fs.writeFileSync(agenda, pdf)
  return { date, starts_at, spoken, recording, agenda }
})

/** Puts the files where the service serves them, and returns the calendar that names them below an origin. */
export const publishDrillFiles = Effect.fn("Drill.publish")(function* (id: string, token: string, truth: DrillTruth) {
  const store = yield* ObjectStore
  const signer = yield* Signer
  // The service serves recordings and agendas by meeting id; a drill's id belongs to no meeting.
  const own = MeetingId.make(id)
  const [video, paper] = [renditionKey(own), agendaKey(own)]
  yield* store.put(video, truth.recording, "video/mp4")
  yield* store.put(paper, truth.agenda, "application/pdf")
  const signed = Effect.fnUntraced(function* (key: string) {
    return `${mediaPath(key)}?sig=${(yield* signer.signMedia(key, { download: false })).sig}`
  })
  const [videoPath, agendaPath] = [yield* signed(video), yield* signed(paper)]
  return (origin: string): DrillCalendar => {
    const { date, starts_at } = truth
    const meeting = { id, body: drillBody, title: drillTitle, date, starts_at, location: drillRoom }
    return {
      schedule: {
        timezone: "America/Chicago",
        meetings: [{ ...meeting, details_url: origin + drillPaths(token).meeting }]
      },
      meeting: { ...meeting, video_url: origin + videoPath, agenda_url: origin + agendaPath }
    }
  }
})
