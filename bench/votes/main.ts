/**
 * Measures which spoken votes are read out of real captions, and what is read wrongly: see README.md. Prints a table in
 * Markdown.
 *
 *     npm run bench:votes
 *     npm run bench:votes -- --data ../shared/data --verbose
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { unpack } from "../real-captions.ts"
import { precisionOf, recallOf, scoreOf, stretchesIn } from "./score.ts"

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: path.join(import.meta.dirname, "../../../shared/data") },
    verbose: { type: "boolean", default: false }
  }
})

const stretches = stretchesIn(fs.readFileSync(path.join(import.meta.dirname, "votes.tsv"), "utf8"))
const captions = unpack(flags.data)
const rows: Array<string> = []
for (const isHeldOut of [false, true]) {
  const score = scoreOf(
    stretches.filter((stretch) => stretch.isHeldOut === isHeldOut),
    captions.read
  )
  for (const kind of ["votes", "results", "counts", "ballots"] as const) {
    const [precision, recall] = [precisionOf(score[kind]).toFixed(3), recallOf(score[kind]).toFixed(3)]
    rows.push(`| ${isHeldOut ? "held out" : "tuned on"} | ${kind} | ${score[kind].wanted} | ${precision} | ${recall} |`)
  }
  // The held-out half stays unread, so that it stays held out.
  if (flags.verbose && !isHeldOut) console.error(score.errors.join("\n"))
}
captions.remove()
console.log("| half | what | labeled | precision | recall |\n| --- | --- | --: | --: | --: |")
console.log(rows.join("\n"))
