import { execFileSync } from "node:child_process"
import * as fs from "node:fs"

/** Linux counts CPU time in hundredths of a second for programs (proc(5), `sysconf(_SC_CLK_TCK)`). */
const millisPerTick = 10

const isLinux = fs.existsSync("/proc/self/stat")

/** The fields of `/proc/PID/stat` after the name of the program; the first is field 3. */
const statOf = (pid: number): ReadonlyArray<string> | undefined => {
  const file = `/proc/${pid}/stat`
  if (!fs.existsSync(file)) return undefined
  try {
    const text = fs.readFileSync(file, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

/** Fields 14 to 17: of the process itself in user and system mode, and of its children that have ended. */
const millisIn = (stat: ReadonlyArray<string> | undefined): number =>
  (stat ?? [])
    .slice(11, 15)
    .map(Number)
    .reduce((sum, ticks) => sum + ticks, 0) * millisPerTick

/** "1:02:03.45" or "02:03" as `ps` writes it, in milliseconds. */
const fromPs = (text: string): number =>
  text
    .trim()
    .split(":")
    .map(Number)
    .reduce((sum, part) => sum * 60 + part, 0) * 1000

/** CPU milliseconds that a process has used so far. */
export const cpuOf = (pid: number): number =>
  isLinux ? millisIn(statOf(pid)) : fromPs(execFileSync("ps", ["-o", "time=", "-p", String(pid)], { encoding: "utf8" }))

/**
 * CPU milliseconds that PostgreSQL has used so far: its first process, the one behind each connection, and those that
 * have ended. 0 on systems that do not tell.
 */
export const postgresCpu = (postmaster: number): number => {
  if (!isLinux) return 0
  const children = fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.[1] === String(postmaster))
  return [statOf(postmaster), ...children].reduce((sum, stat) => sum + millisIn(stat), 0)
}
