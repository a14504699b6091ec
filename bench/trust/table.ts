import * as os from "node:os"
import type { Seen } from "./traffic/tally.ts"

/** What a fault came to. */
export interface Row {
  readonly fault: string
  readonly severs: boolean
  readonly seen: Seen
  readonly lost: ReadonlyArray<string>
  readonly unheard: ReadonlyArray<string>
  /** Clips that workers cut meanwhile, and tasks that wait at the end. */
  readonly clips: { readonly cut: number; readonly waiting: number }
  readonly note: string | undefined
  /** How long it took, with what comes before and after it. */
  readonly seconds: number
}

export const columns = [
  "fault",
  "requests",
  "wrong answers",
  "lost writes",
  "missed events",
  "503",
  "other errors",
  "no read for",
  "no write for",
  "clips cut",
  "remarks"
] as const

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

/** The cells of a row, in the order of the columns. */
export const cells = ({ fault, seen, lost, unheard, clips, note }: Row): ReadonlyArray<string> => [
  fault,
  String(seen.requests),
  String(seen.wrong.length),
  String(lost.length),
  String(unheard.length),
  String(seen.unavailable),
  [...seen.errors].map(([what, count]) => `${count} ${what}`).join(", ") || "0",
  seconds(seen.longestGap.read),
  seconds(seen.longestGap.write),
  clips.waiting > 10 ? `${clips.cut} (${clips.waiting} wait)` : String(clips.cut),
  [...(note === undefined ? [] : [note]), ...seen.broken].join("; ")
]

/** Whether a client had no answer because its connection broke, or could not be made. */
const isSevered = (what: string) => /^(ECONN|EPIPE|UND_ERR_SOCKET)/.test(what)

/** Whether a row is as it has to be: all right and in time, nothing lost, and nothing but 503 with `Retry-After`. */
export const holds = ({ seen, severs, lost, unheard }: Row): boolean =>
  seen.wrong.length === 0 &&
  seen.broken.length === 0 &&
  lost.length === 0 &&
  unheard.length === 0 &&
  [...seen.errors.keys()].every((what) => severs && isSevered(what))

const line = (values: ReadonlyArray<string>) => `| ${values.join(" | ")} |`

/** The table as it stands in docs/reliability.md. */
export const markdown = (rows: ReadonlyArray<Row>): string =>
  [line(columns), line(columns.map(() => "---")), ...rows.map((row) => line(cells(row)))].join("\n")

/** The machine that it was measured on, and how busy it was with other things. */
export const machine = () => {
  const [cpu] = os.cpus()
  const load = os.loadavg()[0]?.toFixed(1)
  return `${os.cpus().length} cores (${cpu?.model.trim()}), ${Math.round(os.totalmem() / 2 ** 30)} GB, ${os.type()} ${os.release()}, Node ${process.version}, load ${load} before`
}
