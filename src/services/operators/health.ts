import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { Db, DbHealth, dbDies } from "../../../layers/db/db.ts"
import { isMigrated } from "../../../layers/db/migrate.ts"
import { Drain, Draining } from "../../../layers/drain.ts"
import type { HealthReport } from "../../../schema/meta.ts"
import { roundSeconds } from "../../../schema/primitives.ts"

/** The database answers, but its schema is not yet this build's. */
export class NotMigrated extends Data.TaggedError("NotMigrated") {}

/** Whether this process can serve: the database answers, and its schema is this build's. */
export class Health extends Context.Service<
  Health,
  {
    /** Dies like any other database fault, so that the edge answers 503. */
    readonly live: Effect.Effect<HealthReport>
    /** Fails until the migrations have run, and once the process is about to stop. */
    readonly ready: Effect.Effect<HealthReport, NotMigrated | Draining>
  }
>()("civic-record/Health") {
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function* () {
      const { db, replica, restartedAt } = yield* DbHealth
      const live = Effect.gen(function* () {
        yield* db`select 1`
        const [state, at] = [yield* replica, yield* restartedAt]
        return {
          status: "ok",
          database: "ok",
          ...(Option.isSome(state)
            ? { replica: state.value.standing, replica_behind: roundSeconds(state.value.behind) }
            : {}),
          ...(Option.isSome(at) ? { database_restarted_at: DateTime.formatIso(at.value) } : {})
        } satisfies HealthReport
      }).pipe(dbDies, Effect.withSpan("Health.live"))
      const { sendsAway } = yield* Drain
      const ready = Effect.gen(function* () {
        if (sendsAway()) return yield* new Draining()
        const isReady = yield* Effect.orDie(Effect.provideService(isMigrated, Db, db))
        return isReady ? yield* live : yield* new NotMigrated()
      }).pipe(Effect.withSpan("Health.ready"))
      return { live, ready }
    })
  )
}
