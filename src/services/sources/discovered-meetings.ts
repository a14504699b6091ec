import { DateTime, Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { addFlows } from "../queue/add-flows.ts"
import { isChannel, isLeftToOthers } from "./channels.ts"
import { followDocuments } from "./due-documents.ts"
import { followParts } from "./fetched-parts.ts"
import { saidOf } from "./listings.ts"
import { joinTwins, mergeTwins, partTwins, secondTwins } from "./twins.ts"

/** A meeting as a source lists it. Addresses are http or https, `starts_at` is an instant, `date` is `YYYY-MM-DD`. */
export interface SourceMeeting {
  /** Its id on record, current or future. */
  readonly id: MeetingId
  /** Its stable id in the source. */
  readonly external_id: string
  /** The source's name for the body, and the body's id in the source. */
  readonly source_body: string
  readonly body_external_id?: string | undefined
  readonly title: string
  readonly date: string
  readonly starts_at?: string | undefined
  readonly timezone: string
  readonly is_cancelled: boolean
  readonly location?: string | undefined
  readonly join_url?: string | undefined
  readonly source_url?: string | undefined
  readonly agenda_url?: string | undefined
  readonly minutes_url?: string | undefined
  readonly video_url?: string | undefined
  readonly captions_url?: string | undefined
  /** Where the source publishes its agenda items as data. */
  readonly items_url?: string | undefined
  /** Why its day is not certain, in a sentence of ours: then an operator says which meeting a recording is of. */
  readonly doubt?: string | undefined
  /** Its other documents, such as the packet. */
  readonly attachments?: ReadonlyArray<{ readonly title: string; readonly url: string }> | undefined
}

/** How many days before and after today meetings come on record by themselves; 30 is the window of spec section 4.4. */
const windowDays = 30

/** Whether a meeting `d` is in the future at the instant `now`, by its start or else its local day. */
export const isToCome = (db: Sql, now: string) => db`case when d.starts_at is null
  then d.date > (${now}::timestamptz at time zone d.timezone)::date else d.starts_at > ${now}::timestamptz end`

/** Discovered meetings `d` whose day is near enough to come on record, or in the past that an operator asked for. */
const isWanted = (db: Sql, now: string) => db`(
  d.date between ${now}::date - ${windowDays}::int and ${now}::date + ${windowDays}::int
  or exists (select from source s where s.id = d.source_id and d.date between s.past_from and s.past_to))`

/** The priority of meetings of the past: today's come before them. */
const pastPriority = -2

/**
 * Puts discovered meetings on record under their ids, in the caller's transaction. Those already on record stay
 * unchanged. Returns the meetings that were added.
 */
export const recordDiscovered = Effect.fnUntraced(function* (db: Sql, ids: ReadonlyArray<MeetingId>) {
  const now = DateTime.formatIso(yield* DateTime.now)
  const added = yield* db<{ id: MeetingId }>`
    insert into meeting (id, body_id, title, date, starts_at, timezone, status, location, join_url, source_url, agenda_url,
      minutes_url, video_url, attachments, updated_at, content_hash)
    select d.id, sb.body_id, d.title, d.date, d.starts_at, d.timezone, d.status, d.location, d.join_url, d.source_url,
      d.agenda_url, d.minutes_url, d.video_url, d.attachments, ${now}, 'discovered'
    from discovered d
    join source_body sb on sb.source_id = d.source_id and sb.source_body = d.source_body and sb.body_id is not null
    where d.id = any(${ids}::uuid[]) order by d.id
    on conflict (id) do nothing returning id`
  yield* db`
    update discovered set imported_at = clock_timestamp() where id = any(${ids}::uuid[]) and imported_at is null`
  return added
})

/**
 * Stores a source's list. Of a meeting listed twice, the last entry counts; one that another source has brought stays
 * with that source.
 */
export const noteListed = (db: Sql, source: string, meetings: ReadonlyArray<SourceMeeting>, now: string) => db`
  insert into discovered (id, source_id, source_body, external_id, title, date, starts_at, timezone, status, location,
    join_url, source_url, agenda_url, minutes_url, video_url, captions_url, items_url, attachments, doubt, seen_at)
  select d.id, ${source}::uuid, d.source_body, d.external_id, d.title, d.date, d.starts_at, d.timezone,
    case when d.is_cancelled then 'cancelled' when ${isToCome(db, now)} then 'upcoming' else 'held' end,
    d.location, d.join_url, d.source_url, d.agenda_url, d.minutes_url, d.video_url, d.captions_url, d.items_url,
    coalesce(d.attachments, '[]'), d.doubt, clock_timestamp()
  from (
    select distinct on (external_id) * from rows from (json_to_recordset(${JSON.stringify(meetings)}::json)
      as (id uuid, external_id text, source_body text, title text, date date, starts_at timestamptz, timezone text,
        is_cancelled boolean, location text, join_url text, source_url text, agenda_url text, minutes_url text,
        video_url text, captions_url text, items_url text, attachments jsonb, doubt text)) with ordinality
      listed (id, external_id, source_body, title, date, starts_at, timezone, is_cancelled, location, join_url,
        source_url, agenda_url, minutes_url, video_url, captions_url, items_url, attachments, doubt, position)
    order by external_id, position desc) d
  where not exists (select from discovered other where other.id = d.id and other.source_id <> ${source}::uuid)
  order by d.id
  on conflict (source_id, external_id) do update set
    source_body = excluded.source_body, title = excluded.title, date = excluded.date, starts_at = excluded.starts_at,
    timezone = excluded.timezone, status = excluded.status, location = excluded.location, join_url = excluded.join_url,
    source_url = excluded.source_url, agenda_url = excluded.agenda_url, minutes_url = excluded.minutes_url,
    video_url = excluded.video_url, captions_url = excluded.captions_url, items_url = excluded.items_url,
    attachments = excluded.attachments, doubt = excluded.doubt, withdrawn_at = null, seen_at = excluded.seen_at`

/**
 * Withdraws meetings that a source no longer lists among these days. An upcoming one counts as cancelled from then on;
 * a held one stays. Listed again, it follows the list again.
 */
export const noteWithdrawn = (
  db: Sql,
  source: string,
  { from, to }: { readonly from: string; readonly to: string },
  listed: ReadonlyArray<string>,
  now: string
) => db`
  update discovered d set withdrawn_at = clock_timestamp(),
    status = case when ${isToCome(db, now)} then 'cancelled' else d.status end
  where d.source_id = ${source} and d.date between ${from} and ${to} and d.withdrawn_at is null
    and not exists (select from unnest(${listed}::text[]) listed (id) where listed.id = d.external_id)`

/**
 * Guesses, for meetings whose body is not mapped, which body of the place it may be: one for which the source has no
 * other name.
 */
export const noteLikeness = (db: Sql, source: string, place: number, likeEnough: number) => db`
  update discovered d set same_as = alike.body_id from (
    select sb.source_body, (
      select b.id from place p join body_place bp on bp.place_id = p.id join body b on b.id = bp.body_id,
        body_likeness(b.name, sb.source_body, p.name) alike (likeness)
      where p.id = ${place} and alike.likeness > ${likeEnough}::real
        and not exists (select from source_body o where o.source_id = sb.source_id and o.body_id = b.id)
      order by alike.likeness desc, b.id limit 1) as body_id
    from source_body sb where sb.source_id = ${source} and sb.body_id is null) alike
  where d.source_id = ${source} and d.source_body = alike.source_body and d.imported_at is null
    and d.same_as is distinct from alike.body_id`

/**
 * Whether a discovered meeting `d` of a channel of recordings is already on record: the same body's, on the same day.
 */
const isKnownFilm = (db: Sql) => db`exists (
  select from source s join meeting m on m.body_id = sb.body_id and m.date = d.date and m.id <> d.id
  where s.id = d.source_id and ${isChannel(db, "s")})`

/**
 * Recognizes meetings of a calendar that a channel of recordings brought before: those of the same body and day, if
 * each has one that day, or with the same title. They stay on record under their ids, with all of their parts, and
 * follow the calendar from now on.
 */
const recognizeFilmed = (db: Sql, source: string) => db`
  update discovered d set same_meeting = m.id, imported_at = clock_timestamp()
  from source own, source_body sb, meeting m, discovered film, source channel
  where d.source_id = ${source} and d.imported_at is null and d.withdrawn_at is null
    and own.id = d.source_id and not ${isChannel(db, "own")}
    and sb.source_id = d.source_id and sb.source_body = d.source_body and m.body_id = sb.body_id and m.date = d.date
    and film.id = m.id and channel.id = film.source_id and ${isChannel(db, "channel")}
    and not exists (
      select from discovered other join source o on o.id = other.source_id
      where other.same_meeting = m.id and not ${isChannel(db, "o")})
    and (fold(m.title) = fold(d.title) or (
      not exists (select from meeting o where o.body_id = m.body_id and o.date = m.date and o.id <> m.id)
      and not exists (
        select from discovered o where o.source_id = d.source_id and o.source_body = d.source_body and o.date = d.date
          and o.withdrawn_at is null and o.id <> d.id)))`

/**
 * Assigns a channel's recordings to meetings that have none. A body that met twice on a day, or has two recordings of
 * it, is left alone, because the titles of channels do not tell which meeting it is. Returns the meetings.
 */
const attachRecordings = (db: Sql, source: string) => db<{ id: MeetingId }>`
  update meeting m set video_url = d.video_url
  from discovered d
  join source_body sb on sb.source_id = d.source_id and sb.source_body = d.source_body
  where d.source_id = ${source} and d.imported_at is null and d.video_url is not null and ${isKnownFilm(db)}
    and d.doubt is null and d.withdrawn_at is null
    and m.body_id = sb.body_id and m.date = d.date and m.video_url is null and m.status <> 'cancelled'
    and not exists (
      select from discovered o where o.source_id = d.source_id and o.source_body = d.source_body and o.date = d.date
        and o.video_url <> d.video_url and o.doubt is null and o.withdrawn_at is null)
    and not exists (select from meeting o where o.body_id = m.body_id and o.date = m.date and o.id <> m.id)
  returning m.id`

/**
 * Brings the record up to a source's latest list, in the caller's transaction, which must hold the source's lock: near
 * meetings of mapped bodies come on record, with a flow each; those on record take changed fields. An address or a
 * location that the source no longer lists stays on record, and no meeting moves to another body or comes back after it
 * was removed. A meeting that the source lists twice is on record once. What was fetched of them is looked at again,
 * and their documents are read. Returns the changes to announce.
 */
export const bringUpToDate = Effect.fnUntraced(function* (db: Sql, source: string) {
  const now = DateTime.formatIso(yield* DateTime.now)
  yield* db`
    update discovered d set status = 'held'
    where d.source_id = ${source} and d.status = 'upcoming' and not ${isToCome(db, now)}`
  yield* recognizeFilmed(db, source)
  yield* partTwins(db, source)
  const merged = yield* mergeTwins(db, source)
  yield* joinTwins(db, source)
  const found = yield* db<{ id: MeetingId }>`
    select d.id from discovered d
    join source_body sb on sb.source_id = d.source_id and sb.source_body = d.source_body
    where d.source_id = ${source} and d.imported_at is null and d.withdrawn_at is null and sb.body_id is not null
      and ${isWanted(db, now)} and not ${isKnownFilm(db)} and not ${isLeftToOthers(db)}
      and not exists (select from removed_meeting r where r.id = d.id and r.merged_into is null)
    order by d.id for update of d`
  const all = found.map(({ id }) => id)
  const second = yield* secondTwins(db, source, all)
  const wanted = all.filter((id) => !second.has(id))
  const added = yield* recordDiscovered(db, wanted)
  if (second.size > 0) yield* joinTwins(db, source)
  const changed = yield* db<{ id: MeetingId }>`
    with listed as (
      select m.id, case when 'title' = any(m.corrected) then m.title else d.title end as title,
        case when 'date' = any(m.corrected) then m.date else d.date end as date,
        case when 'date' = any(m.corrected) then m.starts_at
          -- Its former instant is of no use on another day.
          else coalesce(d.starts_at, case when (m.starts_at at time zone d.timezone)::date = d.date then m.starts_at end)
        end as starts_at,
        d.timezone, d.status,
        coalesce(d.location, m.location) as location, coalesce(d.join_url, m.join_url) as join_url,
        coalesce(d.source_url, m.source_url) as source_url, coalesce(d.agenda_url, m.agenda_url) as agenda_url,
        coalesce(d.minutes_url, m.minutes_url) as minutes_url,
        -- The channel's recording is a file; what a calendar names is often a player.
        case when d.is_own then coalesce(d.video_url, m.video_url)
          else coalesce(m.video_url, d.video_url) end as video_url,
        case when d.attachments = '[]' then m.attachments else d.attachments end as attachments
      from meeting m join ${saidOf(db, source)} d on d.id = m.id),
    changed as (
      select l.* from listed l join meeting m on m.id = l.id
      where (m.title, m.date, m.starts_at, m.timezone, m.status, m.location, m.join_url, m.source_url, m.agenda_url,
          m.minutes_url, m.video_url, m.attachments)
        is distinct from (l.title, l.date, l.starts_at, l.timezone, l.status, l.location, l.join_url, l.source_url,
          l.agenda_url, l.minutes_url, l.video_url, l.attachments)
      order by m.id for no key update of m)
    update meeting m set title = l.title, date = l.date, starts_at = l.starts_at, timezone = l.timezone, status = l.status,
      location = l.location, join_url = l.join_url, source_url = l.source_url, agenda_url = l.agenda_url,
      minutes_url = l.minutes_url, video_url = l.video_url, attachments = l.attachments, content_hash = 'discovered'
    from changed l where m.id = l.id returning m.id`
  const filmed = yield* attachRecordings(db, source)
  const touched = [...merged, ...[...changed, ...filmed].map(({ id }) => id)]
  const ids = [...wanted, ...touched]
  const toMake = yield* db<{ meeting_id: MeetingId }>`
    select m.id as meeting_id from meeting m where m.id = any(${ids}::uuid[]) and m.status <> 'cancelled'
      and not exists (select from media s where s.meeting_id = m.id and s.role = 'source')
      and not exists (select from transcript t where t.meeting_id = m.id)
    order by m.id`
  const flows = yield* addFlows(db, "meeting", toMake)
  yield* db`
    update task t set priority = ${pastPriority} from flow f join meeting m on m.id = f.meeting_id
    where f.id = any(${flows}::uuid[]) and t.flow_id = f.id and m.date < ${now}::date - ${windowDays}::int`
  // Tasks that wait for the time or for a recording are woken.
  const woken = yield* db`
    update task t set due_at = clock_timestamp() from flow f
    where f.id = t.flow_id and f.meeting_id = any(${ids}::uuid[]) and f.kind = 'meeting' and f.state = 'open'
      and t.stage = 'detect' and t.state = 'waiting' returning t.id`
  if (woken.length > 0) yield* db`notify task`
  yield* followParts(db, source, now)
  yield* followDocuments(db, source, now)
  return { added, changed: touched }
})
