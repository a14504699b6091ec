import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { Db, DbHealth, DbUse, ReadDb } from "../../../layers/db/db.ts"
import { ReplicaBounds } from "../../../layers/db/replica.ts"
import { lookAtReplica } from "../../../src/services/operators/database-checkup.ts"
import { Health } from "../../../src/services/operators/health.ts"
import { Observations } from "../../../src/services/operators/observations.ts"
import { freshDatabase } from "../../support/database.ts"
import { eventually } from "../../support/rendering.ts"
import { streamingReplica } from "../../support/streaming-replica.ts"
import { wayTo } from "../../support/way.ts"

/** Bounds short enough for a test. */
const Soon = Layer.succeed(ReplicaBounds, { most: 1, back: 0.3, every: Duration.millis(100) })

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
      const { primary, replica, way } = yield* streamingReplica
      const onReplica = yield* Effect.map(Layer.build(Layer.fresh(Db.layerUrl(replica))), Context.get(Db))
      yield* Effect.gen(function* () {
        const [db, reads, health] = [yield* Db, yield* ReadDb, yield* DbHealth]
        const switches = Effect.flatMap(DbUse, ({ now }) => Effect.map(now, ({ switches }) => switches))
        const state = Effect.map(health.replica, Option.getOrThrow)
        const until = (standing: "ok" | "behind") =>
          eventually(Effect.map(state, (now) => (now.standing === standing ? now : undefined)))
        const found = Effect.map(
          reads<{ in_recovery: boolean; rows: number }>`
            select pg_is_in_recovery() as in_recovery, (select count(*)::int from written) as rows`,
          ([row]) => row
        )
        const write = db`insert into written values (1)`
        const hasRows = (rows: number) =>
          eventually(Effect.map(found, (now) => (now?.in_recovery === true && now.rows === rows ? now : undefined)))

        yield* db`create table written (n int)`
        yield* eventually(Effect.option(found).pipe(Effect.map(Option.getOrUndefined)))
        yield* write
        yield* hasRows(1)
        // Nothing happens for longer than the allowed lag.
        yield* Effect.sleep("1500 millis")
        assert.deepInclude(yield* state, { standing: "ok", behind: 0, replays: true, isConnected: true })

        const before = yield* switches
        yield* onReplica`select pg_wal_replay_pause()`
        yield* write
        assert.deepInclude(yield* until("behind"), { isPaused: true, isConnected: true })
        const report = yield* Effect.provide(
          Health.use(({ live }) => live),
          Health.layer
        )
        assert.strictEqual(report.replica, "behind")
        assert.isAtLeast(report.replica_behind ?? 0, 1)
        assert.deepStrictEqual(yield* found, { in_recovery: false, rows: 2 })
        assert.deepInclude(Option.getOrThrow(yield* lookAtReplica()), { standing: "behind", isPaused: true })
        yield* onReplica`select pg_wal_replay_resume()`
        assert.strictEqual(yield* switches, before + 1)
        yield* until("ok")
        assert.strictEqual(yield* switches, before + 2)
        yield* hasRows(2)

        yield* way.cut
        const cut = eventually(Effect.map(state, (now) => (now.isConnected ? undefined : now)))
        assert.strictEqual((yield* cut).standing, "ok")
        assert.deepInclude(Option.getOrThrow(yield* lookAtReplica()), { standing: "ok", isConnected: false })
        yield* write
        assert.isFalse((yield* until("behind")).isConnected)
        assert.deepStrictEqual(yield* found, { in_recovery: false, rows: 3 })
        yield* way.open
        yield* until("ok")
        yield* hasRows(3)
      }).pipe(Effect.provide(Layer.fresh(Db.layerUrl(primary, Option.some(replica)).pipe(Layer.provide(Soon)))))
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
