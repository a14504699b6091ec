import { rmSync } from "node:fs"
import * as path from "node:path"
import { SegmentWriter } from "../format/segment-files.ts"
import type { AverageLengths, BuildOptions, SegmentMeta } from "../types.ts"
import { forwardPass } from "./forward-pass.ts"
import { invertedPass } from "./inverted-pass.ts"

/** A million meetings of 500 words take two scans of the forward index, in a process that stays below 1 GB. */
const defaultBudget = 480 * 2 ** 20

/** The mean of the non-zero lengths: meetings without a transcript must not lower the average transcript length. */
const mean = (lengths: Uint32Array): number => {
  const present = lengths.filter((length) => length > 0)
  return present.reduce((sum, length) => sum + length, 0) / Math.max(1, present.length)
}

/**
 * Writes a segment into `directory`, in place of an existing one. `rows` is the stream of `copy (select …) to stdout
 * (format binary)`, header and trailer included and cut into chunks anywhere, with the columns
 *
 *     id uuid, body_key int4, year int2, day int4 (the date's days since 2000-01-01),
 *     named tsvector, document tsvector, passages tsvector[], printed tsvector[] (in the order of their positions)
 *
 * ordered by date, then id descending; a null vector or array is an empty one. Documents are numbered in that order, so
 * descending order is newest first. Memory stays near `budget` and the dictionary, however large the record is. Rejects
 * with `RowsRefused`, and with errors of the file system or of `rows`.
 */
export const buildSegment = async (
  rows: AsyncIterable<Uint8Array>,
  directory: string,
  { revision, budget = defaultBudget, averages: given, durable = true }: BuildOptions
): Promise<SegmentMeta> => {
  const writer = new SegmentWriter(directory, durable)
  const forward = path.join(directory, "forward.tmp")
  try {
    const { table, documents, counts } = await forwardPass(rows, forward)
    const averages: AverageLengths = given ?? {
      named: mean(documents.namedWords),
      passages: mean(documents.passages),
      printed: mean(documents.printed)
    }
    const terms = table.size
    const offsets = invertedPass({ path: forward, terms, documents, counts, averages, budget }, writer)
    rmSync(forward)
    return writer.finish(
      {
        "term.bytes": table.bytes.subarray(0, table.at[terms] ?? 0),
        "term.at": table.at.subarray(0, terms + 1),
        "term.df": counts.frequencies.subarray(0, terms),
        "term.docs": offsets.docs,
        "term.pos": offsets.positions,
        "doc.id": documents.ids.subarray(0, documents.size * 16),
        "doc.body": documents.bodies.subarray(0, documents.size),
        "doc.year": documents.years.subarray(0, documents.size),
        "doc.day": documents.days.subarray(0, documents.size),
        "doc.title": documents.lastTitles.subarray(0, documents.size),
        "doc.wide": documents.wide.subarray(0, documents.size),
        "doc.printed": documents.printedFrom.subarray(0, documents.size)
      },
      { revision, documents: documents.size, terms, postings: offsets.postings[terms] ?? 0, averages }
    )
  } finally {
    writer.close()
  }
}
