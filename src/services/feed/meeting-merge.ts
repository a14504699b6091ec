import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { writeAction } from "../history.ts"
import { meetingsRemoved } from "./changed.ts"

/** The public reason, should the meeting that remains be taken off the record one day. */
const reason = "It was listed twice, and is on record once."

/** Who merges meetings in the history of operators: no operator decides it. */
const byCrawl = "the crawl"

/** What is readers' own, or tells that they were mailed: it goes with the meeting, so that nobody is mailed twice. */
const moveReaders = Effect.fnUntraced(function* (db: Sql, from: MeetingId, into: MeetingId) {
  for (const table of ["user_clip", "share_grant", "recorded_share", "mistake_report"]) {
    yield* db`update ${db(table)} set meeting_id = ${into} where meeting_id = ${from}`
  }
  yield* db`
    insert into mailed (account_id, kind, subject, meeting_id, mailed_at)
    select account_id, kind, case when subject = ${from} then ${into}::uuid else subject end, ${into}::uuid, mailed_at
    from mailed where meeting_id = ${from} on conflict do nothing`
  yield* db`
    insert into recap_ready (meeting_id, ready_at)
    select ${into}::uuid, ready_at from recap_ready where meeting_id = ${from} on conflict do nothing`
  yield* db`
    insert into recap_owed (account_id, meeting_id)
    select account_id, ${into}::uuid from recap_owed where meeting_id = ${from} on conflict do nothing`
  yield* db`
    update outgoing_mail set content = replace(content::text, ${from}::text, ${into}::text)::jsonb
    where strpos(content::text, ${from}::text) > 0`
  yield* db`update saved_search set seen = array_replace(seen, ${from}::uuid, ${into}::uuid) where ${from}::uuid = any(seen)`
})

/** What one meeting has alone. Its files are fetched again, because their keys belong to it. */
const moveParts = Effect.fnUntraced(function* (db: Sql, from: MeetingId, into: MeetingId) {
  yield* db`
    insert into agenda_item (id, meeting_id, position, number, title, description, outcome, start,
      identifier, matter, matter_key)
    select id, ${into}::uuid, position, number, title, description, outcome, start, identifier, matter, matter_key from agenda_item
    where meeting_id = ${from} and not exists (select from agenda_item where meeting_id = ${into})`
  for (const table of ["vote", "matter_step"]) {
    yield* db`update ${db(table)} set meeting_id = ${into} where meeting_id = ${from} and agenda_item_id is null`
    yield* db`
      update ${db(table)} t set meeting_id = ${into}, agenda_item_id = (
        select i.id from agenda_item i where i.meeting_id = ${into} and i.id = t.agenda_item_id)
      where t.meeting_id = ${from}`
  }
  yield* db`
    insert into agenda_summary (meeting_id, items, content_hash)
    select ${into}::uuid, items, content_hash from agenda_summary where meeting_id = ${from} on conflict do nothing`
  yield* db`
    update meeting m set location = coalesce(m.location, f.location), join_url = coalesce(m.join_url, f.join_url),
      source_url = coalesce(m.source_url, f.source_url), agenda_url = coalesce(m.agenda_url, f.agenda_url),
      minutes_url = coalesce(m.minutes_url, f.minutes_url), video_url = coalesce(m.video_url, f.video_url),
      agenda_changed_at = greatest(m.agenda_changed_at, f.agenda_changed_at),
      attachments = case when m.attachments = '[]' then f.attachments else m.attachments end,
      content_hash = 'discovered'
    from meeting f where m.id = ${into} and f.id = ${from}`
})

/**
 * Merges a meeting into another that is the same, in the caller's transaction, which announces the one that remains: it
 * gains what the first has alone, and the first leaves the record. Its id and its addresses lead to the other for ever.
 */
export const meetingMerged = Effect.fn("Feed.meetingMerged")(function* (db: Sql, from: MeetingId, into: MeetingId) {
  yield* db`select from meeting where id in (${from}, ${into}) order by id for update`
  yield* moveParts(db, from, into)
  yield* moveReaders(db, from, into)
  yield* db`update discovered set same_meeting = ${into} where id = ${from} or same_meeting = ${from}`
  yield* db`update removed_meeting set merged_into = ${into} where merged_into = ${from}`
  const [removed] = yield* meetingsRemoved(db, [from], reason)
  yield* db`update removed_meeting set merged_into = ${into} where id = ${from}`
  yield* writeAction(db, byCrawl, { action: "meeting.merge", subject: into, detail: { from: removed?.slug } })
})
