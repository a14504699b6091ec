import * as os from "node:os"
import { setTimeout as wait } from "node:timers/promises"
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads"
import { Effect, Result } from "effect"

/** A look from another machine would not wait for its turn here; this is above that of the nodes. */
const nice = -15

/** How often every node is asked, in milliseconds. */
const every = 250

/** Asks each address for `/health` until it is told to end, then says how long each answer took; -1 for none. */
const ask = async (bases: ReadonlyArray<string>) => {
  // On Linux, of this thread alone; others than root may not.
  Result.try(() => os.setPriority(nice))
  const took: Array<number> = []
  let isOver = false
  parentPort?.once("message", () => {
    isOver = true
  })
  while (!isOver) {
    for (const base of bases) {
      const from = performance.now()
      const isWell = await fetch(`${base}/health`, { signal: AbortSignal.timeout(5000) }).then(
        async (response) => (await response.text()) !== "" && response.ok,
        () => false
      )
      took.push(isWell ? performance.now() - from : -1)
    }
    await wait(every)
  }
  parentPort?.postMessage(took)
}

/**
 * Asks nodes for their health, in a thread that has nothing else to do: what is measured is theirs, and not ours.
 * Returns what ends it and gives the times.
 */
export const health = Effect.fnUntraced(function* (bases: ReadonlyArray<string>) {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(new URL(import.meta.url), { workerData: bases })),
    (running) => Effect.promise(() => running.terminate())
  )
  return Effect.callback<ReadonlyArray<number>>((resume) => {
    worker.once("message", (took: ReadonlyArray<number>) => resume(Effect.succeed(took)))
    worker.postMessage("end")
  })
})

if (!isMainThread) await ask(workerData)
