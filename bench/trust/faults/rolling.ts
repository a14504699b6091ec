import { Effect } from "effect"
import type { Program } from "../stand/program.ts"
import type { Stand } from "../stand/stand.ts"

/** Restarts one process after the other, each in order, so that it takes up what was changed meanwhile. */
export const rolled = ({ nodes, workers }: Stand) =>
  Effect.forEach(
    [...nodes, ...workers] satisfies ReadonlyArray<Program>,
    (each) => Effect.andThen(each.end("SIGTERM"), each.start),
    { discard: true }
  )
