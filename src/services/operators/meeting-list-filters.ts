import type { Statement } from "effect/sql"
import type { Sql } from "../../../layers/db/db.ts"
import type { AgentMeetingQuery } from "../../../schema/agent/meeting.ts"
import { lacks } from "../making/meeting-gaps.ts"
import { isMade } from "../meetings/part-sql.ts"

/** The state of a meeting `m`'s newest flow of kind `meeting`; null if it never had one. */
const pipelineOf = (db: Sql) => db`(
  select f.state from flow f where f.meeting_id = m.id and f.kind = 'meeting' order by f.created_at desc limit 1)`

/**
 * The condition of a query on a meeting `m` of a body `b`: values of one parameter are alternatives, and parameters are
 * combined.
 */
export const meetingsAsked = (db: Sql, query: AgentMeetingQuery, now: string) => {
  const source = db`exists (select from media d where d.meeting_id = m.id and d.role = 'source')`
  const [rendition, briefing, anyClip] = [isMade(db, "video"), isMade(db, "briefing"), isMade(db, "clips")]
  const served = db`exists (select from published_briefing f where f.meeting_id = m.id)`
  const clip = (state: string) => db`exists (select from clip c where c.meeting_id = m.id and c.state = ${state})`
  const agenda = db`(m.agenda_url is not null or ${isMade(db, "agenda_copy")})`
  const minutes = db`m.minutes_url is not null`
  const other = db`jsonb_array_length(m.attachments) > 0`
  const has = {
    video: {
      none: db`(m.video_url is null and not ${source} and not ${rendition})`,
      source: db`((m.video_url is not null or ${source}) and not ${rendition})`,
      rendition
    },
    attachments: { none: db`not (${agenda} or ${minutes} or ${other})`, agenda, minutes, other },
    summary: { none: db`not ${briefing}`, pending: db`(${briefing} and not ${served})`, served },
    clips: {
      none: db`not ${anyClip}`,
      proposal: clip("proposal"),
      published: clip("published"),
      dismissed: clip("dismissed")
    }
  } as const
  const anyOf = <Value extends string>(
    values: ReadonlyArray<Value> | undefined,
    condition: (value: Value) => Statement.Fragment
  ) => (values === undefined ? [] : [db.or(values.map(condition))])
  const ownStatus = query.status?.filter((value) => value === "upcoming" || value === "held" || value === "cancelled")
  const ofPipeline = query.status?.filter((value) => !ownStatus?.some((own) => own === value))
  const wantsUpcoming = query.include_upcoming === true || ownStatus?.includes("upcoming") === true
  const { q } = query
  return db.and([
    db`true`,
    ...(q === undefined
      ? []
      : [
          db`(strpos(fold(m.title || ' ' || b.name), (select fold(${q}))) > 0
            or starts_with(m.id::text, lower(${q})) or m.short_id = lower(split_part(${q}, '-', 1)))`
        ]),
    ...(query.state === undefined ? [] : [db`b.states && ${query.state}::text[]`]),
    ...(query.county === undefined ? [] : [db`b.counties && ${query.county}::text[]`]),
    ...(query.city === undefined ? [] : [db`b.cities && ${query.city}::text[]`]),
    ...(query.type === undefined ? [] : [db`b.kind = any(${query.type}::text[])`]),
    ...(ownStatus === undefined || ownStatus.length === 0 ? [] : [db`m.status = any(${ownStatus}::text[])`]),
    ...(ofPipeline === undefined || ofPipeline.length === 0
      ? []
      : [db`coalesce(${pipelineOf(db)}, 'none') = any(${ofPipeline}::text[])`]),
    ...anyOf(query.gap, (gap) => lacks(db, gap)),
    ...anyOf(query.video, (value) => has.video[value]),
    ...anyOf(query.attachments, (value) => has.attachments[value]),
    ...anyOf(query.summary, (value) => has.summary[value]),
    ...anyOf(query.clips, (value) => has.clips[value]),
    ...(wantsUpcoming ? [] : [db`m.status <> 'upcoming'`]),
    ...(query.include_bare === true
      ? []
      : [
          // An upcoming meeting does not count as bare yet.
          db`not (m.status <> 'upcoming' and ${has.video.none} and ${has.attachments.none} and not exists (
            select from transcript t where t.meeting_id = m.id) and ${has.summary.none}
            and not ${isMade(db, "agenda")})`
        ]),
    ...(query.past === undefined
      ? []
      : [
          query.past
            ? db`m.date < (${now}::timestamptz at time zone m.timezone)::date`
            : db`m.date >= (${now}::timestamptz at time zone m.timezone)::date`
        ])
  ])
}
