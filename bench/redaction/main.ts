/**
 * Measures which home addresses, phone numbers, e-mail addresses and P.O. boxes the rules of redaction remove, and what
 * they remove wrongly: see README.md. Prints a table in Markdown.
 *
 *     npm run bench:redaction
 *     npm run bench:redaction -- --data ../shared/data --verbose
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { captionOutcomes } from "./captions.ts"
import { phraseOutcomes } from "./phrases.ts"
import { type Outcome, table } from "./score.ts"

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: path.join(import.meta.dirname, "../../../shared/data") },
    verbose: { type: "boolean", default: false }
  }
})

type Measure = (inCapitals: boolean) => ReadonlyArray<Outcome>

const sets: Array<readonly [name: string, measure: Measure, isHeldOut: boolean]> = [
  ["phrasings, fitted on", (inCapitals) => phraseOutcomes("phrases.tsv", inCapitals), false],
  ["phrasings, held out", (inCapitals) => phraseOutcomes("phrases-held-out.tsv", inCapitals), true],
  ["phrasings, blind", (inCapitals) => phraseOutcomes("phrases-blind.tsv", inCapitals), true],
  ["letters, held out", (inCapitals) => phraseOutcomes("letters.tsv", inCapitals), true]
]
if (fs.existsSync(path.join(flags.data, "knox-tn.tar.gz"))) {
  sets.push(
    ["captions, fitted on", (inCapitals) => captionOutcomes(flags.data, "captions.tsv", inCapitals), false],
    ["captions, held out", (inCapitals) => captionOutcomes(flags.data, "captions-held-out.tsv", inCapitals), true],
    ["captions, blind", (inCapitals) => captionOutcomes(flags.data, "captions-blind.tsv", inCapitals), true]
  )
} else console.error(`${flags.data} has no captions, so only the phrasings and letters are measured.`)

console.log("| set | kind | candidates | recall | precision |\n| --- | --- | --: | --: | --: |")
for (const [name, measure, isHeldOut] of sets) {
  for (const inCapitals of [false, true]) {
    const outcomes = measure(inCapitals)
    console.log(table(inCapitals ? `${name}, in capitals` : name, outcomes).join("\n"))
    // What is held out stays unread, so that it stays held out.
    if (!flags.verbose || isHeldOut) continue
    for (const { label, isRemoved, name: of } of outcomes) {
      if (isRemoved === (label === "stays")) console.error(`${label}, ${isRemoved ? "removed" : "left"}: ${of}`)
    }
  }
}
