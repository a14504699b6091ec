import { Effect } from "effect"
import { failovers } from "./failovers.ts"
import type { Fault } from "./fault.ts"
import { lagging } from "./lagging.ts"
import { load } from "./load.ts"
import { recovery } from "./recovery.ts"
import { restarts } from "./restarts.ts"
import { rotations } from "./rotations.ts"
import { snapshot } from "./snapshot.ts"
import { upgrades } from "./upgrades.ts"

/** What a run may be told. */
interface Wanted {
  /** A commit or tag whose version the present one takes the place of. */
  readonly before: string | undefined
  /** How long the busy evening lasts, and how long the rush of ten times as many does. */
  readonly minutes: number
  readonly snapshotSeconds: number
}

/** Everything that breaks, in the order in which it does. */
export const faults = ({ before, minutes, snapshotSeconds }: Wanted): ReadonlyArray<Fault> => [
  { name: "nothing", run: () => Effect.as(Effect.sleep("10 seconds"), undefined) },
  ...restarts,
  ...failovers,
  lagging,
  recovery,
  ...rotations,
  ...(before === undefined ? [] : [upgrades(before)]),
  snapshot(snapshotSeconds),
  ...load(minutes)
]
