import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Db, DbHealth, dbDies, isMigrated } from "../../../layers/db.ts"
import type { Health as HealthReport } from "../../../schema/meta.ts"

/** Whether this process can serve: the database answers, and its schema is this build's. */
export class Health extends Context.Service<
  Health,
  {
    /** Dies as any other database fault does, so that the edge answers 503. */
    readonly live: Effect.Effect<HealthReport>
    /** False before migrations are done. */
    readonly ready: Effect.Effect<boolean>
  }
>()("civic-record/Health") {
  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function* () {
      const { db, replica, restartedAt } = yield* DbHealth
      const live = Effect.gen(function* () {
        yield* db`select 1`
        const [isThere, at] = [yield* replica, yield* restartedAt]
        return {
          status: "ok",
          database: "ok",
          ...(Option.isSome(isThere) ? { replica: isThere.value ? "ok" : "away" } : {}),
          ...(Option.isSome(at) ? { database_restarted_at: DateTime.formatIso(at.value) } : {})
        } satisfies HealthReport
      }).pipe(dbDies, Effect.withSpan("Health.live"))
      const ready = isMigrated.pipe(Effect.provideService(Db, db), Effect.orDie, Effect.withSpan("Health.ready"))
      return { live, ready }
    })
  )
}
