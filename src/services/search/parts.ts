import { Struct } from "effect"
import type { Statement } from "effect/sql"
import type { ReadSql } from "../../../layers/db/db.ts"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import { holdings } from "../meetings/sql.ts"

/** What browse can ask for with `has`. */
export type MeetingPart = NonNullable<BrowseQuery["has"]>[number]

/** Whether there is a part of a row `m` of `meeting`, as its card says it. */
const holds: { readonly [Part in MeetingPart]: (db: ReadSql) => Statement.Fragment } = {
  ...Struct.pick(holdings, ["transcript", "briefing", "video"]),
  clips: (db) => db`${holdings.clips(db)} > 0`
}

/** The meeting `m` has all of these parts. */
export const holdsParts = (db: ReadSql, parts: ReadonlyArray<MeetingPart>) =>
  db.and(parts.map((part) => holds[part](db)))

/** The lexeme by which the search index knows that a meeting has a part. No text has it, since none has this character. */
export const markOf = (part: MeetingPart): string => `\u0001${part}`

/** The marks of a row `m` of `meeting`, as a tsvector without positions. */
export const marksOf = (db: ReadSql) => {
  const marks = Struct.keys(holds).map((part) => db`case when ${holds[part](db)} then ${markOf(part)}::text end`)
  return db`array_to_tsvector(array_remove(array[${db.csv(marks)}], null))`
}
