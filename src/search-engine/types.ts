import { Data } from "effect"

/**
 * The public types of the search index: segments on disk, a set of them that changes, and what a query asks of it.
 * The index knows neither SQL nor the service. It reads rows in PostgreSQL's binary form and answers with meeting ids
 * (lower-case UUIDs) and with counts by body and year. A body is a small number that the caller assigns, its *key*; a
 * day is the number of days since 2000-01-01, as in PostgreSQL.
 */

/** A folder that is not a segment which this version can read: torn, truncated, altered, or of another format. */
export class SegmentRefused extends Data.TaggedError("SegmentRefused")<{
  readonly directory: string
  /** What is wrong with it, for the log. */
  readonly reason: string
}> {}

/** Rows that are not what `buildSegment` reads: another tuple, a vector cut short, documents out of order. */
export class RowsRefused extends Data.TaggedError("RowsRefused")<{ readonly reason: string }> {}

/** The mean lengths of the documents by which BM25F judges the length of one. */
export interface Averages {
  /** Words in `named`. */
  readonly named: number
  /** Passages of the transcript. */
  readonly passages: number
}

export interface BuildOptions {
  /** The change up to which the rows are true, such as the highest `search_change.id` seen by their snapshot. */
  readonly revision: number
  /** How many bytes of the inverted files are held at a time, 480 MB by default. It does not change what is written. */
  readonly budget?: number
  /** Given to a small segment so that its scores compare with those of the base; otherwise those of the rows. */
  readonly averages?: Averages
  /** Whether files reach the disk before the segment is valid, `true` by default. A small segment can be made anew. */
  readonly durable?: boolean
}

/** What `meta.json` says about a segment. It is written last, so a folder without it is not a segment. */
export interface SegmentMeta {
  readonly format: number
  readonly endianness: "LE" | "BE"
  readonly revision: number
  readonly documents: number
  readonly terms: number
  readonly postings: number
  readonly averages: Averages
  /** Every file of the segment with its length and, for those that are held in memory, the CRC-32 of its bytes. */
  readonly files: { readonly [name: string]: { readonly bytes: number; readonly crc32?: number } }
}

export interface OpenOptions {
  /** How many bytes of recently read pieces, and how many of sets of phrases, are kept; 64 MB by default. */
  readonly cacheBytes?: number
}

/** Lexemes at their positions in a phrase. A stop word leaves a gap: `board of trustees` is at 1 and 3. */
export type Phrase = ReadonlyArray<{ readonly lexeme: string; readonly at: number }>

/**
 * All of these must fit. What is absent is not asked, so `{}` fits every document. The parts have the meaning that they
 * have in SQL (`search-sql.ts`), stop words included.
 */
export interface Conjunction {
  /**
   * A document holds all of these. Absent: no word was asked for. Empty: words were asked for, and all of them are stop
   * words, which fits nothing.
   */
  readonly lexemes?: ReadonlyArray<string>
  /** Lexemes that a document has to hold as well, and that tell nothing about its rank. */
  readonly marks?: ReadonlyArray<string>
  /** Each stands in `named` or within one passage. A phrase without lexemes fits nothing. */
  readonly phrases?: ReadonlyArray<Phrase>
  /** The lexemes of each unwanted word: a document that holds all of them does not fit. One without lexemes takes nothing away. */
  readonly notWords?: ReadonlyArray<ReadonlyArray<string>>
  /** None of these stands in `named` or within one passage. One without lexemes takes nothing away. */
  readonly notPhrases?: ReadonlyArray<Phrase>
  /** The wanted lexemes as they stand in the query, by which rank tells how alike they stand in a document; absent: `lexemes`. */
  readonly layout?: Phrase
  /** By body key: 0 does not fit, and neither does a key beyond the end. */
  readonly bodies?: Uint8Array
  /** The document's day is this one or later. */
  readonly fromDay?: number
  /** The document's day is earlier than this one. */
  readonly beforeDay?: number
  /** The meeting is in every one of these lists of ids. */
  readonly ids?: ReadonlyArray<ReadonlyArray<string>>
  /** The meeting is in none of these lists of ids. */
  readonly notIds?: ReadonlyArray<ReadonlyArray<string>>
}

/** At least one of these must fit; a query without any fits nothing. */
export interface IndexQuery {
  readonly either: ReadonlyArray<Conjunction>
}

/** Equals in relevance stay newest first; among meetings of one day, and in every order, the smaller id comes first. */
export type Order = "relevance" | "newest" | "oldest"

/** What pages and groups leave out, and cells do not: facets are counted without the filter of their own. */
export interface Narrowing {
  /** By body key: 0 is left out, and so is a key beyond the end. */
  readonly bodies?: Uint8Array
  readonly years?: ReadonlyArray<number>
}

export interface PageRequest extends Narrowing {
  readonly order: Order
  readonly offset: number
  readonly limit: number
}

export interface GroupsRequest extends Narrowing {
  readonly order: Order
  /** The keys of the bodies whose first meetings are asked for. */
  readonly groups: ReadonlyArray<number>
  readonly perGroup: number
}

/** Counts by year and body: `counts[i * bodies + body]` is that of the year `years[i]`. */
export interface Cells {
  /** How many body keys there are: the greatest that any document has, and one. */
  readonly bodies: number
  /** The years that any document has, rising. */
  readonly years: ReadonlyArray<number>
  readonly counts: Uint32Array
}

/** The documents that fit a query, in one snapshot. Nothing in it changes until the snapshot is released, and nothing may be read after. */
export interface Found {
  /** How many there are within the bodies and years of a request. */
  readonly total: (narrowing: Narrowing) => number
  readonly cells: () => Cells
  /** Those of these meetings that are among them, in the order given. */
  readonly among: (ids: ReadonlyArray<string>, narrowing: Narrowing) => ReadonlyArray<string>
  /** Meeting ids of one page. */
  readonly page: (request: PageRequest) => ReadonlyArray<string>
  /**
   * The passages of the transcript of each of these meetings that say wanted lexemes, by their places in it from 0 on: those
   * that say the most of the query first, and of many only the first (`passages.ts`). Undefined for a meeting that is not
   * among them, or whose passages cannot be told apart.
   */
  readonly passages: (ids: ReadonlyArray<string>) => ReadonlyArray<ReadonlyArray<number> | undefined>
  /** By body key, the ids of the first meetings of each body asked for that has any. */
  readonly groups: (request: GroupsRequest) => ReadonlyMap<number, ReadonlyArray<string>>
}

/** The index at one moment. Whoever takes one releases it, since it keeps the files of its segments open. */
export interface Snapshot {
  /** Documents that have been neither replaced nor removed. */
  readonly documents: number
  /** How many documents each body has in each year. */
  readonly cells: Cells
  readonly find: (query: IndexQuery) => Found
  /** How many documents hold this lexeme, with those that have been replaced since. */
  readonly documentFrequency: (lexeme: string) => number
  /** Idempotent. */
  readonly release: () => void
}

/*
 * What the folder offers besides:
 *
 *   build.ts        buildSegment(rows: AsyncIterable<Uint8Array>, directory, options: BuildOptions): Promise<SegmentMeta>
 *   segment.ts      openSegment(directory, options?: OpenOptions): Segment     throws SegmentRefused
 *                   Segment: { directory, meta, close() }
 *   segment-set.ts  new SegmentSet(base: ReadonlyArray<Segment>)
 *                     .parts                        each { segment, living: Uint32Array, dead: number }, never changed in place
 *                     .snapshot(): Snapshot
 *                     .replace(ids, segment?)       strikes these meetings out wherever they stand, then adds the segment
 *                     .substitute(parts, segment)   puts a merged segment in the place of these parts (as `.parts` gave them)
 *                     .close()                      a segment that a snapshot still reads is closed by its release
 *   merge.ts        mergeSegments(parts: { segment, living }[], directory, { revision, durable? }): SegmentMeta
 *   warm.ts         warm(directory): Promise<void>  reads the files through, so that no query waits for the disk
 */
