import { grown, uint8s } from "../format/growable.ts"
import { RowsRefused } from "../types.ts"

/** One row of a COPY. Its arrays are reused for the next row. */
export interface Tuple {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Where each field begins in `bytes`. */
  readonly starts: Int32Array
  /** The length of each field in bytes; -1 for null. */
  readonly lengths: Int32Array
}

/** `PGCOPY\n\377\r\n\0` (PostgreSQL, COPY, "Binary Format"). */
const signature = Uint8Array.of(80, 71, 67, 79, 80, 89, 10, 255, 13, 10, 0)
/** Signature, flags, and the length of the header extension that follows. */
const headerBytes = signature.length + 8

/** The end of the header in `bytes[0, to)`, or -1 while it is incomplete. */
const endOfHeader = (bytes: Uint8Array, view: DataView, to: number): number => {
  const seen = Math.min(to, signature.length)
  for (let i = 0; i < seen; i++) {
    if (bytes[i] !== signature[i]) throw new RowsRefused({ reason: "the rows are not a COPY in binary format" })
  }
  if (to < headerBytes) return -1
  const end = headerBytes + view.getUint32(headerBytes - 4)
  return end <= to ? end : -1
}

const trailer = -1

/**
 * The rows of `copy … to stdout (format binary)`, from the header to the trailer. Chunks may be cut anywhere: a chunk
 * may hold part of a row or many rows. A stream that ends before its trailer fails, so a truncated COPY is never taken
 * for the whole record.
 */
export async function* copyTuples(chunks: AsyncIterable<Uint8Array>, fields: number): AsyncGenerator<Tuple> {
  const starts = new Int32Array(fields)
  const lengths = new Int32Array(fields)
  let bytes = new Uint8Array(1 << 16)
  let view = new DataView(bytes.buffer)
  let [from, to] = [0, 0]
  let [begun, ended] = [false, false]

  /** Finds the fields of the row at `from`; returns the end of the row, or -1 while it is incomplete. */
  const endOfRow = (): number => {
    let at = from + 2
    for (let field = 0; field < fields; field++) {
      if (at + 4 > to) return -1
      const length = view.getInt32(at)
      at += 4
      starts[field] = at
      lengths[field] = length
      at += Math.max(0, length)
      if (at > to) return -1
    }
    return at
  }

  for await (const chunk of chunks) {
    if (to + chunk.length > bytes.length) {
      bytes.copyWithin(0, from, to)
      to -= from
      from = 0
      bytes = grown(bytes, to + chunk.length, uint8s)
      view = new DataView(bytes.buffer)
    }
    bytes.set(chunk, to)
    to += chunk.length
    if (!begun) {
      const end = endOfHeader(bytes, view, to)
      if (end < 0) continue
      begun = true
      from = end
    }
    while (!ended && from + 2 <= to) {
      const count = view.getInt16(from)
      if (count === trailer) ended = true
      else if (count !== fields) throw new RowsRefused({ reason: `a row has ${count} fields instead of ${fields}` })
      else {
        const end = endOfRow()
        if (end < 0) break
        yield { bytes, view, starts, lengths }
        from = end
      }
    }
  }
  if (!ended) throw new RowsRefused({ reason: "the rows end before the end of the COPY" })
}
