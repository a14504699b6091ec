import { Schema } from "effect"
import type { ReadSql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { MeetingId } from "../../../schema/primitives.ts"
import { VoteCount, VoteResult } from "../../../schema/vote.ts"

/**
 * A vote `v` that stands: one read from the words gives way where the city's own data, its minutes or an import tells
 * of the same item, and one read from minutes where the data or an import does. Attendance is one for the meeting.
 */
export const stands = (db: ReadSql) => db`(v.origin not in ('transcript', 'minutes') or not exists (
  select from vote w where w.meeting_id = v.meeting_id and w.kind = v.kind
    and w.origin not in ('transcript', v.origin)
    and (v.kind = 'roll_call' or w.agenda_item_id is not distinct from v.agenda_item_id)))`

/** What happened to a matter: an action of its history, a vote, or a place on an agenda. */
const MatterAction = Schema.Struct({
  /** The same for the same action, also after its matter is written again; another, once its result is known. */
  key: Schema.String,
  kind: Schema.Literals(["step", "vote", "agenda"]),
  slug: Schema.String,
  date: Schema.String,
  action: Schema.String,
  result: Schema.NullOr(VoteResult),
  counts: Schema.NullOr(Schema.Array(VoteCount)),
  meeting_id: Schema.NullOr(MeetingId)
})
export interface MatterAction extends Schema.Schema.Type<typeof MatterAction> {}

const actionRows = rowsBy(MatterAction)

/**
 * A vote `w` that gave way to the vote `v`, and had the same result: whoever was told of it knows. Of votes that were
 * on record before it was noted since when, nothing is said.
 */
const toldAs = (db: ReadSql) => db`(w.meeting_id = v.meeting_id and w.kind = v.kind and w.id <> v.id
  and w.origin in ('transcript', 'minutes') and w.origin <> v.origin and w.first_at < v.first_at
  and w.result is not distinct from v.result and w.agenda_item_id is not distinct from v.agenda_item_id)`

/** What the key of a vote of somebody who is followed begins with; the id of the vote follows. */
export const voteKey = "ballot "

/** For how long before a search last ran votes count as new: those of an import that was still under way. */
const lookedBack = "1 day"

/**
 * The keys of the votes of these people that came on record since, each with its meeting. One that repeats what was
 * heard, or read in the minutes, is not new.
 */
export const newVotes = (db: ReadSql, people: ReadonlyArray<string>, since: string) =>
  db<{ key: string; meeting_id: MeetingId }>`
    select distinct ${voteKey} || v.id as key, v.meeting_id
    from person p join person o on p.id in (o.id, o.merged_into) join ballot t on t.person_id = o.id
    join vote v on v.id = t.vote_id
    where p.slug = any(${people}::text[]) and v.kind = 'vote' and v.meeting_id is not null
      and v.first_at > ${since}::timestamptz - ${lookedBack}::interval and ${stands(db)}
      and not exists (
        select from vote w join ballot wt on wt.vote_id = w.id
        where ${toldAs(db)} and wt.option = t.option and coalesce(wt.person_id, t.person_id) = t.person_id)`

/** Votes and agendas, beside the history of the matters `asked`. */
const besides = (db: ReadSql) => db`
    union all
    select concat_ws(' ', 'vote', coalesce((
        -- The same decision as it was told when it was heard.
        select w.id from vote w where ${toldAs(db)} order by w.first_at, w.id limit 1), v.id), v.result), 'vote', x.slug, v.date::text, coalesce(v.motion, 'Vote'), v.result,
      v.counts, v.meeting_id
    from asked x join vote v on v.matter_id = x.id where v.kind = 'vote' and ${stands(db)}
    union all
    select distinct 'agenda ' || m.id, 'agenda', x.slug, m.date::text, 'On the agenda', null, null::jsonb, m.id
    from asked x join agenda_item i on i.matter_key = x.key join meeting m on m.id = i.meeting_id
    join body_place bp on bp.body_id = m.body_id and bp.place_id = x.place_id
    where m.status <> 'cancelled'`

/**
 * Everything that happened to the matters with these slugs, oldest first; or only the actions of their history
 * (`step`).
 */
export const matterActions = (db: ReadSql, slugs: ReadonlyArray<string>, only: "all" | "step" = "all") =>
  actionRows(db`
    with asked as (select x.id, x.slug, x.key, x.place_id from matter x where x.slug = any(${slugs}::text[]))
    select md5(concat_ws('|', x.slug, s.date, s.action, s.body_name, s.result)) as key, 'step' as kind, x.slug,
      s.date::text as date, s.action, s.result, null::jsonb as counts, s.meeting_id
    from asked x join matter_step s on s.matter_id = x.id
    ${only === "step" ? db`` : besides(db)}
    order by date, key`)
