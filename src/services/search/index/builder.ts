import { Worker } from "node:worker_threads"
import { Data, Effect, Redacted, Semaphore } from "effect"
import type { Sql } from "../../../../layers/db/db.ts"
import type { BuildOptions, SegmentMeta } from "../../../search-engine/types.ts"
import type { Selection } from "./rows.ts"

/** The worker thread's argument: its database's address. */
export interface BuilderData {
  readonly url: string
}

/** A segment to write into `directory`: a selection's rows, or the live documents of other segments. */
export type BuildRequest = { readonly directory: string } & (
  | { readonly selection: Selection; readonly options: BuildOptions }
  | { readonly merged: ReadonlyArray<{ readonly directory: string; readonly live: Uint32Array }> }
)

export type BuildReply = { readonly built: SegmentMeta } | { readonly refused: string }

/** A segment could not be built; `message` has the cause, for the log. */
export class BuildFailed extends Data.TaggedError("BuildFailed")<{ readonly message: string }> {}

/**
 * A thread with its own database connection, which builds segments one at a time and returns their folders, so that
 * building does not delay requests. It ends with the scope.
 */
export const makeBuilder = Effect.fnUntraced(function* (db: Sql) {
  const workerData: BuilderData = { url: Redacted.value(db.server()) }
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(new URL("./build-worker.ts", import.meta.url), { workerData })),
    (worker) => Effect.promise(() => worker.terminate())
  )
  // An exit fails the current build; without a listener, an error would end the process.
  worker.on("error", () => undefined)
  worker.unref()
  const one = yield* Semaphore.make(1)

  const ask = (request: BuildRequest) =>
    Effect.callback<SegmentMeta, BuildFailed>((resume) => {
      const leave = () => worker.off("message", answered).off("error", failed).off("exit", ended)
      const fail = (message: string) => {
        leave()
        resume(Effect.fail(new BuildFailed({ message })))
      }
      const answered = (reply: BuildReply) => {
        if ("refused" in reply) return fail(reply.refused)
        leave()
        resume(Effect.succeed(reply.built))
      }
      const failed = (error: Error) => fail(error.message)
      const ended = () => fail("the thread that builds has ended")
      worker.on("message", answered).on("error", failed).on("exit", ended)
      worker.postMessage(request)
      return Effect.sync(leave)
    })

  return {
    build: Effect.fn("SearchIndex.build")((request: BuildRequest) => Semaphore.withPermit(one, ask(request)))
  }
})
export type Builder = Effect.Success<ReturnType<typeof makeBuilder>>
