import type { Sql } from "../../../layers/db/db.ts"
import { type MeetingGap, meetingGaps } from "../../../schema/agent/meeting.ts"
import type { Stage } from "../queue/stages.ts"

/** The stage that fills each gap. */
export const stageOfGap = {
  video: "render",
  agenda: "fetch",
  transcript: "transcribe",
  agenda_summary: "agenda",
  chapters: "chapters",
  briefing: "briefing",
  claims: "verify",
  clips: "clips",
  figures: "figures",
  recap: "recap"
} as const satisfies Record<MeetingGap, Stage>

/** Whether a meeting `m` has what a gap is about. Claims are there once each has its verdict. */
const has = (db: Sql) =>
  ({
    video: db`exists (select from media d where d.meeting_id = m.id and d.role = 'rendition')`,
    agenda: db`exists (select from agenda_item a where a.meeting_id = m.id)`,
    transcript: db`exists (select from transcript t where t.meeting_id = m.id and t.version = 'refined')`,
    agenda_summary: db`exists (select from agenda_summary s where s.meeting_id = m.id)`,
    chapters: db`exists (select from chapter c where c.meeting_id = m.id)`,
    briefing: db`exists (select from briefing b where b.meeting_id = m.id)`,
    claims: db`(exists (select from claims c where c.meeting_id = m.id)
      and not exists (select from claim c where c.meeting_id = m.id and c.verdict is null))`,
    clips: db`exists (select from clip c where c.meeting_id = m.id)`,
    figures: db`exists (select from figure f where f.meeting_id = m.id)`,
    recap: db`exists (select from recap r where r.meeting_id = m.id)`
  }) satisfies Record<MeetingGap, unknown>

/** What a meeting `m` lacks, as an array of `MeetingGap`; nothing is missed of one that has not been held. */
export const gapsOf = (db: Sql) => {
  const present = has(db)
  return db`(case when m.status <> 'held' then '{}' else array_remove(array[${db.join(
    ", ",
    false
  )(meetingGaps.map((gap) => db`case when ${present[gap]} then null else ${gap}::text end`))}], null) end)`
}

/** Whether a meeting `m` lacks this. */
export const lacks = (db: Sql, gap: MeetingGap) => db`(m.status = 'held' and not ${has(db)[gap]})`
