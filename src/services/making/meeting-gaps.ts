import type { Sql } from "../../../layers/db/db.ts"
import { type MeetingGap, meetingGaps, meetingParts } from "../../../schema/part.ts"
import { isMade } from "../meetings/part-sql.ts"
import type { Stage } from "../queue/stages.ts"

/** The stage that fills a gap. */
export const stageOfGap = (gap: MeetingGap): Stage => meetingParts[gap].stage

/** Whether a meeting `m` lacks this part; a meeting that has not been held lacks nothing. */
export const lacks = (db: Sql, gap: MeetingGap) => db`(m.status = 'held' and not ${isMade(db, gap)})`

/** The parts that a meeting `m` lacks, as an array of `MeetingGap`. */
export const gapsOf = (db: Sql) => {
  const gaps = meetingGaps.map((gap) => db`case when not ${isMade(db, gap)} then ${gap}::text end`)
  return db`(case when m.status <> 'held' then '{}' else array_remove(array[${db.csv(gaps)}], null) end)`
}
