import { execFileSync } from "node:child_process"
import * as fs from "node:fs"

/** Linux reports CPU time to programs in hundredths of a second (proc(5), `sysconf(_SC_CLK_TCK)`). */
const millisPerTick = 10

const isLinux = fs.existsSync("/proc/self/stat")

/** The fields of `/proc/PID/stat` after the program's name, from field 3 on. */
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

/** Sums fields 14 to 17: user and system time of the process and of its ended children. */
const millisIn = (stat: ReadonlyArray<string> | undefined): number =>
  (stat ?? [])
    .slice(11, 15)
    .map(Number)
    .reduce((sum, ticks) => sum + ticks, 0) * millisPerTick

/** Parses `1:02:03.45` or `02:03`, as `ps` writes it, into milliseconds. */
const fromPs = (text: string): number =>
  text
    .trim()
    .split(":")
    .map(Number)
    .reduce((sum, part) => sum * 60 + part, 0) * 1000

/** CPU milliseconds used by a process so far. */
export const cpuOf = (pid: number): number =>
  isLinux ? millisIn(statOf(pid)) : fromPs(execFileSync("ps", ["-o", "time=", "-p", String(pid)], { encoding: "utf8" }))

const childrenOf = (parent: number) =>
  fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat?.[1] === String(parent))

/** CPU milliseconds used by a process, its children, and those that ended, so far. Without children except on Linux. */
export const familyCpu = (pid: number): number =>
  isLinux ? [statOf(pid), ...childrenOf(pid)].reduce((sum, stat) => sum + millisIn(stat), 0) : cpuOf(pid)

/**
 * CPU milliseconds used by PostgreSQL so far: by the postmaster, each backend, and ended backends. Always 0 except on
 * Linux.
 */
export const postgresCpu = (postmaster: number): number => (isLinux ? familyCpu(postmaster) : 0)
