import { type ChildProcess, fork, spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { Effect } from "effect"
import { freePort } from "../../test/support/free-port.ts"
import { familyCpu, postgresCpu } from "./cpu.ts"

const root = path.join(import.meta.dirname, "../..")

/** A server process. */
export interface Running {
  readonly base: string
  readonly pid: number
}

export interface Service extends Running {
  /** The base address of its operators' listener. */
  readonly operators: string
  /** The address of its PostgreSQL, then the postmaster's process id. */
  readonly databaseUrl: string
  readonly postmaster: number
  readonly metrics: () => Promise<string>
  /** Resolves once the service and its database do no background work. */
  readonly quiet: () => Promise<void>
}

const children: Array<ChildProcess> = []

/** Stops every process started here. */
export const stopAll = async () => {
  for (const child of children.toReversed()) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGCONT")
    child.kill("SIGINT")
    if (child.connected) child.disconnect()
    await Promise.race([ended, wait(60_000, undefined, { ref: false })])
    child.kill("SIGKILL")
  }
  children.length = 0
}

const isReady = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false
  )

/** The process id and address of a data folder's PostgreSQL, from its postmaster.pid (pid, folder, start, port). */
const databaseOf = (folder: string) => {
  const lines = fs.readFileSync(path.join(folder, "postgres/data/postmaster.pid"), "utf8").split("\n")
  const password = fs.readFileSync(path.join(folder, "secrets/postgres-password"), "utf8").trim()
  return { postmaster: Number(lines[0]), databaseUrl: `postgres://civic:${password}@127.0.0.1:${lines[3]}/postgres` }
}

/**
 * The service counts as quiet below a twentieth of a core over two seconds; after a quarter of an hour it is measured
 * anyway.
 */
const quietAt = { millis: 100, over: 2000, most: 15 * 60_000 }

const untilQuiet = async (used: () => number) => {
  for (const begun = performance.now(); performance.now() - begun < quietAt.most; ) {
    const before = used()
    await wait(quietAt.over)
    if (used() - before <= quietAt.millis) return
  }
  console.log("  The service never came to rest: the CPU of its own jobs is in these figures.")
}

/**
 * Starts the service like `npm start` on a data folder, which it migrates first. `nodeFlags` precede its program;
 * `settings` are environment variables, `args` follow `serve`. Waits until its search index is built, as far as its
 * metrics tell.
 */
export const startService = async (
  folder: string,
  nodeFlags: ReadonlyArray<string> = [],
  settings: Readonly<Record<string, string>> = {},
  args: ReadonlyArray<string> = []
): Promise<Service> => {
  const [port, operatorPort] = [await Effect.runPromise(freePort), await Effect.runPromise(freePort)]
  const log = fs.openSync(path.join(folder, "service.log"), "w")
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", ...nodeFlags, path.join(root, "src/main.ts"), "serve", ...args],
    {
      stdio: ["ignore", log, log],
      env: {
        PATH: process.env.PATH,
        DATA_DIR: folder,
        PORT: String(port),
        OPERATOR_PORT: String(operatorPort),
        LOCAL_IDENTITY_PORT: "0",
        PUBLIC_READ_LIMIT: "1000000",
        ...settings
      }
    }
  )
  children.push(child)
  const base = `http://127.0.0.1:${port}`
  while (!(await isReady(`${base}/health/ready`))) {
    if (child.exitCode !== null) throw new Error(`The service did not start; see ${path.join(folder, "service.log")}.`)
    await wait(250)
  }
  const operators = `http://127.0.0.1:${operatorPort}`
  const metrics = () => fetch(`${operators}/metrics`).then((response) => response.text())
  while (/^\w*search_index\w*ready\w*(\{.*\})? 0$/m.test(await metrics())) await wait(500)
  const { databaseUrl, postmaster } = databaseOf(folder)
  const pid = child.pid ?? 0
  return {
    base,
    operators,
    pid,
    databaseUrl,
    postmaster,
    metrics,
    quiet: () => untilQuiet(() => familyCpu(pid) + postgresCpu(postmaster))
  }
}

const startFork = async (
  file: string,
  args: ReadonlyArray<string>
): Promise<Running & { readonly child: ChildProcess }> => {
  // Without the flags of this process, whose small young space would slow it down.
  const child = fork(path.join(import.meta.dirname, "../peers", file), args, {
    execArgv: ["--disable-warning=ExperimentalWarning"]
  })
  children.push(child)
  const base = await new Promise<string>((resolve, reject) => {
    child.once("message", (message: { readonly base: string }) => resolve(message.base))
    child.once("exit", () => reject(new Error(`${file} did not start.`)))
  })
  return { base, pid: child.pid ?? 0, child }
}

/** Starts the hand-written service on the same database. */
export const startPeer = (databaseUrl: string): Promise<Running> => startFork("service.ts", [databaseUrl])

/** Starts bare `node:http`, which answers with the bytes last sent to it. */
export const startBare = async () => {
  const { child, ...running } = await startFork("bare.ts", [])
  const give = (bytes: Buffer) =>
    new Promise<void>((resolve) => {
      child.once("message", () => resolve())
      child.send(bytes.toString("base64"))
    })
  return { ...running, give }
}
