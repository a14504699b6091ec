import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { promisify } from "node:util"
import { Effect, Redacted } from "effect"
import postgres from "postgres"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { lockData } from "../../layers/data-folder/data-lock.ts"
import { Db } from "../../layers/db/db.ts"
import { startEmbeddedPostgres } from "../../layers/db/embedded-postgres/embedded-postgres.ts"
import { migrate, shippedMigrations, upgradeFrom } from "../../layers/db/migrate.ts"
import { writeBundle } from "./bundle.ts"
import { load } from "./load.ts"
import type { Progress } from "./progress.ts"
import { type LoadedRecord, type Plan, recordOf } from "./record.ts"
import type { Speech } from "./speech.ts"

/** How a record was loaded. */
export type Through = "copy" | "import"

/** Describes a cached database, in a file beside it that is written last. */
interface Stamp {
  readonly plan: Plan
  readonly through: Through
  /** The migrations that it had when it was loaded. */
  readonly migrations: ReadonlyArray<number>
  /** Seconds that the load took. */
  readonly seconds: number
}

export interface Wanted {
  readonly size: number
  readonly seed: string
  /** Approximate words per transcript. */
  readonly words: number
  /** Approximate pages of a held meeting's packet. */
  readonly pages: number
  readonly through: Through
  /** The source of the words; captions by default, if available. */
  readonly speech?: Speech["from"]
}

/** Transcripts are shorter in large records, so that a million meetings fit on a laptop's disk. */
const usualWords = (size: number): number => (size > 300_000 ? 500 : size > 30_000 ? 1000 : 2000)

const usualFolder = ({ size, seed, pages, through }: Wanted): string =>
  path.join(os.tmpdir(), "civic-record-bench", `${size}-${seed}-${through}${pages > 0 ? `-${pages}` : ""}`)

/** The options that select a record, shared by all benchmarks. */
export const recordOptions = {
  size: { type: "string", default: "10000" },
  seed: { type: "string", default: "1" },
  words: { type: "string" },
  pages: { type: "string", default: "0" },
  data: { type: "string" }
} as const

/** The record that these options select, and its data folder. */
export const recordNamed = (
  values: {
    readonly size: string
    readonly seed: string
    readonly words?: string
    readonly pages?: string
    readonly data?: string
  },
  through: Through = "copy"
) => {
  const size = Number(values.size)
  const words = values.words === undefined ? usualWords(size) : Number(values.words)
  const wanted: Wanted = { size, seed: values.seed, words, pages: Number(values.pages ?? 0), through }
  return { size, wanted, folder: values.data ?? usualFolder(wanted) }
}

const root = path.join(import.meta.dirname, "../..")
const stampOf = (folder: string) => path.join(folder, "loaded.json")

/**
 * The maximum age of a record, in milliseconds. Upcoming meetings are spread over a year, so an older record has too
 * few left.
 */
const oldest = 300 * 86_400_000

const readStamp = (folder: string): Stamp | undefined =>
  fs.existsSync(stampOf(folder)) ? (JSON.parse(fs.readFileSync(stampOf(folder), "utf8")) as Stamp) : undefined

/** Whether a cached database holds the record wanted; newer migrations can still be applied. */
const fits = ({ plan, through, migrations }: Stamp, wanted: Wanted): boolean =>
  plan.size === wanted.size &&
  plan.seed === wanted.seed &&
  plan.words === wanted.words &&
  (plan.pages ?? 0) === wanted.pages &&
  through === wanted.through &&
  ["none", "migrate", "carry over"].includes(upgradeFrom(migrations)) &&
  Date.now() - Date.parse(plan.until) < oldest

/** Runs `use` on the migrated database of a data folder, with the folder locked. */
const withDatabase = (folder: string, use: (url: string) => Promise<void>) =>
  Effect.runPromise(
    Effect.gen(function* () {
      yield* lockData(folder, "a benchmark that loads its record")
      const { url } = yield* startEmbeddedPostgres("own")
      yield* migrate().pipe(Effect.provide(Db.layerUrl(url)), Effect.scoped)
      yield* Effect.promise(() => use(Redacted.value(url)))
    }).pipe(
      Effect.scoped,
      Effect.provideServiceEffect(Environment, readEnvironment({ PATH: process.env.PATH, DATA_DIR: folder }))
    )
  )

/**
 * Runs a load without durability: an interrupted load is started over, so nothing need reach the disk before its end.
 */
const withoutSafety = async (url: string, run: () => Promise<void>) => {
  const sql = postgres(url, { max: 1 })
  const settings = ["fsync = off", "full_page_writes = off", "autovacuum = off"]
  try {
    for (const setting of settings) await sql.unsafe(`alter system set ${setting}`)
    await sql`select pg_reload_conf()`
    await run()
    await sql`alter system reset all`
    await sql`select pg_reload_conf()`
    await sql`checkpoint`
  } finally {
    await sql.end()
  }
}

/** Loads through the regular import: `civic-record import` of a bundle on disk. */
const throughImport = async (folder: string, record: LoadedRecord, progress: Progress) => {
  const bundle = path.join(folder, "bundle.ndjson")
  progress("bundle", 0)
  await writeBundle(bundle, record)
  progress("import", 0)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", path.join(root, "src/main.ts"), "import", bundle],
    { env: { PATH: process.env.PATH, DATA_DIR: folder }, maxBuffer: 64 * 1024 * 1024 }
  )
  fs.rmSync(bundle)
  progress(stdout.trim(), 0)
}

/**
 * Reuses the cached record in a data folder, or loads a new one. A folder that holds anything but a record loaded here
 * is never touched.
 */
export const keptRecord = async (folder: string, wanted: Wanted, progress: Progress): Promise<Stamp> => {
  const kept = readStamp(folder)
  if (kept !== undefined && fits(kept, wanted)) return kept
  const begun = path.join(folder, "loading")
  if (kept === undefined && fs.existsSync(folder) && fs.readdirSync(folder).length > 0 && !fs.existsSync(begun)) {
    throw new Error(`${folder} holds something else; name a new folder with --data.`)
  }
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(folder, { recursive: true, mode: 0o711 })
  fs.writeFileSync(begun, "")
  const before = performance.now()
  progress("words", 0)
  const { through, ...plan } = wanted
  const record = await recordOf({ ...plan, until: new Date().toISOString().slice(0, 10) })
  if (through === "import") await throughImport(folder, record, progress)
  else await withDatabase(folder, (url) => withoutSafety(url, () => load(url, record, progress)))
  const seconds = Math.round((performance.now() - before) / 1000)
  const stamp: Stamp = { plan: record.plan, through, migrations: shippedMigrations(), seconds }
  fs.writeFileSync(stampOf(folder), JSON.stringify(stamp, null, 2))
  fs.rmSync(begun)
  return stamp
}
