import { Effect } from "effect"
import { until } from "../stand/program.ts"
import { startOver } from "../traffic/verify.ts"
import { mostWrites } from "../traffic/world.ts"
import type { Fault, Trial } from "./fault.ts"

/**
 * One timeline takes the place of another: what is true is what the new primary has. Says how many acknowledged writes
 * went with the timeline that was lost.
 */
const another = <A>({ stand, world, tally }: Trial, promoting: Effect.Effect<A>) =>
  Effect.gen(function* () {
    tally.unsure()
    yield* promoting
    // What is under way ends first, and nothing else begins: it is not known on which timeline it will be.
    const gone = yield* world.writes.withPermits(mostWrites)(startOver(stand.databases, world))
    tally.sure()
    return gone
  })

/** The server that was lost comes back as a replica of the other. */
const rejoined = ({ stand }: Trial) => Effect.andThen(stand.databases.rejoin, stand.databases.caughtUp)

export const failovers: ReadonlyArray<Fault> = [
  {
    name: "primary lost, replica promoted by itself",
    lasts: 32,
    run: (trial) =>
      Effect.gen(function* () {
        const { databases } = trial.stand
        const lost = databases.primary()
        const gone = yield* another(
          trial,
          Effect.andThen(
            lost.program.end("SIGKILL"),
            until(
              "the replica to be promoted",
              Effect.sync(() => databases.primary() !== lost)
            )
          )
        )
        yield* Effect.sleep("5 seconds")
        yield* rejoined(trial)
        return `${gone} acknowledged writes had not reached the replica`
      })
  },
  {
    name: "switchover as planned",
    lasts: 28,
    run: (trial) =>
      Effect.gen(function* () {
        // Nothing may be lost here, so what is known stays.
        yield* trial.stand.databases.failOver("SIGINT")
        yield* Effect.sleep("5 seconds")
        yield* rejoined(trial)
        return undefined
      })
  },
  {
    name: "failover that loses the last commits",
    lasts: 32,
    run: (trial) =>
      Effect.gen(function* () {
        const { databases } = trial.stand
        yield* databases.cutReplication
        yield* Effect.sleep("4 seconds")
        const gone = yield* another(trial, databases.failOver("SIGKILL"))
        yield* databases.mendReplication
        yield* Effect.sleep("8 seconds")
        yield* rejoined(trial)
        return `${gone} acknowledged writes went with the timeline; none of them shows`
      })
  },
  {
    name: "primary becomes read-only",
    lasts: 16,
    run: ({ stand }) =>
      Effect.gen(function* () {
        const primary = stand.databases.primary()
        const set = (value: "on" | "off") =>
          Effect.orDie(
            Effect.andThen(
              primary.ask(`alter system set default_transaction_read_only = ${value}`),
              primary.ask("select pg_reload_conf()::text")
            )
          )
        yield* set("on")
        yield* Effect.sleep("5 seconds")
        yield* set("off")
        return "for 5 s"
      })
  }
]
