import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { HostPace } from "../../../src/services/sources/host-pace.ts"
import { databaseAt, freshDatabase } from "../../support/database.ts"

const gap = 0.05
const turnsOfEach = 10

describe("the pace of a host", () => {
  it.live(
    "is observed by machines that do not know each other, in one order of turns, and not before a hold is over",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        /** A separate machine: it shares its connections and its pace with nobody. */
        const machine = Layer.build(Layer.fresh(HostPace.layerEvery(gap).pipe(Layer.provide(databaseAt(url))))).pipe(
          Effect.map((built) => Context.get(built, HostPace))
        )
        yield* Effect.gen(function* () {
          const db = yield* Db
          yield* db`create table turn (next_at timestamptz not null)`
          yield* db`
          create function see_turn() returns trigger language plpgsql as $$
          begin
            insert into turn values (new.next_at);
            return null;
          end $$`
          yield* db`
          create trigger turn after insert or update of next_at on host_pace for each row execute function see_turn()`
          const city = { host: "city.example", vendor: "city.example" }
          const asking = Effect.gen(function* () {
            const { turn } = yield* machine
            for (let at = 0; at < turnsOfEach; at++) assert.strictEqual(yield* turn(city), 0)
          })
          yield* Effect.all([asking, asking, asking], { concurrency: 3 })
          const [turns] = yield* db<{ turns: number; closest: number }>`
          select count(*)::int as turns, min(gap)::float8 as closest from (
            select extract(epoch from next_at - lag(next_at) over (order by next_at)) as gap from turn) gaps`
          assert.strictEqual(turns?.turns, 3 * turnsOfEach)
          assert.isAtLeast(turns?.closest ?? 0, gap - 1e-6)
          // A hold that one machine received applies to all of them.
          const [one, other] = [yield* machine, yield* machine]
          yield* one.hold(city, 600)
          assert.isAbove(yield* other.turn(city), 590)
          assert.strictEqual(yield* other.turn({ host: "elsewhere.example", vendor: "elsewhere.example" }), 0)
          // One customer's hold is its own; two make it the vendor's.
          const tenant = (name: string) => ({ host: `${name}.vendor.example`, vendor: "vendor.example", gap: 0.001 })
          yield* one.hold(tenant("a"), 600)
          assert.isAbove(yield* other.turn(tenant("a")), 590)
          assert.strictEqual(yield* other.turn(tenant("b")), 0)
          yield* one.hold(tenant("b"), 600)
          assert.isAbove(yield* other.turn(tenant("c")), 590)
        }).pipe(Effect.provide(databaseAt(url)))
      })
  )
})
