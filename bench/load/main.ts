/**
 * Loads a record of made-up bodies with real words and keeps it for benchmarks:
 *
 *     node bench/load/main.ts --size 100000 [--data FOLDER] [--seed TEXT] [--words N] [--through copy|import]
 */
import { parseArgs } from "node:util"
import { keptRecord, usualFolder, usualWords } from "./kept.ts"
import { toldOnce } from "./progress.ts"

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    words: { type: "string" },
    data: { type: "string" },
    through: { type: "string", default: "copy" }
  }
})
const size = Number(values.size)
const wanted = {
  size,
  seed: values.seed,
  words: values.words === undefined ? usualWords(size) : Number(values.words),
  through: values.through === "import" ? ("import" as const) : ("copy" as const)
}
const folder = values.data ?? usualFolder(wanted)
const { plan, seconds } = await keptRecord(folder, wanted, toldOnce(console.log))
console.log(`${plan.size} meetings with words of ${plan.speech} in ${folder}; loading them took ${seconds} s.`)
