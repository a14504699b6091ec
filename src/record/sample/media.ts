import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Stream } from "effect"
import { Renderer, RendererError } from "../../../layers/renderer/renderer.ts"
import type { BundleMedia } from "../../../schema/bundle.ts"
import { cuesOf } from "../../services/meetings/captions.ts"
import { agendaPdf } from "./agenda-pdf.ts"
import { spokenDay } from "./calendar.ts"
import { figurePng, figureSize } from "./figure-png.ts"
import { figureId } from "./ids.ts"
import type { SampleMeeting } from "./read.ts"
import { belongingsOf, sampleMeetings } from "./sample.ts"

/** Makes a file that does not exist yet, whole or not at all. */
const made = <E, R>(file: string, make: (target: string) => Effect.Effect<unknown, E, R>) =>
  Effect.suspend(() => {
    if (fs.existsSync(file)) return Effect.void
    fs.mkdirSync(path.dirname(file), { recursive: true })
    const making = `${file}.making`
    return make(making).pipe(Effect.andThen(Effect.sync(() => fs.renameSync(making, file))))
  })

const drawn = (file: string, draw: () => Promise<Uint8Array>) =>
  made(file, (target) =>
    Effect.tryPromise({
      try: async () => fs.writeFileSync(target, await draw()),
      catch: () => new RendererError({ reason: "failed", message: `${path.basename(file)} could not be drawn.` })
    })
  )

/** The watermark of every rendition: where the recording is from, of which body and day. */
const watermarkOf = ({ body, meeting }: SampleMeeting) => `Civic Record · ${body.name} · ${meeting.date}`

/** Every name has the day: a meeting that moved along has other media. */
const nameOf = ({ meeting }: SampleMeeting) => `${meeting.id}-${meeting.date}`

const documentsOf = (folder: string, sample: SampleMeeting) =>
  Effect.gen(function* () {
    const { meeting, authored } = sample
    const files: Array<BundleMedia> = []
    if (meeting.agenda_items.length > 0) {
      const file = `${nameOf(sample)}/agenda.pdf`
      yield* drawn(path.join(folder, file), () => agendaPdf(sample))
      files.push({ type: "media", meeting_id: meeting.id, role: "agenda", path: file, media_type: "application/pdf" })
    }
    for (const figure of authored.figures ?? []) {
      const subject = figureId(meeting.id, figure.key)
      const file = `${nameOf(sample)}/${figure.key}.png`
      yield* drawn(path.join(folder, file), () => figurePng({ x: "", ...figure }))
      const common = { type: "media", meeting_id: meeting.id, role: "figure", subject, path: file } as const
      files.push({ ...common, media_type: "image/png", ...figureSize })
    }
    return files
  })

/** Makes a recording from its script: a picture with a clock, captioned with what is said. */
const recordingOf = (folder: string, sample: SampleMeeting) =>
  Effect.gen(function* () {
    const renderer = yield* Renderer
    const { meeting, body, spoken } = sample
    if (spoken === undefined) return []
    const at = (name: string) => path.join(folder, nameOf(sample), name)
    yield* made(at("source.mp4"), (target) =>
      renderer.synthesize(target, {
        title: body.name,
        subtitle: `${meeting.title}, ${spokenDay(meeting.date, "long")}`,
        duration: spoken.duration,
        captions: cuesOf(spoken.segments).map(({ start, end, speaker, text }) => ({
          start: start / 1000,
          end: end / 1000,
          text: speaker === undefined ? text : `${speaker}:\n${text}`
        }))
      })
    )
    yield* made(at("720p.mp4"), (target) => renderer.rendition(at("source.mp4"), target, watermarkOf(sample)))
    yield* made(at("poster.jpg"), (target) => renderer.poster(at("720p.mp4"), 12, target))
    const { width, height, duration } = yield* renderer.probe(at("720p.mp4"))
    const file = (name: string) =>
      ({ type: "media", meeting_id: meeting.id, path: `${nameOf(sample)}/${name}` }) as const
    const files: Array<BundleMedia> = [
      // The source comes last, so that nothing is rendered from it.
      { ...file("720p.mp4"), role: "rendition", media_type: "video/mp4", width, height, duration },
      { ...file("poster.jpg"), role: "poster", media_type: "image/jpeg", width, height },
      { ...file("source.mp4"), role: "source", media_type: "video/mp4" }
    ]
    for (const clip of belongingsOf(sample)) {
      if (clip.type !== "clip" || clip.state !== "published") continue
      const name = `${clip.id}.mp4`
      yield* made(at(name), (target) => renderer.clip(at("720p.mp4"), clip, target))
      const cut = yield* renderer.probe(at(name))
      files.push({ ...file(name), role: "clip", subject: clip.id, media_type: "video/mp4", ...cut })
    }
    return files
  })

/**
 * The media of the sample around `today` (`YYYY-MM-DD`), made in `folder` where they do not exist yet: first the agenda
 * PDFs and figures of all meetings, which are quick, then the recordings. Paths are relative to the folder. Stopped at
 * any moment, another run continues where it was.
 */
export const sampleMedia = (folder: string, { today }: { readonly today: string }) =>
  Effect.map(sampleMeetings(today), (meetings) => {
    const documents = Stream.fromIterable(meetings).pipe(
      Stream.mapEffect((meeting) => documentsOf(folder, meeting)),
      Stream.flatMap(Stream.fromIterable)
    )
    const recordings = Stream.fromIterable(meetings.filter(({ authored }) => authored.recorded)).pipe(
      Stream.mapEffect((meeting) => recordingOf(folder, meeting)),
      Stream.flatMap(Stream.fromIterable)
    )
    return Stream.concat(documents, recordings)
  }).pipe(Stream.unwrap)
