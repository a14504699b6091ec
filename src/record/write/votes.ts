import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleVote } from "../../../schema/bundle-people.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { VoteOption } from "../../../schema/vote.ts"
import { stands } from "../../services/meetings/matter-actions.ts"
import { settled } from "./directory.ts"
import { eventKey, type Hashed, meetingsAt, placesNamed } from "./named.ts"
import { type Outcome, refused, unchanged } from "./outcome.ts"
import { peopleNamed } from "./people.ts"

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
 * Unties the ballots of votes of a meeting that give way to others from people, so that nobody's vote counts twice. The
 * names as heard stay.
 */
const giveWay = (db: Sql, meetingId: MeetingId) => db`
  update ballot t set person_id = null from vote v
  where v.meeting_id = ${meetingId} and v.origin in ('transcript', 'minutes') and t.vote_id = v.id
    and t.person_id is not null and not ${stands(db)}`

/** A vote that can be written, with what it names on record. */
interface Resolved extends Hashed<BundleVote> {
  readonly at: number
  readonly placeId: number
  readonly meetingId: MeetingId | undefined
  readonly date: string
  readonly matterId: number | undefined
}

/** The meetings that votes name by id, each with its day and the first of its places. */
const meetingsOf = Effect.fnUntraced(function* (db: Sql, votes: ReadonlyArray<BundleVote>) {
  const ids = [...new Set(votes.flatMap(({ meeting_id }) => meeting_id ?? []))]
  if (ids.length === 0) return new Map<string, { readonly date: string; readonly place: number }>()
  const rows = yield* db<{ id: string; date: string; place: number }>`
    select distinct on (m.id) m.id, m.date::text as date, bp.place_id as place
    from meeting m join body_place bp on bp.body_id = m.body_id where m.id = any(${ids}::uuid[])
    order by m.id, bp.position`
  return new Map(rows.map(({ id, ...rest }) => [id, rest]))
})

const mattersNamed = Effect.fnUntraced(function* (db: Sql, votes: ReadonlyArray<BundleVote>) {
  const slugs = [...new Set(votes.flatMap(({ matter }) => matter?.toLowerCase() ?? []))]
  if (slugs.length === 0) return new Map<string, number>()
  const rows = yield* db<{ id: number; slug: string }>`select id, slug from matter where slug = any(${slugs}::text[])`
  return new Map(rows.map(({ id, slug }) => [slug, id]))
})

/** What votes name on record, and an outcome for each that cannot be written. */
const resolved = Effect.fnUntraced(function* (db: Sql, votes: ReadonlyArray<Hashed<BundleVote>>) {
  const entities = votes.map(({ entity }) => entity)
  const rows = yield* db<{ id: string; hash: string }>`
    select id, content_hash as hash from vote where id = any(${entities.map(({ id }) => id)}::uuid[])`
  const known = new Map(rows.map(({ id, hash }) => [id, hash]))
  const places = yield* placesNamed(
    db,
    entities.map(({ place, meeting_id }) => (meeting_id === undefined ? place : undefined))
  )
  const byId = yield* meetingsOf(db, entities)
  const byEvent = yield* meetingsAt(
    db,
    entities.flatMap(({ meeting_id, place = "", event }) => {
      const placeId = places.get(place)
      return meeting_id !== undefined || event === undefined || placeId === undefined ? [] : [{ placeId, event }]
    })
  )
  const matters = yield* mattersNamed(db, entities)
  const resolve = (one: Hashed<BundleVote>, at: number): Outcome | Resolved => {
    const { id, meeting_id, event, place: placeSlug, matter } = one.entity
    if (meeting_id === undefined && (placeSlug === undefined || event === undefined))
      return refused("meeting_id", "is missing; write it, or the place and the event that the meeting is at its source")
    if (known.get(id.toLowerCase()) === one.hash) return unchanged
    const placeId = meeting_id === undefined ? places.get(placeSlug ?? "") : byId.get(meeting_id.toLowerCase())?.place
    if (placeId === undefined)
      return refused("place", `place ${placeSlug ?? ""} is neither on record nor on an earlier line`)
    const found = byEvent.get(eventKey(placeId, event))
    const date = one.entity.date ?? (meeting_id === undefined ? found : byId.get(meeting_id.toLowerCase()))?.date
    if (date === undefined) return refused("date", "is missing; write the day of the vote")
    const matterId = matter === undefined ? undefined : matters.get(matter.toLowerCase())
    if (matter !== undefined && matterId === undefined)
      return refused("matter", `matter ${matter} is neither on record nor on an earlier line`)
    return { ...one, at, placeId, meetingId: meeting_id ?? found?.id, date, matterId }
  }
  return votes.map(resolve)
})

/** The items of agendas that votes are about, by the vote's id. */
const itemsOf = Effect.fnUntraced(function* (db: Sql, votes: ReadonlyArray<Resolved>) {
  const wanted = votes.flatMap(({ entity: { id, agenda_item, item }, meetingId: meeting }) =>
    meeting === undefined || (agenda_item === undefined && item === undefined)
      ? []
      : [{ id, meeting, agenda_item, item }]
  )
  if (wanted.length === 0) return new Map<string, string>()
  const rows = yield* db<{ id: string; item: string }>`
    select w.id, i.id as item
    from json_to_recordset(${JSON.stringify(wanted)}::json) as w (id text, meeting uuid, agenda_item uuid, item text)
    cross join lateral (
      select known.id from agenda_item known
      where known.meeting_id = w.meeting and (known.id = w.agenda_item or known.identifier = w.item)
      order by known.id = w.agenda_item desc nulls last limit 1) i`
  return new Map(rows.map(({ id, item }) => [id, item]))
})

const isDivided = ({ ballots }: BundleVote): boolean =>
  ["yes", "no"].every((side) => ballots.some(({ option }) => option === side))

/** The ids of those who cast ballots, by their slugs. */
const votersOf = Effect.fnUntraced(function* (db: Sql, votes: ReadonlyArray<Resolved>, now: string) {
  const voters = new Map<string, number>()
  for (const [placeId, those] of Map.groupBy(votes, (one) => one.placeId)) {
    const ballots = those.flatMap(({ entity }) => entity.ballots)
    for (const [slug, id] of yield* peopleNamed(db, ballots, placeId, now)) voters.set(slug, id)
  }
  return voters
})
type Voters = ReadonlyMap<string, number>

/** Those on record who voted so in a vote that was divided. */
const sideOf = (vote: BundleVote, side: VoteOption, voters: Voters) =>
  isDivided(vote)
    ? vote.ballots.flatMap(({ person = "", option }) => (option === side ? (voters.get(person) ?? []) : []))
    : undefined

/** The rows of `vote`; those of votes on record are replaced, and have no ballots then. */
const putVotes = Effect.fnUntraced(function* (
  db: Sql,
  votes: ReadonlyArray<Resolved>,
  items: ReadonlyMap<string, string>,
  voters: Voters,
  now: string
) {
  const rows = votes.map(({ entity: vote, hash, placeId, meetingId, date, matterId }) => ({
    ...{ id: vote.id, kind: vote.kind, date, meeting_id: meetingId, place_id: placeId, event: vote.event },
    ...{ item: vote.item, agenda_item_id: items.get(vote.id), matter_id: matterId, motion: vote.motion },
    ...{ result: vote.result, result_label: vote.result_label, is_divided: isDivided(vote) },
    // A roll that is heard in part has no counts: its ballots do not tell the majority.
    counts: vote.counts ?? sumsOf(vote.ballots),
    ...{ voted_yes: sideOf(vote, "yes", voters), voted_no: sideOf(vote, "no", voters) },
    ...{ moved_by: vote.moved_by, seconded_by: vote.seconded_by, start: vote.start, end: vote.end, quote: vote.quote },
    ...{ origin: vote.from ?? "import", source_url: vote.source_url, content_hash: hash }
  }))
  const written = yield* db<{ id: string; created: boolean }>`
    insert into vote as v (id, kind, date, meeting_id, place_id, event, item, agenda_item_id, matter_id, motion, result,
      result_label, counts, is_divided, moved_by, seconded_by, start, "end", quote, origin, source_url, content_hash,
      voted_yes, voted_no, updated_at, first_at)
    select r.*, ${now}::timestamptz, ${now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, kind text, date date, meeting_id uuid,
      place_id int, event text, item text, agenda_item_id uuid, matter_id int, motion text, result text,
      result_label text, counts jsonb, is_divided boolean, moved_by text, seconded_by text, start numeric,
      "end" numeric, quote text, origin text, source_url text, content_hash text,
      voted_yes int[], voted_no int[])
    on conflict (id) do update set
      kind = excluded.kind, date = excluded.date, meeting_id = excluded.meeting_id, place_id = excluded.place_id,
      event = excluded.event, item = excluded.item, agenda_item_id = excluded.agenda_item_id,
      matter_id = excluded.matter_id, motion = excluded.motion, result = excluded.result,
      result_label = excluded.result_label, counts = excluded.counts, is_divided = excluded.is_divided,
      moved_by = excluded.moved_by, seconded_by = excluded.seconded_by, start = excluded.start, "end" = excluded."end",
      quote = excluded.quote, origin = excluded.origin, source_url = excluded.source_url,
      voted_yes = excluded.voted_yes, voted_no = excluded.voted_no,
      updated_at = excluded.updated_at, content_hash = excluded.content_hash
    returning id, xmax = 0 as created`
  const replaced = written.flatMap(({ id, created }) => (created ? [] : [id]))
  if (replaced.length > 0) yield* db`delete from ballot where vote_id = any(${replaced}::uuid[])`
  return new Map(written.map((row) => [row.id, row]))
})

const putBallots = Effect.fnUntraced(function* (db: Sql, votes: ReadonlyArray<Resolved>, voters: Voters) {
  const rows = votes.flatMap(({ entity }) => {
    const majority = majorityOf(entity.counts ?? sumsOf(entity.ballots))
    return entity.ballots.map(({ person, name, option, note }, position) => ({
      ...{ vote_id: entity.id, position, person_id: voters.get(person ?? ""), name, option, note },
      ...(majority !== undefined && (option === "yes" || option === "no") ? { with_majority: option === majority } : {})
    }))
  })
  if (rows.length === 0) return
  yield* db`
    insert into ballot (vote_id, position, person_id, name, option, note, date, is_roll_call, with_majority, is_divided)
    select r.vote_id, r.position, r.person_id, r.name, r.option, r.note, v.date, v.kind = 'roll_call', r.with_majority,
      v.is_divided
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (vote_id uuid, position int, person_id int, name text,
      option text, note text, with_majority boolean)
    join vote v on v.id = r.vote_id`
})

/** Writes votes and roll calls of different ids, with their ballots; returns an outcome for each. */
export const writeVotes = Effect.fnUntraced(function* (db: Sql, votes: ReadonlyArray<Hashed<BundleVote>>, now: string) {
  if (votes.length === 0) return []
  const found = yield* resolved(db, votes)
  const named = found.filter((one) => "at" in one)
  const items = yield* itemsOf(db, named)
  const isAbout = ({ entity: { id, agenda_item } }: Resolved) => agenda_item === undefined || items.has(id)
  const written = named.filter(isAbout)
  const voters = yield* votersOf(db, written, now)
  const put = written.length === 0 ? new Map<string, never>() : yield* putVotes(db, written, items, voters, now)
  yield* putBallots(db, written, voters)
  const meetings = [...new Set(written.flatMap(({ meetingId }) => meetingId ?? []))]
  const heard = yield* db<{ id: MeetingId }>`
    select distinct meeting_id as id from vote where meeting_id = any(${meetings}::uuid[])
      and origin in ('transcript', 'minutes')`
  for (const { id } of heard) yield* giveWay(db, id)
  return found.map((one): Outcome => {
    if (!("at" in one)) return one
    return isAbout(one)
      ? settled(put.get(one.entity.id.toLowerCase()))
      : refused("agenda_item", "is not on the meeting's agenda; write the id of one of its items or leave it out")
  })
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
  // One look for most meetings, for which nothing waits.
  const [waiting] = yield* db<{ names: ReadonlyArray<string>; steps: boolean; votes: boolean }>`
    with named as (
      select array_remove(array[${identifier ?? null}::text, case when not exists (
        select from meeting o where o.body_id = m.body_id and o.date = m.date and o.id <> m.id)
        then b.slug || '/' || m.date end], null) as names
      from meeting m join body b on b.id = m.body_id where m.id = ${meetingId})
    select names, exists (select from matter_step s where s.meeting_id is null and s.event = any(names)) as steps,
      exists (select from vote v where v.meeting_id is null and v.event = any(names)) as votes
    from named`
  if (waiting === undefined) return
  const { names, steps, votes } = waiting
  if (steps)
    yield* db`
      update matter_step s set meeting_id = ${meetingId}, agenda_item_id = (
        select i.id from agenda_item i where i.meeting_id = ${meetingId} and i.identifier = s.item limit 1)
      from matter x where x.id = s.matter_id and s.meeting_id is null and s.event = any(${names}::text[])
        and x.place_id in (select place_id from body_place where body_id = ${bodyId})`
  if (!votes) return
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
