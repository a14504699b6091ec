/**
 * Measures whether the check of quotes tells what was said from what was not, on real captions: see quotes/README.md.
 * Prints a table of verdicts for the quotes that the service was mended by and, if asked, for those held out, and how
 * long a check takes by the search index and by SQL.
 *
 *     npm run bench:quotes
 *     npm run bench:quotes -- --held-out
 *     npm run bench:quotes -- --data ../shared/data --without-sql --verbose
 *
 * The record is that of `npm run bench:relevance`: imported once and cached under DATA_DIR.
 */
import * as path from "node:path"
import { parseArgs } from "node:util"
import { Context, Duration, Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { anonymous } from "../../schema/viewer.ts"
import { Transcripts } from "../../src/services/meetings/transcripts.ts"
import { QuoteChecks } from "../../src/services/search/quotes/quote-check.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"
import { nearestRank } from "../reads/nearest-rank.ts"
import { unpack } from "../real-captions.ts"
import { importRecords, indexOnceCurrent, onRecord } from "../relevance/record.ts"
import { type Quote, readQuotes } from "./quotes.ts"
import { makeSaid } from "./said.ts"
import { type Answer, type Score, scoreOf, table } from "./score.ts"

const { values: flags } = parseArgs({
  options: {
    data: { type: "string", default: path.join(import.meta.dirname, "../../../shared/data") },
    "held-out": { type: "boolean", default: false },
    "without-sql": { type: "boolean", default: false },
    verbose: { type: "boolean", default: false }
  }
})

importRecords(flags.data)
const captions = unpack(flags.data)
const said = makeSaid(captions)
const quotes = readQuotes().filter(({ half }) => flags["held-out"] || half === "tuned")

/** SQL is slower, so it is asked for a part of them. */
const inSql = quotes.filter((_, at) => at % 10 === 0)

const endOf = (url: string) => url.split("/").at(-1) ?? ""

/** A session of Seattle by its day and the title that it has on record. */
const sessionNamed = (datetime: string): string => {
  const [, day, hours = "", minutes] = /^(\S+)T(\d+):(\d+)/u.exec(datetime) ?? []
  return `${day} Session of ${Number(hours) % 12 || 12}:${minutes} ${Number(hours) < 12 ? "AM" : "PM"}`
}

/** The meetings by id, as the quotes name them. */
const namesOf = Effect.fnUntraced(function* (db: Db["Service"]) {
  const byUrl = new Map(
    captions.listed.flatMap(({ source_url, captions: file }) =>
      source_url === undefined || file === undefined ? [] : [[endOf(source_url), path.basename(file, ".vtt")]]
    )
  )
  const sessions = new Set(quotes.flatMap((quote) => (quote.kind === "invented" ? [] : [quote.of])))
  const bySession = new Map(
    [...sessions].flatMap((name) => {
      const session = captions.sessionOf(name)
      return session === undefined ? [] : [[sessionNamed(session.session_datetime), name]]
    })
  )
  const meetings = yield* db<{ id: string; source_url: string | null; name: string }>`
    select id, source_url, date::text || ' ' || title as name from meeting`
  return new Map(
    meetings.map(({ id, source_url, name }) => [id, byUrl.get(endOf(source_url ?? "")) ?? bySession.get(name) ?? ""])
  )
})

interface Timed extends Answer {
  readonly ms: number
}

const answers = Effect.gen(function* () {
  const names = yield* namesOf(yield* Db)
  const ask = Effect.fnUntraced(function* (checks: QuoteChecks["Service"], quote: Quote) {
    const within = quote.kind === "invented" ? {} : quote.within
    const [time, { verdict, hits }] = yield* Effect.timed(
      Effect.orDie(checks.check({ text: said.textOf(quote), ...within }, anonymous))
    )
    const [first] = hits
    const hit = first && { meeting: names.get(first.meeting.id) ?? "", second: first.start }
    return { verdict, ...(hit === undefined ? {} : { hit }), ms: Duration.toMillis(time) } satisfies Timed
  })
  const askAll = (index: Layer.Layer<SearchIndex, never, SearchIndex>, asked: ReadonlyArray<Quote>) =>
    Effect.gen(function* () {
      const layer = Layer.fresh(QuoteChecks.layer).pipe(Layer.provide([index, Layer.fresh(Transcripts.layer)]))
      const checks = Context.get(yield* Layer.build(layer), QuoteChecks)
      yield* Effect.ignore(checks.check({ text: "until the index is there at last" }, anonymous))
      return yield* Effect.forEach(asked, (quote) => ask(checks, quote))
    })
  return {
    index: yield* askAll(Layer.effect(SearchIndex, indexOnceCurrent), quotes),
    SQL: flags["without-sql"] ? [] : yield* askAll(SearchIndex.none, inSql)
  }
})

const { index, SQL } = await Effect.runPromise(onRecord(answers))
const scored: ReadonlyArray<Score> = index.flatMap((answer, at) => {
  const quote = quotes[at]
  return quote === undefined ? [] : [scoreOf(said, quote, answer)]
})

for (const [name, given] of Object.entries({ index, SQL })) {
  if (given.length === 0) continue
  const [median, nearlyAll] = [0.5, 0.99].map(nearestRank(given.map(({ ms }) => ms))).map((ms) => ms.toPrecision(3))
  console.log(`${name}: a check took ${median} ms (median), 99 in 100 took ${nearlyAll} ms or less`)
}
const differing = inSql.filter(
  (quote, at) => SQL[at] !== undefined && SQL[at].verdict !== index[quotes.indexOf(quote)]?.verdict
)
if (SQL.length > 0) console.log(`SQL has another verdict on ${differing.length} of ${SQL.length}`)
for (const half of flags["held-out"] ? (["tuned", "held out"] as const) : (["tuned"] as const)) {
  const own = scored.filter(({ quote }) => quote.half === half)
  console.log(`\n${half}, ${own.length} quotes\n${table(own)}`)
}
if (flags.verbose) {
  for (const [at, score] of scored.entries()) {
    const { quote, isRight } = score
    if (quote.half === "held out" || (isRight && !differing.includes(quote))) continue
    const sql = SQL[inSql.indexOf(quote)]?.verdict
    console.log(JSON.stringify({ ...score, text: said.textOf(quote), hit: index[at]?.hit, ms: index[at]?.ms, sql }))
  }
}
captions.remove()
