import { Deferred, Effect, FiberSet, Semaphore } from "effect"
import { mustWait, type Part } from "./parts.ts"

/** How many parts may wait to be written or reported, besides those being written. */
const mostWaiting = 2

/** A part that is not on record yet. */
interface Open<L> {
  readonly part: Part<L>
  readonly isWritten: Deferred.Deferred<void>
}

/**
 * Writes parts as they are added, up to `writers` at a time, and calls `settle` with what became of each in the order
 * in which they were added. A part waits for those before it that it must come after (`mustWait`), and for nothing
 * else. No more than `writers` and two more parts are held in memory: `add` waits until there is room. The first
 * failure is that of `running`; the scope's end interrupts what is being written.
 */
export const makeWriters = Effect.fnUntraced(function* <L, A, E, R>(
  writers: number,
  write: (lines: ReadonlyArray<L>) => Effect.Effect<A, E, R>,
  settle: (lines: ReadonlyArray<L>, written: A) => Effect.Effect<void>
) {
  const running = yield* FiberSet.make<void, E>()
  const free = yield* Semaphore.make(writers)
  const room = yield* Semaphore.make(writers + mostWaiting)
  const open = new Set<Open<L>>()
  let last = Effect.void

  const add = Effect.fnUntraced(function* (part: Part<L>) {
    yield* Semaphore.take(room, 1)
    const earlier = [...open].filter((other) => mustWait(part, other.part))
    const own: Open<L> = { part, isWritten: yield* Deferred.make<void>() }
    open.add(own)
    const isSettled = yield* Deferred.make<void>()
    const before = last
    last = Deferred.await(isSettled)
    const all = Effect.gen(function* () {
      for (const { isWritten } of earlier) yield* Deferred.await(isWritten)
      const written = yield* Semaphore.withPermit(free, write(part.lines))
      open.delete(own)
      yield* Deferred.succeed(own.isWritten, undefined)
      yield* before
      yield* settle(part.lines, written)
      yield* Deferred.succeed(isSettled, undefined)
      yield* Semaphore.release(room, 1)
    })
    yield* FiberSet.run(running, all)
  })

  return {
    add,
    /** Waits until all added parts are on record and reported. */
    drain: FiberSet.awaitEmpty(running),
    /** Fails as soon as writing fails; never succeeds. */
    running: FiberSet.join(running)
  }
})
