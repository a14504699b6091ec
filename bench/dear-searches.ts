/**
 * What dear searches cost everybody else: sends 30 of them at once (groups of 20 meetings of 100 bodies, by change, of
 * four common words with `or`), three times, to a service that keeps no answers, and meanwhile reads one meeting after
 * another and one page of the newest after another. Prints how long the plain reads took alone and beside the searches,
 * as a ratio, and what became of the searches. Then the same for a crowd: 1,000 connections that browse, beside checks
 * of health, each on a new connection, on the public listener and on the operators'.
 *
 *     node bench/dear-searches.ts [--size 10000] [--data FOLDER] [--words N]
 */
import { setTimeout as wait } from "node:timers/promises"
import { parseArgs } from "node:util"
import postgres from "postgres"
import { keptRecord, recordNamed, recordOptions } from "./load/kept.ts"
import { toldOnce } from "./load/progress.ts"
import { askOnce } from "./reads/ask.ts"
import { nearestRank } from "./reads/nearest-rank.ts"
import { startService, stopAll } from "./reads/processes.ts"
import { knownOf } from "./reads/words.ts"

const { values } = parseArgs({ options: recordOptions })
const { wanted, folder } = recordNamed(values)

interface Asked {
  readonly status: number
  readonly millis: number
  readonly bytes: number
}

const timed = async (url: string): Promise<Asked> => {
  const before = performance.now()
  const { body, status } = await askOnce(url).catch(() => ({ status: 0, body: "" }))
  return { status, millis: performance.now() - before, bytes: body.length }
}

/** Asks one after another, on new connections, until `done`. */
const askedUntil = async (next: () => string, done: Promise<unknown>, pause: number): Promise<ReadonlyArray<Asked>> => {
  let isDone = false
  void done.then(() => {
    isDone = true
  })
  const all: Array<Asked> = []
  while (!isDone) {
    all.push(await timed(next()))
    await wait(pause)
  }
  return all
}

const inTurn = (of: ReadonlyArray<string>) => {
  let turn = 0
  return () => of[turn++ % of.length] ?? ""
}

const millisOf = (all: ReadonlyArray<Asked>) => {
  const at = nearestRank(all.map(({ millis }) => millis))
  return { p50: at(0.5), p99: at(0.99), most: at(1) }
}

const statusesOf = (all: ReadonlyArray<Asked>): string =>
  [...Map.groupBy(all, ({ status }) => status)]
    .toSorted(([a], [b]) => a - b)
    .map(([status, some]) => {
      const { p50, most } = millisOf(some)
      const size = Math.max(...some.map(({ bytes }) => bytes)) / 1e6
      const times = `median ${p50.toFixed(0)} ms, ${most.toFixed(0)} ms at most`
      return `${status === 0 ? "lost" : status}: ${some.length} (${times}, ${size.toFixed(2)} MB at most)`
    })
    .join("; ")

const times = (all: ReadonlyArray<Asked>) => {
  const { p50, p99, most } = millisOf(all)
  return `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, most ${most.toFixed(1)} ms`
}

const ratio = (alone: ReadonlyArray<Asked>, beside: ReadonlyArray<Asked>) => {
  const [before, after] = [millisOf(alone), millisOf(beside)]
  const failed = beside.filter(({ status }) => status !== 200).length
  return [
    `alone ${times(alone)}`,
    `beside ${times(beside)}`,
    `p50 × ${(after.p50 / before.p50).toFixed(1)}, p99 × ${(after.p99 / before.p99).toFixed(1)}`,
    `refused ${failed} of ${beside.length}`
  ].join("; ")
}

try {
  await keptRecord(folder, wanted, toldOnce(console.log))
  const service = await startService(folder, [], { ANSWER_CACHE_MB: "0" })
  await service.quiet()
  const sql = postgres(service.databaseUrl, { max: 1, onnotice: () => undefined })
  const { common, meetings } = await knownOf(sql)
  await sql.end()

  const meeting = inTurn(meetings.map((id) => `${service.base}/api/meetings/${id}`))
  const page = inTurn(Array.from({ length: 200 }, (_, at) => `${service.base}/api/meetings/browse?page=${at + 1}`))
  const dear = (at: number) => {
    const words = [0, 1, 2, 3].map((n) => common[(at + 5 * n) % common.length]).join(" or ")
    return `${service.base}/api/meetings/browse?${new URLSearchParams({
      ...{ q: words, group_by: "agency", sort: "updated", page_size: "100", per_group: "20", exact: "1" }
    })}`
  }
  /** A meeting and a page, asked side by side. */
  const plain = async (done: Promise<unknown>) => {
    const [ofMeetings, ofPages] = await Promise.all([askedUntil(meeting, done, 5), askedUntil(page, done, 5)])
    return { ofMeetings, ofPages }
  }

  await plain(wait(10_000))
  const alone = await plain(wait(10_000))
  console.log(
    `one dear search alone  ${statusesOf([await timed(dear(0)), await timed(dear(1)), await timed(dear(2))])}`
  )
  for (let round = 0; round < 3; round++) {
    const searches = Promise.all(Array.from({ length: 30 }, (_, at) => timed(dear(30 * round + at))))
    const beside = await plain(searches)
    console.log(`\n30 dear searches  ${statusesOf(await searches)}`)
    console.log(`a meeting  ${ratio(alone.ofMeetings, beside.ofMeetings)}`)
    console.log(`a page     ${ratio(alone.ofPages, beside.ofPages)}`)
    await wait(2000)
  }

  const publicHealth = () => `${service.base}/health/ready`
  const operatorsHealth = () => `${service.operators}/health/ready`
  const healthAlone = await askedUntil(operatorsHealth, wait(2000), 20)
  const over = wait(10_000)
  const crowd = Promise.all(Array.from({ length: 1000 }, () => askedUntil(page, over, 0))).then((all) => all.flat())
  const [ofPublic, ofOperators] = await Promise.all([
    askedUntil(publicHealth, over, 100),
    askedUntil(operatorsHealth, over, 100)
  ])
  console.log(`\n1,000 clients that browse  ${statusesOf(await crowd)}`)
  console.log(`/health/ready  ${ratio(healthAlone, ofPublic)}`)
  console.log(`/health/ready of the operators' listener  ${ratio(healthAlone, ofOperators)}`)
} finally {
  await stopAll()
}
