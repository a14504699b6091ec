/**
 * Fits the weights by which redaction judges whether an address, a phone number or a mail address is private: a
 * logistic regression on the labeled sets (README.md), the same on every run. Writes src/text/redact/weights.json.
 *
 *     npm run fit:redaction -- --data ../shared/data
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { type Example, examplesIn } from "./examples.ts"

/** Features of fewer examples than this say nothing. */
const least = 5
const shrink = 3
const rounds = 300
const rate = 0.05
/** Weights below this are left out. */
const slight = 0.05

const fitted = (examples: ReadonlyArray<Example>) => {
  const counts = new Map<string, number>()
  for (const { features } of examples) for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1)
  const names = [...counts].filter(([, count]) => count >= least).map(([name]) => name)
  const places = new Map(names.map((name, at) => [name, at + 1]))
  // The first weight is the bias, which every example has.
  const rows = examples.map(({ features }) =>
    Uint32Array.from([0, ...features.flatMap((name) => places.get(name) ?? [])])
  )
  const size = names.length + 1
  const [weights, first, second] = [new Float64Array(size), new Float64Array(size), new Float64Array(size)]
  for (let round = 1; round <= rounds; round++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : shrink * weight))
    examples.forEach(({ isPrivate, weight }, at) => {
      const row = rows[at] ?? new Uint32Array()
      let sum = 0
      for (const place of row) sum += weights[place] ?? 0
      const error = weight * (1 / (1 + Math.exp(-sum)) - (isPrivate ? 1 : 0))
      for (const place of row) slope[place] = (slope[place] ?? 0) + error
    })
    for (let at = 0; at < size; at++) {
      const step = slope[at] ?? 0
      first[at] = 0.9 * (first[at] ?? 0) + 0.1 * step
      second[at] = 0.999 * (second[at] ?? 0) + 0.001 * step * step
      const move = (first[at] ?? 0) / (1 - 0.9 ** round)
      const scale = Math.sqrt((second[at] ?? 0) / (1 - 0.999 ** round)) + 1e-8
      weights[at] = (weights[at] ?? 0) - (rate * move) / scale
    }
  }
  const rounded = (weight: number | undefined) => Number((weight ?? 0).toFixed(2))
  const kept = names
    .map((name, at): readonly [string, number] => [name, rounded(weights[at + 1])])
    .filter(([, weight]) => Math.abs(weight) >= slight)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return { bias: rounded(weights[0]), weights: Object.fromEntries(kept) }
}

const { values: flags } = parseArgs({
  options: { data: { type: "string", default: path.join(import.meta.dirname, "../../../shared/data") } }
})
const examples = examplesIn(flags.data)
const file = path.join(import.meta.dirname, "../../src/text/redact/weights.json")
fs.writeFileSync(file, `${JSON.stringify(fitted(examples), null, 2)}\n`)
console.log(`${examples.length} examples`)
