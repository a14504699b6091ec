import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Duration, Effect, Layer, Logger, Schedule } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { CommandDb } from "../../layers/live.ts"
import { SearchLimits } from "../../src/services/search/query/query-budget.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { unpackWithVoices } from "./voices.ts"

/** The folder of the record, which the service takes for its own. */
export const dataDir = process.env.DATA_DIR ?? path.join(os.tmpdir(), "civic-record-relevance")
process.env.DATA_DIR = dataDir

/** Imports the real records of this folder, once. */
export const importRecords = (data: string) => {
  const done = path.join(dataDir, "relevance-imported")
  if (fs.existsSync(done)) return
  const voiced = path.join(dataDir, "relevance-knox-tn")
  unpackWithVoices(path.join(data, "knox-tn.tar.gz"), voiced)
  for (const record of [
    voiced,
    ...["nyc-legistar-events.ndjson.gz", "seattle-wa.tar.gz"].map((name) => path.join(data, name))
  ]) {
    console.error(`Importing ${path.basename(record)}; this takes some minutes, once.`)
    const { status } = spawnSync(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "src/main.ts", "import", record],
      { cwd: path.join(import.meta.dirname, "../.."), stdio: ["ignore", "ignore", "inherit"] }
    )
    // 2: parts were left out, such as a transcript without a date.
    if (status !== 0 && status !== 2) throw new Error(`The import ended with ${status}.`)
  }
  fs.rmSync(voiced, { recursive: true })
  fs.writeFileSync(done, "")
}

/** The index, once it is current: what it answers is judged, not how soon it is there. */
export const indexOnceCurrent = Effect.map(SearchIndex, (index) => ({
  ...index,
  open: (db: Parameters<typeof index.open>[0]) =>
    Effect.repeat(index.state, {
      until: ({ state, behind }) => state === "ready" && behind === 0,
      schedule: Schedule.spaced("200 millis")
    }).pipe(Effect.andThen(index.open(db)))
}))

/** Runs an effect on the record. */
export const onRecord = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provide(
      SearchIndex.layer.pipe(
        // Generous limits, because the results are judged, and other work may be running.
        Layer.provideMerge(
          Layer.succeed(SearchLimits, {
            statement: Duration.minutes(2),
            permits: 8,
            weight: 16_000,
            waiting: 1000,
            wait: Duration.minutes(2),
            page: 5_000_000
          })
        ),
        Layer.provideMerge(CommandDb),
        Layer.provideMerge(Environment.layer),
        Layer.provide(Logger.layer([]))
      )
    ),
    Effect.scoped
  )
