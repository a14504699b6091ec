import { LRUCache } from "lru-cache"
import type { Nearby } from "./nearby.ts"
import { numbers, vectorOf } from "./word-vectors.ts"

/** Numbers of a state, which sums up what was read so far. */
export const states = 64
/** The gates of a state: what it resets, what it keeps, and what is new. */
const gates = 3 * states

/** Matrices are row by row. */
export interface Reader {
  /** What what ends after a word (four rows) and where it stands (three) add to its vector; and what each word gets. */
  readonly marks: Float32Array
  readonly offset: Float32Array
  /** Forward and backward: what a word and the state before give the gates. */
  readonly directions: ReadonlyArray<{
    readonly ofWord: Float32Array
    readonly ofState: Float32Array
    readonly wordOffset: Float32Array
    readonly stateOffset: Float32Array
  }>
  /** A layer of as many numbers as a state, over what both directions make of the three parts; and its output. */
  readonly hidden: Float32Array
  readonly hiddenOffset: Float32Array
  readonly output: Float32Array
}

/**
 * `offset + matrix * vector`, into an array that is as long as the offset. The vector's length is a multiple of four:
 * so many products are added up side by side, which takes half of the time.
 */
const transformed = (matrix: Float32Array, vector: Float32Array, offset: Float32Array, into: Float32Array) => {
  const width = vector.length
  for (let row = 0, at = 0; row < offset.length; row++) {
    let [one, two, three, four] = [offset[row] ?? 0, 0, 0, 0]
    for (let column = 0; column < width; column += 4, at += 4) {
      one += (matrix[at] ?? 0) * (vector[column] ?? 0)
      two += (matrix[at + 1] ?? 0) * (vector[column + 1] ?? 0)
      three += (matrix[at + 2] ?? 0) * (vector[column + 2] ?? 0)
      four += (matrix[at + 3] ?? 0) * (vector[column + 3] ?? 0)
    }
    into[row] = one + two + three + four
  }
  return into
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/** What a word gives the gates of each direction. */
const gatesOf = ({ marks, offset, directions }: Reader, word: string, zone: number): ReadonlyArray<Float32Array> => {
  const ending = Number(word[0])
  const vector = vectorOf(word.slice(1)).map((number, at) =>
    Math.max(
      0,
      number + (marks[ending * numbers + at] ?? 0) + (marks[(4 + zone) * numbers + at] ?? 0) + (offset[at] ?? 0)
    )
  )
  return directions.map(({ ofWord, wordOffset }) => transformed(ofWord, vector, wordOffset, new Float32Array(gates)))
}

/** The states after each of the words, whose gates are given, one after the other: a GRU (Cho et al. 2014). */
const statesAfter = (
  given: ReadonlyArray<Float32Array>,
  { ofState, stateOffset }: Reader["directions"][number]
): ReadonlyArray<Float32Array> => {
  let state = new Float32Array(states)
  const ofBefore = new Float32Array(gates)
  return given.map((word) => {
    transformed(ofState, state, stateOffset, ofBefore)
    const next = new Float32Array(states)
    for (let at = 0; at < states; at++) {
      const reset = sigmoid((word[at] ?? 0) + (ofBefore[at] ?? 0))
      const keep = sigmoid((word[states + at] ?? 0) + (ofBefore[states + at] ?? 0))
      const fresh = Math.tanh((word[2 * states + at] ?? 0) + reset * (ofBefore[2 * states + at] ?? 0))
      next[at] = (1 - keep) * fresh + keep * (state[at] ?? 0)
    }
    state = next
    return next
  })
}

/** The most words whose gates are remembered, 1.5 KB each, and the most candidates, which texts that repeat have. */
const [mostWords, mostRead] = [4000, 1000]

/**
 * Reads the words before, within and after a candidate forward and backward, and sums up how private it is: of each
 * part the greatest number that any word left in each place of the state, and of the candidate the mean, too.
 */
export const readWith = (reader: Reader): ((nearby: Nearby) => number) => {
  const given = new LRUCache<string, ReadonlyArray<Float32Array>>({
    max: mostWords,
    memoMethod: (key) => gatesOf(reader, key.slice(1), Number(key[0]))
  })
  const sums = new LRUCache<string, number>({
    max: mostRead,
    memoMethod: (key) => sumOf(key.split("\n").map((part) => part.split(" ").filter(Boolean)))
  })
  const sumOf = (parts: ReadonlyArray<ReadonlyArray<string>>): number => {
    const words = parts.flatMap((part, zone) => part.map((word) => ({ zone, given: given.memo(`${zone}${word}`) })))
    const size = 2 * states
    const found = new Float32Array(4 * size).fill(-1, 0, 3 * size)
    const within = Math.max(1, parts[1]?.length ?? 0)
    reader.directions.forEach((direction, side) => {
      const inOrder = side === 0 ? words : words.toReversed()
      const after = statesAfter(
        inOrder.map(({ given }) => given[side] ?? new Float32Array(gates)),
        direction
      )
      inOrder.forEach(({ zone }, place) => {
        const state = after[place]
        const most = zone * size + side * states
        const mean = 3 * size + side * states
        for (let at = 0; at < states; at++) {
          const number = state?.[at] ?? 0
          if (number > (found[most + at] ?? 0)) found[most + at] = number
          if (zone === 1) found[mean + at] = (found[mean + at] ?? 0) + number / within
        }
      })
    })
    const hidden = transformed(reader.hidden, found, reader.hiddenOffset, new Float32Array(states))
    return hidden.reduce((sum, number, at) => sum + Math.max(0, number) * (reader.output[at] ?? 0), 0)
  }
  return (nearby) => sums.memo(nearby.map((part) => part.join(" ")).join("\n"))
}
