import type { Sql } from "../../../layers/db/db.ts"

/** Whether a discovered meeting `d` is a source's entry for a meeting `m` on record. */
export const isListing = (db: Sql) => db`(d.same_meeting = m.id or d.id = m.id and d.same_meeting is null)`
