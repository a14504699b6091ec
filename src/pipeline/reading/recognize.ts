import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { Environment } from "../../../layers/config/config.ts"
import { onPath } from "../../../layers/renderer/tools.ts"

/** How long one page may take. */
const pageTime = "2 minutes"
/** The most characters that are taken of what is recognized on a page. */
const longestPage = 20_000

/** Where tesseract is on this system; undefined if it is not. */
export const tesseract = Effect.map(Environment, ({ programPath }) => onPath(programPath, "tesseract"))

/**
 * Recognizes the text in a picture of a page; undefined if this system has no tesseract. It is started without a
 * shell, gets nothing of our environment but PATH, uses one processor and is bounded in time. A picture that it cannot
 * read has no text.
 */
export const recognizing = Effect.gen(function* () {
  const program = yield* tesseract
  const { programPath } = yield* Environment
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  if (program === undefined) return undefined

  return Effect.fn("Reading.recognize")(function* (picture: string) {
    return yield* Effect.gen(function* () {
      const child = yield* spawner.spawn(
        ChildProcess.make(program, [picture, "stdout"], {
          ...{ stdin: "ignore", env: { PATH: programPath, OMP_THREAD_LIMIT: "1" }, extendEnv: false },
          ...{ killSignal: "SIGTERM", forceKillAfter: "2 seconds" }
        })
      )
      const text = child.stdout.pipe(Stream.decodeText(), Stream.mkString)
      const [found] = yield* Effect.all([text, Stream.runDrain(child.stderr)], { concurrency: 2 })
      return (yield* child.exitCode) === 0 ? found.slice(0, longestPage) : ""
    }).pipe(
      Effect.scoped,
      Effect.timeoutOrElse({ duration: pageTime, orElse: () => Effect.succeed("") }),
      Effect.catch((cause) => Effect.as(Effect.logWarning("A page could not be recognized.", cause), ""))
    )
  })
}).pipe(Effect.provide(NodeServices.layer))
