import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { Db, DbHealth, dbDies } from "../../../layers/db/db.ts"
import { isMigrated } from "../../../layers/db/migrate.ts"
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
    /** Fails until the migrations have run. */
    readonly ready: Effect.Effect<HealthReport, NotMigrated>
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
      const ready = isMigrated.pipe(
        Effect.provideService(Db, db),
        Effect.orDie,
        Effect.flatMap((isReady) => (isReady ? live : Effect.fail(new NotMigrated()))),
        Effect.withSpan("Health.ready")
      )
      return { live, ready }
    })
  )
}
