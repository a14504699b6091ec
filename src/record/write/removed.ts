import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleEntity, BundleRemoved } from "../../../schema/bundle.ts"
import { MeetingId } from "../../../schema/primitives.ts"
import { agencyRemoved } from "../../services/directory/agency-removal.ts"
import { meetingsRemoved, mergeNoted, removalNoted } from "../../services/feed/changed.ts"
import { transcriptRemoved } from "../../services/feed/meeting-removal.ts"
import { fingerprint } from "./entity.ts"
import { created, type Outcome, refused, unchanged, updated } from "./outcome.ts"

/** Stores the fingerprints of a meeting's lines; its own is under `subject`. */
const withdrawMeeting = (db: Sql, id: MeetingId, subject: string) => db`
  insert into withdrawn_line (content_hash, subject)
  select content_hash, ${subject} from meeting where id = ${id}
  union select content_hash, ${id} from (
    select content_hash from transcript where meeting_id = ${id}
    union all select content_hash from figure where meeting_id = ${id}
    union all select content_hash from briefing where meeting_id = ${id}
    union all select content_hash from claims where meeting_id = ${id}
    union all select content_hash from recap where meeting_id = ${id}
    union all select content_hash from agenda_summary where meeting_id = ${id}
    union all select content_hash from clip where meeting_id = ${id}
    union all select content_hash from media where meeting_id = ${id}) belonging
  on conflict do nothing`

const removeMeeting = Effect.fnUntraced(function* (db: Sql, id: MeetingId, reason: string | undefined) {
  yield* withdrawMeeting(db, id, id)
  if ((yield* meetingsRemoved(db, [id], reason)).length > 0) return created
  switch (yield* removalNoted(db, id, reason)) {
    case "same":
      return unchanged
    case "reason":
      return updated
    case "new":
      return {
        ...created,
        notes: [{ field: "id", message: `meeting ${id} was not on record; its address says now that it was removed` }]
      } satisfies Outcome
  }
})

const removeTranscript = Effect.fnUntraced(function* (db: Sql, id: MeetingId) {
  yield* db`
    insert into withdrawn_line (content_hash, subject)
    select content_hash, ${id} from transcript where meeting_id = ${id} on conflict do nothing`
  return yield* transcriptRemoved(db, id)
})

const removeAgency = Effect.fnUntraced(function* (db: Sql, slug: string, reason: string | undefined) {
  const meetings = yield* db<{ id: MeetingId }>`
    select m.id from meeting m join body b on b.id = m.body_id where b.slug = ${slug} order by m.id`
  yield* Effect.forEach(meetings, ({ id }) => withdrawMeeting(db, id, slug), { discard: true })
  yield* db`
    insert into withdrawn_line (content_hash, subject)
    select content_hash, ${slug} from body where slug = ${slug} on conflict do nothing`
  return (yield* agencyRemoved(db, slug, reason)) !== undefined
})

/**
 * Takes the subject of the line off the record, through the doors that `civic-record remove` uses. A meeting that is
 * not on record gets its tombstone all the same, so that removals survive when a record is carried elsewhere.
 * Idempotent.
 */
export const writeRemoved = Effect.fnUntraced(function* (db: Sql, { reason, merged_into, ...line }: BundleRemoved) {
  // PostgreSQL spells ids in lower case.
  const meeting = () => MeetingId.make(line.id.toLowerCase())
  if (line.what === "meeting") {
    const outcome = yield* removeMeeting(db, meeting(), reason)
    const isMerged = yield* mergeNoted(db, meeting(), merged_into)
    return outcome._tag === "Unchanged" && isMerged ? updated : outcome
  }
  const done = yield* line.what === "transcript" ? removeTranscript(db, meeting()) : removeAgency(db, line.id, reason)
  // The reason does not matter here: without a meeting, nobody reads it.
  const hash = fingerprint(line)
  if (done) {
    yield* db`
      insert into withdrawn_line (content_hash, subject) values (${hash}, ${line.id}) on conflict do nothing`
    return created
  }
  const known = yield* db`select from withdrawn_line where content_hash = ${hash}`
  if (known.length > 0) return unchanged
  const missing = line.what === "transcript" ? `a transcript of meeting ${line.id}` : `agency ${line.id}`
  return refused("id", `${missing} is neither on record nor on an earlier line; correct it or leave the line out`)
})

/** The fingerprints whose lines a `removed` line took off the record, each with its subject. */
export const withdrawnAmong = Effect.fnUntraced(function* (db: Sql, hashes: ReadonlyArray<string>) {
  const rows = yield* db<{ content_hash: string; subject: string }>`
    select content_hash, subject from withdrawn_line where content_hash = any(${hashes}::text[])`
  return new Map(rows.map(({ content_hash, subject }) => [content_hash, subject]))
})

/** The outcome for a line that is off the record and stays off. */
export const passedOver = ({ type }: BundleEntity): Outcome =>
  type === "meeting" || type === "agency" || type === "transcript"
    ? {
        ...unchanged,
        notes: [
          {
            field: "",
            message: `this ${type} was taken off the record by a removed line and stays off; a line that differs puts it on record again`
          }
        ]
      }
    : unchanged

/** Deletes the withdrawn lines of meetings and bodies that are on record again. */
export const forgetWithdrawn = (db: Sql, subjects: ReadonlyArray<string>) =>
  db`delete from withdrawn_line where subject = any(${subjects}::text[])`
