/**
 * Loads a record of made-up bodies with real words, and caches it for benchmarks:
 *
 *     node bench/load/main.ts --size 100000 [--data FOLDER] [--seed TEXT] [--words N] [--through copy|import]
 */
import { parseArgs } from "node:util"
import { keptRecord, recordNamed, recordOptions } from "./kept.ts"
import { toldOnce } from "./progress.ts"

const { values } = parseArgs({
  options: {
    ...recordOptions,
    through: { type: "string", default: "copy" }
  }
})
const { wanted, folder } = recordNamed(values, values.through === "import" ? "import" : "copy")
const { plan, seconds } = await keptRecord(folder, wanted, toldOnce(console.log))
console.log(`${plan.size} meetings with words of ${plan.speech} in ${folder}; loading them took ${seconds} s.`)
