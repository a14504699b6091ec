import type { Statement } from "effect/sql"
import type { ReadSql } from "../../../layers/db/db.ts"
import { type SearchQuery, wantedWords } from "../../../schema/search-query.ts"
import { anyOf, togetherOf } from "./search-sql.ts"

/** How much a word counts by where it stands: spoken by name, in a description, in an item, in the title. */
const weights = "{0.1, 0.2, 0.5, 1.0}"

/**
 * The meetings of `found` as rows `id, body_id, date, score`. What a meeting is about counts above what is said in it, all
 * words close together above words apart, and how often something is said by its logarithm. Scores are rounded, so that
 * the date decides where they tell little.
 */
export const scored = (db: ReadSql, found: Statement.Fragment, search: SearchQuery) => {
  const every = db`(select ${togetherOf(db, search)})`
  const any = db`(select ${anyOf(db, wantedWords(search))})`
  return db`
    select found.id, found.body_id, found.date, round((
      6 * ts_rank(${weights}, found.named, ${every}) + 2 * ts_rank(${weights}, found.named, ${any})
      + ln(1 + coalesce(said.nearness, 0)) + 2 * greatest(coalesce(said.nearest, 0), (found.named @@ ${every})::int))::numeric, 2) as score
    from ${found} found
    left join (
      -- 1 where the words stand side by side, less for each word between them.
      select near.meeting_id, sum(near.ness) as nearness, max(least(near.ness, 1)) as nearest from (
        select p.meeting_id, 10 * ts_rank_cd(p.words, ${every}) as ness from passage p where p.words @@ ${every}
        offset 0
      ) near group by 1
    ) said on said.meeting_id = found.id`
}
