import { execFile, spawn } from "node:child_process"
import { type AddressInfo, createServer } from "node:net"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Runtime } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { civicRecord } from "../../src/cli.ts"

/**
 * Has a program load what was compiled and kept by `src/main.ts`, or by an earlier run of its own: half of the work of
 * a start.
 */
export const compiled = { NODE_COMPILE_CACHE: path.join(import.meta.dirname, "../../node_modules/.cache/civic-record") }

/** The environment of a process of ours. */
export type ProgramEnv = Readonly<Record<string, string | undefined>>

/** A port that nobody listens on. */
export const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** How a command ended, and all that it printed. */
interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/**
 * Runs a command to its end in this process: the command line that `src/main.ts` runs, with its layers, settings,
 * messages and exit code, without the second of processor time that a start takes.
 */
export const ranHere = Effect.fnUntraced(function* (env: ProgramEnv, ...args: ReadonlyArray<string>) {
  const said = { out: "", err: "" }
  const says =
    (stream: "out" | "err") =>
    (...parts: ReadonlyArray<unknown>) => {
      said[stream] += `${parts.join(" ")}\n`
    }
  const exit = yield* civicRecord(args, Layer.effect(Environment, readEnvironment(env))).pipe(
    Effect.provideService(Console.Console, { ...globalThis.console, log: says("out"), error: says("err") }),
    Effect.provide(NodeServices.layer),
    Effect.exit
  )
  const code = yield* Effect.callback<number>((resume) =>
    Runtime.defaultTeardown(exit, (code) => resume(Effect.succeed(code)))
  )
  return { code, ...said } satisfies Ran
})

/** Runs a command to its end in a process of its own. */
export const ran = (env: ProgramEnv, ...args: ReadonlyArray<string>) =>
  Effect.callback<Ran>((resume) => {
    execFile(process.execPath, ["src/main.ts", ...args], { env }, (error, out, err) => {
      resume(Effect.succeed({ code: typeof error?.code === "number" ? error.code : 0, out, err }))
    })
  })

/** A process of ours that runs until it is killed or the scope closes. Its log goes to `log` where one is given. */
export const running = (env: ProgramEnv, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, ["src/main.ts", ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
      const said: Array<string> = []
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => said.push(part.toString()))
      return { child, said, ended: new Promise<number | null>((resolve) => child.on("exit", resolve)) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )
