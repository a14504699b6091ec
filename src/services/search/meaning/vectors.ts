/** A vector, of which only the direction counts, as whole numbers from -127 to 127. */
export type Vector = Int8Array

/** Scales numbers so that the largest is 127: cosines of real models change by less than a hundredth. */
export const packed = (numbers: ArrayLike<number>): Vector => {
  let most = 0
  for (let at = 0; at < numbers.length; at++) most = Math.max(most, Math.abs(numbers[at] ?? 0))
  return Int8Array.from(numbers, (number) => (most === 0 ? 0 : Math.round((number / most) * 127)))
}

/** A vector as the database has it. */
export const unpacked = (bytes: Uint8Array): Vector => new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)

/** Of each number whether it is above zero, as a bit string: vectors near each other share most of these bits. */
export const sketchOf = (vector: Vector): string => Array.from(vector, (number) => (number > 0 ? "1" : "0")).join("")

/** The cosine of two vectors; 0 if they cannot be compared. */
export const likeness = (a: Vector, b: Vector): number => {
  if (a.length !== b.length) return 0
  let [dot, ofA, ofB] = [0, 0, 0]
  for (let at = 0; at < a.length; at++) {
    const [x, y] = [a[at] ?? 0, b[at] ?? 0]
    dot += x * y
    ofA += x * x
    ofB += y * y
  }
  return ofA === 0 || ofB === 0 ? 0 : dot / Math.sqrt(ofA * ofB)
}

const centerOf = (vectors: ReadonlyArray<Vector>): Vector => {
  const sum = new Float64Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0)
  return packed(sum)
}

const furthest = (from: Vector, vectors: ReadonlyArray<Vector>): Vector =>
  vectors.reduce((least, one) => (likeness(from, one) < likeness(from, least) ? one : least), from)

const rounds = 8

/** The least share of either half. */
const leastShare = 0.05

/**
 * Divides vectors into two halves (2-means, from two that are far apart): the center of each, and which vectors are in
 * the second. Undefined if they are too much alike.
 */
export const halves = (vectors: ReadonlyArray<Vector>) => {
  const [first] = vectors
  if (first === undefined) return undefined
  const one = furthest(first, vectors)
  let centers: readonly [Vector, Vector] = [one, furthest(one, vectors)]
  let isSecond: ReadonlyArray<boolean> = []
  for (let round = 0; round < rounds; round++) {
    isSecond = vectors.map((vector) => likeness(vector, centers[1]) > likeness(vector, centers[0]))
    const count = isSecond.filter(Boolean).length
    if (Math.min(count, vectors.length - count) < leastShare * vectors.length) return undefined
    const [of0, of1] = [false, true].map((which) => centerOf(vectors.filter((_, at) => isSecond[at] === which)))
    if (of0 !== undefined && of1 !== undefined) centers = [of0, of1]
  }
  return { centers, isSecond }
}
