import { Effect } from "effect"
import { v5 } from "uuid"
import { Db } from "../../layers/db/db.ts"
import type {
  BundleAgency,
  BundleEntity,
  BundleMeeting,
  BundlePlace,
  BundleTranscript,
  MediaRole
} from "../../schema/bundle.ts"
import { AgendaItemId, ClaimId, ClipId, FigureId, MeetingId } from "../../schema/primitives.ts"
import type { Segment } from "../../schema/transcript.ts"
import { writeBatch } from "../../src/record/write/batch.ts"
import { unchanged } from "../../src/record/write/outcome.ts"

const space = "6f1a3f0e-35a4-4b6e-9a55-1d2f0c7b8e11"

/** The same id for the same name, so that a test can say which meeting it means. */
export const meetingId = (name: string) => MeetingId.make(v5(`meeting ${name}`, space))
export const agendaItemId = (name: string) => AgendaItemId.make(v5(`item ${name}`, space))
export const clipId = (name: string) => ClipId.make(v5(`clip ${name}`, space))
export const claimId = (name: string) => ClaimId.make(v5(`claim ${name}`, space))
export const documentId = (name: string) => v5(`document ${name}`, space)
export const figureId = (name: string) => FigureId.make(v5(`figure ${name}`, space))

export const place = (slug: string, over: Partial<BundlePlace> = {}): BundlePlace => ({
  type: "place",
  slug,
  name: slug.replace(/(^|-)(\w)/g, (_, dash, letter) => (dash ? " " : "") + letter.toUpperCase()),
  kind: "city",
  state: "IL",
  ...over
})

export const agency = (
  slug: string,
  places: ReadonlyArray<string>,
  over: Partial<BundleAgency> = {}
): BundleAgency => ({
  type: "agency",
  slug,
  segment: slug,
  name: slug.replace(/(^|-)(\w)/g, (_, dash, letter) => (dash ? " " : "") + letter.toUpperCase()),
  kind: "city_council",
  places,
  ...over
})

export const meeting = (name: string, agency: string, over: Partial<BundleMeeting> = {}): BundleMeeting => ({
  type: "meeting",
  id: meetingId(name),
  agency,
  title: "Regular Meeting",
  date: "2026-03-10",
  timezone: "America/Chicago",
  status: "held",
  agenda_items: [],
  chapters: [],
  ...over
})

/** Lines spoken consecutively, five seconds each, without word times. */
export const said = (lines: ReadonlyArray<string>): ReadonlyArray<Segment> =>
  lines.map((text, at) => ({ start: at * 5, end: at * 5 + 5, text }))

export const transcript = (
  name: string,
  segments: ReadonlyArray<Segment>,
  over: Partial<BundleTranscript> = {}
): BundleTranscript => ({
  type: "transcript",
  meeting_id: meetingId(name),
  version: "refined",
  language: "en",
  segments,
  ...over
})

/** Puts entities on record as an import does, except media rows. */
export const putOnRecord = (...entities: ReadonlyArray<BundleEntity>) =>
  writeBatch(entities, () => Effect.succeed(unchanged))

/** A row of `media` for a key, for the meeting in it. */
export interface MediaRow {
  readonly key: string
  readonly role: MediaRole
  readonly subject?: string
  readonly media_type?: string
  readonly bytes?: number
  readonly width?: number
  readonly height?: number
  readonly duration?: number
}

/** Puts media on record without the objects themselves. */
export const putMedia = Effect.fnUntraced(function* (...rows: ReadonlyArray<MediaRow>) {
  const db = yield* Db
  for (const { key, role, subject, media_type, bytes, width, height, duration } of rows) {
    yield* db`insert into media ${db.insert({
      key,
      meeting_id: key.split("/")[1] ?? "",
      role,
      subject: subject ?? null,
      media_type: media_type ?? "video/mp4",
      bytes: bytes ?? 1000,
      width: width ?? null,
      height: height ?? null,
      duration: duration ?? null,
      content_hash: key
    })}`
  }
})
