import { Effect, Fiber } from "effect"

interface Running<A, E> {
  readonly fiber: Fiber.Fiber<A, E>
  waiting: number
}

/**
 * Shares concurrent work: a caller who asks for a key while its work runs waits for that work, and gets its result or
 * its failure. Nothing is cached afterward. The work belongs to no caller: it is interrupted only when its last caller
 * has left. It runs with the services, and in the span, of the first caller.
 */
export const makeSharedWork = <Key, A, E>() => {
  const running = new Map<Key, Running<A, E>>()

  const join = Effect.fnUntraced(function* <R>(key: Key, work: Effect.Effect<A, E, R>) {
    const known = running.get(key)
    if (known !== undefined) {
      known.waiting++
      return known
    }
    const begun = { fiber: yield* Effect.forkDetach(work), waiting: 1 }
    running.set(key, begun)
    begun.fiber.addObserver(() => forget(key, begun))
    return begun
  })
  const forget = (key: Key, work: Running<A, E>) => {
    if (running.get(key) === work) running.delete(key)
  }
  const leave = (key: Key, work: Running<A, E>) =>
    Effect.suspend(() => {
      work.waiting--
      if (work.waiting > 0) return Effect.void
      forget(key, work)
      return Fiber.interrupt(work.fiber)
    })

  return <R>(key: Key, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      join(key, work),
      ({ fiber }) => Fiber.join(fiber),
      (joined) => leave(key, joined)
    )
}
