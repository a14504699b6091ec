import { hasBit } from "../format/document-set.ts"
import { uint8s } from "../format/growable.ts"
import { aligned, bitsetWords, isDense, skipInterval } from "../format/layout.ts"
import { compareAge, type Part } from "../format/part.ts"
import type { Segment } from "../format/segment.ts"
import { SegmentWriter } from "../format/segment-files.ts"
import { TermTable } from "../format/term-table.ts"
import { VarintReader, writeVarint } from "../format/varint.ts"
import type { SegmentMeta } from "../types.ts"

/** A part to merge. The segment may be opened a second time, for example in a worker. */
type Source = Pick<Part, "segment" | "live">

/** The documents of the new segment, in order, each with its source and its number there, and the inverse mapping. */
const renumber = (sources: ReadonlyArray<Source>) => {
  const numbers = sources.map(({ segment }) => new Int32Array(segment.documents).fill(-1))
  const places: Array<{ readonly segment: Segment; readonly document: number }> = []
  const at = sources.map(() => 0)
  for (;;) {
    let oldest = -1
    for (const [i, { segment, live }] of sources.entries()) {
      let document = at[i] ?? 0
      while (document < segment.documents && !hasBit(live, document)) document++
      at[i] = document
      if (document === segment.documents) continue
      const other = sources[oldest]
      if (other === undefined || compareAge(segment, document, other.segment, at[oldest] ?? 0) < 0) oldest = i
    }
    const source = sources[oldest]
    if (source === undefined) return { numbers, places }
    const document = at[oldest] ?? 0
    const renumbered = numbers[oldest]
    if (renumbered !== undefined) renumbered[document] = places.length
    places.push({ segment: source.segment, document })
    at[oldest] = document + 1
  }
}

/** The postings of one term in the new segment, before they are sorted by document. */
interface Postings {
  readonly documents: Array<number>
  readonly impacts: Array<number>
  /** The length-prefixed positions of each. */
  readonly positions: Array<Uint8Array>
}

const collect = (
  { documents, impacts, positions }: Postings,
  segment: Segment,
  term: number,
  numbers: Int32Array | undefined
) => {
  const impactsOfTerm = segment.piece("impact", term)
  const reader = new VarintReader(segment.piece("pos", term))
  for (const [i, document] of segment.listOf(term).entries()) {
    const from = reader.at
    reader.skip()
    const renumbered = numbers?.[document] ?? -1
    if (renumbered < 0) continue
    documents.push(renumbered)
    impacts.push(impactsOfTerm[i] ?? 0)
    positions.push(reader.bytes.subarray(from, reader.at))
  }
}

/** Appends consecutive terms to the piece files (`inverted-pass.ts` writes the same form in ranges). */
class TermAppender {
  readonly frequencies: Array<number> = []
  readonly docsOffsets: Array<number> = []
  readonly positionOffsets: Array<number> = [0]
  postings = 0
  #docsAt = 0
  readonly #writer: SegmentWriter
  readonly #documents: number

  constructor(writer: SegmentWriter, documents: number) {
    this.#writer = writer
    this.#documents = documents
  }

  append({ documents, impacts, positions }: Postings) {
    const frequency = documents.length
    const order = [...documents.keys()].sort((a, b) => (documents[a] ?? 0) - (documents[b] ?? 0))
    const dense = isDense(frequency, this.#documents)
    const bits = new Uint32Array(dense ? bitsetWords(this.#documents) : 0)
    const gaps = uint8s(dense ? 0 : 5 * frequency)
    const skips: Array<number> = []
    const lists = order.map((i) => positions[i] ?? new Uint8Array(0))
    let [last, docsAt, positionsAt] = [-1, 0, 0]
    for (const [n, i] of order.entries()) {
      const document = documents[i] ?? 0
      if (dense) bits[document >>> 5] = (bits[document >>> 5] ?? 0) | (1 << (document & 31))
      else docsAt = writeVarint(gaps, docsAt, document - last - 1)
      last = document
      positionsAt += positions[i]?.length ?? 0
      if ((n + 1) % skipInterval === 0) skips.push(document, docsAt, positionsAt)
    }
    if (dense) this.#pad()
    this.docsOffsets.push(this.#docsAt)
    const docs = dense ? bits : gaps.subarray(0, docsAt)
    this.#docsAt += docs.byteLength
    this.#writer.append("docs", docs)
    this.#writer.append(
      "impact",
      Uint8Array.from(order, (i) => impacts[i] ?? 0)
    )
    this.#writer.append("pos", Buffer.concat(lists))
    this.#writer.append("skip", Uint32Array.from(skips))
    this.frequencies.push(frequency)
    this.positionOffsets.push((this.positionOffsets.at(-1) ?? 0) + positionsAt)
    this.postings += frequency
  }

  end() {
    this.docsOffsets.push(this.#docsAt)
  }

  #pad() {
    const to = aligned(this.#docsAt)
    this.#writer.append("docs", uint8s(to - this.#docsAt))
    this.#docsAt = to
  }
}

/**
 * Writes one segment into `directory` with the live documents of these parts, equal to one built from their rows,
 * except that impacts are copied and so reflect the average lengths they were computed with. The largest term has to
 * fit in memory: merging is for small segments, and a base is rebuilt from the record.
 */
export const mergeSegments = (
  sources: ReadonlyArray<Source>,
  directory: string,
  { revision, durable = true }: { readonly revision: number; readonly durable?: boolean }
): SegmentMeta => {
  const largest = sources.map(({ segment }) => segment).toSorted((a, b) => b.documents - a.documents)[0]
  if (largest === undefined) throw new RangeError("there is no segment to merge")
  const { numbers, places } = renumber(sources)
  const table = new TermTable()
  const writer = new SegmentWriter(directory, durable)
  try {
    const appender = new TermAppender(writer, places.length)
    for (const { segment } of sources) {
      const { bytes, at } = segment.terms
      for (let term = 0; term < segment.terms.size; term++) {
        const [from = 0, to = 0] = [at[term], at[term + 1]]
        if (table.find(bytes, from, to) >= 0) continue
        const postings: Postings = { documents: [], impacts: [], positions: [] }
        for (const [i, source] of sources.entries()) {
          const same = source.segment.terms.find(bytes, from, to)
          if (same >= 0) collect(postings, source.segment, same, numbers[i])
        }
        if (postings.documents.length === 0) continue
        table.number(bytes, from, to)
        appender.append(postings)
      }
    }
    appender.end()
    return writer.finish(
      {
        "term.bytes": table.bytes.subarray(0, table.at[table.size] ?? 0),
        "term.at": table.at.subarray(0, table.size + 1),
        "term.df": Uint32Array.from(appender.frequencies),
        "term.docs": Float64Array.from(appender.docsOffsets),
        "term.pos": Float64Array.from(appender.positionOffsets),
        "doc.id": Buffer.concat(
          places.map(({ segment, document }) => segment.ids.subarray(document * 16, document * 16 + 16))
        ),
        "doc.body": Uint32Array.from(places, ({ segment, document }) => segment.bodies[document] ?? 0),
        "doc.year": Int16Array.from(places, ({ segment, document }) => segment.years[document] ?? 0),
        "doc.day": Int32Array.from(places, ({ segment, document }) => segment.days[document] ?? 0),
        "doc.title": Uint16Array.from(places, ({ segment, document }) => segment.lastTitles[document] ?? 0),
        "doc.wide": Uint8Array.from(places, ({ segment, document }) => segment.wide[document] ?? 0),
        "doc.printed": Uint32Array.from(places, ({ segment, document }) => segment.printedFrom[document] ?? 0)
      },
      {
        revision,
        documents: places.length,
        terms: table.size,
        postings: appender.postings,
        averages: largest.meta.averages
      }
    )
  } finally {
    writer.close()
  }
}
