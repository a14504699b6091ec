import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Redacted, Schedule } from "effect"
import { freePort } from "./free-port.ts"
import { scratch } from "./rendering.ts"
import { reachable } from "./way.ts"

/** Where Debian and Homebrew put it, beside the path. */
const pathOf = `${process.env.PATH}:/usr/sbin:/usr/local/sbin`

/** Whether PgBouncer is installed; it is no package of npm. */
export const hasPgBouncer = spawnSync("pgbouncer", ["--version"], { env: { PATH: pathOf } }).status === 0

/** A PgBouncer before a database, in a mode of its own; returns the database's address through it. */
export const pgBouncer = Effect.fnUntraced(function* (url: Redacted.Redacted, mode: "session" | "transaction") {
  const folder = yield* scratch
  const port = yield* freePort
  const to = new URL(Redacted.value(url))
  const name = to.pathname.slice(1)
  const password = decodeURIComponent(to.password)
  fs.writeFileSync(path.join(folder, "users.txt"), `"${to.username}" "${password}"\n`)
  fs.writeFileSync(
    path.join(folder, "pgbouncer.ini"),
    [
      "[databases]",
      `${name} = host=${to.hostname} port=${to.port} dbname=${name} user=${to.username} password=${password}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = plain",
      `auth_file = ${path.join(folder, "users.txt")}`,
      `pool_mode = ${mode}`,
      "default_pool_size = 5",
      "max_client_conn = 200"
    ].join("\n")
  )
  // It does not run as root.
  if (process.getuid?.() === 0) spawnSync("chown", ["-R", "nobody", folder])
  const as = process.getuid?.() === 0 ? ["-u", "nobody"] : []
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn("pgbouncer", ["-q", ...as, path.join(folder, "pgbouncer.ini")], { env: { PATH: pathOf }, stdio: "ignore" })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  yield* Effect.retry(reachable("127.0.0.1", port), Schedule.spaced("50 millis"))
  to.hostname = "127.0.0.1"
  to.port = String(port)
  return Redacted.make(to.href)
})
