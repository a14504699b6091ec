/**
 * Measures whether search finds what a judge says it should, on real records: see relevance/README.md. Prints a table
 * that compares the search index, SQL (the fallback while the index is away), plain PostgreSQL, and the scores that
 * this program recorded for an earlier version of the service.
 *
 *     npm run bench:relevance
 *     npm run bench:relevance -- --data ../shared/data --json FILE --verbose
 *     npm run bench:relevance -- --only misquotes,questions --without-plain
 *     EMBEDDING_MODEL_URL=... EMBEDDING_MODEL_NAME=... npm run bench:relevance -- --only questions
 *
 * The record is imported once and cached under DATA_DIR (by default a folder in the system's temporary folder).
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { parseArgs } from "node:util"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { embeddingModel } from "../../layers/cloud-model/embedding-model.ts"
import { Db } from "../../layers/db/db.ts"
import type { BrowsePage } from "../../schema/browse.ts"
import { Browse } from "../../src/services/search/browse.ts"
import { ByMeaningLive } from "../../src/services/search/meaning/by-meaning.ts"
import { Embeddings } from "../../src/services/search/meaning/embeddings.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { nearestRank } from "../reads/nearest-rank.ts"
import { makeFts5 } from "./fts5.ts"
import { makePlain, plainSearch } from "./plain.ts"
import { dataDir, importRecords, indexOnceCurrent, onRecord } from "./record.ts"
import { type Found, type Judgment, kinds, readJudgments, type Score, scoreOf, table } from "./score.ts"

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: path.join(import.meta.dirname, "../../../shared/data") },
    json: { type: "string" },
    only: { type: "string" },
    "without-plain": { type: "boolean", default: false },
    verbose: { type: "boolean", default: false }
  }
})

/** The numbers of searches answered by the index, and left to SQL. */
const asked = { index: 0, sql: 0 }

/** The index, once it is current, which counts what it answers. */
const Waited = Layer.effect(
  SearchIndex,
  Effect.map(indexOnceCurrent, (index) => ({
    ...index,
    open: (db) =>
      Effect.map(
        index.open(db),
        Option.map((finder) => ({
          ...finder,
          find: (wanted) =>
            Effect.tap(finder.find(wanted), (found) =>
              Effect.sync(() => asked[Option.isSome(found) ? "index" : "sql"]++)
            )
        }))
      )
  }))
)
const InIndex = Layer.fresh(Browse.layer).pipe(Layer.provide(Waited))
const InSql = Layer.fresh(Browse.layer).pipe(Layer.provide(SearchIndex.none))

/** With a model of `EMBEDDING_MODEL_URL`, what is found by meaning comes after what the words find. */
const isByMeaning = process.env.EMBEDDING_MODEL_URL !== undefined
const ByMeaningToo = Layer.fresh(Browse.layer).pipe(Layer.provide([Waited, ByMeaningLive]))
const embedAll = Effect.gen(function* () {
  const { next } = yield* Embeddings
  yield* Effect.repeat(next, { until: (made) => made === 0 })
}).pipe(Effect.provide(Embeddings.layer.pipe(Layer.provide(embeddingModel()))))

/** The name of a meeting in the judgments: the end of its source's address. */
const keyOf = (sourceUrl = ""): string => {
  const [, legistar] = /nyc.*[?&]LEGID=(\d+)/.exec(sourceUrl) ?? []
  return legistar === undefined ? (sourceUrl.split("/").at(-1) ?? "") : `nyc:${legistar}`
}

/** `urls` are the sources' addresses by meeting: the card of one that was filmed may have that of the recording. */
const foundOn = (page: BrowsePage, urls: ReadonlyMap<string, string>): Found => ({
  keys: [...page.meetings, ...(page.by_meaning ?? [])].map((card) => keyOf(urls.get(card.id))),
  moments: page.meetings.map(({ matches = [] }) =>
    matches.flatMap(({ field, start }) =>
      (field === "transcript" || field === "speaker") && start !== undefined ? [start] : []
    )
  ),
  total: page.total,
  ...(page.corrected_query === undefined ? {} : { corrected: page.corrected_query }),
  ...(page.did_you_mean === undefined ? {} : { offered: page.did_you_mean.q })
})

/** The latency of searches run one after another, each for the first time. */
const took = (times: ReadonlyArray<number>): string => {
  const [median, most, nearlyAll] = [0.5, 0.95, 0.99].map(nearestRank(times)).map((ms) => ms.toPrecision(3))
  return `a search took ${median} ms (median), 95 in 100 took ${most} ms or less, 99 in 100 ${nearlyAll} ms`
}

/** The result of a search over its budget. */
const nothing: Found = { keys: [], moments: [], total: 0 }

const answersOf = Effect.fnUntraced(function* (judgments: ReadonlyArray<Judgment>) {
  const db = yield* Db
  const meetings = yield* db<{ id: string; source_url: string }>`
    select id, source_url from meeting where source_url is not null`
  const urls = new Map(meetings.map(({ id, source_url }) => [id, source_url]))
  const ask = Effect.fnUntraced(function* (name: string, find: (q: string) => Effect.Effect<Found, unknown>) {
    const answers = yield* Effect.forEach(judgments, ({ q }) =>
      Effect.timed(Effect.orElseSucceed(find(q), () => nothing))
    )
    console.log(`${name}: ${took(answers.map(([time]) => Duration.toMillis(time)))}`)
    return answers.map(([, found]) => found)
  })
  const inBrowse = (name: string, browse: typeof Browse.Service) =>
    ask(name, (q) => Effect.map(browse.search({ q, page_size: 20 }), (page) => foundOn(page, urls)))
  const inIndex = Context.get(yield* Layer.build(InIndex), Browse)
  yield* Effect.ignore(inIndex.search({ q: "until the index is there" }))
  const index = yield* inBrowse("index", inIndex)
  if (isByMeaning) yield* embedAll
  const meaning = isByMeaning
    ? yield* inBrowse("index, and by meaning", Context.get(yield* Layer.build(ByMeaningToo), Browse))
    : []
  const sql = yield* inBrowse("SQL", Context.get(yield* Layer.build(InSql), Browse))
  if (flags["without-plain"]) return { index, meaning, sql, plain: [], fts5: [] }
  yield* makePlain(db)
  const plain = yield* ask("plain PostgreSQL", (q) =>
    Effect.map(plainSearch(db, q), (urls) => ({ keys: urls.map(keyOf), moments: [], total: urls.length }))
  )
  const searchFts5 = yield* makeFts5(db, path.join(dataDir, "relevance-fts5.sqlite"))
  const fts5 = yield* ask("SQLite FTS5", (q) =>
    Effect.sync(() => {
      const keys = searchFts5(q).map(keyOf)
      return { keys, moments: [], total: keys.length }
    })
  )
  return { index, meaning, sql, plain, fts5 }
})

const judgments = readJudgments().filter(({ kind }) => flags.only === undefined || flags.only.split(",").includes(kind))
const halves = new Map(judgments.map(({ q, half }) => [q, half]))
const recorded: ReadonlyArray<Omit<Score, "half">> = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, "before.json"), "utf8")
)
/** The recorded scores, in the halves that their queries are in now. */
const before = recorded.flatMap((score): ReadonlyArray<Score> => {
  const half = halves.get(score.q)
  return half === undefined ? [] : [{ ...score, half }]
})

importRecords(flags.data)
const { index, meaning, sql, plain, fts5 } = await Effect.runPromise(onRecord(answersOf(judgments)))
const scored = (answers: ReadonlyArray<Found>): ReadonlyArray<Score> =>
  judgments.flatMap((judgment, at) => {
    const found = answers[at]
    return found === undefined ? [] : [scoreOf(judgment, found)]
  })
const now = scored(index)

if (flags.verbose) {
  for (const [at, one] of now.entries()) {
    if (one.half === "held out" || (one.rank === 1 && one.isWhole && one.moment !== false)) continue
    const { keys = [], moments = [], corrected, offered } = index[at] ?? {}
    console.log(JSON.stringify({ ...one, corrected, offered, keys: keys.slice(0, 3), moments: moments.slice(0, 3) }))
  }
}
const differing = judgments.filter(
  (_, at) => index[at]?.total !== sql[at]?.total || index[at]?.corrected !== sql[at]?.corrected
)
console.log(
  `The index answered ${asked.index} of ${asked.index + asked.sql} searches; SQL finds another number of meetings, ` +
    `or corrects otherwise, in ${differing.length}${differing.map(({ q }) => `\n  ${q}`).join("")}`
)
for (const half of ["tuned", "held out"] as const) {
  console.log(`\n${half}, ${judgments.filter((judgment) => judgment.half === half).length} queries`)
  const contenders = {
    "plain PostgreSQL": scored(plain),
    "SQLite FTS5": scored(fts5),
    "as it was": before,
    SQL: scored(sql),
    index: now,
    "index, and by meaning": scored(meaning)
  }
  console.log(table(contenders, half, kinds(judgments)))
}
if (flags.json !== undefined) fs.writeFileSync(flags.json, `${JSON.stringify(now)}\n`)
