import * as fs from "node:fs"
import * as path from "node:path"
import postgres from "postgres"
import { readThrough } from "../../src/search-engine/format/read-ahead.ts"
import { askOnce, type Effort, measure, type Side } from "./ask.ts"
import { afterChanges } from "./changes.ts"
import { cpuOf, postgresCpu } from "./cpu.ts"
import type { Difference } from "./equal.ts"
import { type Running, startBare, startPeer, startService, stopAll } from "./processes.ts"
import type { Result } from "./report.ts"
import { type Row, rowsFor, variantsOf } from "./rows.ts"
import { knownOf } from "./words.ts"

export interface Options {
  readonly clients: ReadonlyArray<number>
  readonly effort: Effort
  /** Seconds of uncounted requests before each figure, for connections, plans and compiled code. */
  readonly warmUp: number
  /**
   * Seconds of requests of all kinds before the first row, because a service runs for longer than V8 takes to compile
   * it.
   */
  readonly runIn: number
  /** Changes made per figure for the first request after a change. */
  readonly changes: number
  /** Only rows with this text in their name. */
  readonly only?: string
  readonly onResult: (result: Result) => void
  readonly onDifference: (name: string, asked: string, difference: Difference) => void
}

/**
 * Reads every file of a data folder, as if the service had run for a while: both sides then read from memory, as far as
 * it reaches, and not from the disk.
 */
const readAll = async (folder: string) => {
  const buffer = new Uint8Array(1 << 20)
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) await readThrough(path.join(entry.parentPath, entry.name), buffer)
  }
}

/** Addresses of a row that are compared before it is measured. */
const compared = 3

/**
 * Above this median, in milliseconds, the hand-written service is not measured with more clients, which would take
 * minutes. The CPU per request hardly depends on how many clients wait.
 */
const tooSlowForMore = 250

const firstAfterChange = "/api/meetings/browse facets: the first request after a change"

/** Starts the service on a data folder, with the rows to measure and the means to measure them. */
const started = async (folder: string, settings: Readonly<Record<string, string>>) => {
  const service = await startService(folder, [], settings)
  const db = postgres(service.databaseUrl, { max: 2, onnotice: () => undefined })
  const rows = rowsFor(await knownOf(db))
  const used =
    ({ pid }: Running) =>
    () =>
      cpuOf(pid) + postgresCpu(service.postmaster)
  /** Suspends the service, including its background jobs, while `run` runs. */
  const whileStopped = async <A>(run: () => Promise<A>): Promise<A> => {
    process.kill(service.pid, "SIGSTOP")
    try {
      return await run()
    } finally {
      process.kill(service.pid, "SIGCONT")
    }
  }
  const resident = async () => {
    const [, bytes = "0"] = /^process_resident_memory_bytes (\S+)/m.exec(await service.metrics()) ?? []
    return Math.round(Number(bytes) / 1024 ** 2)
  }
  return { service, db, rows, used, whileStopped, resident }
}

/** Cycles through all kinds of requests at one service. */
const inTurn = (base: string, rows: ReadonlyArray<Row>): (() => string) => {
  const kinds = rows.map((row) => variantsOf(row))
  let turn = 0
  return () => base + (kinds[turn++ % kinds.length]?.() ?? "")
}

/** Whether both sides give the same answers to a row's requests. */
const compareRow = async (
  { name, asked, compare }: Row,
  bases: Readonly<Record<"ours" | "peer", string>>,
  onDifference: Options["onDifference"]
): Promise<boolean> => {
  const get = async (side: "ours" | "peer", path: string): Promise<unknown> => {
    const { status, body } = await askOnce(`${bases[side]}${path}`)
    if (status !== 200) throw new Error(`${side} answered ${status}: ${body}`)
    return JSON.parse(body.toString())
  }
  for (const path of asked.slice(0, compared)) {
    const difference = await compare(path, get).catch((error: Error) => error.message)
    if (difference === undefined) continue
    onDifference(name, path, difference)
    return false
  }
  return true
}

/**
 * Measures the reads of a data folder's record, first with a service that caches no answers, then with the default one,
 * which does. The hand-written service caches none, so its figures are the same for both. Returns the resident memory
 * of the service in megabytes, the larger of the two runs.
 */
export const measureReads = async (
  folder: string,
  { clients, effort, warmUp, runIn, changes, only = "", onResult, onDifference }: Options
) => {
  const measured = new Map<string, Pick<Result, "peer" | "peer_clients" | "equal">>()
  const side = async (address: () => string, count: number, effort: Effort, cpu: () => number): Promise<Side> => {
    await measure(address, count, { seconds: warmUp, least: 3, most: 10 }, () => 0)
    return measure(address, count, effort, cpu)
  }

  const ranIn = (base: string, rows: ReadonlyArray<Row>) =>
    measure(inTurn(base, rows), 1, { seconds: runIn, least: 1, most: runIn }, () => 0)

  await readAll(folder)
  const cold = await started(folder, { ANSWER_CACHE_MB: "0" })
  const { service, used, whileStopped } = cold
  const peer = await startPeer(service.databaseUrl)
  // The peer needs fewer requests, because only our 99th percentile is judged.
  const peerEffort = { ...effort, least: Math.ceil(effort.least / 15) }
  const coldRows = cold.rows.filter(({ name }) => name.includes(only))
  await ranIn(service.base, coldRows)
  await service.quiet()
  for (const row of coldRows) {
    const equal = await compareRow(row, { ours: service.base, peer: peer.base }, onDifference)
    const [oursNext, peerNext] = [variantsOf(row), variantsOf(row)]
    let slow: Pick<Result, "peer" | "peer_clients"> | undefined
    for (const count of clients) {
      const ours = await side(() => service.base + oursNext(), count, effort, used(service))
      const theirs = slow ?? {
        peer: await whileStopped(() => side(() => peer.base + peerNext(), count, peerEffort, used(peer)))
      }
      if (theirs.peer.p50_ms > tooSlowForMore) slow ??= { ...theirs, peer_clients: count }
      const result = { ...theirs, equal }
      measured.set(`${count} ${row.name}`, result)
      onResult({ name: row.name, clients: count, cache: "cold", ours, ...result })
    }
  }
  if (firstAfterChange.includes(only)) {
    const asked = "/api/meetings/browse"
    const [one] = await cold.db`select id::text from meeting where status = 'held' order by id limit 1`
    const result = await afterChanges(
      cold.db,
      one?.id ?? "",
      asked,
      { base: service.base, cpu: used(service) },
      { base: peer.base, cpu: used(peer) },
      changes
    )
    if (!result.equal) onDifference(firstAfterChange, asked, "a change is not found a second after it")
    onResult({ name: firstAfterChange, clients: 1, cache: "cold", ...result })
  }
  const residentCold = await cold.resident()
  await cold.db.end()
  await stopAll()

  const warm = await started(folder, {})
  const bare = await startBare()
  const warmRows = warm.rows.filter(({ name }) => name.includes(only))
  await ranIn(
    warm.service.base,
    warmRows.map((row) => ({ ...row, asked: row.asked.slice(0, 1), isPaged: false }))
  )
  await warm.service.quiet()
  for (const { name, asked } of warmRows) {
    const [same = ""] = asked
    const { body } = await askOnce(`${warm.service.base}${same}`)
    await bare.give(body)
    for (const count of clients) {
      const known = measured.get(`${count} ${name}`)
      if (known === undefined) continue
      const ours = await side(() => warm.service.base + same, count, effort, warm.used(warm.service))
      const limit = await warm.whileStopped(() =>
        side(
          () => bare.base,
          count,
          effort,
          () => cpuOf(bare.pid)
        )
      )
      onResult({ name, clients: count, cache: "warm", ours, limit, ...known })
    }
  }
  const resident = Math.max(residentCold, await warm.resident())
  await warm.db.end()
  await stopAll()
  return resident
}
