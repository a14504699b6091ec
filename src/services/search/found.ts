import type { Effect, Option } from "effect"
import type { SqlError } from "effect/sql"
import type { BrowseQuery } from "../../../schema/browse-query.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import type { SearchQuery } from "../../../schema/search-query.ts"
import type { Body } from "./bodies.ts"
import type { ActiveFilter } from "./filters.ts"

export type Sort = NonNullable<BrowseQuery["sort"]>

/** A search: meetings that match its words, if it has any, and every filter. */
export interface Wanted {
  readonly filters: ReadonlyArray<ActiveFilter>
  readonly search: SearchQuery | undefined
  readonly sort: Sort
}

/**
 * The number of held meetings that match the words and the filters on meetings, by body and year, before the filters on
 * bodies and years. The row `r` of a body has `counts[i * rows + r]` meetings of the year `years[i]`; a body without
 * meetings has the row -1, or one beyond them.
 */
export interface Cells {
  readonly years: ReadonlyArray<number>
  readonly rows: number
  readonly counts: Uint32Array
  /** The rows of these bodies. */
  readonly rowsOf: (bodies: ReadonlyArray<Body>) => Int32Array
}

/** The ids of the bodies that fail no filter; undefined if no filter is on bodies. */
export type ChosenBodies = ReadonlySet<number> | undefined

/** Passages of transcripts: the meeting of each, and its `position` there. */
export interface Passages {
  readonly meetings: ReadonlyArray<string>
  readonly positions: ReadonlyArray<number>
}

/** The meetings that pass every filter: their number, and the bodies they may be of. */
export interface Narrowed {
  readonly total: number
  readonly bodies: ChosenBodies
}

/**
 * The held meetings that match, as SQL or the search index found them. Pages, groups and `all` have those that pass
 * every filter, in the order of the search; ties are broken by id.
 */
export interface Found {
  /** The number of meetings that pass every filter, if it is known before they are counted by body and year. */
  readonly total?: (bodies: ChosenBodies) => Effect.Effect<number>
  readonly cells: Effect.Effect<Cells, SqlError.SqlError>
  readonly page: (
    narrowed: Narrowed,
    part: { readonly offset: number; readonly limit: number }
  ) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
  /** The first meetings of each of these bodies, by the body's id. */
  readonly groups: (
    narrowed: Narrowed,
    part: { readonly bodies: ReadonlyArray<number>; readonly perGroup: number }
  ) => Effect.Effect<ReadonlyMap<number, ReadonlyArray<string>>, SqlError.SqlError>
  /** The passages that say the words of the search, if they are known without reading transcripts. */
  readonly passages: (ids: ReadonlyArray<string>) => Effect.Effect<Option.Option<Passages>>
  /** All of them, newest first whatever the order. */
  readonly all: (narrowed: Narrowed) => Effect.Effect<ReadonlyArray<MeetingId>, SqlError.SqlError>
}

/** Beyond this many matches, a count need not be exact. */
export const mostCounted = 1000

/** Finds meetings: the search index, or SQL, with the same answers. The index answers None where only SQL knows. */
export interface Finder {
  readonly find: (wanted: Wanted) => Effect.Effect<Option.Option<Found>, SqlError.SqlError>
  /** How many meetings match each of these searches, or any number above `mostCounted`. */
  readonly count: (
    searches: ReadonlyArray<SearchQuery>
  ) => Effect.Effect<Option.Option<ReadonlyArray<number>>, SqlError.SqlError>
}
