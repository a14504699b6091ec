import * as http from "node:http"
import { nearestRank } from "./nearest-rank.ts"

/**
 * The measurements of one side for a row. Times are in milliseconds; CPU is per request, of the side's process and of
 * PostgreSQL on its behalf.
 */
export interface Side {
  readonly p50_ms: number
  readonly p95_ms: number
  readonly p99_ms: number
  readonly rps: number
  readonly cpu_ms: number
  /** Requests not answered with 200, if any; the other figures leave them out. */
  readonly failed?: number
}

/** How long, and with how many requests, a side is measured. */
export interface Effort {
  /** Minimum seconds; longer if fewer than `least` requests were answered by then. */
  readonly seconds: number
  readonly least: number
  /** Seconds after which no request is started, however few were answered. */
  readonly most: number
}

interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** Sends one request, and resolves to the status once all of the answer was heard. */
const ask = (agent: http.Agent, url: string, hear: (part: Buffer) => void): Promise<number> =>
  new Promise((resolve, reject) => {
    http
      .get(url, { agent }, (response) => {
        response.on("data", hear)
        response.on("end", () => resolve(response.statusCode ?? 0))
        response.on("error", reject)
      })
      .on("error", reject)
  })

/** Sends one request on a connection of its own. */
export const askOnce = async (url: string): Promise<Answer> => {
  const parts: Array<Buffer> = []
  const status = await ask(new http.Agent(), url, (part) => parts.push(part))
  return { status, body: Buffer.concat(parts) }
}

/** Lets an answer go: what is kept, this process would have to collect in the times that are measured. */
const forget = () => undefined

const round = (value: number) => Math.round(value * 100) / 100

const sideOf = (times: ReadonlyArray<number>, failed: number, seconds: number, cpu: number): Side => {
  const at = nearestRank(times)
  return {
    p50_ms: round(at(0.5)),
    p95_ms: round(at(0.95)),
    p99_ms: round(at(0.99)),
    rps: round(times.length / seconds),
    cpu_ms: round(cpu / Math.max(1, times.length + failed)),
    ...(failed === 0 ? {} : { failed })
  }
}

/** Requests one address after another over `clients` connections. `cpu` reads the CPU milliseconds used so far. */
export const measure = async (
  next: () => string,
  clients: number,
  { seconds, least, most }: Effort,
  cpu: () => number
): Promise<Side> => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: clients })
  const times: Array<number> = []
  let failed = 0
  const cpuBefore = cpu()
  const begun = performance.now()
  const elapsed = () => (performance.now() - begun) / 1000
  const client = async () => {
    while (elapsed() < seconds || (times.length + failed < least && elapsed() < most)) {
      const before = performance.now()
      const status = await ask(agent, next(), forget)
      if (status === 200) times.push(performance.now() - before)
      else failed++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const took = elapsed()
  const used = cpu() - cpuBefore
  agent.destroy()
  return sideOf(times, failed, took, used)
}

/** The same measurements for requests sent one at a time, each with its CPU milliseconds. */
export const sideOfSingle = (taken: ReadonlyArray<{ readonly millis: number; readonly cpu: number }>): Side =>
  sideOf(
    taken.map(({ millis }) => millis),
    0,
    taken.reduce((sum, { millis }) => sum + millis, 0) / 1000,
    taken.reduce((sum, { cpu }) => sum + cpu, 0)
  )
