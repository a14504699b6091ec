import * as path from "node:path"
import { Effect } from "effect"
import { programPath } from "./needs.ts"
import { listens } from "./ports.ts"
import { ownFolder, program, spawned, writeOwn } from "./program.ts"
import { filled } from "./proxies.ts"

/** A role that PgBouncer knows, with its password. */
type User = readonly [name: string, password: string]

/** PgBouncer in transaction mode, before the proxy of the database. */
export const pooler = Effect.fnUntraced(function* (
  folder: string,
  logs: string,
  port: number,
  to: number,
  first: ReadonlyArray<User>
) {
  ownFolder(folder)
  const users = path.join(folder, "users.txt")
  const know = (known: ReadonlyArray<User>) =>
    writeOwn(users, known.map(([name, password]) => `"${name}" "${password}"\n`).join(""), 0o600)
  know(first)
  const values = {
    POSTGRES_HOST: "127.0.0.1",
    POSTGRES_PORT: String(to),
    LISTEN_HOST: "127.0.0.1",
    LISTEN_PORT: String(port),
    USERS: users
  }
  const config = writeOwn(path.join(folder, "pgbouncer.ini"), filled("pgbouncer.ini", values), 0o600)
  const run = yield* program({
    name: "pgbouncer",
    logs,
    spawn: (log) => spawned("pgbouncer", ["-q", config], { PATH: programPath }, log),
    isReady: listens(port)
  })
  return {
    ...run,
    /** Makes it know these roles, without a restart. */
    know: (known: ReadonlyArray<User>) =>
      Effect.andThen(
        Effect.sync(() => know(known)),
        run.signal("SIGHUP")
      )
  }
})
