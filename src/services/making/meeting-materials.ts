import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import type { BundleBriefing, BundleMeeting, BundleTranscript } from "../../../schema/bundle.ts"
import type { Chapter } from "../../../schema/meeting.ts"
import type { NotedPart } from "../../../schema/part.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Segment, TranscriptVersion } from "../../../schema/transcript.ts"
import type { ServedBriefing, WrittenBriefing } from "../../text/served-briefing.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { segmentsFrom } from "../meetings/packed-segments.ts"
import { partSql } from "../meetings/part-sql.ts"
import { given } from "../wire.ts"

/** The facts of a meeting that a stage's prompt opens with, and its status. */
export interface MeetingAbout {
  readonly title: string
  readonly body: string
  /** YYYY-MM-DD. */
  readonly date: string
  readonly status: "cancelled" | "held" | "upcoming"
  /** The speakers at earlier meetings of the body, most frequent first. */
  readonly roster: ReadonlyArray<string>
}

export interface SpokenTranscript {
  /** Changes whenever the transcript does. */
  readonly hash: string
  readonly language: string
  /** In seconds. */
  readonly duration: number
  readonly speakers: BundleTranscript["speakers"] | null
  readonly segments: ReadonlyArray<Segment>
}

/** A file of the meeting in the object store. */
export interface MeetingFile {
  readonly key: string
  /** Changes whenever the file does, which may keep its key. */
  readonly hash: string
  /** In seconds; null for other files, or if unknown. */
  readonly duration: number | null
}

/** The most names of the roster in a prompt. */
const mostNames = 60

/**
 * The inputs that stages read of a meeting, and which of its parts were made by stages. An imported part is never
 * remade.
 */
export class MeetingMaterials extends Context.Service<
  MeetingMaterials,
  {
    readonly about: (meeting: MeetingId) => Effect.Effect<MeetingAbout | undefined, SqlError.SqlError>
    readonly file: (
      meeting: MeetingId,
      role: "source" | "rendition" | "agenda"
    ) => Effect.Effect<MeetingFile | undefined, SqlError.SqlError>
    readonly transcript: (
      meeting: MeetingId,
      version: TranscriptVersion
    ) => Effect.Effect<SpokenTranscript | undefined, SqlError.SqlError>
    readonly agenda: (meeting: MeetingId) => Effect.Effect<BundleMeeting["agenda_items"], SqlError.SqlError>
    readonly chapters: (meeting: MeetingId) => Effect.Effect<ReadonlyArray<Chapter>, SqlError.SqlError>
    /** The briefing as it was written. */
    readonly briefing: (meeting: MeetingId) => Effect.Effect<BundleBriefing | undefined, SqlError.SqlError>
    /** The briefing as readers see it; undefined while it is pending. */
    readonly served: (meeting: MeetingId) => Effect.Effect<ServedBriefing | undefined, SqlError.SqlError>
    /** The ids of curated clips that an operator has decided on or that were imported: all but proposals. */
    readonly decidedClips: (meeting: MeetingId) => Effect.Effect<ReadonlySet<string>, SqlError.SqlError>
    /** Hides the raw transcript from readers, or shows it again, in the transaction that writes the refined one. */
    readonly withhold: (meeting: MeetingId, isWithheld: boolean) => Effect.Effect<void, SqlError.SqlError>
    /**
     * Publishes a meeting with all its parts: an upcoming meeting becomes held if its day is past or it has a recording
     * or transcript. Returns whether it is held now.
     */
    readonly publish: (meeting: MeetingId) => Effect.Effect<boolean, SqlError.SqlError>
    /** Whether a part is on record, and whether a stage made it or it was imported. */
    readonly standing: (
      meeting: MeetingId,
      part: NotedPart
    ) => Effect.Effect<"none" | "made" | "imported", SqlError.SqlError>
    /** Notes that a stage made this part, in the transaction that writes it. */
    readonly note: (meeting: MeetingId, part: NotedPart, generator: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/MeetingMaterials") {
  static readonly layer = Layer.effect(
    MeetingMaterials,
    Effect.gen(function* () {
      const db = yield* Db

      const about = Effect.fn("MeetingMaterials.about")(function* (meeting: MeetingId) {
        const [row] = yield* db<MeetingAbout>`
          select m.title, b.name as body, m.date::text as date, m.status, array(
            select s.name from transcript_speaker s join meeting other on other.id = s.meeting_id
            where other.body_id = m.body_id and other.id <> m.id and other.date > m.date - 730
            group by s.name order by count(*) desc, s.name limit ${mostNames}) as roster
          from meeting m join body b on b.id = m.body_id where m.id = ${meeting}`
        return row
      })

      const file = Effect.fn("MeetingMaterials.file")(function* (meeting: MeetingId, role: string) {
        const [row] = yield* db<MeetingFile>`
          select key, content_hash as hash, duration::float8 as duration from media where meeting_id = ${meeting} and role = ${role} limit 1`
        return row
      })

      const transcript = Effect.fn("MeetingMaterials.transcript")(function* (meeting: MeetingId, version: string) {
        const [row] = yield* db<Omit<SpokenTranscript, "segments"> & { readonly segments: Uint8Array }>`
          select content_hash as hash, language, duration::float8 as duration, speakers, segments
          from transcript where meeting_id = ${meeting} and version = ${version}`
        return row === undefined ? undefined : { ...row, segments: yield* segmentsFrom(row.segments) }
      })

      const agenda = Effect.fn("MeetingMaterials.agenda")(function* (meeting: MeetingId) {
        const rows = yield* db<{ item: BundleMeeting["agenda_items"][number] }>`
          select json_strip_nulls(json_build_object('id', id, 'number', number, 'title', title,
            'description', description, 'outcome', outcome, 'start', start, 'identifier', identifier,
            'matter', matter)) as item
          from agenda_item where meeting_id = ${meeting} order by position limit 1000`
        return rows.map(({ item }) => item)
      })

      const chapters = Effect.fn("MeetingMaterials.chapters")(
        (meeting: MeetingId) => db<Chapter>`
          select title, start::float8 as start, "end"::float8 as "end" from chapter
          where meeting_id = ${meeting} order by position limit 1000`
      )

      const briefing = Effect.fn("MeetingMaterials.briefing")(function* (meeting: MeetingId) {
        const [row] = yield* db<{
          readonly written: WrittenBriefing
          readonly generator: string | null
          readonly published_at: Date
        }>`select written, generator, published_at from briefing where meeting_id = ${meeting}`
        return row === undefined
          ? undefined
          : {
              type: "briefing" as const,
              meeting_id: meeting,
              ...row.written,
              ...given("generator", row.generator),
              published_at: row.published_at.toISOString()
            }
      })

      const served = Effect.fn("MeetingMaterials.served")(function* (meeting: MeetingId) {
        const [row] = yield* db<{ served: ServedBriefing }>`
          select served from published_briefing where meeting_id = ${meeting}`
        return row?.served
      })

      const decidedClips = Effect.fn("MeetingMaterials.decidedClips")(function* (meeting: MeetingId) {
        const rows = yield* db<{ id: string }>`
          select id from clip where meeting_id = ${meeting} and state <> 'proposal' limit 1000`
        return new Set(rows.map(({ id }) => id))
      })

      const withhold = Effect.fn("MeetingMaterials.withhold")(
        (meeting: MeetingId, isWithheld: boolean) =>
          db`update transcript set withheld = ${isWithheld} where meeting_id = ${meeting} and version = 'raw'`,
        Effect.asVoid
      )

      const publish = Effect.fn("MeetingMaterials.publish")(function* (meeting: MeetingId) {
        const now = DateTime.formatIso(yield* DateTime.now)
        const held = yield* db`
          update meeting m set status = 'held' where id = ${meeting} and status = 'upcoming' and (
            m.date < (${now}::timestamptz at time zone m.timezone)::date
            or exists (select from transcript t where t.meeting_id = m.id)
            or exists (select from media d where d.meeting_id = m.id and d.role in ('source', 'rendition')))
          returning id`
        const [after] = yield* db<{ held: boolean }>`select status = 'held' as held from meeting where id = ${meeting}`
        if (held.length > 0) yield* meetingsChanged(db, [meeting])
        return after?.held ?? false
      })

      const markOf = (meeting: MeetingId, part: NotedPart) => partSql[part].mark(db, db`${meeting}`)

      const standing = Effect.fn("MeetingMaterials.standing")(function* (meeting: MeetingId, part: NotedPart) {
        const [row] = yield* db<{ now: string | null; made: string | null }>`
          select ${markOf(meeting, part)} as now,
            (select mark from made_part where meeting_id = ${meeting} and part = ${part}) as made`
        if (row === undefined || row.now === null) return "none"
        return row.now === row.made ? "made" : "imported"
      })

      const note = Effect.fn("MeetingMaterials.note")(function* (
        meeting: MeetingId,
        part: NotedPart,
        generator: string
      ) {
        yield* db`
          insert into made_part (meeting_id, part, generator, mark, made_at)
          select ${meeting}, ${part}, ${generator}, made.mark, ${DateTime.formatIso(yield* DateTime.now)}
          from (select ${markOf(meeting, part)} as mark) made where made.mark is not null
          on conflict (meeting_id, part) do update set generator = excluded.generator, mark = excluded.mark,
            made_at = excluded.made_at`
      })

      return {
        about,
        file,
        transcript,
        agenda,
        chapters,
        briefing,
        served,
        decidedClips,
        withhold,
        publish,
        standing,
        note
      }
    })
  )
}
