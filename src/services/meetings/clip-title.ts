import type { ReadSql } from "../../../layers/db/db.ts"

/**
 * What a reader's clip `u` is called: as its maker named it; else by the chapter that most of it lies in, or by the
 * agenda item that was taken up last before its middle; null if the record has neither.
 */
export const clipTitle = (db: ReadSql) => db`coalesce(
  u.title,
  (select c.title from chapter c
    where c.meeting_id = u.meeting_id and c.start < u."end" and c."end" > u.start
    order by least(c."end", u."end") - greatest(c.start, u.start) desc, c.position limit 1),
  (select i.title from agenda_item i
    where i.meeting_id = u.meeting_id and i.start <= (u.start + u."end") / 2
    order by i.start desc, i.position desc limit 1))`
