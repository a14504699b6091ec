import { createHash } from "node:crypto"
import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { wordCount } from "../meetings/transcript-chunks.ts"
import { indexTranscript } from "../meetings/transcript-index.ts"

/** Begins the `content_hash` of a transcript that was refined here; the hash of its segments follows. */
const refinedHere = "refined-"

/** A meeting's raw transcript, and what its agenda says. */
export interface RawTranscript {
  readonly meetingId: MeetingId
  readonly hash: string
  readonly segments: ReadonlyArray<Segment>
  readonly agenda: ReadonlyArray<string>
}

/** What refining a transcript reads and writes. */
export class Refinements extends Context.Service<
  Refinements,
  {
    /** Undefined where there is no raw transcript, or the refined one was imported, which stays as it is. */
    readonly wanted: (meeting: MeetingId) => Effect.Effect<RawTranscript | undefined, SqlError.SqlError>
    /**
     * Writes the refined version in the transaction that ends the task, and tells it (`transcript.ready`). Where addresses were
     * removed, readers no longer see the raw version. Answers false, having written nothing, if that was replaced.
     */
    readonly keep: (
      raw: RawTranscript,
      refined: { readonly segments: ReadonlyArray<Segment>; readonly addresses: number }
    ) => Effect.Effect<boolean, SqlError.SqlError>
  }
>()("civic-record/Refinements") {
  static readonly layer = Layer.effect(
    Refinements,
    Effect.gen(function* () {
      const db = yield* Db

      const wanted = Effect.fn("Refinements.wanted")(function* (meetingId: MeetingId) {
        const [row] = yield* db<Omit<RawTranscript, "meetingId">>`
          select t.content_hash as hash, t.segments, array(
            select concat_ws(' ', a.title, a.description) from agenda_item a
            where a.meeting_id = t.meeting_id order by a.position) as agenda
          from transcript t
          where t.meeting_id = ${meetingId} and t.version = 'raw' and not exists (
            select from transcript r where r.meeting_id = t.meeting_id and r.version = 'refined'
              and r.content_hash not like ${`${refinedHere}%`})`
        return row === undefined ? undefined : { meetingId, ...row }
      })

      const keep = Effect.fn("Refinements.keep")(function* (
        { meetingId, hash }: RawTranscript,
        { segments, addresses }: { readonly segments: ReadonlyArray<Segment>; readonly addresses: number }
      ) {
        yield* db`select from meeting where id = ${meetingId} for no key update`
        const raw = yield* db`
          update transcript set withheld = ${addresses > 0}
          where meeting_id = ${meetingId} and version = 'raw' and content_hash = ${hash} returning 1`
        if (raw.length === 0) return false
        const written = JSON.stringify(segments)
        yield* db`
          insert into transcript as t
            (meeting_id, version, language, generator, duration, word_count, segments, content_hash)
          select meeting_id, 'refined', language, generator, duration, ${wordCount(segments)}::int,
            ${written}::json, ${refinedHere + createHash("sha256").update(written).digest("hex")}
          from transcript where meeting_id = ${meetingId} and version = 'raw'
          on conflict (meeting_id, version) do update set language = excluded.language, generator = excluded.generator,
            duration = excluded.duration, word_count = excluded.word_count, segments = excluded.segments,
            content_hash = excluded.content_hash`
        yield* indexTranscript(db, meetingId, "refined", segments)
        yield* meetingsChanged(db, [meetingId], {
          also: [{ event: "transcript.ready", data: { meeting_id: meetingId, version: "refined" } }]
        })
        return true
      })

      return { wanted, keep }
    })
  )
}
