import { spawnSync } from "node:child_process"
import * as path from "node:path"

/** Where Debian puts servers, beside the path. */
export const programPath = `${process.env.PATH}:/usr/sbin:/sbin:/usr/local/sbin`

/** The programs of the machine that the stand runs, each with the Debian package that brings it. */
const programs = {
  pgbouncer: "pgbouncer",
  haproxy: "haproxy",
  "redis-server": "redis-server",
  prometheus: "prometheus",
  openssl: "openssl",
  wrk: "wrk",
  tar: "tar"
} as const

/** Whether a program of the machine is installed. */
export const isThere = (program: string) =>
  spawnSync("/bin/sh", ["-c", 'command -v "$1"', "sh", program], { env: { PATH: programPath } }).status === 0

/** What to install before the stand can run, in one line; undefined if nothing is missing. */
export const missing = (): string | undefined => {
  const absent = Object.entries(programs).filter(([program]) => !isThere(program))
  if (absent.length === 0) return undefined
  const [names, packages] = [absent.map(([program]) => program), absent.map(([, from]) => from)]
  return `The stand needs ${names.join(", ")}. On Debian: apt-get install ${packages.join(" ")}`
}

/** The project's root folder. */
export const root = path.join(import.meta.dirname, "../../..")
