/**
 * Profiles the service while it is browsed, draws a flame graph, and lists the most expensive functions:
 *
 *     node bench/flame.ts --svg FILE [--size 10000] [--data FOLDER] [--clients 4] [--seconds 15]
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import postgres from "postgres"
import { keptRecord, recordNamed, recordOptions } from "./load/kept.ts"
import { toldOnce } from "./load/progress.ts"
import { measure } from "./reads/ask.ts"
import { flameGraph, framesOf, type Profile, topFunctions } from "./reads/flame-graph.ts"
import { startService, stopAll } from "./reads/processes.ts"
import { rowsFor, variantsOf } from "./reads/rows.ts"
import { knownOf } from "./reads/words.ts"

const { values } = parseArgs({
  options: {
    ...recordOptions,
    clients: { type: "string", default: "4" },
    seconds: { type: "string", default: "15" },
    svg: { type: "string" }
  }
})
const { size, wanted, folder } = recordNamed(values)
const profiles = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-flame-"))

/** Cycles through all kinds of browse, never requesting a page twice. */
const browsing = (kinds: ReadonlyArray<() => string>): (() => string) => {
  let turn = 0
  return () => kinds[turn++ % kinds.length]?.() ?? "/api/meetings/browse"
}

try {
  await keptRecord(folder, wanted, toldOnce(console.log))
  // Background work, such as building the index, is finished in a run of its own: under the profiler the service never
  // comes to rest.
  await (await startService(folder)).quiet()
  await stopAll()
  const service = await startService(folder, ["--cpu-prof", `--cpu-prof-dir=${profiles}`], { ANSWER_CACHE_MB: "0" })
  const sql = postgres(service.databaseUrl, { max: 1, onnotice: () => undefined })
  const rows = rowsFor(await knownOf(sql)).filter(({ name }) => name.includes("facets") && !name.includes("misspelled"))
  await sql.end()
  const next = browsing(rows.map((row) => variantsOf(row)))
  const effort = { seconds: Number(values.seconds), least: 1, most: Number(values.seconds) }
  const from = Number(process.hrtime.bigint() / 1000n)
  const { rps } = await measure(
    () => `${service.base}${next()}`,
    Number(values.clients),
    effort,
    () => 0
  )
  await stopAll()
  const [file = ""] = fs.readdirSync(profiles).filter((name) => name.endsWith(".cpuprofile"))
  const profile = JSON.parse(fs.readFileSync(path.join(profiles, file), "utf8")) as Profile
  const root = framesOf(profile, path.join(import.meta.dirname, ".."), from)
  const svg = flameGraph(root, `Browsing ${size} meetings: the main thread of the service`)
  if (values.svg !== undefined) fs.writeFileSync(values.svg, svg)
  console.log(`${rps} requests a second; time of their own, in percent:`)
  for (const { name, share } of topFunctions(root, 25)) console.log(`  ${share.toFixed(1).padStart(5)}  ${name}`)
} finally {
  await stopAll()
  fs.rmSync(profiles, { recursive: true, force: true })
}
