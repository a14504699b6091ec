import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { Db, DbHealth, DbUse, ReadDb, type Sql } from "../../../layers/db/db.ts"
import { migrate } from "../../../layers/db/migrate.ts"
import { ReadsSince } from "../../../layers/db/public-state.ts"
import { ReplicaBounds } from "../../../layers/db/replica.ts"
import { whyUnavailable } from "../../../layers/db/unavailable.ts"
import { lookAtReplica } from "../../../src/services/operators/database-checkup.ts"
import { Health } from "../../../src/services/operators/health.ts"
import { Observations } from "../../../src/services/operators/observations.ts"
import { databaseAt, freshDatabase } from "../../support/database.ts"
import { eventually } from "../../support/rendering.ts"
import { streamingReplica } from "../../support/streaming-replica.ts"
import { wayTo } from "../../support/way.ts"

/** Bounds short enough for a test. */
const Soon = Layer.succeed(ReplicaBounds, {
  ...{ most: 1, back: 0.3, patience: Duration.millis(250), every: Duration.millis(100) }
})

describe("a replica", () => {
  it.live("answers public reads; while it is away the primary does, and health reports it", () =>
    Effect.gen(function* () {
      // Two databases with different names: a read shows by its name which one answered.
      const [primary, replica] = [yield* freshDatabase, yield* freshDatabase]
      const url = new URL(Redacted.value(replica))
      const way = yield* wayTo(url.hostname, Number(url.port))
      url.port = String(way.port)
      yield* Effect.gen(function* () {
        const db = yield* ReadDb
        const health = yield* DbHealth
        const readFrom = Effect.map(db<{ name: string }>`select current_database() as name`, ([row]) => row?.name)
        const [here, there] = [primary, replica].map((one) => new URL(Redacted.value(one)).pathname.slice(1))
        const until = (name: string | undefined) =>
          eventually(Effect.map(Effect.option(readFrom), (found) => (Option.contains(found, name) ? true : undefined)))

        const standing = Effect.map(health.replica, (state) => Option.getOrUndefined(state)?.standing)

        assert.strictEqual(yield* readFrom, there)
        assert.strictEqual(yield* standing, "ok")
        yield* way.cut
        yield* until(here)
        assert.strictEqual(yield* standing, "away")
        const readings = yield* Effect.provide(
          Observations.use(({ read }) => read),
          Observations.layer
        )
        const seen = new Map(readings.map(({ name, value }) => [name, value]))
        assert.strictEqual(seen.get("civic_record_replica_up"), 0)
        assert.strictEqual(seen.get("civic_record_replica_in_use"), 0)
        assert.strictEqual(seen.get("civic_record_replica_lag_seconds"), 0)
        assert.strictEqual(yield* readFrom, here)
        yield* way.open
        yield* until(there)
        assert.strictEqual(yield* standing, "ok")
      }).pipe(Effect.provide(Db.layerUrl(primary, Option.some(Redacted.make(url.href)))))
    })
  )

  it.live("answers public reads only while it keeps up with the primary, whatever delays it", () =>
    Effect.gen(function* () {
      const { primary, replica, way: replication } = yield* streamingReplica
      const elsewhere = (url: typeof primary) =>
        Effect.map(Layer.build(Layer.fresh(databaseAt(url))), (context) => Context.get(context, Db))
      const [onPrimary, onReplica] = [yield* elsewhere(primary), yield* elsewhere(replica)]
      yield* Effect.provideService(migrate(), Db, onPrimary)
      yield* onPrimary`create table written (n int)`
      yield* onPrimary`select enter_timeline()`
      const address = new URL(Redacted.value(primary))
      const way = yield* wayTo("127.0.0.1", Number(address.port))
      address.host = `127.0.0.1:${way.port}`
      yield* Effect.gen(function* () {
        const [db, reads, health, use] = [yield* Db, yield* ReadDb, yield* DbHealth, yield* DbUse]
        const state = Effect.map(health.replica, Option.getOrThrow)
        const until = (standing: "ok" | "behind") =>
          eventually(Effect.map(state, (now) => (now.standing === standing ? now : undefined)))
        const found = Effect.map(
          reads<{ in_recovery: boolean; rows: number; places: number }>`
            select pg_is_in_recovery() as in_recovery, (select count(*)::int from written) as rows,
              (select count(*)::int from place) as places`,
          ([row]) => row
        )
        const write = (at: Sql) => at`insert into written values (1)`
        const publish = (at: Sql, slug: string) => at`
          insert into place (slug, name, kind, state, content_hash) values (${slug}, ${slug}, 'city', 'IL', '')`
        const hasRows = (rows: number) =>
          eventually(Effect.map(found, (now) => (now?.in_recovery === true && now.rows === rows ? now : undefined)))

        yield* until("ok")
        yield* write(db)
        yield* hasRows(1)
        // Nothing happens for longer than the allowed lag.
        yield* Effect.sleep("1500 millis")
        assert.deepInclude(yield* state, { standing: "ok", behind: 0, replays: true, isConnected: true })
        // What was just published is waited for.
        yield* publish(db, "here")
        assert.deepStrictEqual(yield* found, { in_recovery: true, rows: 1, places: 1 })

        const before = yield* use.switches
        yield* onReplica`select pg_wal_replay_pause()`
        // What nobody is shown may be missing for as long as the bound allows.
        yield* write(db)
        assert.deepStrictEqual(yield* found, { in_recovery: true, rows: 1, places: 1 })
        assert.deepInclude(yield* until("behind"), { isPaused: true, isConnected: true })
        const report = yield* Effect.provide(
          Health.use(({ live }) => live),
          Health.layer
        )
        assert.strictEqual(report.replica, "behind")
        assert.isAtLeast(report.replica_behind ?? 0, 1)
        assert.deepStrictEqual(yield* found, { in_recovery: false, rows: 2, places: 1 })
        assert.deepInclude(Option.getOrThrow(yield* lookAtReplica()), { standing: "behind", isPaused: true })
        yield* onReplica`select pg_wal_replay_resume()`
        assert.strictEqual(yield* use.switches, before + 1)
        yield* until("ok")
        assert.strictEqual(yield* use.switches, before + 2)
        yield* hasRows(2)

        // What was published, here or elsewhere, may not be missing at all.
        yield* onReplica`select pg_wal_replay_pause()`
        const last = (yield* use.publicState).revision
        yield* publish(onPrimary, "elsewhere")
        const since = yield* Clock.currentTimeMillis
        assert.deepStrictEqual(yield* Effect.provideService(found, ReadsSince, since), {
          ...{ in_recovery: false, rows: 2, places: 2 }
        })
        assert.notStrictEqual((yield* use.publicState).revision, last)
        assert.strictEqual((yield* state).standing, "behind")
        yield* onReplica`select pg_wal_replay_resume()`
        yield* until("ok")
        assert.deepStrictEqual(yield* found, { in_recovery: true, rows: 2, places: 2 })

        // One that receives nothing is left before anything is missing.
        yield* replication.cut
        assert.isFalse((yield* until("behind")).isConnected)
        assert.deepInclude(Option.getOrThrow(yield* lookAtReplica()), { standing: "behind", isConnected: false })
        yield* publish(db, "unsent")
        assert.deepStrictEqual(yield* found, { in_recovery: false, rows: 2, places: 3 })
        yield* replication.open
        yield* until("ok")
        assert.deepStrictEqual(yield* found, { in_recovery: true, rows: 2, places: 3 })

        // It serves alone for as long as it may be behind, but nobody who may have written.
        yield* way.cut
        const known = (yield* use.publicState).revision
        assert.deepStrictEqual(yield* found, { in_recovery: true, rows: 2, places: 3 })
        assert.strictEqual((yield* use.publicState).revision, known)
        const now = yield* Clock.currentTimeMillis
        assert.include(whyUnavailable(yield* Effect.flip(Effect.provideService(found, ReadsSince, now))), "reached")
        yield* until("behind")
        assert.include(whyUnavailable(yield* Effect.flip(found)), "reached")
        yield* way.open
        yield* until("ok")
        assert.deepStrictEqual(yield* found, { in_recovery: true, rows: 2, places: 3 })

        // One that was promoted elsewhere has its own history.
        yield* onReplica`select pg_promote()`
        yield* eventually(Effect.map(state, ({ replays }) => (replays ? undefined : true)))
        yield* until("behind")
        assert.deepInclude(yield* found, { in_recovery: false, places: 3 })
      }).pipe(
        Effect.provide(
          Layer.fresh(Db.layerUrl(Redacted.make(address.href), Option.some(replica)).pipe(Layer.provide(Soon)))
        )
      )
    })
  )

  it.live("that is not there does not keep the service from starting", () =>
    Effect.gen(function* () {
      const primary = yield* freshDatabase
      const nowhere = Redacted.make("postgres://civic:none@127.0.0.1:1/record")
      yield* Effect.gen(function* () {
        assert.lengthOf(yield* (yield* ReadDb)`select 1`, 1)
      }).pipe(Effect.provide(Layer.fresh(Db.layerUrl(primary, Option.some(nowhere)))))
    })
  )
})
