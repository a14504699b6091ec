import { Effect, Schema } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { mayRead, type Viewer } from "../../../schema/viewer.ts"
import { type Ballot, VoteCount, VoteKind, VoteOption, VoteOrigin, VoteResult } from "../../../schema/vote.ts"
import { AtMeetingRow, atMeeting, atMeetingColumns } from "../meetings/at-meeting.ts"
import { matterRef, personRef } from "../meetings/refs.ts"
import { given, givenAddress } from "../wire.ts"

const nullable = Schema.NullOr

const VoteRow = Schema.Struct({
  id: Schema.String,
  kind: VoteKind,
  date: Schema.String,
  motion: nullable(Schema.String),
  result: nullable(VoteResult),
  result_label: nullable(Schema.String),
  counts: Schema.Array(VoteCount),
  moved_by: nullable(Schema.String),
  seconded_by: nullable(Schema.String),
  origin: VoteOrigin,
  disagrees: Schema.Boolean,
  start: nullable(Schema.Finite),
  quote: nullable(Schema.String),
  source_url: nullable(Schema.String),
  updated_at: Schema.Date,
  matter_slug: nullable(Schema.String),
  matter_identifier: nullable(Schema.String),
  matter_title: nullable(Schema.String),
  matter_place: nullable(Schema.String),
  ...AtMeetingRow.fields
})
type VoteRow = typeof VoteRow.Type

const voteRows = rowsBy(VoteRow)

/** Votes by their ids, in the order of the ids. */
export const votesById = (db: ReadSql, ids: ReadonlyArray<string>) =>
  voteRows(db`
    select v.id, v.kind, v.date::text as date, v.motion, v.result, v.result_label, v.counts, v.moved_by, v.seconded_by,
      v.origin, exists (select from vote_conflict c where c.vote_id = v.id) as disagrees, coalesce(v.start, i.start)::float8 as start, v.quote, v.source_url,
      v.updated_at,
      x.slug as matter_slug, x.identifier as matter_identifier, x.title as matter_title, l.slug as matter_place,
      ${atMeetingColumns(db)}
    from unnest(${ids}::uuid[]) with ordinality wanted (id, position)
    join vote v on v.id = wanted.id
    left join meeting m on m.id = v.meeting_id left join body b on b.id = m.body_id
    left join agenda_item i on i.meeting_id = v.meeting_id and i.id = v.agenda_item_id
    left join matter x on x.id = v.matter_id left join place l on l.id = x.place_id
    order by wanted.position`)

/** A vote as sent, without its ballots. Its second and its words are for who may read the meeting. */
export const voteOf = (row: VoteRow, viewer: Viewer) => {
  const isOpen = row.meeting_id !== null && mayRead(viewer, row.meeting_id)
  const { matter_slug: slug, matter_identifier: identifier, matter_title: title, matter_place: place } = row
  return {
    id: row.id,
    kind: row.kind,
    date: row.date,
    ...given("meeting", atMeeting(row)),
    ...(slug === null || identifier === null || title === null || place === null
      ? {}
      : { matter: matterRef({ slug, identifier, title, place }) }),
    ...given("motion", row.motion),
    ...given("result", row.result),
    ...given("result_label", row.result_label),
    counts: row.counts,
    ...given("moved_by", row.moved_by),
    ...given("seconded_by", row.seconded_by),
    from: row.origin,
    ...(row.disagrees ? { disagrees: true as const } : {}),
    ...given("start", isOpen ? row.start : null),
    ...given("quote", isOpen ? row.quote : null),
    ...givenAddress("source_url", row.source_url),
    updated_at: row.updated_at.toISOString()
  }
}

const ballotRows = rowsBy(
  Schema.Struct({
    vote_id: Schema.String,
    slug: nullable(Schema.String),
    person: nullable(Schema.String),
    name: Schema.String,
    option: VoteOption,
    note: nullable(Schema.String)
  })
)

/** The ballots of these votes, by the vote's id. */
export const ballotsOf = Effect.fnUntraced(function* (db: ReadSql, ids: ReadonlyArray<string>) {
  const rows = yield* ballotRows(db`
    select t.vote_id, p.slug, p.name as person, t.name, t.option, t.note
    from ballot t left join person o on o.id = t.person_id left join person p on p.id = coalesce(o.merged_into, o.id)
    where t.vote_id = any(${ids}::uuid[]) order by t.vote_id, t.position`)
  const ballots = new Map<string, Array<Ballot>>()
  for (const { vote_id, slug, person, name, option, note } of rows) {
    const ballot = {
      ...(slug === null ? {} : { person: personRef({ slug, name: person ?? name }) }),
      ...{ name, option, ...given("note", note) }
    }
    ballots.set(vote_id, [...(ballots.get(vote_id) ?? []), ballot])
  }
  return ballots
})
