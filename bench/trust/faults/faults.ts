import { Effect } from "effect"
import { failovers } from "./failovers.ts"
import type { Fault } from "./fault.ts"
import { recovery } from "./recovery.ts"
import { restarts } from "./restarts.ts"
import { rotations } from "./rotations.ts"
import { snapshot } from "./snapshot.ts"

/** Everything that breaks, in the order in which it does; a snapshot is held for so many seconds. */
export const faults = (snapshotSeconds: number): ReadonlyArray<Fault> => [
  { name: "nothing", run: () => Effect.as(Effect.sleep("10 seconds"), undefined) },
  ...restarts,
  ...failovers,
  recovery,
  ...rotations,
  snapshot(snapshotSeconds)
]
