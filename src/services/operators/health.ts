import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { Db, DbHealth, dbDies } from "../../../layers/db/db.ts"
import { schemaFit } from "../../../layers/db/migrate.ts"
import { Drain, Draining } from "../../../layers/drain.ts"
import type { HealthReport } from "../../../schema/meta.ts"
import { roundSeconds } from "../../../schema/primitives.ts"

/** The database answers, but its schema is not yet this build's. */
export class NotMigrated extends Data.TaggedError("NotMigrated") {}

/** The database's schema is that of a newer build, with which only `oldest` and later ones can serve. */
export class BuildTooOld extends Data.TaggedError("BuildTooOld")<{
  readonly build: number
  readonly schema: number
  readonly oldest: number
}> {}

/** Whether this process can serve: the database answers, and its schema is this build's or one that it can use. */
export class Health extends Context.Service<
  Health,
  {
    /** Dies like any other database fault, so that the edge answers 503. */
    readonly live: Effect.Effect<HealthReport>
    /** Fails until the migrations have run, once a newer build's exclude this one, and once the process is to stop. */
    readonly ready: Effect.Effect<HealthReport, NotMigrated | BuildTooOld | Draining>
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
        const schema = yield* Effect.orDie(Effect.provideService(schemaFit, Db, db))
        if (schema.fit === "waits") return yield* new NotMigrated()
        if (schema.fit === "too old") return yield* new BuildTooOld(schema)
        return yield* live
      }).pipe(Effect.withSpan("Health.ready"))
      return { live, ready }
    })
  )
}
