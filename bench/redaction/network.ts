import { answersOf, answersWith, filterWidth, inputOf, responsesTo, width } from "../../src/text/redact/nearby.ts"
import type { Example } from "./examples.ts"

/** Features of fewer examples than this say nothing. */
const least = 5
const shrink = 3
const epochs = 7
const batch = 128
const filterCount = 32
const rates = { features: 5e-3, filters: 2e-3 }
const decay = 5e-3
/** The share of answers, and of words, that are withheld at random while fitting. */
const withheld = { answers: 0.5, words: 0.1 }

/** Random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Numbers to be found, and the step of Adam (Kingma and Ba 2015) that moves them down a slope. */
const parameters = (values: Float32Array, rate: number, decay: number) => {
  const [first, second] = [new Float32Array(values.length), new Float32Array(values.length)]
  const slope = new Float32Array(values.length)
  let steps = 0
  const step = () => {
    steps++
    const [one, two] = [1 - 0.9 ** steps, 1 - 0.999 ** steps]
    for (let at = 0; at < values.length; at++) {
      const down = slope[at] ?? 0
      const [mean, square] = [0.9 * (first[at] ?? 0) + 0.1 * down, 0.999 * (second[at] ?? 0) + 0.001 * down * down]
      first[at] = mean
      second[at] = square
      const value = values[at] ?? 0
      values[at] = value - rate * (mean / one / (Math.sqrt(square / two) + 1e-8) + decay * value)
    }
    slope.fill(0)
  }
  return { values, slope, step }
}

const shuffled = <A>(items: ReadonlyArray<A>, random: () => number): ReadonlyArray<A> => {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [one, two] = [all[at], all[other]]
    if (one === undefined || two === undefined) continue
    all[at] = two
    all[other] = one
  }
  return all
}

/** Weights of features, and filters of the words nearby with what each one's answer in each zone counts. */
export interface Fitted {
  readonly bias: number
  readonly weights: ReadonlyMap<string, number>
  readonly filters: Float32Array
  readonly offsets: Float32Array
  readonly answers: ReadonlyArray<Float32Array>
}

/** A logistic regression on the features, and a convolution over the words nearby, fitted together. */
export const fitted = (examples: ReadonlyArray<Example>, seed: number): Fitted => {
  const random = randomFrom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const counts = new Map<string, number>()
  for (const { features } of examples) for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].filter(([, count]) => count >= least).map(([name]) => name)
  const known = new Map(names.map((name, at) => [name, at + 1]))
  const size = answersWith(filterCount)
  // The first weight is the bias, which every example has.
  const rows = examples.map((example) => ({
    ...example,
    row: Uint32Array.from([0, ...example.features.flatMap((name) => known.get(name) ?? [])])
  }))
  const weights = parameters(new Float32Array(names.length + 1), rates.features, 0)
  const filters = parameters(
    Float32Array.from({ length: filterCount * filterWidth }, () => normal() / Math.sqrt(filterWidth)),
    rates.filters,
    decay
  )
  const offsets = parameters(new Float32Array(filterCount), rates.filters, decay)
  const answers = parameters(
    Float32Array.from({ length: size }, () => normal() / 20),
    rates.filters,
    decay
  )
  const inputs = new Map<string, Float32Array>()
  const inputTo = (word: string): Float32Array => {
    const input = inputs.get(word) ?? inputOf(word)
    inputs.set(word, input)
    return input
  }
  const learn = ({ row, nearby, isPrivate, weight }: (typeof rows)[number], among: number) => {
    const heard = nearby.map((word) => (word === undefined || random() < withheld.words ? undefined : inputTo(word)))
    const { most, where } = answersOf(
      heard.map((input) => (input === undefined ? undefined : responsesTo(input, filters.values))),
      offsets.values
    )
    const counted = most.map((answer) => (random() < withheld.answers ? 0 : answer / (1 - withheld.answers)))
    let sum = 0
    for (const at of row) sum += weights.values[at] ?? 0
    for (let at = 0; at < size; at++) sum += (counted[at] ?? 0) * (answers.values[at] ?? 0)
    const error = (weight * (1 / (1 + Math.exp(-sum)) - (isPrivate ? 1 : 0))) / among
    for (const at of row) weights.slope[at] = (weights.slope[at] ?? 0) + error
    for (let at = 0; at < size; at++) {
      const answer = counted[at] ?? 0
      if (answer === 0) continue
      answers.slope[at] = (answers.slope[at] ?? 0) + error * answer
      const back = (error * (answers.values[at] ?? 0)) / (1 - withheld.answers)
      const filter = at % filterCount
      offsets.slope[filter] = (offsets.slope[filter] ?? 0) + back
      for (let turn = 0; turn < 3; turn++) {
        const input = heard[(where[at] ?? 0) + turn - 1]
        const into = filter * filterWidth + turn * width
        for (let number = 0; number < (input?.length ?? 0); number++) {
          filters.slope[into + number] = (filters.slope[into + number] ?? 0) + back * (input?.[number] ?? 0)
        }
      }
    }
  }
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = shuffled(rows, random)
    for (let from = 0; from < order.length; from += batch) {
      const some = order.slice(from, from + batch)
      for (let at = 1; at < weights.values.length; at++) {
        weights.slope[at] = (shrink / rows.length) * (weights.values[at] ?? 0)
      }
      for (const example of some) learn(example, some.length)
      for (const { step } of [weights, filters, offsets, answers]) step()
    }
  }
  return {
    bias: weights.values[0] ?? 0,
    weights: new Map(names.map((name, at) => [name, weights.values[at + 1] ?? 0])),
    filters: filters.values,
    offsets: offsets.values,
    answers: Array.from({ length: size / filterCount }, (_, zone) =>
      answers.values.slice(zone * filterCount, (zone + 1) * filterCount)
    )
  }
}
