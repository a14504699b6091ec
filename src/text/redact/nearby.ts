import type { TokenSpan } from "./homes.ts"
import type { Token, Tokens } from "./tokens.ts"
import { numbers, writeVector } from "./word-vectors.ts"

/** Words before a span, and after it, that are read. */
const reach = 16

/** Words that are read in all. */
export const places = 2 * reach

/** Numbers of a word: its vector, that it is there, what ends after it, if it is a number, if the span ended. */
export const width = numbers + 6
const marks = { sentence: 1, question: 2, clause: 3, number: 4, ends: 5 }

/** Places that are read together: far before, near, nearest, and the same after. */
const zones = [
  [0, 8],
  [8, 13],
  [13, 16],
  [16, 19],
  [19, 24],
  [24, 32]
] as const

/** A word with its marks, as `wordOf` writes it; undefined where nothing is said, or where it is not to be heard. */
export type Nearby = ReadonlyArray<string | undefined>

const breakOf = ({ asks, breaks }: Token): number | undefined =>
  asks ? marks.question : breaks === "" ? undefined : marks[breaks]

const wordOf = (token: Token | undefined, endsBefore: boolean): string | undefined =>
  token === undefined
    ? undefined
    : `${breakOf(token) ?? 0}${endsBefore ? marks.ends : 0}${/^\d/u.test(token.word) ? "#" : token.word}`

/** The words around a span of tokens: 16 before, and 16 after. */
export const nearbyOf = (tokens: Tokens, { from, to }: TokenSpan): Nearby => {
  const last = tokens[to - 1]
  const isEnd = last !== undefined && breakOf(last) !== undefined
  return Array.from({ length: places }, (_, place) =>
    wordOf(tokens[place < reach ? from - reach + place : to + place - reach], place === reach && isEnd)
  )
}

/** The numbers of a word: what it is like, and its marks. */
export const inputOf = (word: string): Float32Array => {
  const input = new Float32Array(width)
  const said = word.slice(2)
  writeVector(said, input)
  input[numbers] = 1
  for (const mark of [Number(word[0]), Number(word[1]), said === "#" ? marks.number : 0]) {
    if (mark > 0) input[numbers + mark] = 1
  }
  return input
}

/** Numbers that a filter weighs: those of a word and of both its neighbors. */
export const filterWidth = 3 * width

/** What each filter makes of a word as the first, the second and the third of three: the three by turns. */
export const responsesTo = (input: Float32Array, filters: Float32Array): Float32Array => {
  const count = filters.length / filterWidth
  const responses = new Float32Array(3 * count)
  for (let filter = 0; filter < count; filter++) {
    for (let turn = 0; turn < 3; turn++) {
      const weights = filter * filterWidth + turn * width
      let sum = 0
      for (let number = 0; number < width; number++) sum += (filters[weights + number] ?? 0) * (input[number] ?? 0)
      responses[turn * count + filter] = sum
    }
  }
  return responses
}

/** What each filter answers most strongly in each zone, and at which place. */
export interface Answers {
  readonly most: Float32Array
  readonly where: Uint8Array
}

/** Numbers that so many filters make of what is nearby. */
export const answersWith = (filters: number): number => zones.length * filters

/**
 * The most that each filter makes of three words in a row in each zone, at least 0: a convolution and its maximum
 * (Kim 2014, "Convolutional Neural Networks for Sentence Classification").
 */
export const answersOf = (responses: ReadonlyArray<Float32Array | undefined>, offsets: Float32Array): Answers => {
  const count = offsets.length
  const most = new Float32Array(answersWith(count))
  const where = new Uint8Array(answersWith(count))
  zones.forEach(([first, end], zone) => {
    for (let place = first; place < end; place++) {
      const three = [responses[place - 1], responses[place], responses[place + 1]]
      for (let filter = 0; filter < count; filter++) {
        let sum = offsets[filter] ?? 0
        for (let turn = 0; turn < 3; turn++) sum += three[turn]?.[turn * count + filter] ?? 0
        const at = zone * count + filter
        if (sum > (most[at] ?? 0)) {
          most[at] = sum
          where[at] = place
        }
      }
    }
  })
  return { most, where }
}
