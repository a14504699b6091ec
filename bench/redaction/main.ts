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

const sets: Array<readonly [string, ReadonlyArray<Outcome>]> = [
  ["phrasings", phraseOutcomes(false)],
  ["phrasings in capitals", phraseOutcomes(true)]
]
if (fs.existsSync(path.join(flags.data, "knox-tn.tar.gz"))) {
  sets.push(
    ["captions", captionOutcomes(flags.data, false)],
    ["captions in capitals", captionOutcomes(flags.data, true)]
  )
} else console.error(`${flags.data} has no captions, so only the phrasings are measured.`)

console.log("| set | kind | candidates | recall | precision |\n| --- | --- | --: | --: | --: |")
for (const [name, outcomes] of sets) {
  for (const isHeldOut of [false, true]) {
    const half = outcomes.filter((outcome) => outcome.isHeldOut === isHeldOut)
    console.log(table(`${name}, ${isHeldOut ? "held out" : "tuned on"}`, half).join("\n"))
    // The held-out half stays unread, so that it stays held out.
    if (!flags.verbose || isHeldOut) continue
    for (const { label, isRemoved, name: of } of half) {
      if (isRemoved === (label === "stays")) console.error(`${label}, ${isRemoved ? "removed" : "left"}: ${of}`)
    }
  }
}
