import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Schedule } from "effect"

/** One program of the stand, on a port of its own for as long as the stand lives. */
export interface Program {
  readonly name: string
  readonly pid: () => number | undefined
  /** Starts it unless it runs, and waits until it answers. */
  readonly start: Effect.Effect<void>
  /** Sends a signal that does not end it. */
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** Sends the signal and waits until it has ended; after 30 seconds it is killed. */
  readonly end: (signal: NodeJS.Signals) => Effect.Effect<void>
}

interface Run {
  readonly name: string
  /** Called at each start, so that a program can come back with other settings. */
  readonly spawn: (log: number) => ChildProcess
  readonly isReady: Effect.Effect<boolean>
  /** The folder in which its log is kept. */
  readonly logs: string
  /** How long it waits for the processor beside the others, as in its unit (`Nice=`). */
  readonly nice?: number
}

const nobody = 65_534

/** Servers of others run as nobody where the stand is run by root; several of them refuse root. */
const asOrdinaryUser = (): Pick<SpawnOptions, "uid" | "gid"> =>
  process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** Runs a server of the machine as an ordinary user, in a process group of its own, so that Ctrl-C reaches only us. */
export const spawned = (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv, log: number) =>
  spawn(command, args, { env, stdio: ["ignore", log, log], detached: true, ...asOrdinaryUser() })

/** Makes a folder that such a server can write. */
export const ownFolder = (...parts: ReadonlyArray<string>) => {
  const folder = path.join(...parts)
  fs.mkdirSync(folder, { recursive: true, mode: 0o755 })
  if (process.getuid?.() === 0) fs.chownSync(folder, nobody, nobody)
  return folder
}

/** Writes a file that such a server can read. */
export const writeOwn = (file: string, text: string, mode = 0o644) => {
  fs.writeFileSync(file, text, { mode })
  if (process.getuid?.() === 0) fs.chownSync(file, nobody, nobody)
  return file
}

/** A folder for everything, which ends with the stand. */
export const standFolder = (kept: boolean) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const made = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-trust-"))
      fs.chmodSync(made, 0o711)
      return made
    }),
    (made) => Effect.sync(() => (kept ? undefined : fs.rmSync(made, { recursive: true, force: true })))
  )

/** How long a supervisor takes to notice that a process is gone, and to start it again. */
export const supervision = "1 second"

/**
 * How willingly the programs wait for the processor: those who ask go first. Otherwise what they are late with, on the
 * cores that they share, would be taken for the service's.
 */
const afterUs = Math.min(19, os.getPriority() + 7)

const every = Schedule.spaced("50 millis")

/** Repeats until it is so; dies after five minutes. */
export const until = (what: string, look: Effect.Effect<boolean>) =>
  Effect.repeat(look, { until: (is) => is, schedule: every }).pipe(
    Effect.timeoutOrElse({
      duration: "5 minutes",
      orElse: () => Effect.die(new Error(`Waited five minutes in vain: ${what}`))
    }),
    Effect.asVoid
  )

/** A program that is not running yet, and is killed when the scope closes. */
export const program = Effect.fnUntraced(function* (run: Run) {
  let child: ChildProcess | undefined
  const isAlive = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const logFile = path.join(run.logs, `${run.name.replaceAll(" ", "-")}.log`)
  const end = (signal: NodeJS.Signals) =>
    Effect.suspend(() => {
      if (child === undefined || !isAlive()) return Effect.void
      const ending = child
      const ended = Effect.callback<void>((resume) => {
        ending.once("exit", () => resume(Effect.void))
        ending.kill(signal)
      })
      return Effect.timeoutOrElse(ended, {
        duration: "30 seconds",
        orElse: () => Effect.sync(() => void ending.kill("SIGKILL"))
      })
    })
  yield* Effect.addFinalizer(() => end("SIGKILL"))
  return {
    name: run.name,
    pid: () => (isAlive() ? child?.pid : undefined),
    start: until(
      `${run.name} to be ready (its log is ${logFile})`,
      Effect.suspend(() => {
        if (isAlive()) return run.isReady
        // One that ends before it is ready is started again, as a supervisor does.
        const pause = child !== undefined && child.exitCode !== null ? supervision : 0
        const log = fs.openSync(logFile, "a")
        child = run.spawn(log)
        child.once("error", () => undefined)
        if (child.pid !== undefined) os.setPriority(child.pid, afterUs + (run.nice ?? 0))
        child.unref()
        fs.closeSync(log)
        return Effect.as(Effect.sleep(pause), false)
      })
    ),
    signal: (signal) => Effect.sync(() => void child?.kill(signal)),
    end
  } satisfies Program as Program
})

/** Whether an address answers with a status of 200. */
export const answers = (url: string, init: RequestInit = {}): Effect.Effect<boolean> =>
  Effect.promise((signal) =>
    fetch(url, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(2000)]) }).then(
      async (response) => {
        await response.body?.cancel()
        return response.ok
      },
      () => false
    )
  )
