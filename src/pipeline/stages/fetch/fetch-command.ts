import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Duration, Effect, Option, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { Environment } from "../../../../layers/config/config.ts"
import { onPath } from "../../../../layers/renderer/tools.ts"
import { WebFailed } from "../../web/failure.ts"

const usualTimeout: Duration.Input = "3 hours"

const types: Readonly<Record<string, string>> = {
  ".webm": "video/webm",
  ".mkv": "video/x-matroska",
  ".mov": "video/quicktime"
}

const failed = (reason: "unsuitable" | "unreachable", message: string, cause?: unknown) =>
  new WebFailed({ reason, message: `FETCH_COMMAND ${message}`, cause })

/**
 * The operator's program for recordings that stay at their player; undefined if there is none. It is started without a
 * shell, with the address as its only argument, in an empty folder, where it leaves one file; it gets nothing of our
 * environment but PATH, is bounded in time and in what it writes, and dies with its children when its time is over or
 * the task is. What it leaves is moved to `file`, and checked as an import's.
 */
export const fetchCommand = Effect.gen(function* () {
  const { fetchCommand: named, programPath } = yield* Environment
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  if (Option.isNone(named)) return undefined
  const [prlimit, setpriv] = ["prlimit", "setpriv"].map((program) => onPath(programPath, program))

  return Effect.fn("FetchStage.fetchCommand")(function* (
    address: string,
    file: string,
    { bytes, timeout = usualTimeout }: { readonly bytes: number; readonly timeout?: Duration.Input }
  ) {
    const folder = `${file}.command`
    fs.rmSync(folder, { recursive: true, force: true })
    fs.mkdirSync(folder, { recursive: true })
    const bounded =
      prlimit === undefined || setpriv === undefined
        ? []
        : [prlimit, `--fsize=${bytes}`, "--core=0", setpriv, "--pdeathsig", "KILL"]
    const [program = named.value, ...args] = [...bounded, named.value, address]
    const code = yield* Effect.gen(function* () {
      const child = yield* spawner.spawn(
        ChildProcess.make(program, args, {
          ...{ cwd: folder, stdin: "ignore", env: { PATH: programPath }, extendEnv: false },
          ...{ killSignal: "SIGTERM", forceKillAfter: "2 seconds" }
        })
      )
      yield* Effect.all([Stream.runDrain(child.stdout), Stream.runDrain(child.stderr)], { concurrency: 2 })
      return yield* child.exitCode
    }).pipe(
      Effect.scoped,
      Effect.mapError((cause) => failed("unsuitable", "could not be started.", cause)),
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          Effect.fail(failed("unreachable", `took longer than ${Duration.format(Duration.fromInputUnsafe(timeout))}.`))
      })
    )
    if (code !== 0) return yield* failed("unreachable", `ended with ${code}.`)
    // A link might lead to any file of this machine.
    const left = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
    const [only] = left
    if (only === undefined || left.length > 1) {
      return yield* failed("unsuitable", `left ${left.length} files; it is to leave one, the recording.`)
    }
    const made = path.join(folder, only.name)
    if (fs.statSync(made).size > bytes) return yield* failed("unsuitable", "left a file that is too large.")
    fs.renameSync(made, file)
    fs.rmSync(folder, { recursive: true, force: true })
    return { type: types[path.extname(only.name).toLowerCase()] ?? "video/mp4" }
  })
}).pipe(Effect.provide(NodeServices.layer))
