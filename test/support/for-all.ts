import { Effect } from "effect"
import fc from "fast-check"

/**
 * Tests an effectful property on random values. A failure shows the seed and the smallest counterexample. (The
 * properties of @effect/vitest accept neither the arbitraries nor the examples of fast-check.)
 */
export const forAll = <A, R>(
  values: fc.Arbitrary<A>,
  holds: (value: A) => Effect.Effect<void, unknown, R>,
  parameters?: fc.Parameters<[A]>
) =>
  Effect.flatMap(Effect.context<R>(), (context) =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(values, (value) => Effect.runPromiseWith(context)(holds(value))),
        parameters
      )
    )
  )
