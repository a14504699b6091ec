import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { meetingsChanged } from "../feed/changed.ts"
import { Flows } from "../queue/flows.ts"
import { pieceKey } from "./given-recordings.ts"
import { renderAnew } from "./meeting-renders.ts"

/** A recording that waits to become that of its meeting: an address, or a file in pieces. */
export interface WaitingRecording {
  readonly id: string
  readonly meeting: MeetingId
  readonly captions: Uint8Array | null
  readonly from:
    | { readonly address: string }
    | { readonly name: string; readonly bytes: number; readonly keys: ReadonlyArray<string> }
}

interface WaitingRow {
  readonly id: string
  readonly address: string | null
  readonly name: string | null
  readonly bytes: number | null
  readonly piece_bytes: number | null
  readonly pieces: string | null
  readonly captions: Uint8Array | null
}

/** The recording that a meeting has. */
export interface PresentRecording {
  readonly key: string
  readonly bytes: number
  /** The hash of its row of media. */
  readonly hash: string
  /** The SHA-256 of its file; null if it was imported. */
  readonly digest: string | null
  /** Where it came from: an address, or a file's name. */
  readonly address: string
  readonly since: Date | null
}

/** What the stage `receive` reads and writes of the recordings that operators give. */
export class ReceivedRecordings extends Context.Service<
  ReceivedRecordings,
  {
    /** What is to become the meeting's recording: of several, what was given last. */
    readonly waiting: (meeting: MeetingId) => Effect.Effect<WaitingRecording | undefined, SqlError.SqlError>
    readonly present: (meeting: MeetingId) => Effect.Effect<PresentRecording | undefined, SqlError.SqlError>
    /** Forgets what is the meeting's recording already. */
    readonly forget: (waiting: WaitingRecording) => Effect.Effect<void, SqlError.SqlError>
    /**
     * Notes, in the transaction that has just put it on record, that a recording was taken, and what it replaces, whose
     * SHA-256 the caller has found out. What is shown and said of the meeting is made from it.
     */
    readonly taken: (
      waiting: WaitingRecording,
      digest: string,
      replaced: (PresentRecording & { readonly digest: string }) | undefined
    ) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/ReceivedRecordings") {
  static readonly layer = Layer.effect(
    ReceivedRecordings,
    Effect.gen(function* () {
      const db = yield* Db
      const flows = yield* Flows

      const waiting = Effect.fn("ReceivedRecordings.waiting")(function* (meeting: MeetingId) {
        const [found] = yield* db<WaitingRow>`
          select id, address, name, bytes::float8 as bytes, piece_bytes, pieces, captions from given_recording
          where meeting_id = ${meeting} and finished_at is not null and taken_at is null
          order by finished_at desc, id desc limit 1`
        if (found === undefined) return undefined
        const { id, address, name, bytes, piece_bytes, pieces, captions } = found
        if (address !== null) return { id, meeting, captions, from: { address } }
        if (name === null || bytes === null || piece_bytes === null || pieces === null) return undefined
        const keys = Array.from({ length: Math.ceil(bytes / piece_bytes) }, (_, at) => pieceKey(pieces, at))
        return { id, meeting, captions, from: { name, bytes, keys } }
      })

      const present = Effect.fn("ReceivedRecordings.present")(function* (meeting: MeetingId) {
        const [found] = yield* db<PresentRecording>`
          select s.key, s.content_hash as hash, s.bytes::float8 as bytes, coalesce(g.digest, f.digest) as digest,
            coalesce(g.address, g.name, f.address, 'imported') as address, coalesce(g.taken_at, f.fetched_at) as since
          from media s
          left join fetched_part f
            on f.meeting_id = s.meeting_id and f.part = 'recording' and f.mark = s.content_hash
          left join lateral (
            select * from given_recording where meeting_id = s.meeting_id and mark = s.content_hash
            order by taken_at desc limit 1) g on true
          where s.meeting_id = ${meeting} and s.role = 'source'`
        return found
      })

      /** The meeting's own flow no longer waits until its recording is published. */
      const wake = Effect.fnUntraced(function* (meeting: MeetingId) {
        const woken = yield* db`
          update task t set due_at = clock_timestamp() from flow f
          where f.id = t.flow_id and f.meeting_id = ${meeting} and f.kind = 'meeting' and f.state = 'open'
            and t.stage in ('detect', 'fetch') and t.state = 'waiting' returning t.id`
        if (woken.length > 0) yield* db`notify task`
      })

      const taken: ReceivedRecordings["Service"]["taken"] = Effect.fn("ReceivedRecordings.taken")(function* (
        { id, meeting, captions },
        digest,
        replaced
      ) {
        const now = DateTime.formatIso(yield* DateTime.now)
        if (replaced !== undefined) {
          yield* db`
            insert into part_version ${db.insert({
              ...{ meeting_id: meeting, part: "recording", address: replaced.address, bytes: replaced.bytes },
              ...{ digest: replaced.digest, fetched_at: replaced.since?.toISOString() ?? now, replaced_at: now }
            })}`
        }
        yield* db`
          update given_recording g set taken_at = ${now}, digest = ${digest}, mark = s.content_hash, captions = null,
            replaced = array(
              select content_hash from media d
              where d.meeting_id = g.meeting_id and d.role in ('rendition', 'poster', 'clip')
              union select ${replaced?.hash ?? null}::text where ${replaced?.hash ?? null}::text is not null)
          from media s where g.id = ${id} and s.meeting_id = g.meeting_id and s.role = 'source'`
        yield* renderAnew(db, meeting)
        yield* meetingsChanged(db, [meeting])
        const again = flows.makeAgain(meeting, captions === null ? ["render", "transcribe"] : ["render", "refine"])
        yield* Effect.catchTags(again, { UnknownFlow: Effect.die, NewerFlow: Effect.die })
        yield* wake(meeting)
      })

      const forget = Effect.fn("ReceivedRecordings.forget")(
        ({ id }: WaitingRecording) => db`delete from given_recording where id = ${id}`,
        Effect.asVoid
      )

      return { waiting, present, forget, taken }
    })
  )
}
