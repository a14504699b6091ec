import * as os from "node:os"
import type { Side } from "./ask.ts"

/** One line of the result. `limit` is bare `node:http` with our bytes. */
export interface Result {
  readonly name: string
  readonly clients: number
  /** `cold`: every request is new. `warm`: the same request is repeated. */
  readonly cache: "cold" | "warm"
  readonly ours: Side
  readonly peer: Side
  /** The number of clients the peer was measured with, if it was too slow for `clients`. */
  readonly peer_clients?: number
  readonly limit?: Side
  /** Whether both sides gave the same answers (see `equal.ts`); otherwise the figures mean nothing. */
  readonly equal: boolean
}

/** The circumstances of the measurement. */
export interface About {
  readonly machine: string
  readonly command: string
  /** The record: its meetings, words per transcript, and the source of its words. */
  readonly record: string
  /** The time of the measurement, ISO 8601. */
  readonly at: string
  /** Resident memory of the service in MB, after all requests; the larger of two runs. */
  readonly resident_mb: number
}

export const machine = (): string => {
  const cpus = os.cpus()
  const memory = Math.round(os.totalmem() / 1024 ** 3)
  const cpu = cpus[0]?.model.trim() ?? "unknown CPU"
  return `${cpus.length} × ${cpu}, ${memory} GB, ${os.type()} ${os.release()}, Node ${process.version}`
}

const number = (value: number): string =>
  value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)

const percentiles = ({ p50_ms, p95_ms, p99_ms, failed }: Side): string =>
  [p50_ms, p95_ms, p99_ms].map(number).join(" / ") + (failed === undefined ? "" : ` (${failed} failed)`)

const columns = [
  "request",
  "clients",
  "cache",
  "ours p50 / p95 / p99 ms",
  "rps",
  "CPU ms",
  "peer p50 / p95 / p99 ms",
  "rps",
  "CPU ms",
  "CPU, peer : ours",
  "of bare node:http"
]

const cells = ({
  name,
  clients,
  cache,
  ours,
  peer,
  peer_clients = clients,
  limit,
  equal
}: Result): ReadonlyArray<string> => [
  equal ? name : `UNEQUAL ${name}`,
  String(clients),
  cache,
  percentiles(ours),
  number(ours.rps),
  number(ours.cpu_ms),
  percentiles(peer) +
    (peer_clients === clients ? "" : ` (${peer_clients} ${peer_clients === 1 ? "client" : "clients"})`),
  number(peer.rps),
  number(peer.cpu_ms),
  ours.cpu_ms === 0 ? "" : `${number(peer.cpu_ms / ours.cpu_ms)} ×`,
  limit === undefined || limit.rps === 0 ? "" : `${((100 * ours.rps) / limit.rps).toFixed(0)} %`
]

/** One line for the terminal, printed as it is measured. */
export const line = (result: Result): string => {
  const [name = "", ...rest] = cells(result)
  const widths = [3, 4, 24, 7, 7, 24, 7, 7, 8, 5]
  return `${name.padEnd(56)} ${rest.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("  ")}`
}

export const heading = (): string => `${columns.join(" | ")}\n`

export const markdown = (about: About, results: ReadonlyArray<Result>): string =>
  [
    `Measured ${about.at.slice(0, 10)} on ${about.machine}; ${about.record}. The service had ${about.resident_mb} MB resident.`,
    "",
    "```sh",
    about.command,
    "```",
    "",
    `| ${columns.join(" | ")} |`,
    `| ${columns.map((_, at) => (at === 0 || at === 2 ? "---" : "---:")).join(" | ")} |`,
    ...[...Map.groupBy(results, ({ name }) => name).values()].flat().map((result) => `| ${cells(result).join(" | ")} |`)
  ].join("\n")
