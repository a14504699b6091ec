import { parentPort, workerData } from "node:worker_threads"
import { Cause, Effect, Queue, Redacted, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { openPool } from "../../../../layers/db/pool.ts"
import { buildSegment } from "../../../../layers/search-index/build.ts"
import type { BuilderData, BuildReply, BuildRequest } from "./builder.ts"
import { rowsOf } from "./rows.ts"

/** The thread of `makeBuilder`: builds what it is asked for, one segment at a time. */
const main = Effect.gen(function* () {
  const { url }: BuilderData = workerData
  const db = yield* openPool(Redacted.make(url), { maxConnections: 1 })
  const requests = yield* Queue.unbounded<BuildRequest>()
  parentPort?.on("message", (request: BuildRequest) => Queue.offerUnsafe(requests, request))
  const answer = (reply: BuildReply) => Effect.sync(() => parentPort?.postMessage(reply))
  return yield* Effect.forever(
    Effect.flatMap(Queue.take(requests), ({ selection, directory, options }) =>
      Effect.tryPromise(() => buildSegment(Stream.toAsyncIterable(rowsOf(db, selection)), directory, options)).pipe(
        Effect.matchCauseEffect({
          onSuccess: (built) => answer({ built }),
          onFailure: (cause) => answer({ refused: Cause.pretty(cause) })
        })
      )
    )
  )
})

Effect.runFork(Effect.scoped(main).pipe(Effect.provide(Reactivity.layer)))
