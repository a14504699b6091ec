import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { meetingMerged } from "../feed/meeting-merge.ts"

/**
 * Pairs of entries of one source that are one meeting, as a table `twin (a, b)` with either order: the same body, and
 * the same instant or, on one day, the same recording. An address that is listed for several days is the page of a
 * channel. Entries that were withdrawn have no twin, and neither has a meeting whose day an operator has set.
 */
const twins = (db: Sql, source: string) => db`
  entry as materialized (
    select d.id, d.date, d.starts_at, d.video_url, sb.body_id
    from discovered d join source_body sb on sb.source_id = d.source_id and sb.source_body = d.source_body
    where d.source_id = ${source} and d.withdrawn_at is null and sb.body_id is not null
      and not exists (select from meeting m where m.id = d.id and 'date' = any(m.corrected))),
  recording as materialized (
    select video_url from entry where video_url is not null group by video_url
    having count(*) > 1 and min(date) = max(date)),
  twin as materialized (
    select a.id as a, b.id as b from entry a join entry b on b.body_id = a.body_id and b.starts_at = a.starts_at
    where a.id <> b.id
    union
    select a.id, b.id from recording r join entry a on a.video_url = r.video_url
    join entry b on b.video_url = r.video_url and b.body_id = a.body_id where a.id <> b.id)`

/** Gives entries back that were taken for the same as another of their source, and no longer are. */
export const partTwins = (db: Sql, source: string) => db`
  with ${twins(db, source)}
  update discovered d set same_meeting = null, imported_at = null from discovered own
  where d.source_id = ${source} and d.withdrawn_at is null and own.id = d.same_meeting and own.source_id = d.source_id
    and own.withdrawn_at is null
    and not exists (
      select from twin join discovered o on o.id = twin.b
      where twin.a = d.id and (o.id = own.id or o.same_meeting = own.id))`

/** Recognizes entries that are not on record as a meeting that another entry of their source has brought. */
export const joinTwins = (db: Sql, source: string) => db`
  with ${twins(db, source)}, known as (
    select distinct on (twin.a) twin.a as id, m.id as meeting
    from twin join discovered o on o.id = twin.b and o.imported_at is not null
    join meeting m on m.id = coalesce(o.same_meeting, o.id)
    order by twin.a, m.id)
  update discovered d set same_meeting = known.meeting, imported_at = clock_timestamp() from known
  where d.id = known.id and d.imported_at is null`

/**
 * Of entries that are about to come on record, those whose twin comes first: a live one before a cancelled one, then by
 * id. They are recognized once it is on record.
 */
export const secondTwins = Effect.fnUntraced(function* (db: Sql, source: string, ids: ReadonlyArray<MeetingId>) {
  if (ids.length < 2) return new Set<string>()
  const rows = yield* db<{ id: string }>`
    with ${twins(db, source)}
    select distinct a.id from twin join discovered a on a.id = twin.a join discovered b on b.id = twin.b
    where a.id = any(${ids}::uuid[]) and b.id = any(${ids}::uuid[])
      and (b.status = 'cancelled', b.id) < (a.status = 'cancelled', a.id)`
  return new Set(rows.map(({ id }) => id))
})

/**
 * Merges meetings on record that have turned out to be one, into the one with more to it, or else the one that came on
 * record first. Those that an operator has moved to different bodies stay two, and so do two with transcripts that are
 * not of one recording: nothing that was said leaves the record.
 */
export const mergeTwins = Effect.fnUntraced(function* (db: Sql, source: string) {
  const pairs = yield* db<{ kept: MeetingId; lesser: MeetingId }>`
    with ${twins(db, source)}, pair as (
      select least(ma.id, mb.id) as one, greatest(ma.id, mb.id) as other,
        coalesce(bool_or(a.video_url = b.video_url), false) as is_one_recording
      from twin join discovered a on a.id = twin.a join discovered b on b.id = twin.b
      join meeting ma on ma.id = coalesce(a.same_meeting, a.id) join meeting mb on mb.id = coalesce(b.same_meeting, b.id)
      where ma.id <> mb.id and ma.body_id = mb.body_id group by 1, 2),
    weighed as (
      select m.id, -(
        case when exists (select from recap_ready r where r.meeting_id = m.id) then 16 else 0 end
        + case when exists (select from briefing f where f.meeting_id = m.id) then 8 else 0 end
        + case when exists (select from transcript t where t.meeting_id = m.id) then 4 else 0 end
        + case when exists (select from media f where f.meeting_id = m.id and f.role = 'source') then 2 else 0 end
        + case when exists (select from agenda_item i where i.meeting_id = m.id) then 1 else 0 end) as weight,
        m.status = 'cancelled' as is_off,
        (select count(*) from transcript t where t.meeting_id = m.id) as words,
        (select min(d.imported_at) from discovered d where d.id = m.id) as since
      from meeting m where m.id in (select one from pair union select other from pair))
    select kept.id as kept, lesser.id as lesser
    from pair join weighed kept on kept.id in (pair.one, pair.other)
    join weighed lesser on lesser.id in (pair.one, pair.other) and lesser.id <> kept.id
    where (kept.weight, kept.is_off, kept.since, kept.id) < (lesser.weight, lesser.is_off, lesser.since, lesser.id)
      and (lesser.words = 0 or kept.words > 0 and pair.is_one_recording)
    order by 1, 2`
  const gone = new Map<MeetingId, MeetingId>()
  for (const { kept, lesser } of pairs) {
    // Of three, one may have been merged a moment ago; the next crawl sees to the rest.
    if (gone.has(kept) || gone.has(lesser)) continue
    yield* meetingMerged(db, lesser, kept)
    gone.set(lesser, kept)
  }
  return [...gone.values()]
})
