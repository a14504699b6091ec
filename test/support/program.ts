import { execFile, spawn } from "node:child_process"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Runtime } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { civicRecord } from "../../src/cli.ts"
import { eventually } from "./rendering.ts"

/** Makes a program load the compile cache of `src/main.ts`, or of an earlier run: half of the work of a start. */
export const compiled = { NODE_COMPILE_CACHE: path.join(import.meta.dirname, "../../node_modules/.cache/civic-record") }

/** The environment of our processes. */
export type ProgramEnv = Readonly<Record<string, string | undefined>>

/** How a command ended, and everything it printed. */
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

/** Runs a command to its end as a separate process. */
export const ran = (env: ProgramEnv, ...args: ReadonlyArray<string>) =>
  Effect.callback<Ran>((resume) => {
    execFile(process.execPath, ["src/main.ts", ...args], { env }, (error, out, err) => {
      resume(Effect.succeed({ code: typeof error?.code === "number" ? error.code : 0, out, err }))
    })
  })

/**
 * One of our processes, which runs until it is killed or the scope closes. `until` repeats a look until it has a
 * result, and dies with what the process said if that ends first.
 */
export const running = (env: ProgramEnv, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, ["src/main.ts", ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
      const said: Array<string> = []
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => said.push(part.toString()))
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve))
      const tooEarly = Effect.flatMap(
        Effect.promise(() => ended),
        (code) => Effect.die(new Error(`It ended with ${code}: ${said.join("")}`))
      )
      const until = <A>(look: Effect.Effect<A | undefined>) => Effect.raceFirst(eventually(look), tooEarly)
      return { child, said, ended, until }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )
