import postgres from "postgres"
import { askOnce, type Effort, measure, type Side } from "./ask.ts"
import { afterChanges } from "./changes.ts"
import { cpuOf, postgresCpu } from "./cpu.ts"
import type { Difference } from "./equal.ts"
import { type Running, startBare, startPeer, startService } from "./processes.ts"
import type { Result } from "./report.ts"
import { type Row, rowsFor, variantsOf } from "./rows.ts"
import { knownOf } from "./words.ts"

export interface Options {
  readonly clients: ReadonlyArray<number>
  readonly effort: Effort
  /** Seconds of requests that make connections, plans and compiled code before any is counted. */
  readonly warmUp: number
  /** How many changes are made for a figure of what follows one. */
  readonly changes: number
  /** Only rows with this in their name. */
  readonly only?: string
  readonly onResult: (result: Result) => void
  readonly onDifference: (name: string, asked: string, difference: Difference) => void
}

/** How many addresses of a row are compared before it is measured. */
const compared = 3

const firstAfterChange = "/api/meetings/browse facets: the first request after a change"

/** Measures the reads of a data folder's record and returns the megabytes that the service has resident after that. */
export const measureReads = async (
  folder: string,
  { clients, effort, warmUp, changes, only = "", onResult, onDifference }: Options
) => {
  const service = await startService(folder)
  const [peer, bare] = [await startPeer(service.databaseUrl), await startBare()]
  const sql = postgres(service.databaseUrl, { max: 2, onnotice: () => undefined })
  try {
    const known = await knownOf(sql)
    const used =
      ({ pid }: Running) =>
      () =>
        cpuOf(pid) + postgresCpu(service.postmaster)
    const get = async (side: "ours" | "peer", path: string): Promise<unknown> => {
      const { status, body } = await askOnce(`${side === "ours" ? service.base : peer.base}${path}`)
      if (status !== 200) throw new Error(`${side} answered ${status}: ${body}`)
      return JSON.parse(body.toString())
    }
    const isEqual = async ({ name, asked, compare }: Row): Promise<boolean> => {
      for (const path of asked.slice(0, compared)) {
        const difference = await compare(path, get).catch((error: Error) => error.message)
        if (difference === undefined) continue
        onDifference(name, path, difference)
        return false
      }
      return true
    }
    /** The service does nothing meanwhile, not even its own jobs. */
    const whileStopped = async <A>(run: () => Promise<A>): Promise<A> => {
      process.kill(service.pid, "SIGSTOP")
      try {
        return await run()
      } finally {
        process.kill(service.pid, "SIGCONT")
      }
    }
    // The 99th percentile that is judged is ours, so it is of more requests.
    const least = (running: Running) => (running === peer ? Math.ceil(effort.least / 5) : effort.least)
    const side = async (running: Running, next: () => string, count: number): Promise<Side> => {
      const address = () => `${running.base}${next()}`
      await measure(address, count, { seconds: warmUp, least: 3, most: 10 }, () => 0)
      return measure(address, count, { ...effort, least: least(running) }, used(running))
    }

    const asked = (running: Running) => ({ base: running.base, cpu: used(running) })
    const changed = (path: string) =>
      afterChanges(sql, known.meetings[0] ?? "", path, asked(service), asked(peer), changes)

    await service.quiet()
    for (const row of rowsFor(known).filter(({ name }) => name.includes(only))) {
      const equal = await isEqual(row)
      const [oursNext, peerNext] = [variantsOf(row), variantsOf(row)]
      const [same = ""] = row.asked
      const isSingle = row.asked.length === 1 && !row.isPaged
      // An answer that is the same for all can only be new after a change.
      if (isSingle) onResult({ name: row.name, clients: 1, cache: "cold", ...(await changed(same)), equal })
      for (const count of isSingle ? [] : clients) {
        const ours = await side(service, oursNext, count)
        const other = await whileStopped(() => side(peer, peerNext, count))
        onResult({ name: row.name, clients: count, cache: "cold", ours, peer: other, equal })
      }
      const { body } = await askOnce(`${service.base}${same}`)
      await bare.give(body)
      for (const count of clients) {
        const ours = await side(service, () => same, count)
        const [other, limit] = await whileStopped(async () => [
          await side(peer, () => same, count),
          await measure(
            () => bare.base,
            count,
            effort,
            () => cpuOf(bare.pid)
          )
        ])
        onResult({ name: row.name, clients: count, cache: "warm", ours, peer: other, limit, equal })
      }
    }
    if (firstAfterChange.includes(only)) {
      const asked = "/api/meetings/browse"
      const result = await changed(asked)
      if (!result.equal) onDifference(firstAfterChange, asked, "a change is not found a second after it")
      onResult({ name: firstAfterChange, clients: 1, cache: "cold", ...result })
    }
    const [, resident = "0"] = /^process_resident_memory_bytes (\S+)/m.exec(await service.metrics()) ?? []
    return Math.round(Number(resident) / 1024 ** 2)
  } finally {
    await sql.end()
  }
}
