import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import type { SearchQuery } from "../../../../schema/search-query.ts"
import { activeFilters } from "../query/filters.ts"
import { withSpellings } from "../query/spellings.ts"
import type { BodyDirectory } from "./bodies.ts"
import { type Counted, chooseBodies, countFacets } from "./facets.ts"
import type { Found, Narrowed, Wanted } from "./found.ts"

/** The results of a search. */
export interface Results extends Wanted {
  readonly found: Found
  readonly narrowed: Narrowed
  /** Computed once, on first use. */
  readonly counted: Effect.Effect<Counted, SqlError.SqlError>
  /** The query with its misspelled words corrected, as a caller would write it. */
  readonly corrected?: string
  /** Whether other words that mean the same were searched for, too. */
  readonly hasOthers?: boolean
  /** The words that were let go, because no stretch has them beside the others. */
  readonly dropped?: ReadonlyArray<string>
}

/** What a query wants, given its words as they were parsed. */
export const wantedOf = (query: BrowseQuery, typed: SearchQuery | undefined): Wanted => ({
  filters: activeFilters(query),
  search: typed === undefined ? undefined : withSpellings(typed),
  sort: query.sort ?? (typed === undefined ? "newest" : "relevance")
})

/** Makes results of what a search found: counted once, and narrowed by the filters on bodies. */
export const makeResults = (db: ReadSql, directory: typeof BodyDirectory.Service) => {
  return Effect.fnUntraced(function* (wanted: Wanted, found: Found) {
    const choice = chooseBodies(yield* directory.current(db), wanted.filters)
    const counted = yield* Effect.cached(Effect.map(found.cells, (cells) => countFacets(cells, choice)))
    const total = found.total === undefined ? (yield* counted).total : yield* found.total(choice.bodies)
    return { ...wanted, found, narrowed: { total, bodies: choice.bodies }, counted } satisfies Results
  })
}
