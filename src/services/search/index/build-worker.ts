import { parentPort, workerData } from "node:worker_threads"
import { Cause, Effect, Queue, Redacted, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { clientWith, openPool, type Sql } from "../../../../layers/db/pool.ts"
import { buildSegment } from "../../../search-engine/build/build.ts"
import { mergeSegments } from "../../../search-engine/build/merge.ts"
import { openSegment } from "../../../search-engine/format/segment.ts"
import type { SegmentMeta } from "../../../search-engine/types.ts"
import type { BuilderData, BuildReply, BuildRequest } from "./builder.ts"
import { rowsOf } from "./rows.ts"

/** Unused: the service follows the position of the base. */
const revision = 0

/** Writes one segment. The segments to merge are opened again in this thread. */
const written = async (db: Sql, request: BuildRequest): Promise<SegmentMeta> => {
  const { directory } = request
  if ("selection" in request) {
    return await buildSegment(Stream.toAsyncIterable(rowsOf(db, request.selection)), directory, request.options)
  }
  const sources = request.merged.map(({ directory, live }) => ({ segment: openSegment(directory), live }))
  try {
    return mergeSegments(sources, directory, { revision, durable: false })
  } finally {
    for (const { segment } of sources) segment.close()
  }
}

/** The thread of `makeBuilder`: builds one requested segment at a time. */
const main = Effect.gen(function* () {
  const { url }: BuilderData = workerData
  const pool = yield* openPool(Redacted.make(url), { maxConnections: 1 })
  const db = yield* clientWith(pool, pool.reserve)
  const requests = yield* Queue.unbounded<BuildRequest>()
  parentPort?.on("message", (request: BuildRequest) => Queue.offerUnsafe(requests, request))
  const answer = (reply: BuildReply) => Effect.sync(() => parentPort?.postMessage(reply))
  return yield* Effect.forever(
    Effect.flatMap(Queue.take(requests), (request) =>
      Effect.tryPromise(() => written(db, request)).pipe(
        Effect.matchCauseEffect({
          onSuccess: (built) => answer({ built }),
          onFailure: (cause) => answer({ refused: Cause.pretty(cause) })
        })
      )
    )
  )
})

Effect.runFork(Effect.scoped(main).pipe(Effect.provide(Reactivity.layer)))
