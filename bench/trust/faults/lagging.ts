import { Effect } from "effect"
import type { Fault } from "./fault.ts"
import { rolled } from "./rolling.ts"

/** How far behind a replica may be whose answers are still sent, and what measuring that adds, in milliseconds. */
const bound = 33_000

/**
 * Public reads come from a replica that stands still for eight seconds. Titles may be as old as that; what was taken
 * off the record meanwhile, and what a reader has just written, may not.
 */
export const lagging: Fault = {
  name: "replica 8 s behind, with takedowns",
  run: ({ stand, world }) =>
    Effect.gen(function* () {
      const { databases, settings } = stand
      const replica = databases.replica()
      const { port } = replica
      settings.more = {
        DATABASE_REPLICA_URL: `postgres://${settings.role}:${settings.password}@127.0.0.1:${port}/record`
      }
      world.lag = bound
      yield* rolled(stand)
      yield* Effect.orDie(replica.ask("select pg_wal_replay_pause()::text"))
      yield* Effect.sleep("8 seconds")
      yield* Effect.orDie(replica.ask("select pg_wal_replay_resume()::text"))
      yield* databases.caughtUp
      yield* Effect.sleep("3 seconds")
      settings.more = {}
      yield* rolled(stand)
      world.lag = 0
      return undefined
    })
}
