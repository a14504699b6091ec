import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import type { SearchQuery } from "../../../schema/search-query.ts"
import { fits } from "./search-sql.ts"

/** How similar a word and a name must be: pg_trgm's similarity, from 0 to 1. */
const leastSimilarity = 0.4

/**
 * The query with each word that no meeting contains replaced by the most similar word in the name of a body or place. Words
 * that search ignores, such as "and", are neither replaced nor put in.
 * Undefined if some meeting fits the query as it is, or if no name is similar.
 */
export const correctSpelling = Effect.fn("Browse.correctSpelling")(function* (db: Sql, query: SearchQuery) {
  const [whole] = yield* db<{
    known: boolean
  }>`select exists (select from meeting_search s where ${fits(db, query)}) as known`
  if (whole?.known !== false) return undefined
  const words = [...new Set(query.either.flatMap((conjunction) => conjunction.words))]
  const rows = yield* db<{ word: string; name: string }>`
    select given.word, alike.name
    from unnest(${words}::text[]) given (word),
    lateral (
      select name from (
        select distinct regexp_split_to_table(fold(name), '[^a-z0-9]+') as name
        from (select name from body union all select name from place) every
      ) names
      where length(name) > 2 and numnode(plainto_tsquery('public.civic', name)) > 0 and similarity(name, fold(given.word)) >= ${leastSimilarity}
      order by similarity(name, fold(given.word)) desc, name limit 1
    ) alike
    where numnode(plainto_tsquery('public.civic', given.word)) > 0
      and not exists (select from meeting_search s where s.document @@ plainto_tsquery('public.civic', given.word))`
  if (rows.length === 0) return undefined
  const corrected = new Map(rows.map(({ word, name }) => [word, name]))
  return {
    either: query.either.map((conjunction) => ({
      ...conjunction,
      words: conjunction.words.map((word) => corrected.get(word) ?? word)
    }))
  }
})
