import { Effect, Option } from "effect"
import { LRUCache } from "lru-cache"
import type { Sql } from "../../../../layers/db/db.ts"
import type { SearchQuery } from "../../../../schema/search-query.ts"
import type { Phrase } from "../../../search-engine/types.ts"
import { asTsqueries } from "../query/search-sql.ts"
import { readRow } from "../query/tsquery.ts"

/** A word or phrase as PostgreSQL parses it: its lexemes anywhere, and in a row. */
export interface Terms {
  readonly lexemes: ReadonlyArray<string>
  readonly phrase: Phrase
}

/** The terms of a text; none if PostgreSQL parses it as more than lexemes. */
export type TermsOf = (text: string) => Option.Option<Terms>

const termsOf = ({ every, in_row }: { every: string; in_row: string }): Option.Option<Terms> => {
  const [all, phrase] = [readRow(every), readRow(in_row)]
  // Lexemes joined by `&` are not in a row.
  if (all === undefined || phrase === undefined || in_row.includes(" & ")) return Option.none()
  return Option.some({ lexemes: all.map(({ lexeme }) => lexeme), phrase })
}

/** The most words and phrases that are cached. */
const mostTerms = 20_000

/**
 * The words and phrases of some searches as PostgreSQL parses them. Each is parsed once and cached; one statement
 * parses all the new ones.
 */
export const makeTerms = (db: Sql) => {
  const known = new LRUCache<string, Option.Option<Terms>>({ max: mostTerms })
  return Effect.fn("SearchIndex.terms")(function* (searches: ReadonlyArray<SearchQuery>) {
    const conjunctions = searches.flatMap(({ either }) => either)
    const texts = new Set(
      conjunctions.flatMap(({ words, phrases, notWords, notPhrases, helpful = [], typed = [] }) =>
        [words, phrases, notWords, notPhrases, helpful, typed].flat()
      )
    )
    const terms = new Map([...texts].map((text) => [text, known.get(text)]))
    const unknown = [...texts].filter((text) => terms.get(text) === undefined)
    const rows = unknown.length === 0 ? [] : yield* asTsqueries(db, unknown)
    for (const [at, text] of unknown.entries()) {
      const read = Option.flatMap(Option.fromNullishOr(rows[at]), termsOf)
      terms.set(text, read)
      known.set(text, read)
    }
    return (text: string) => terms.get(text) ?? Option.none<Terms>()
  })
}
