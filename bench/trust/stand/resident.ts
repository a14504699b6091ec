import * as fs from "node:fs"
import * as os from "node:os"
import { Effect } from "effect"
import type { Program } from "./program.ts"

/** Megabytes that a process has in memory; 0 where it is not running. */
const megabytesOf = ({ pid }: Program) => {
  const file = `/proc/${pid()}/status`
  const kilobytes = fs.existsSync(file) ? /^VmRSS:\s+(\d+)/m.exec(fs.readFileSync(file, "utf8"))?.[1] : undefined
  return Math.round((Number(kilobytes ?? 0) * 1024) / 1e6)
}

/** Watches what programs have in memory, until the scope closes; the function gives the most that each had. */
export const mostResident = Effect.fnUntraced(function* (programs: ReadonlyArray<Program>) {
  const most = programs.map(() => 0)
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.andThen(
        Effect.sync(() => {
          for (const [at, each] of programs.entries()) most[at] = Math.max(most[at] ?? 0, megabytesOf(each))
        }),
        Effect.sleep("1 second")
      )
    )
  )
  return () => most
})

export const residentNow = (programs: ReadonlyArray<Program>): ReadonlyArray<number> => programs.map(megabytesOf)

/** The share of all cores that is used, from now until the function is called. */
export const coresUsed = () => {
  const read = () => {
    const all = os.cpus().map(({ times }) => times)
    const idle = all.reduce((sum, times) => sum + times.idle, 0)
    return { idle, total: all.reduce((sum, times) => sum + Object.values(times).reduce((a, b) => a + b, 0), 0) }
  }
  const before = read()
  return () => {
    const now = read()
    return 1 - (now.idle - before.idle) / Math.max(1, now.total - before.total)
  }
}
