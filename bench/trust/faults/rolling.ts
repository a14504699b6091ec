import { Effect } from "effect"
import type { Program } from "../stand/program.ts"
import type { Stand } from "../stand/stand.ts"

const again = (each: Program) => Effect.andThen(each.end("SIGTERM"), each.start)

/** Restarts one node after the other, and one worker beside them, each in order: it takes up what was changed. */
export const rolled = ({ nodes, workers }: Stand) =>
  Effect.all([Effect.forEach(nodes, again, { discard: true }), Effect.forEach(workers, again, { discard: true })], {
    concurrency: 2,
    discard: true
  })
