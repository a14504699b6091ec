/**
 * Whether search finds what a judge says it should, on real records: see relevance/README.md. Prints a table beside plain
 * PostgreSQL, and beside what this same program printed for an earlier version of the service.
 *
 *     npm run bench:relevance
 *     npm run bench:relevance -- --data ../shared/data --json FILE --verbose
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { Duration, Effect, Layer, Logger, Schedule } from "effect"
import { Environment } from "../layers/config.ts"
import { Db, ReadDb } from "../layers/db.ts"
import { CommandDb } from "../layers/live.ts"
import { Browse } from "../src/services/search/browse.ts"
import { SearchTimes } from "../src/services/search/query-budget.ts"
import { SearchIndex } from "../src/services/search/search-index.ts"
import { makePlain, plainSearch } from "./relevance/plain.ts"
import { type Found, type Judgment, kinds, readJudgments, type Score, scoreOf, table } from "./relevance/score.ts"

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: path.join(import.meta.dirname, "../../shared/data") },
    json: { type: "string" },
    "without-plain": { type: "boolean", default: false },
    verbose: { type: "boolean", default: false }
  }
})

const records = ["knox-tn.tar.gz", "nyc-legistar-events.ndjson.gz", "seattle-wa.tar.gz"]

// The record is imported once and kept for the next run.
process.env.DATA_DIR ??= path.join(os.tmpdir(), "civic-record-relevance")

const importRecords = () => {
  for (const record of records) {
    console.error(`Importing ${record}; this takes some minutes, once.`)
    execFileSync(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "src/main.ts", "import", path.join(flags.data, record)],
      { cwd: path.join(import.meta.dirname, ".."), stdio: ["ignore", "ignore", "inherit"] }
    )
  }
}

const withDb = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.provide(
      Browse.layer.pipe(
        Layer.provideMerge(SearchIndex.layer),
        // What is found is judged here, not how soon, and other work may be running.
        Layer.provide(
          Layer.succeed(SearchTimes, { statement: Duration.minutes(2), atOnce: 8, wait: Duration.minutes(2) })
        ),
        Layer.provideMerge(CommandDb),
        Layer.provideMerge(Environment.layer),
        Layer.provide(Logger.layer([]))
      )
    ),
    Effect.scoped
  )

const isImported = Effect.gen(function* () {
  const db = yield* Db
  const rows = yield* db`select from meeting limit 1`
  return rows.length > 0
})

/** How a judgment names a meeting: by the end of its source's address. */
const keyOf = (sourceUrl = ""): string => {
  const [, legistar] = /nyc.*[?&]LEGID=(\d+)/.exec(sourceUrl) ?? []
  return legistar === undefined ? (sourceUrl.split("/").at(-1) ?? "") : `nyc:${legistar}`
}

/** What is measured is how the index ranks, so nothing is asked before it is there. */
const indexed = Effect.flatMap(SearchIndex, ({ state }) =>
  Effect.repeat(state, { until: ({ state }) => state === "ready", schedule: Schedule.spaced("200 millis") })
)

const answersOf = Effect.fnUntraced(function* (judgments: ReadonlyArray<Judgment>) {
  const db = yield* ReadDb
  const browse = yield* Browse
  yield* indexed
  const search = Effect.fnUntraced(function* (q: string): Effect.fn.Return<Found, unknown> {
    const page = yield* browse.search({ q, page_size: 20 })
    return {
      keys: page.meetings.map((card) => keyOf(card.source_url)),
      moments: page.meetings.map(({ matches = [] }) =>
        matches.flatMap(({ field, start }) => (field === "transcript" && start !== undefined ? [start] : []))
      ),
      ...(page.corrected_query === undefined ? {} : { corrected: page.corrected_query })
    }
  })
  const isAlone = flags["without-plain"]
  if (!isAlone) yield* makePlain(db)
  const score = (find: (q: string) => Effect.Effect<Found, unknown>) =>
    Effect.forEach(judgments, (judgment) =>
      find(judgment.q).pipe(
        // A search over its budget found nothing.
        Effect.orElseSucceed((): Found => ({ keys: [], moments: [] })),
        Effect.map((found) => scoreOf(judgment, found))
      )
    )
  return {
    ours: yield* score(search),
    plain: isAlone
      ? []
      : yield* score((q) => Effect.map(plainSearch(db, q), (urls) => ({ keys: urls.map(keyOf), moments: [] })))
  }
})

const before: ReadonlyArray<Score> = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, "relevance/before.json"), "utf8")
)

const judgments = readJudgments()
if (!(await Effect.runPromise(withDb(isImported)))) importRecords()
const { ours, plain } = await Effect.runPromise(withDb(answersOf(judgments)))

if (flags.verbose) {
  for (const one of ours.filter((score) => score.half === "tuned" && (score.rank !== 1 || score.moment === false))) {
    console.log(JSON.stringify(one))
  }
}
for (const half of ["tuned", "held out"] as const) {
  console.log(`\n${half}, ${judgments.filter((judgment) => judgment.half === half).length} queries`)
  console.log(table({ "plain PostgreSQL": plain, "as it was": before, now: ours }, half, kinds(judgments)))
}
if (flags.json !== undefined) fs.writeFileSync(flags.json, `${JSON.stringify(ours)}\n`)
