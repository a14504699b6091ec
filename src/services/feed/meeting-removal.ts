import { Context, Effect, Layer } from "effect"
import { Db, dbDies, type Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { meetingNotFound, type NotFound, type Removed } from "../failures.ts"
import { recordAction } from "../history.ts"
import { Meetings } from "../meetings/meetings.ts"
import { MissingPart } from "../meetings/missing-part.ts"
import { clearTranscriptIndex } from "../meetings/transcript-index.ts"
import { meetingsChanged, meetingsRemoved, type RemovedMeeting } from "./changed.ts"

/**
 * The door through which a meeting's transcript leaves the record, last in the writer's transaction: every version of
 * it is deleted with the votes that were read from it, and search no longer finds its words. Returns whether there was
 * one.
 */
export const transcriptRemoved = Effect.fnUntraced(function* (db: Sql, id: MeetingId) {
  yield* db`select from meeting where id = ${id} for no key update`
  const versions = yield* db`delete from transcript where meeting_id = ${id} returning version`
  if (versions.length === 0) return false
  yield* clearTranscriptIndex(db, id)
  yield* db`delete from vote where meeting_id = ${id} and origin = 'transcript'`
  yield* meetingsChanged(db, [id])
  return true
})

/** Takes a meeting, or its transcript, off the record. Imported again, it is on record again. */
export class MeetingRemoval extends Context.Service<
  MeetingRemoval,
  {
    /**
     * Takes a meeting off the record, by its id or slug, with everything that belongs to it. Its addresses answer 410
     * with `reason` from then on (contract section 2); without a reason they say only that it was removed.
     */
    readonly remove: (ref: string, reason: string | undefined) => Effect.Effect<RemovedMeeting, NotFound | Removed>
    /** Takes every version of a meeting's transcript off the record; its words are no longer found by search. */
    readonly removeTranscript: (
      ref: string,
      reason: string | undefined
    ) => Effect.Effect<MeetingId, NotFound | Removed | MissingPart>
  }
>()("civic-record/MeetingRemoval") {
  static readonly layer = Layer.effect(
    MeetingRemoval,
    Effect.gen(function* () {
      const db = yield* Db
      const meetings = yield* Meetings

      const remove = Effect.fn("MeetingRemoval.remove")(function* (ref: string, reason: string | undefined) {
        const id = yield* meetings.resolve(ref)
        return yield* db.withTransaction(
          Effect.gen(function* () {
            const [removed] = yield* meetingsRemoved(db, [id], reason)
            if (removed === undefined) return yield* meetingNotFound(ref)
            yield* recordAction(db, "meeting.remove", id, { slug: removed.slug, reason })
            return removed
          })
        )
      }, dbDies)

      const removeTranscript = Effect.fn("MeetingRemoval.removeTranscript")(function* (
        ref: string,
        reason: string | undefined
      ) {
        const id = yield* meetings.resolve(ref)
        return yield* db.withTransaction(
          Effect.gen(function* () {
            if (!(yield* transcriptRemoved(db, id)))
              return yield* new MissingPart({ meetingId: id, part: "transcript" })
            yield* recordAction(db, "transcript.remove", id, { reason })
            return id
          })
        )
      }, dbDies)

      return { remove, removeTranscript }
    })
  ).pipe(Layer.provide(Meetings.fromPrimary))
}
