/**
 * A process that keeps a search index current until it is killed: `node index-follower.ts`, with DATABASE_URL and
 * DATA_DIR.
 */
import { Effect, Layer, Logger, Schedule } from "effect"
import { Environment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { SearchIndex } from "../../src/services/search/search-index.ts"

const Index = SearchIndex.layer.pipe(
  Layer.provide(Db.layer("attach")),
  Layer.provide(Environment.layer),
  Layer.provide(Logger.layer([]))
)

const told = Effect.gen(function* () {
  const { state } = yield* SearchIndex
  yield* Effect.repeat(state, { until: ({ state }) => state === "ready", schedule: Schedule.spaced("50 millis") })
  process.send?.("ready")
  return yield* Effect.never
})

Effect.runFork(Effect.provide(told, Index))
