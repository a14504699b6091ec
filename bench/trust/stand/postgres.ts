import { execFile } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { promisify } from "node:util"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Redacted } from "effect"
import { binaries, initialise, launch, runner } from "../../../layers/db/embedded-postgres/install.ts"
import { postmaster } from "../../../layers/db/embedded-postgres/postmaster.ts"
import { programPath } from "./needs.ts"
import { ownFolder, type Program, program, writeOwn } from "./program.ts"

/** One PostgreSQL of the cluster. */
export interface Server {
  readonly name: "a" | "b" | "recovered"
  readonly port: number
  readonly data: string
  readonly program: Program
  /** The address of its database, for the role that the service uses. */
  readonly url: (database?: string) => string
  /** The first column of the first row of a statement, on a connection of its own; fails if it cannot be had. */
  readonly ask: (sql: string, database?: string) => Effect.Effect<string | null, unknown>
}

/** The role that everything belongs to, and by which the replica follows. */
export const owner = "civic"
export const database = "record"

const settings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=200",
  "shared_buffers=128MB",
  "wal_keep_size=512MB",
  "max_standby_streaming_delay=5s",
  "hot_standby_feedback=on",
  "wal_retrieve_retry_interval=200ms",
  "checkpoint_timeout=60s",
  "archive_mode=on",
  "jit=off",
  "timezone=UTC",
  "log_timezone=UTC"
]

interface Place {
  readonly name: Server["name"]
  readonly folder: string
  readonly port: number
  readonly logs: string
  readonly password: string
  /** Where finished segments of its log are archived. */
  readonly archive: string
  /** The port of the server that it follows while it has a `standby.signal`. */
  readonly follows: () => number
  /** More settings for the next start. */
  readonly more?: () => ReadonlyArray<string>
}

/** A server on its own port. Its data folder is made by `initialised` or by a base backup of the other. */
export const postgresServer = Effect.fnUntraced(function* (at: Place) {
  const tools = yield* Effect.orDie(binaries)
  ownFolder(at.folder)
  const data = path.join(at.folder, "data")
  const who = runner(programPath, [tools.postgres, data])
  const address = (to: string) => `postgres://${owner}:${at.password}@127.0.0.1:${at.port}/${to}`
  const flags = () => [
    ...settings,
    `archive_command=test -f ${at.archive}/%f || (cp %p ${at.archive}/%f.part && mv ${at.archive}/%f.part ${at.archive}/%f)`,
    `primary_conninfo=host=127.0.0.1 port=${at.follows()} user=${owner} password=${at.password} application_name=${at.name}`,
    ...(at.more?.() ?? [])
  ]
  const run = yield* program({
    name: `postgres ${at.name}`,
    logs: at.logs,
    spawn: (log) =>
      launch(who, tools.postgres, ["-D", data, "-p", `${at.port}`, ...flags().flatMap((s) => ["-c", s])], log),
    isReady: Effect.sync(() => postmaster(data)?.ready === true)
  })
  return {
    name: at.name,
    port: at.port,
    data,
    program: run,
    url: (to = database) => address(to),
    ask: (sql, to = database) =>
      Effect.gen(function* () {
        const connection = yield* PgConnection.make({ url: Redacted.make(address(to)), connectTimeout: "5 seconds" })
        const { rows } = yield* connection.query(sql)
        const [value] = Object.values(rows[0] ?? {})
        return value === undefined || value === null ? null : String(value)
      }).pipe(Effect.scoped, Effect.timeout("40 seconds"))
  } satisfies Server as Server
})

/** Makes a server's data folder, empty. */
export const initialised = Effect.fnUntraced(function* (server: Server, password: string) {
  const tools = yield* Effect.orDie(binaries)
  const folder = path.dirname(server.data)
  yield* Effect.orDie(initialise(folder, runner(programPath, [tools.postgres, server.data]), tools, password))
})

/**
 * Copies a running server's files, with PostgreSQL's own functions for that (its documentation, 25.3.4), to where
 * nothing is: a replica, or a recovery to a point in time, starts from them.
 */
export const baseBackup = Effect.fnUntraced(
  function* (from: Server, data: string) {
    fs.rmSync(data, { recursive: true, force: true })
    const connection = yield* PgConnection.make({ url: Redacted.make(from.url()), connectTimeout: "10 seconds" })
    yield* connection.query("select pg_backup_start('stand', true)::text")
    ownFolder(data)
    fs.chmodSync(data, 0o700)
    // Files change, come and go under the copy; the log that is replayed over it puts that right.
    const copying = `tar --exclude='./pg_wal/*' --exclude=./postmaster.pid --exclude=./standby.signal \
      --warning=no-file-changed --warning=no-file-removed --warning=no-file-ignored -C "$1" -cf - . \
      | tar -C "$2" -xpf -`
    yield* Effect.promise(() =>
      promisify(execFile)("/bin/sh", ["-c", copying, "sh", from.data, data], { env: { PATH: programPath } })
    )
    const { rows } = yield* connection.query("select labelfile, spcmapfile from pg_backup_stop(false)")
    writeOwn(path.join(data, "backup_label"), String(rows[0]?.labelfile ?? ""), 0o600)
  },
  Effect.scoped,
  Effect.orDie
)

/** Makes a stopped server a replica of another, from its files. */
export const becomeReplica = Effect.fnUntraced(function* (server: Server, of: Server) {
  yield* baseBackup(of, server.data)
  writeOwn(path.join(server.data, "standby.signal"), "", 0o600)
  yield* server.program.start
})
