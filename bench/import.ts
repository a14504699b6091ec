/**
 * Measures the cost of an import: runs `civic-record import` on a database of its own and prints words per second, and
 * the CPU seconds of the process (all threads) and of PostgreSQL, in total and per million words that search reads.
 *
 *     node bench/import.ts PATH [--runs N]
 */
import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Effect, Redacted } from "effect"
import postgres from "postgres"
import { Environment, readEnvironment } from "../layers/config/config.ts"
import { Db } from "../layers/db/db.ts"
import { startEmbeddedPostgres } from "../layers/db/embedded-postgres/embedded-postgres.ts"
import { postmaster } from "../layers/db/embedded-postgres/postmaster.ts"
import { migrate } from "../layers/db/migrate.ts"
import { cpuOf, postgresCpu } from "./reads/cpu.ts"

const {
  values: { runs },
  positionals: [source]
} = parseArgs({ options: { runs: { type: "string", default: "1" } }, allowPositionals: true })
if (source === undefined) throw new Error("Name what to import: node bench/import.ts PATH")

const main = path.join(import.meta.dirname, "../src/main.ts")

/** The CPU milliseconds of an import, from start to end. */
const cpuOfImport = async (url: string, folder: string): Promise<number> => {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "import", source], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, DATA_DIR: path.join(folder, "command") },
    stdio: ["ignore", "ignore", "inherit"]
  })
  const { pid = 0 } = child
  let spent = 0
  while (child.exitCode === null && child.signalCode === null) {
    spent = Math.max(spent, cpuOf(pid))
    await pause(20)
  }
  return spent
}

const measure = async (url: string, folder: string) => {
  const server = postmaster(path.join(folder, "postgres", "data"))?.pid ?? 0
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  await sql`checkpoint`
  const before = postgresCpu(server)
  const begun = performance.now()
  const spent = (await cpuOfImport(url, folder)) / 1000
  const seconds = (performance.now() - begun) / 1000
  const database = (postgresCpu(server) - before) / 1000
  const [{ words, meetings }] = await sql<[{ words: number; meetings: number }]>`
    select coalesce(sum(words), 0)::float8 as words, (select count(*)::int from meeting) as meetings
    from (select max(word_count) as words from transcript group by meeting_id) said`
  await sql.end()
  // A record with agendas alone has no words.
  const ofWords = (text: string) => (words === 0 ? "" : `, ${text}`)
  const perMillion = (cpu: number) =>
    `${cpu.toFixed(1)} s${ofWords(`${((cpu * 1e6) / words).toFixed(2)} s per million words`)}`
  const speed = ofWords(`${Math.round(words / seconds)} words/s`)
  console.log(`${meetings} meetings with ${words} words in ${seconds.toFixed(1)} s${speed}`)
  console.log(`  CPU of the process: ${perMillion(spent)}`)
  console.log(`  CPU of PostgreSQL:  ${perMillion(database)}`)
}

for (let run = 0; run < Number(runs); run++) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-import-"))
  fs.chmodSync(folder, 0o711)
  await Effect.runPromise(
    Effect.gen(function* () {
      const { url } = yield* startEmbeddedPostgres("own")
      yield* migrate().pipe(Effect.provide(Db.layerUrl(url)), Effect.scoped)
      yield* Effect.promise(() => measure(Redacted.value(url), folder))
    }).pipe(
      Effect.scoped,
      Effect.provideServiceEffect(Environment, readEnvironment({ PATH: process.env.PATH, DATA_DIR: folder }))
    )
  )
  fs.rmSync(folder, { recursive: true, force: true })
}
