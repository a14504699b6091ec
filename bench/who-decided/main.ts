/**
 * Measures people, matters and votes: how long New York's archive takes to import, whether everything in its files is
 * on record, and how long pages of it take. Prints two tables in Markdown; see README.md.
 *
 *     npm run bench:who-decided -- [--data ../shared/data] [--keep FOLDER]
 *
 * With --keep, a record that was imported there before is used again. Exits with 1 if a count differs.
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Effect, Redacted } from "effect"
import postgres from "postgres"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { startEmbeddedPostgres } from "../../layers/db/embedded-postgres/embedded-postgres.ts"
import { postmaster } from "../../layers/db/embedded-postgres/postmaster.ts"
import { migrate } from "../../layers/db/migrate.ts"
import { cpuOf, postgresCpu } from "../reads/cpu.ts"
import { startService, stopAll } from "../reads/processes.ts"
import { countsIn, countsOnRecord } from "./counts.ts"
import { measurePages } from "./pages.ts"

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: path.join(import.meta.dirname, "../../../shared/data") },
    keep: { type: "string" }
  }
})
const files = ["nyc-legistar-events", "nyc-people", "nyc-matters", "nyc-rollcalls"].map((name) =>
  path.join(flags.data, `${name}.ndjson.gz`)
)
const folder = flags.keep ?? fs.mkdtempSync(path.join(os.tmpdir(), "who-decided-"))
const isThere = fs.existsSync(path.join(folder, "imported"))
fs.mkdirSync(folder, { recursive: true })
fs.chmodSync(folder, 0o711)
const main = path.join(import.meta.dirname, "../../src/main.ts")

/** Ends what was started when the command is stopped. */
const stopping = new AbortController()
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort())

/** Imports a file, and returns the CPU milliseconds of the process. */
const imported = async (file: string, url: string): Promise<number> => {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "import", file], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: path.join(folder, "command") },
    stdio: ["ignore", "ignore", "inherit"]
  })
  const stop = () => child.kill("SIGINT")
  stopping.signal.addEventListener("abort", stop)
  let spent = 0
  while (child.exitCode === null && child.signalCode === null) {
    spent = Math.max(spent, cpuOf(child.pid ?? 0))
    await pause(20)
  }
  stopping.signal.removeEventListener("abort", stop)
  if (child.exitCode !== 0) throw new Error(`the import of ${file} ended with ${child.exitCode}`)
  return spent
}

const seconds = (millis: number): string => (millis / 1000).toFixed(1)

const importAll = async (url: string) => {
  const server = postmaster(path.join(folder, "postgres", "data"))?.pid ?? 0
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  console.log("| import | seconds | CPU of the process | CPU of PostgreSQL |\n| --- | --: | --: | --: |")
  // Twice: what is on record already is known by its hash.
  for (const run of ["", ", again"]) {
    for (const file of files) {
      await sql`checkpoint`
      const [before, begun] = [postgresCpu(server), performance.now()]
      const spent = await imported(file, url)
      const [took, database] = [performance.now() - begun, postgresCpu(server) - before]
      console.log(
        `| ${path.basename(file, ".ndjson.gz")}${run} | ${seconds(took)} | ${seconds(spent)} | ${seconds(database)} |`
      )
    }
  }
  await sql.end()
  fs.writeFileSync(path.join(folder, "imported"), "")
}

try {
  if (!isThere) {
    await Effect.runPromise(
      Effect.gen(function* () {
        const { url } = yield* startEmbeddedPostgres("own")
        yield* migrate().pipe(Effect.provide(Db.layerUrl(url)), Effect.scoped)
        yield* Effect.promise(() => importAll(Redacted.value(url)))
      }).pipe(
        Effect.scoped,
        Effect.provideServiceEffect(Environment, readEnvironment({ PATH: process.env.PATH, DATA_DIR: folder }))
      ),
      { signal: stopping.signal }
    )
  }
  const service = await startService(folder, [], { ANSWER_CACHE_MB: "0" })
  const [wanted, found] = [await countsIn(flags.data), await countsOnRecord(service.databaseUrl)]
  const differing = Object.entries(wanted).filter(([name, count]) => found[name] !== count)
  console.log(
    `\n${Object.entries(found)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ")}`
  )
  for (const [name, count] of differing)
    console.error(`UNEQUAL: ${count} ${name} in the files, ${found[name]} on record`)
  if (differing.length > 0) process.exitCode = 1
  await service.quiet()
  console.log(await measurePages(service.base, stopping.signal))
} finally {
  await stopAll()
  if (flags.keep === undefined) fs.rmSync(folder, { recursive: true, force: true })
}
