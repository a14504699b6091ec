import { Effect } from "effect"
import { failovers } from "./failovers.ts"
import type { Fault } from "./fault.ts"
import { lagging } from "./lagging.ts"
import { load } from "./load.ts"
import { recovery } from "./recovery.ts"
import { restarts } from "./restarts.ts"
import { rotations } from "./rotations.ts"
import { snapshot } from "./snapshot.ts"

/** How long what lasts does. */
interface Lengths {
  readonly snapshotSeconds: number
  readonly eveningMinutes: number
  readonly rushSeconds: number
}

/** Everything that breaks, in the order in which it does. */
export const faults = ({ snapshotSeconds, eveningMinutes, rushSeconds }: Lengths): ReadonlyArray<Fault> => [
  { name: "nothing", run: () => Effect.as(Effect.sleep("10 seconds"), undefined) },
  ...restarts,
  ...failovers,
  lagging,
  recovery,
  ...rotations,
  snapshot(snapshotSeconds),
  ...load(eveningMinutes, rushSeconds)
]
