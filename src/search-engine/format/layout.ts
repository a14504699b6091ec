/** A skip list has one entry per this many postings. */
export const skipInterval = 128

/** The size of a skip entry: the last document before it, and where the next posting begins in `docs` and in `pos`. */
export const skipBytes = 12

/** A term in more than an eighth of the documents has a bitset for its postings; any other, a list of gaps. */
export const isDense = (frequency: number, documents: number): boolean => frequency > documents / 8

export const bitsetWords = (documents: number): number => (documents + 31) >>> 5

/** Offsets can exceed 4 GB, so they are float64, and rounded by division. */
export const aligned = (offset: number): number => Math.ceil(offset / 4) * 4

/** Prefix sums: a term's range is from the sum at `t` to that at `t + 1`. */
export const prefixSums = (terms: number, of: (term: number) => number): Float64Array<ArrayBuffer> => {
  const sums = new Float64Array(terms + 1)
  for (let t = 0, sum = 0; t < terms; t++) {
    sum += of(t)
    sums[t + 1] = sum
  }
  return sums
}

/**
 * Where each term begins in `docs`. A bitset begins at a multiple of four, so up to three bytes before it are padding.
 */
export const docsOffsets = (
  documents: number,
  frequencies: Uint32Array,
  gapBytes: Float64Array
): Float64Array<ArrayBuffer> => {
  const terms = frequencies.length
  const offsets = new Float64Array(terms + 1)
  let at = 0
  for (let t = 0; t < terms; t++) {
    const dense = isDense(frequencies[t] ?? 0, documents)
    if (dense) at = aligned(at)
    offsets[t] = at
    at += dense ? 4 * bitsetWords(documents) : (gapBytes[t] ?? 0)
  }
  offsets[terms] = at
  return offsets
}
