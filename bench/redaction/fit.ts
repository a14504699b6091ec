/**
 * Fits the weights by which redaction judges whether an address, a phone number or a mail address is private, on the
 * labeled sets (README.md), the same on every run. Writes src/text/redact/weights.json.
 *
 *     npm run fit:redaction -- --data ../shared/data
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { examplesIn } from "./examples.ts"
import { fitted } from "./network.ts"

/** Weights below this are left out. */
const slight = 0.05
/**
 * An address that is private with this probability goes: one that is left harms more than one that is taken. Whoever
 * speaks for a client or an office most likely gives its address, and is taken at his word at one half.
 */
const leaning = 0.35
/** The mean of so many fits, each with its own filters, is steadier than one. */
const fits = 4

const { values: flags } = parseArgs({
  options: { data: { type: "string", default: path.join(import.meta.dirname, "../../../shared/data") } }
})
const examples = examplesIn(flags.data)
const found = Array.from({ length: fits }, (_, seed) => fitted(examples, seed + 1))

const leant = Math.log((1 - leaning) / leaning)
const rounded = (weight: number) => Number(weight.toFixed(2))
const mean = (of: (fit: (typeof found)[number]) => number): number =>
  found.reduce((sum, fit) => sum + of(fit), 0) / fits
const kept = [...(found[0]?.weights.keys() ?? [])]
  .map((name): readonly [string, number] => {
    const weight = mean(({ weights }) => weights.get(name) ?? 0)
    return [name, rounded(name === "isOffice" ? weight - leant : weight)]
  })
  .filter(([, weight]) => Math.abs(weight) >= slight)
  .sort(([one], [other]) => (one < other ? -1 : 1))

const base64 = (numbers: ReadonlyArray<number>): string =>
  Buffer.from(Float32Array.from(numbers).buffer).toString("base64")
/** A filter's answers in each zone stand together for all fits, as `answersOf` has them. */
const answers = Array.from({ length: found[0]?.answers.length ?? 0 }, (_, zone) =>
  found.flatMap((fit) => Array.from(fit.answers[zone] ?? [], (weight) => weight / fits))
)
const file = path.join(import.meta.dirname, "../../src/text/redact/weights.json")
fs.writeFileSync(
  file,
  `${JSON.stringify(
    {
      bias: rounded(mean(({ bias }) => bias) + leant),
      filters: base64(found.flatMap(({ filters }) => [...filters])),
      offsets: base64(found.flatMap(({ offsets }) => [...offsets])),
      answers: base64(answers.flat()),
      weights: Object.fromEntries(kept)
    },
    null,
    2
  )}\n`
)
console.log(`${examples.length} examples`)
