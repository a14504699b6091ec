import * as os from "node:os"
import type { Seen } from "./traffic/tally.ts"

/** What a fault came to. */
export interface Row {
  readonly fault: string
  readonly seen: Seen
  readonly lost: ReadonlyArray<string>
  readonly unheard: ReadonlyArray<string>
  /** Clips that workers cut meanwhile, and tasks that wait at the end. */
  readonly clips: { readonly cut: number; readonly waiting: number }
  readonly note: string | undefined
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
  note ?? ""
]

/** Whether a row is as it has to be: every answer right, nothing lost, and nothing but 503 with `Retry-After`. */
export const holds = ({ seen, lost, unheard }: Row): boolean =>
  seen.wrong.length === 0 && lost.length === 0 && unheard.length === 0 && seen.errors.size === 0

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
