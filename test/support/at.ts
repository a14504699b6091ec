import { Effect } from "effect"
import { TestClock } from "effect/testing"

/** Runs an effect at the given time, on a separate clock. */
export const at =
  (iso: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.andThen(TestClock.setTime(Date.parse(iso)), effect).pipe(Effect.provide(TestClock.layer()))
