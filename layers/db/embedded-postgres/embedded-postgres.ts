import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import { DateTime, Deferred, Effect, Option, Redacted, Ref, Schedule, type Scope } from "effect"
import { Environment } from "../../config/config.ts"
import { keptFile } from "../../data-folder/kept-file.ts"
import { Siblings } from "../../processes/siblings.ts"
import { EmbeddedPostgresError } from "./failure.ts"
import { binaries, initialise, launch, runner } from "./install.ts"
import { isAlive, lastLine, postmaster, stop } from "./postmaster.ts"

const freePort = Effect.callback<number>((resume) => {
  const server = net.createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as net.AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

const settings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "shared_buffers=256MB",
  "work_mem=32MB",
  "maintenance_work_mem=256MB",
  "effective_cache_size=2GB",
  "random_page_cost=1.1",
  "max_wal_size=2GB",
  "wal_compression=on",
  "jit=off",
  "timezone=UTC",
  "log_timezone=UTC"
]

/** What one process of the service opens at most, and what is left for commands and workers. */
const connections = { each: 30, others: 70 }

/**
 * Who runs the data folder's server: `own` runs it, `attach` only uses one that another process of this service runs.
 */
export type Ownership = "own" | "attach"

/** The delays between attempts to restart a server: twelve attempts take at least two and a half minutes. */
const pauses = Schedule.min([Schedule.exponential("250 millis"), Schedule.spaced("30 seconds")])
const retries = 11

export interface EmbeddedPostgres {
  readonly url: Redacted.Redacted
  /** When the server was last restarted after a crash. */
  readonly restartedAt: Effect.Effect<Option.Option<DateTime.Utc>>
  /** Fails once the server has crashed and cannot be restarted. */
  readonly lost: Effect.Effect<never, EmbeddedPostgresError>
}

/**
 * The bundled PostgreSQL, under DATA_DIR. With `own` it is started if it is not running (or adopted from a process that
 * was killed), restarted on the same port after a crash, and stopped when the scope closes; with `attach` it must be
 * running. `processes` of the service will use it. Fails with `EmbeddedPostgresError`, in one line.
 */
export const startEmbeddedPostgres = Effect.fn("EmbeddedPostgres.start")(function* (
  ownership: Ownership,
  processes = 1
): Effect.fn.Return<EmbeddedPostgres, EmbeddedPostgresError, Scope.Scope | Environment> {
  const { dataDir, programPath } = yield* Environment
  const folder = path.join(dataDir, "postgres")
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const tools = yield* binaries
  const who = runner(programPath, [tools.postgres, path.join(folder, "data")])
  // 256 random bits, generated once per installation.
  const password = keptFile(path.join(dataDir, "secrets", "postgres-password"), 0o700, () =>
    randomBytes(32).toString("base64url")
  )
  const data = yield* initialise(folder, who, tools, password)
  const addressOf = (port: number) => Redacted.make(`postgres://civic:${password}@127.0.0.1:${port}/postgres`)
  const running = postmaster(data)
  if (ownership === "attach") {
    if (running?.ready) {
      const { ask } = yield* Siblings
      const restartedAt =
        ask === undefined
          ? Effect.succeedNone
          : Effect.map(
              Effect.promise(() => ask("databaseRestartedAt")),
              (at) => Option.map(Option.fromNullishOr(at), DateTime.makeUnsafe)
            )
      return { url: addressOf(running.port), restartedAt, lost: Effect.never }
    }
    return yield* new EmbeddedPostgresError({
      message: "The running service's database does not answer yet. Try again."
    })
  }

  const port = running?.port ?? (yield* freePort)
  const logFile = path.join(folder, "postgres.log")
  const log = yield* Effect.acquireRelease(
    Effect.sync(() => fs.openSync(logFile, "a")),
    (opened) => Effect.sync(() => fs.closeSync(opened))
  )
  const most = `max_connections=${connections.others + connections.each * processes}`
  const flags = [most, ...settings].flatMap((setting) => ["-c", setting])
  let pid = running?.pid
  yield* Effect.addFinalizer(() => (pid === undefined ? Effect.void : stop(pid)))
  const isRunning = Effect.sync(() => pid !== undefined && isAlive(pid))

  /** Starts the server unless it is running, and waits until it is ready. */
  const start = Effect.gen(function* () {
    if (!(yield* isRunning)) {
      const child = launch(who, tools.postgres, ["-D", data, "-p", String(port), ...flags], log)
      // Without a listener, a failed spawn would end this process; the failure shows below.
      child.once("error", () => undefined)
      child.unref()
      pid = child.pid
    }
    yield* Effect.suspend(
      (): Effect.Effect<boolean, EmbeddedPostgresError> =>
        pid === undefined || !isAlive(pid)
          ? Effect.fail(
              new EmbeddedPostgresError({
                message: `PostgreSQL did not start: ${lastLine(logFile)} Its log is ${logFile}.`
              })
            )
          : Effect.succeed(postmaster(data)?.ready === true)
    ).pipe(
      Effect.repeat({ until: (ready) => ready, schedule: Schedule.spaced("25 millis") }),
      Effect.timeoutOrElse({
        duration: "60 seconds",
        orElse: () =>
          Effect.fail(
            new EmbeddedPostgresError({ message: `PostgreSQL was not ready within a minute. Its log is ${logFile}.` })
          )
      })
    )
  })

  yield* start
  const restartedAt = yield* Ref.make(Option.none<DateTime.Utc>())
  const lost = yield* Deferred.make<never, EmbeddedPostgresError>()
  const supervise = Effect.gen(function* () {
    yield* Effect.repeat(isRunning, { while: (runs) => runs, schedule: Schedule.spaced("250 millis") })
    yield* Effect.logError("PostgreSQL stopped by itself; restarting it").pipe(
      Effect.annotateLogs("reason", lastLine(logFile))
    )
    // A folder that was removed or replaced no longer holds the same database.
    yield* Effect.retry(start, {
      schedule: pauses,
      times: retries,
      while: () => fs.existsSync(path.join(data, "PG_VERSION"))
    })
    yield* Ref.set(restartedAt, Option.some(yield* DateTime.now))
    yield* Effect.logWarning("PostgreSQL is running again")
  }).pipe(
    Effect.forever,
    Effect.catch(({ message }) =>
      Deferred.fail(
        lost,
        new EmbeddedPostgresError({ message: `The database stopped and cannot be brought back. ${message}` })
      )
    )
  )
  yield* Effect.forkScoped(supervise)
  return { url: addressOf(port), restartedAt: Ref.get(restartedAt), lost: Deferred.await(lost) }
})
