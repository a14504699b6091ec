/**
 * Measures the public reads of the service beside a hand-written service (`peers/`) and, for repeated requests, beside
 * bare `node:http`, on a record of made-up bodies with real words:
 *
 *     npm run bench -- [--size 10000] [--clients 1,10,50] [--only TEXT] [--json FILE] [--markdown] [--data FOLDER]
 *
 * Exits with 1 if the two sides answer differently anywhere. The npm script gives this process a young space of 1 MB,
 * so that what it has read is collected in bits: its own collections of the whole heap were most of what p99 told.
 */
import * as fs from "node:fs"
import { parseArgs } from "node:util"
import { keptRecord, recordNamed, recordOptions } from "./load/kept.ts"
import { toldOnce } from "./load/progress.ts"
import { stopAll } from "./reads/processes.ts"
import { measureReads } from "./reads/reads.ts"
import { heading, line, machine, markdown, type Result } from "./reads/report.ts"

const { values } = parseArgs({
  options: {
    ...recordOptions,
    clients: { type: "string", default: "1,10,50" },
    only: { type: "string" },
    /** Minimum seconds for which each figure is measured. */
    seconds: { type: "string", default: "0.7" },
    json: { type: "string" },
    markdown: { type: "boolean", default: false }
  }
})
const { size, wanted, folder } = recordNamed(values)
// With Markdown, standard output has only the table; progress goes to standard error.
const say = values.markdown ? console.error : console.log
const results: Array<Result> = []
const differences: Array<string> = []

const finish = async () => {
  await stopAll()
  process.exit(1)
}
process.once("SIGINT", finish)
process.once("SIGTERM", finish)

try {
  const { plan } = await keptRecord(folder, wanted, toldOnce(say))
  say(`${plan.size} meetings with words of ${plan.speech} in ${folder}\n\n${heading()}`)
  const resident = await measureReads(folder, {
    clients: values.clients.split(",").map(Number),
    effort: { seconds: Number(values.seconds), least: 300, most: 10 },
    warmUp: 1,
    runIn: 10,
    changes: 8,
    ...(values.only === undefined ? {} : { only: values.only }),
    onResult: (result) => {
      results.push(result)
      say(line(result))
    },
    onDifference: (name, asked, difference) => {
      differences.push(`${name}\n  ${asked}\n  ${difference}`)
      say(`UNEQUAL  ${name}\n  ${asked}\n  ${difference}`)
    }
  })
  const only = values.only === undefined ? "" : ` --only "${values.only}"`
  const about = {
    machine: machine(),
    command: `npm run bench -- --size ${size}${values.words === undefined ? "" : ` --words ${wanted.words}`}${wanted.pages > 0 ? ` --pages ${wanted.pages}` : ""} --clients ${values.clients}${only}`,
    record: `${plan.size} meetings, transcripts of about ${plan.words} words of ${plan.speech}${wanted.pages > 0 ? `, packets of about ${wanted.pages} pages` : ""}`,
    at: new Date().toISOString(),
    resident_mb: resident
  }
  say(`\nThe service has ${resident} MB resident.`)
  if (values.json !== undefined)
    fs.writeFileSync(values.json, `${JSON.stringify({ ...about, rows: results }, null, 2)}\n`)
  if (values.markdown) console.log(markdown(about, results))
  if (differences.length > 0) {
    console.error(`\n${differences.length} answers differ, so their figures say nothing:\n${differences.join("\n")}`)
    process.exitCode = 1
  }
} finally {
  await stopAll()
}
