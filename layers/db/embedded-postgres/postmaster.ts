import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Schedule } from "effect"

/** The last line of a log, where PostgreSQL says why it stopped. */
export const lastLine = (file: string): string => fs.readFileSync(file, "utf8").trim().split("\n").at(-1) ?? ""

export interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/**
 * The contents of `postmaster.pid` (PostgreSQL's own file: pid, folder, start, port, ..., status), if that server is
 * alive.
 */
export const postmaster = (data: string): Postmaster | undefined => {
  const file = path.join(data, "postmaster.pid")
  if (!fs.existsSync(file)) return undefined
  const lines = fs.readFileSync(file, "utf8").split("\n")
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && isAlive(pid) ? { pid, port, ready: lines[7]?.trim() === "ready" } : undefined
}

/** Stops a server; committed data is safe. */
export const stop = Effect.fnUntraced(function* (pid: number) {
  if (!isAlive(pid)) return
  // SIGINT is PostgreSQL's fast shutdown: it ends sessions and loses nothing committed.
  process.kill(pid, "SIGINT")
  yield* Effect.sync(() => isAlive(pid)).pipe(
    Effect.repeat({ while: (alive) => alive, schedule: Schedule.spaced("50 millis") }),
    Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.sync(() => process.kill(pid, "SIGQUIT")) })
  )
})
