import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleMatter, BundleVote } from "../../../schema/bundle-people.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { VoteOption } from "../../../schema/vote.ts"
import { stands } from "../../services/meetings/matter-actions.ts"
import { bodyWithSlug } from "../../services/meetings/sql.ts"
import { settled } from "./directory.ts"
import { refused, unchanged } from "./outcome.ts"
import { peopleNamed } from "./people.ts"

/** The meeting that has a number at its source, or else is a body's only one on a day, at a place. */
const meetingAt = (db: Sql, placeId: number, event: string) => db<{ id: MeetingId; date: string }>`
  select m.id, m.date::text as date from event_meeting(${placeId}, ${event}) e join meeting m on m.id = e.id`

/** Writes one matter under its slug, with its sponsors and its history. */
export const writeMatter = Effect.fnUntraced(function* (db: Sql, matter: BundleMatter, hash: string, now: string) {
  const [known] = yield* db`select from matter where slug = ${matter.slug} and content_hash = ${hash}`
  if (known !== undefined) return unchanged
  const [place] = yield* db<{ id: number }>`select id from place where slug = ${matter.place}`
  if (place === undefined) return refused("place", `place ${matter.place} is neither on record nor on an earlier line`)
  const [body] = matter.agency === undefined ? [] : yield* bodyWithSlug(db, [matter.agency])
  const row = {
    slug: matter.slug,
    place_id: place.id,
    identifier: matter.identifier,
    title: matter.title,
    description: matter.description ?? null,
    kind: matter.kind,
    kind_label: matter.kind_label ?? null,
    status: matter.status,
    status_label: matter.status_label ?? null,
    introduced_on: matter.introduced_on ?? null,
    enacted_as: matter.enacted_as ?? null,
    agency: matter.agency ?? null,
    body_id: body?.id ?? null,
    source_url: matter.source_url ?? null,
    attachments: JSON.stringify(matter.attachments ?? []),
    updated_at: now,
    content_hash: hash
  }
  const [written] = yield* db<{ id: number; created: boolean }>`
    insert into matter as m ${db.insert(row)}
    on conflict (slug) do update set
      place_id = excluded.place_id, identifier = excluded.identifier, title = excluded.title,
      description = excluded.description, kind = excluded.kind, kind_label = excluded.kind_label,
      status = excluded.status, status_label = excluded.status_label, introduced_on = excluded.introduced_on,
      enacted_as = excluded.enacted_as, agency = excluded.agency, body_id = excluded.body_id,
      source_url = excluded.source_url, attachments = excluded.attachments, updated_at = excluded.updated_at,
      content_hash = excluded.content_hash
    where m.content_hash <> excluded.content_hash
    returning id, xmax = 0 as created`
  if (written === undefined) return unchanged
  if (!written.created) {
    yield* db`delete from sponsor where matter_id = ${written.id}`
    yield* db`delete from matter_step where matter_id = ${written.id}`
  }
  const sponsors = matter.sponsors ?? []
  if (sponsors.length > 0) {
    const people = yield* peopleNamed(db, sponsors, place.id, now)
    const rows = sponsors.map(({ person, name, is_primary = false }, position) => ({
      ...{ position, name, is_primary, person_id: people.get(person ?? "") ?? null }
    }))
    yield* db`
      insert into sponsor (matter_id, position, person_id, name, is_primary)
      select ${written.id}, position, person_id, name, is_primary from json_to_recordset(${JSON.stringify(rows)}::json)
        as (position int, person_id int, name text, is_primary boolean)`
  }
  if (matter.history.length > 0) yield* writeHistory(db, written.id, place.id, matter.history)
  return settled(written)
})

const writeHistory = (db: Sql, matterId: number, placeId: number, history: BundleMatter["history"]) => db`
  insert into matter_step (matter_id, position, date, action, result, agency, body_id, body_name, event, item,
    meeting_id, agenda_item_id)
  select ${matterId}, s.position - 1, s.date, s.action, s.result, s.agency,
    coalesce((select b.id from body b where b.slug = s.agency),
      (select r.body_id from retired_slug r where r.slug = s.agency)),
    s.body_name, s.event, s.item, m.id, i.id
  from rows from (json_to_recordset(${JSON.stringify(history)}::json) as (date date, action text, result text,
    agency text, body_name text, event text, item text, meeting_id uuid, agenda_item uuid)) with ordinality
    s (date, action, result, agency, body_name, event, item, meeting_id, agenda_item, position)
  left join lateral (
    select known.id from meeting known where known.id = s.meeting_id
    union all
    select e.id from event_meeting(${placeId}, s.event) e where s.meeting_id is null
    limit 1) m on true
  left join lateral (
    select known.id from agenda_item known
    where known.meeting_id = m.id and (known.id = s.agenda_item or s.agenda_item is null and known.identifier = s.item)
    limit 1) i on true`

/** The sums of ballots by option, the most first. */
const sumsOf = (ballots: BundleVote["ballots"]) =>
  [...Map.groupBy(ballots, ({ option }) => option)]
    .map(([option, those]) => ({ option, value: those.length }))
    .toSorted((a, b) => b.value - a.value)

/** The side that has more; undefined in a tie, or if nobody is known to have voted yes or no. */
const majorityOf = (counts: NonNullable<BundleVote["counts"]>): VoteOption | undefined => {
  const of = (wanted: VoteOption) => counts.find(({ option }) => option === wanted)?.value ?? 0
  const [yes, no] = [of("yes"), of("no")]
  return yes === no ? undefined : yes > no ? "yes" : "no"
}

/**
 * Unties the ballots of votes of a meeting that give way to the city's own from people, so that nobody's vote counts
 * twice. The names as heard stay.
 */
const giveWay = (db: Sql, meetingId: MeetingId) => db`
  update ballot t set person_id = null from vote v
  where v.meeting_id = ${meetingId} and v.origin = 'transcript' and t.vote_id = v.id and t.person_id is not null
    and not ${stands(db)}`

/** Writes one vote or roll call under its id, with its ballots. */
export const writeVote = Effect.fnUntraced(function* (db: Sql, vote: BundleVote, hash: string, now: string) {
  const { ballots, matter, event, place: placeSlug } = vote
  if (vote.meeting_id === undefined && (placeSlug === undefined || event === undefined))
    return refused("meeting_id", "is missing; write it, or the place and the event that the meeting is at its source")
  const [known] = yield* db`select from vote where id = ${vote.id} and content_hash = ${hash}`
  if (known !== undefined) return unchanged
  const [place] = yield* vote.meeting_id === undefined
    ? db<{ id: number }>`select id from place where slug = ${placeSlug ?? ""}`
    : db<{ id: number }>`
        select bp.place_id as id from meeting m join body_place bp on bp.body_id = m.body_id
        where m.id = ${vote.meeting_id} order by bp.position limit 1`
  if (place === undefined)
    return refused("place", `place ${placeSlug ?? ""} is neither on record nor on an earlier line`)
  const [meeting] = yield* vote.meeting_id === undefined
    ? meetingAt(db, place.id, event ?? "")
    : db<{ id: MeetingId; date: string }>`select id, date::text as date from meeting where id = ${vote.meeting_id}`
  const date = vote.date ?? meeting?.date
  if (date === undefined) return refused("date", "is missing; write the day of the vote")
  const [about] =
    matter === undefined ? [] : yield* db<{ id: number }>`select id from matter where slug = ${matter.toLowerCase()}`
  if (matter !== undefined && about === undefined)
    return refused("matter", `matter ${matter} is neither on record nor on an earlier line`)
  const people = yield* peopleNamed(db, ballots, place.id, now)
  const isDivided = ["yes", "no"].every((side) => ballots.some(({ option }) => option === side))
  // A roll that is heard in part has no counts: its ballots do not tell the majority.
  const counts = vote.counts ?? sumsOf(ballots)
  const majority = majorityOf(counts)
  const [item] =
    meeting === undefined || (vote.agenda_item === undefined && vote.item === undefined)
      ? []
      : yield* db<{ id: string }>`
          select id from agenda_item where meeting_id = ${meeting.id}
            and (id = ${vote.agenda_item ?? null}::uuid or identifier = ${vote.item ?? null})
          order by id = ${vote.agenda_item ?? null}::uuid desc nulls last limit 1`
  if (vote.agenda_item !== undefined && item === undefined)
    return refused("agenda_item", "is not on the meeting's agenda; write the id of one of its items or leave it out")
  const row = {
    id: vote.id,
    kind: vote.kind,
    date,
    meeting_id: meeting?.id ?? null,
    place_id: place.id,
    event: event ?? null,
    item: vote.item ?? null,
    agenda_item_id: item?.id ?? null,
    matter_id: about?.id ?? null,
    motion: vote.motion ?? null,
    result: vote.result ?? null,
    result_label: vote.result_label ?? null,
    counts: JSON.stringify(counts),
    is_divided: isDivided,
    moved_by: vote.moved_by ?? null,
    seconded_by: vote.seconded_by ?? null,
    start: vote.start ?? null,
    end: vote.end ?? null,
    quote: vote.quote ?? null,
    origin: vote.from ?? "import",
    source_url: vote.source_url ?? null,
    updated_at: now,
    content_hash: hash
  }
  const [written] = yield* db<{ created: boolean }>`
    insert into vote as v ${db.insert(row)}
    on conflict (id) do update set
      kind = excluded.kind, date = excluded.date, meeting_id = excluded.meeting_id, place_id = excluded.place_id,
      event = excluded.event, item = excluded.item, agenda_item_id = excluded.agenda_item_id,
      matter_id = excluded.matter_id, motion = excluded.motion, result = excluded.result,
      result_label = excluded.result_label, counts = excluded.counts, is_divided = excluded.is_divided,
      moved_by = excluded.moved_by, seconded_by = excluded.seconded_by, start = excluded.start, "end" = excluded."end",
      quote = excluded.quote, origin = excluded.origin, source_url = excluded.source_url,
      updated_at = excluded.updated_at, content_hash = excluded.content_hash
    returning xmax = 0 as created`
  if (written?.created === false) yield* db`delete from ballot where vote_id = ${vote.id}`
  if (ballots.length > 0) {
    const rows = ballots.map(({ person, name, option, note }, position) => ({
      position,
      person_id: people.get(person ?? "") ?? null,
      name,
      option,
      note: note ?? null,
      with_majority: majority === undefined || (option !== "yes" && option !== "no") ? null : option === majority
    }))
    yield* db`
      insert into ballot (vote_id, position, person_id, name, option, note, date, is_roll_call, with_majority, is_divided)
      select ${vote.id}, position, person_id, name, option, note, ${date}::date, ${vote.kind === "roll_call"},
        with_majority, ${isDivided}
      from json_to_recordset(${JSON.stringify(rows)}::json) as (position int, person_id int, name text, option text,
        note text, with_majority boolean)`
  }
  if (meeting !== undefined) yield* giveWay(db, meeting.id)
  return settled(written)
})

/**
 * Ties what named a meeting by its number at its source to the meeting, which has come on record since: steps of
 * matters, and votes.
 */
export const tieToMeeting = Effect.fnUntraced(function* (
  db: Sql,
  meetingId: MeetingId,
  identifier: string | undefined,
  bodyId: number
) {
  const [alone] = yield* db<{ event: string }>`
    select b.slug || '/' || m.date as event from meeting m join body b on b.id = m.body_id
    where m.id = ${meetingId} and not exists (
      select from meeting o where o.body_id = m.body_id and o.date = m.date and o.id <> m.id)`
  const names = [identifier, alone?.event].filter((name) => name !== undefined)
  if (names.length === 0) return
  yield* db`
    update matter_step s set meeting_id = ${meetingId}, agenda_item_id = (
      select i.id from agenda_item i where i.meeting_id = ${meetingId} and i.identifier = s.item limit 1)
    from matter x where x.id = s.matter_id and s.meeting_id is null and s.event = any(${names}::text[])
      and x.place_id in (select place_id from body_place where body_id = ${bodyId})`
  yield* db`
    update vote v set meeting_id = ${meetingId}, agenda_item_id = (
      select i.id from agenda_item i where i.meeting_id = ${meetingId} and i.identifier = v.item limit 1)
    where v.meeting_id is null and v.event = any(${names}::text[])
      and v.place_id in (select place_id from body_place where body_id = ${bodyId})`
  yield* giveWay(db, meetingId)
})

/** Gives a meeting its number at its source, unless it has one, and ties what named it by that. */
export const numberMeeting = Effect.fnUntraced(function* (db: Sql, meetingId: MeetingId, identifier: string) {
  const [named] = yield* db<{ body_id: number }>`
    update meeting set identifier = ${identifier} where id = ${meetingId} and identifier is null returning body_id`
  if (named !== undefined) yield* tieToMeeting(db, meetingId, identifier, named.body_id)
})
