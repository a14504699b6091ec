import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { VoteOption } from "../../../schema/vote.ts"
import { clampAtWord } from "../../text/clamp.ts"
import { optionWords, outcomeOf } from "../../text/vote-words.ts"
import { type AtMeetingRow, atMeeting, atMeetingColumns } from "../meetings/at-meeting.ts"
import { type MatterAction, matterActions, voteKey } from "../meetings/matter-actions.ts"
import { matterRef } from "../meetings/refs.ts"
import { dayOf } from "./meeting-parts.ts"

/** A line of a mail: what happened, and the path of the page that has it. */
export interface Happened {
  readonly text: string
  readonly path: string
}

/** `March 10, 2026: Approved; passed, 5–1` */
const lineOf = ({ date, action, result, counts }: MatterAction): string => {
  const outcome = outcomeOf({ counts: counts ?? [], ...(result === null ? {} : { result }) })
  return `${dayOf(date)}: ${action}${outcome === undefined ? "" : `; ${outcome}`}`
}

/** One line for each thing that happened: a vote stands with the action that it decided, and an agenda gives way. */
const together = (actions: ReadonlyArray<MatterAction>): ReadonlyArray<MatterAction> => {
  const alike = (a: MatterAction, b: MatterAction) =>
    a.slug === b.slug && a.meeting_id === b.meeting_id && a.meeting_id !== null
  const of = (kind: MatterAction["kind"]) => actions.filter((action) => action.kind === kind)
  const [steps, votes] = [of("step"), of("vote")]
  return actions.flatMap((action) => {
    const vote = votes.find((one) => alike(one, action))
    if (action.kind === "step") {
      const last = steps.findLast((one) => alike(one, action))
      return [vote === undefined || last !== action ? action : { ...action, result: vote.result, counts: vote.counts }]
    }
    const isTold = steps.some((one) => alike(one, action)) || (action.kind === "agenda" && vote !== undefined)
    return isTold ? [] : [action]
  })
}

/** What happened to these matters, by the keys of the actions, as it stands now. */
export const happenedTo = Effect.fnUntraced(function* (
  db: Sql,
  matters: ReadonlyArray<string>,
  keys: ReadonlyArray<string>
) {
  if (keys.length === 0) return []
  const actions = (yield* matterActions(db, matters)).filter(({ key }) => keys.includes(key))
  const rows = yield* db<{ slug: string; identifier: string; title: string; place: string }>`
    select x.slug, x.identifier, x.title, l.slug as place from matter x join place l on l.id = x.place_id
    where x.slug = any(${matters}::text[])`
  const paths = new Map(rows.map((row) => [row.slug, matterRef(row).path]))
  return together(actions).map((action): Happened => ({ text: lineOf(action), path: paths.get(action.slug) ?? "/" }))
})

/** The most votes of a meeting that a mail tells. */
const mostVotes = 5

interface Voted extends AtMeetingRow {
  readonly name: string
  readonly option: VoteOption
  readonly subject: string
}

/** `Ada Marsh: no on Creek greenway` */
const votedLine = ({ name, option, subject }: Voted): string =>
  `${name}: ${optionWords[option].toLowerCase()} on ${clampAtWord(subject, 120)}`

/** How these people voted in the votes `v` of `which`, the divided votes of each meeting first. */
const votesBy = (db: Sql, people: ReadonlyArray<string>, which: Statement.Fragment) => db<Voted>`
    select * from (
      select p.name, t.option, coalesce(i.title, x.title, v.motion, 'a vote') as subject, ${atMeetingColumns(db)},
        row_number() over (partition by v.meeting_id order by t.is_divided desc, v.start, i.position, v.id) as turn
      from person p join person o on p.id in (o.id, o.merged_into) join ballot t on t.person_id = o.id
      join vote v on v.id = t.vote_id
      join meeting m on m.id = v.meeting_id join body b on b.id = m.body_id
      left join agenda_item i on i.meeting_id = v.meeting_id and i.id = v.agenda_item_id
      left join matter x on x.id = v.matter_id
      where p.slug = any(${people}::text[]) and v.kind = 'vote' and ${which}) numbered
    where turn <= ${mostVotes} order by meeting_date, meeting_id, turn`

/** How the people who are followed voted at these meetings, by meeting. */
export const votedThere = Effect.fnUntraced(function* (
  db: Sql,
  people: ReadonlyArray<string>,
  meetings: ReadonlyArray<MeetingId>
) {
  if (people.length === 0 || meetings.length === 0) return new Map<string, ReadonlyArray<string>>()
  const rows = yield* votesBy(db, people, db`v.meeting_id = any(${meetings}::uuid[])`)
  return new Map([...Map.groupBy(rows, (row) => row.meeting_id ?? "")].map(([id, votes]) => [id, votes.map(votedLine)]))
})

/** How the people who are followed voted at meetings that were told before, by the keys of `newVotes`. */
export const votedSince = Effect.fnUntraced(function* (
  db: Sql,
  people: ReadonlyArray<string>,
  keys: ReadonlyArray<string>
) {
  const votes = keys.flatMap((key) => (key.startsWith(voteKey) ? [key.slice(voteKey.length)] : []))
  if (people.length === 0 || votes.length === 0) return []
  const rows = yield* votesBy(db, people, db`v.id = any(${votes}::uuid[])`)
  return rows.map((row): Happened => {
    const path = atMeeting(row)?.path
    return {
      text: `${dayOf(row.meeting_date ?? "")}: ${votedLine(row)}`,
      path: path === undefined ? "/" : `${path}#votes`
    }
  })
})
