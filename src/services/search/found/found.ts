import type { Effect, Option } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { BrowseQuery } from "../../../../schema/browse-query.ts"
import type { MeetingId } from "../../../../schema/primitives.ts"
import type { SearchQuery } from "../../../../schema/search-query.ts"
import type { SpokenPassage } from "../../../search-engine/types.ts"
import type { ActiveFilter } from "../query/filters.ts"
import type { Body } from "./bodies.ts"

export type Sort = NonNullable<BrowseQuery["sort"]>

/** A search: meetings that match its words, if it has any, and every filter. */
export interface Wanted {
  readonly filters: ReadonlyArray<ActiveFilter>
  readonly search: SearchQuery | undefined
  readonly sort: Sort
}

/**
 * The number of held meetings that match the words and the filters on meetings, by body and year, before the filters on
 * bodies and years. A body's row `r` has `counts[i * rows + r]` meetings in the year `years[i]`; a body without
 * meetings has row -1, or one beyond the last.
 */
export interface Cells {
  readonly years: ReadonlyArray<number>
  readonly rows: number
  readonly counts: Uint32Array
  /** The row of each of these bodies. */
  readonly rowsOf: (bodies: ReadonlyArray<Body>) => Int32Array
}

/** The ids of the bodies that pass every filter; undefined if no filter is on bodies. */
export type ChosenBodies = ReadonlySet<number> | undefined

/** Passages of transcripts, or of documents, each by its meeting and its `position` there. */
export interface Passages {
  readonly meetings: ReadonlyArray<string>
  readonly positions: ReadonlyArray<number>
}

/** The meetings that pass every filter: their number, and their possible bodies. */
export interface Narrowed {
  readonly total: number
  readonly bodies: ChosenBodies
}

/**
 * The held meetings that match, as found by SQL or the search index. Pages, groups and `all` have those that pass every
 * filter, in the search's order; ties are broken by id.
 */
export interface Found {
  /** The number of meetings that pass every filter, if it is known without counting by body and year. */
  readonly total?: (bodies: ChosenBodies) => Effect.Effect<number>
  readonly cells: Effect.Effect<Cells, SqlError.SqlError>
  /** The number in each month that has any, by 12 × year + month, from 0. */
  readonly months: (narrowed: Narrowed) => Effect.Effect<ReadonlyMap<number, number>, SqlError.SqlError>
  readonly page: (
    narrowed: Narrowed,
    part: { readonly offset: number; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
  /** The first meetings of each of these bodies, by the body's id. */
  readonly groups: (
    narrowed: Narrowed,
    part: { readonly bodies: ReadonlyArray<number>; readonly perGroup: number }
  ) => Effect.Effect<ReadonlyMap<number, ReadonlyArray<string>>, SqlError.SqlError>
  /** The passages with the words of the search, if they are known without reading transcripts. */
  readonly passages: (ids: ReadonlyArray<string>) => Effect.Effect<Option.Option<Passages>>
  /** The same of their documents. */
  readonly printed: (ids: ReadonlyArray<string>) => Effect.Effect<Option.Option<Passages>>
  /**
   * The lexemes that the best stretch of any meeting lacks, if the search is for several words and some stretch has
   * most
   * of them (`ResultSet.lacking`). Undefined otherwise, and in SQL, which would have to read the whole record.
   */
  readonly lacking: (narrowed: Narrowed) => Effect.Effect<ReadonlyArray<string> | undefined>
  /** Every passage of these meetings with any of these lexemes, by meeting. */
  readonly spoken: (
    ids: ReadonlyArray<string>,
    lexemes: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<SpokenPassage>>, SqlError.SqlError>
  /** All of them, as a select of `id` for a statement that counts what they have. */
  readonly selected: (narrowed: Narrowed) => Effect.Effect<Statement.Fragment>
  /** All of them, always newest first. */
  readonly all: (narrowed: Narrowed) => Effect.Effect<ReadonlyArray<MeetingId>, SqlError.SqlError>
}

/** Counts above this need not be exact. */
export const mostCounted = 1000

/**
 * Finds meetings: the search index, or SQL, with the same results. The index returns None for searches that only SQL
 * can express.
 */
export interface Finder {
  readonly find: (wanted: Wanted) => Effect.Effect<Option.Option<Found>, SqlError.SqlError>
  /** The number of meetings that match each of these searches; inexact above `mostCounted`. */
  readonly count: (
    searches: ReadonlyArray<SearchQuery>
  ) => Effect.Effect<Option.Option<ReadonlyArray<number>>, SqlError.SqlError>
}
