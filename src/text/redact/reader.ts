import { LRUCache } from "lru-cache"
import type { Nearby } from "./nearby.ts"
import { numbers } from "./word-vectors.ts"

/** Numbers of a state, which sums up what was read so far. */
export const states = 64
/** The gates of a state: what it resets, what it keeps, and what is new. */
const gates = 3 * states

/** A network that reads words forward and backward; matrices are row by row. */
export interface Reader {
  readonly vectorOf: (word: string) => Float32Array
  /** What what ends after a word (four rows) adds to its vector, and what each word gets. */
  readonly marks: Float32Array
  readonly offset: Float32Array
  /** Forward and backward: what a word and the state before give the gates. */
  readonly directions: ReadonlyArray<{
    readonly ofWord: Float32Array
    readonly ofState: Float32Array
    readonly wordOffset: Float32Array
    readonly stateOffset: Float32Array
  }>
  /** A layer of as many numbers as a state, over what both directions made of the words; and its output. */
  readonly hidden: Float32Array
  readonly hiddenOffset: Float32Array
  readonly output: Float32Array
  readonly bias: number
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
const gatesOf = ({ vectorOf, marks, offset, directions }: Reader, word: string): ReadonlyArray<Float32Array> => {
  const ending = Number(word[0])
  const vector = vectorOf(word.slice(1)).map((number, at) =>
    Math.max(0, number + (marks[ending * numbers + at] ?? 0) + (offset[at] ?? 0))
  )
  return directions.map(({ ofWord, wordOffset }) => transformed(ofWord, vector, wordOffset, new Float32Array(gates)))
}

/** The states of a GRU (Cho et al. 2014) after each word, one behind the other; read from the last on if backward. */
const statesAfter = (
  given: ReadonlyArray<Float32Array>,
  { ofState, stateOffset }: Reader["directions"][number],
  isBackward: boolean
): Float32Array => {
  const all = new Float32Array(given.length * states)
  const ofBefore = new Float32Array(gates)
  let state = new Float32Array(states)
  for (let read = 0; read < given.length; read++) {
    const place = isBackward ? given.length - 1 - read : read
    const word = given[place] ?? ofBefore
    const next = all.subarray(place * states, (place + 1) * states)
    transformed(ofState, state, stateOffset, ofBefore)
    for (let at = 0; at < states; at++) {
      const reset = sigmoid((word[at] ?? 0) + (ofBefore[at] ?? 0))
      const keep = sigmoid((word[states + at] ?? 0) + (ofBefore[states + at] ?? 0))
      const fresh = Math.tanh((word[2 * states + at] ?? 0) + reset * (ofBefore[2 * states + at] ?? 0))
      next[at] = (1 - keep) * fresh + keep * (state[at] ?? 0)
    }
    state = next
  }
  return all
}

/** What the last layers make of what was found. */
const summedUp = ({ hidden: matrix, hiddenOffset, output, bias }: Reader) => {
  const hidden = new Float32Array(states)
  return (found: Float32Array): number =>
    transformed(matrix, found, hiddenOffset, hidden).reduce(
      (sum, number, at) => sum + Math.max(0, number) * (output[at] ?? 0),
      bias
    )
}

/** The most words whose gates are remembered, 1.5 KB each. */
const mostWords = 4000

/** Reads words (`wordOf`) in both directions: the states after each, one behind the other. */
const readingWith = (reader: Reader): ((words: ReadonlyArray<string>) => ReadonlyArray<Float32Array>) => {
  const given = new LRUCache<string, ReadonlyArray<Float32Array>>({
    max: mostWords,
    memoMethod: (word) => gatesOf(reader, word)
  })
  return (words) => {
    const gates = words.map((word) => given.memo(word))
    return reader.directions.map((direction, side) =>
      statesAfter(
        gates.map((word) => word[side] ?? new Float32Array()),
        direction,
        side === 1
      )
    )
  }
}

/** The most candidates whose sums are remembered, which texts that repeat have. */
const mostJudged = 1000

/**
 * How private a candidate is, by the words before, within and after it: of each part the greatest number that any word
 * left in each place of the state, and of the candidate the mean, too.
 */
export const judgeWith = (reader: Reader): ((nearby: Nearby) => number) => {
  const read = readingWith(reader)
  const summed = summedUp(reader)
  const [own, size] = [1, 2 * states]
  const sumOf = (parts: ReadonlyArray<ReadonlyArray<string>>): number => {
    const mean = parts.length * size
    const found = new Float32Array(mean + size).fill(-1, 0, mean)
    for (const [side, after] of read(parts.flat()).entries()) {
      let place = 0
      for (const [part, words] of parts.entries()) {
        const [most, average] = [part * size + side * states, mean + side * states]
        for (const end = place + words.length * states; place < end; place++) {
          const at = place % states
          const number = after[place] ?? 0
          if (number > (found[most + at] ?? 0)) found[most + at] = number
          if (part === own) found[average + at] = (found[average + at] ?? 0) + number / words.length
        }
      }
    }
    return summed(found)
  }
  const sums = new LRUCache<string, number>({
    max: mostJudged,
    memoMethod: (key) => sumOf(key.split("\n").map((part) => part.split(" ").filter(Boolean)))
  })
  return (nearby) => sums.memo(nearby.map((part) => part.join(" ")).join("\n"))
}

/** How private each word of a text is, as the logarithm of its odds. */
export const tagWith = (reader: Reader): ((words: ReadonlyArray<string>) => ReadonlyArray<number>) => {
  const read = readingWith(reader)
  const summed = summedUp(reader)
  const found = new Float32Array(2 * states)
  return (words) => {
    const sides = read(words)
    return words.map((_, place) => {
      for (const [side, after] of sides.entries())
        found.set(after.subarray(place * states, (place + 1) * states), side * states)
      return summed(found)
    })
  }
}
