import { Data } from "effect"

/**
 * The public types of the search engine: segments on disk, a mutable set of them, and queries over it. The engine knows
 * neither SQL nor the service. It reads rows in PostgreSQL's binary form and answers with meeting ids (lower-case
 * UUIDs) and with counts by body and year. A body is a small number that the caller assigns, its *key*; a day is the
 * number of days since 2000-01-01, as in PostgreSQL.
 */

/** A folder that this version cannot read as a segment: incomplete, truncated, altered, or of another format. */
export class SegmentRefused extends Data.TaggedError("SegmentRefused")<{
  readonly directory: string
  /** The cause, for the log. */
  readonly reason: string
}> {}

/** Rows that `buildSegment` cannot read: wrong columns, a truncated vector, documents out of order. */
export class RowsRefused extends Data.TaggedError("RowsRefused")<{ readonly reason: string }> {}

/** The mean document lengths, by which BM25F normalizes. */
export interface AverageLengths {
  /** Words in `named`. */
  readonly named: number
  /** Passages of the transcript. */
  readonly passages: number
  /** Printed passages. */
  readonly printed: number
}

export interface BuildOptions {
  /** The change up to which the rows are current, such as the highest `search_change.id` in their snapshot. */
  readonly revision: number
  /** The memory for inverted files, in bytes; 480 MB by default. The output does not depend on it. */
  readonly budget?: number
  /** Set for a small segment, so that its scores are comparable with the base's; computed from the rows by default. */
  readonly averages?: AverageLengths
  /** Whether files are flushed before the segment becomes valid, `true` by default. A small segment can be rebuilt. */
  readonly durable?: boolean
}

/** The content of `meta.json`. It is written last, so a folder without it is not a segment. */
export interface SegmentMeta {
  readonly format: number
  readonly endianness: "LE" | "BE"
  readonly revision: number
  readonly documents: number
  readonly terms: number
  readonly postings: number
  readonly averages: AverageLengths
  /** Every file of the segment with its length and, for those that are held in memory, the CRC-32 of its bytes. */
  readonly files: { readonly [name: string]: { readonly bytes: number; readonly crc32?: number } }
}

export interface OpenOptions {
  /** The size of the cache of posting lists, and of the cache of phrases, in bytes; 64 MB each by default. */
  readonly cacheBytes?: number
}

/** Lexemes at their positions in a phrase. A stop word leaves a gap: `board of trustees` is at 1 and 3. */
export type Phrase = ReadonlyArray<{ readonly lexeme: string; readonly at: number }>

/** Where some lexemes stand in one passage of a transcript. */
export interface SpokenPassage {
  /** The ordinal of the passage, from 0. */
  readonly passage: number
  /** The positions of each lexeme that is in it, from 1, ascending. */
  readonly positions: ReadonlyMap<string, ReadonlyArray<number>>
}

/**
 * A document matches if it meets every condition that is present, so `{}` matches every document. The conditions mean
 * the same as in SQL (`search-sql.ts`), stop words included.
 */
export interface Conjunction {
  /**
   * The document holds all of these. Absent: the query has no words. Empty: all of its words are stop words, so it
   * matches nothing.
   */
  readonly lexemes?: ReadonlyArray<string>
  /** Lexemes that need not be held, and count in ranking where they are. */
  readonly helpful?: ReadonlyArray<string>
  /** Further required lexemes, which do not count in ranking. */
  readonly marks?: ReadonlyArray<string>
  /** Each is in `named` or within one passage, spoken or printed. A phrase without lexemes matches nothing. */
  readonly phrases?: ReadonlyArray<Phrase>
  /**
   * The lexemes of each excluded word: a document that holds all of them does not match. One without lexemes excludes
   * nothing.
   */
  readonly notWords?: ReadonlyArray<ReadonlyArray<string>>
  /** None of these is in `named` or within one passage. A phrase without lexemes excludes nothing. */
  readonly notPhrases?: ReadonlyArray<Phrase>
  /** The query terms at their positions in the query, by which ranking judges word order; `lexemes` by default. */
  readonly layout?: Phrase
  /** By body key: 0 does not match, and neither does a key beyond the end. */
  readonly bodies?: Uint8Array
  /** The first matching day, inclusive. */
  readonly fromDay?: number
  /** The end of the matching days, exclusive. */
  readonly beforeDay?: number
  /** The meeting is in every one of these lists of ids. */
  readonly ids?: ReadonlyArray<ReadonlyArray<string>>
  /** The meeting is in none of these lists of ids. */
  readonly notIds?: ReadonlyArray<ReadonlyArray<string>>
}

/** A document matches if it matches any of the conjunctions; a query without any matches nothing. */
export interface IndexQuery {
  readonly either: ReadonlyArray<Conjunction>
}

/** Ties in relevance are broken by newest first; in every order, meetings of one day are sorted by ascending id. */
export type Order = "relevance" | "newest" | "oldest"

/** Restricts pages and groups but not facet counts, because a facet is counted without its own filter. */
export interface PostFilter {
  /** By body key: 0 is left out, and so is a key beyond the end. */
  readonly bodies?: Uint8Array
  readonly years?: ReadonlyArray<number>
}

export interface PageRequest extends PostFilter {
  readonly order: Order
  readonly offset: number
  readonly limit: number
}

export interface GroupsRequest extends PostFilter {
  readonly order: Order
  /** The keys of the bodies to group by. */
  readonly groups: ReadonlyArray<number>
  readonly perGroup: number
}

/** Counts by year and body: `counts[i * bodies + body]` is for the year `years[i]`. */
export interface FacetCounts {
  /** The number of body keys: the greatest key in use, plus one. */
  readonly bodies: number
  /** The years of any documents, ascending. */
  readonly years: ReadonlyArray<number>
  readonly counts: Uint32Array
}

/**
 * The documents that match a query, in one snapshot. Immutable until the snapshot is released, and unusable afterwards.
 */
export interface ResultSet {
  /** The number of documents that pass the filter. */
  readonly total: (filter: PostFilter) => number
  readonly facetCounts: () => FacetCounts
  /** The number that pass the filter in each month that has any, by 12 × year + month, from 0. */
  readonly months: (filter: PostFilter) => ReadonlyMap<number, number>
  /** The given meetings that are in the result and pass the filter, in the order given. */
  readonly filterIds: (ids: ReadonlyArray<string>, filter: PostFilter) => ReadonlyArray<string>
  /** Meeting ids of one page. */
  readonly page: (request: PageRequest) => ReadonlyArray<string>
  /**
   * For each of these meetings, the passages of its transcript with any query term, as ordinals from 0, best first and
   * limited in number (`query/passages.ts`). Undefined for a meeting that is not in the result, or whose passages the
   * index cannot distinguish.
   */
  readonly passages: (ids: ReadonlyArray<string>) => ReadonlyArray<ReadonlyArray<number> | undefined>
  /** The same of the printed passages. */
  readonly printed: (ids: ReadonlyArray<string>) => ReadonlyArray<ReadonlyArray<number> | undefined>
  /**
   * For each of these meetings, every passage of its transcript with any of the lexemes, in order. Undefined as for
   * `passages`.
   */
  readonly spoken: (
    ids: ReadonlyArray<string>,
    lexemes: ReadonlyArray<string>
  ) => ReadonlyArray<ReadonlyArray<SpokenPassage> | undefined>
  /**
   * The query terms that the best stretch of any document lacks, in the order of the query: a stretch is a passage with
   * its neighbors, or words of `named` near each other. Looks also at documents that hold most of the terms, under the
   * other conditions of the query and the filter. Undefined if no stretch has enough of them (`query/stretches.ts`), or
   * the query has only one, or several conjunctions.
   */
  readonly lacking: (filter: PostFilter) => ReadonlyArray<string> | undefined
  /** By body key, the ids of the first meetings of each requested body with any. */
  readonly groups: (request: GroupsRequest) => ReadonlyMap<number, ReadonlyArray<string>>
}

/** The index at one moment. Release it, because it holds the files of its segments open. */
export interface Snapshot {
  /** Documents that have been neither replaced nor removed. */
  readonly documents: number
  /** The counts of all of them. */
  readonly facetCounts: FacetCounts
  readonly search: (query: IndexQuery) => ResultSet
  /** The number of documents that hold this lexeme, replaced ones included. */
  readonly documentFrequency: (lexeme: string) => number
  /** Idempotent. */
  readonly release: () => void
}
