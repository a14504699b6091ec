import { Effect } from "effect"
import { database } from "../stand/postgres.ts"
import { until } from "../stand/program.ts"
import type { World } from "../traffic/world.ts"
import type { Fault } from "./fault.ts"
import { rolled } from "./rolling.ts"

/** How many meetings are off the record. */
const removed = ({ titles }: World) => [...titles.values()].filter((known) => known.last() === undefined).length

/**
 * Public reads come from a replica that stands still for eight seconds at least, and until meetings were taken off the
 * record meanwhile. Answers may be no older than ever: a read goes to the primary where the replica lacks something.
 */
export const lagging: Fault = {
  name: "replica stands still, with takedowns",
  lasts: 110,
  run: ({ stand, world }) =>
    Effect.gen(function* () {
      const { databases, settings } = stand
      const replica = databases.replica()
      const replicaUrl = `postgres://${settings.role}:${settings.password}@127.0.0.1:${replica.port}/${database}`
      settings.more = { DATABASE_REPLICA_URL: replicaUrl }
      yield* rolled(stand)
      yield* Effect.sleep("3 seconds")
      const before = removed(world)
      yield* Effect.orDie(replica.ask("select pg_wal_replay_pause()::text"))
      const from = performance.now()
      yield* Effect.sleep("8 seconds")
      yield* until(
        "two meetings to be taken off the record",
        Effect.sync(() => removed(world) >= before + 2)
      )
      const [gone, lasted] = [removed(world) - before, (performance.now() - from) / 1000]
      yield* Effect.orDie(replica.ask("select pg_wal_replay_resume()::text"))
      yield* databases.caughtUp
      yield* Effect.sleep("3 seconds")
      settings.more = {}
      yield* rolled(stand)
      return `for ${lasted.toFixed(0)} s; ${gone} meetings taken off the record meanwhile`
    })
}
