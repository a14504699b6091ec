import { Effect } from "effect"
import { TestClock } from "effect/testing"

/** Runs an effect as if it were then, on a clock of its own. */
export const at =
  (iso: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.andThen(TestClock.setTime(Date.parse(iso)), effect).pipe(Effect.provide(TestClock.layer()))
