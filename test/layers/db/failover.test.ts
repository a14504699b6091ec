import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { databaseAddress } from "../../../layers/db/address.ts"
import { Db, DbUse } from "../../../layers/db/db.ts"
import { whyUnavailable } from "../../../layers/db/unavailable.ts"
import { databaseAt } from "../../support/database.ts"
import { eventually } from "../../support/rendering.ts"
import { streamingReplica } from "../../support/streaming-replica.ts"

const servers = (text: string) => {
  const address = databaseAddress(text)
  return typeof address === "string" ? address : [address.servers.map(Redacted.value), address.wantsPrimary]
}

describe("the address of a database", () => {
  it.each([
    ["postgres://me:p%40ss@a/db", [["postgres://me:p%40ss@a/db"], false]],
    [
      "postgres://me@a/db?target_session_attrs=read-write&sslmode=require",
      [["postgres://me@a/db?sslmode=require"], true]
    ],
    ["postgresql://me@a:1,b:2/db", [["postgresql://me@a:1/db", "postgresql://me@b:2/db"], true]],
    ["postgres://a,[::1]:5433/db?target_session_attrs=any", [["postgres://a/db", "postgres://[::1]:5433/db"], false]]
  ])("may name one server or several: %s", (text, read) => assert.deepStrictEqual(servers(text), read))

  it.each(["", "mysql://a/db", "postgres://a:x/db", "postgres://a,b:99999/db", "postgres://a,/db"])(
    "is not %j",
    (text) => assert.include(servers(text), "not the address")
  )

  it("does not want what only reads", () =>
    assert.include(servers("postgres://a,b/db?target_session_attrs=standby"), "read-write"))
})

describe("a database of two servers", () => {
  it.live("is written to where the primary is, also after another was promoted", () =>
    Effect.gen(function* () {
      const { primary, replica } = yield* streamingReplica
      const [one, two] = [primary, replica].map((url) => new URL(Redacted.value(url)))
      const both = Redacted.make(`${Redacted.value(replica).replace(two?.host ?? "", `${two?.host},${one?.host}`)}`)
      const onReplica = yield* Effect.map(Layer.build(Layer.fresh(databaseAt(replica))), Context.get(Db))
      const onPrimary = yield* Effect.map(Layer.build(Layer.fresh(databaseAt(primary))), Context.get(Db))
      yield* Effect.gen(function* () {
        const db = yield* Db
        const use = yield* DbUse
        const before = yield* use.switches
        const port = Effect.map(
          db<{ port: number }>`insert into written values (1) returning inet_server_port() as port`,
          ([row]) => row?.port
        )
        yield* db`create table written (n int)`
        assert.strictEqual(yield* port, Number(one?.port))
        yield* onPrimary`alter system set default_transaction_read_only = on`
        yield* onPrimary`select pg_reload_conf()`
        // It says so itself, once, and the caller is told to come back.
        const refused = yield* eventually(
          Effect.map(Effect.result(port), (written) => Option.getOrUndefined(Result.getFailure(written)))
        )
        assert.include(whyUnavailable(refused), "reached")
        yield* onReplica`select pg_promote()`
        yield* eventually(Effect.map(Effect.option(port), (at) => (Option.isSome(at) ? true : undefined)))
        assert.strictEqual(yield* port, Number(two?.port))
        assert.strictEqual(new URL(Redacted.value(db.server())).port, two?.port)
        assert.isAbove(yield* use.switches, before)
      }).pipe(Effect.provide(Db.layerUrl(both, Option.none(), { statementTimeout: "10 seconds" })))
    })
  )
})
