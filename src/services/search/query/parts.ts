import type { ReadSql } from "../../../../layers/db/db.ts"
import { type FilterPart, filterParts } from "../../../../schema/part.ts"
import { isShown } from "../../meetings/part-sql.ts"

/** Whether the meeting `m` has all of these parts. */
export const holdsParts = (db: ReadSql, parts: ReadonlyArray<FilterPart>) =>
  db.and(parts.map((part) => isShown(db, part)))

/**
 * The lexeme that marks a meeting with a part in the search index. It has a character that no text has, so it cannot
 * collide.
 */
export const markOf = (part: FilterPart): string => `\u0001${part}`

/** The marks of a row `m` of `meeting`, as a tsvector without positions. */
export const marksOf = (db: ReadSql) => {
  const marks = filterParts.map((part) => db`case when ${isShown(db, part)} then ${markOf(part)}::text end`)
  return db`array_to_tsvector(array_remove(array[${db.csv(marks)}], null))`
}
