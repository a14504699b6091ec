import { Effect } from "effect"
import { answers, type Program, supervision, until } from "../stand/program.ts"
import type { Stand } from "../stand/stand.ts"
import type { Client } from "../traffic/client.ts"
import type { Listener } from "../traffic/listeners.ts"
import type { Tally } from "../traffic/tally.ts"
import type { Services, World } from "../traffic/world.ts"

/** What a fault is done to, and what watches it. */
export interface Trial {
  readonly stand: Stand
  readonly world: World
  readonly tally: Tally
  readonly client: Client
  readonly listeners: ReadonlyArray<Listener>
  /** What imports and commands have of the stand. */
  readonly services: Services
}

/** How many seconds a fault takes on two idle cores, with what comes before and after it, unless it says more. */
export const usually = 13

/** One thing that breaks, under traffic. What it returns is said beside its row. */
export interface Fault {
  readonly name: string
  /** Whether it breaks readers' own connections: that what they ask is lost then says nothing of the service. */
  readonly severs?: boolean
  /** How many seconds it takes on two idle cores, with what comes before and after it. */
  readonly lasts?: number
  readonly run: (trial: Trial) => Effect.Effect<string | undefined>
}

/** Ends a program and starts it again. */
export const again = (program: Program, signal: NodeJS.Signals) =>
  Effect.gen(function* () {
    yield* program.end(signal)
    if (signal === "SIGKILL") yield* Effect.sleep(supervision)
    yield* program.start
    return undefined
  })

/** Waits until every node says that it is ready, and the proxy leads to one. */
export const well = ({ stand }: Trial) =>
  until(
    "every node to be ready again",
    Effect.map(
      Effect.all(
        stand.checkBases.map((base) => answers(`${base}/health/ready`)),
        { concurrency: "unbounded" }
      ),
      (all) => all.every((is) => is)
    )
  )
