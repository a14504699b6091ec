import * as http from "node:http"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { Db } from "../../../layers/db/db.ts"
import { migrate } from "../../../layers/db/migrate.ts"
import type { BundleEntity } from "../../../schema/bundle.ts"
import { meetingsRemoved } from "../../../src/services/feed/changed.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { fakeIdentity } from "../../layers/fake-identity.ts"
import { ask } from "../../support/asked.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { databaseAt } from "../../support/database.ts"
import { eventually } from "../../support/rendering.ts"
import { serviceOf, setupOf } from "../../support/service.ts"
import { streamingReplica } from "../../support/streaming-replica.ts"
import { wayTo } from "../../support/way.ts"

const council = (name: string, title: string) => meeting(name, "springfield-council", { title })

/** The ids of the events of a stream that stays open, and the meetings that they are about. */
const listening = (url: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly request: http.ClientRequest; readonly text: () => string }>((resume) => {
      const request = http.get(url, { agent: false }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("error", () => {})
        response.on("data", (chunk: string) => {
          text += chunk
        })
        resume(Effect.succeed({ request, text: () => text }))
      })
      request.on("error", () => {})
    }),
    ({ request }) => Effect.sync(() => request.destroy())
  ).pipe(
    Effect.map(
      ({ text }) =>
        () =>
          [...text().matchAll(/^id: (\d+)\nevent: \S+\ndata: (.*)$/gmu)].map(([, id, data = ""]) => ({
            id: Number(id),
            meeting: String((JSON.parse(data) as { readonly id?: unknown }).id)
          }))
    )
  )

/** Two databases, the second of which follows the first, and the same connections to both that others write on. */
class Pair extends Context.Service<Pair>()("test/Pair", {
  make: Effect.gen(function* () {
    const { primary, replica, way: replication } = yield* streamingReplica
    const elsewhere = (url: typeof primary) =>
      Effect.map(Layer.build(Layer.fresh(databaseAt(url))), (context) => Context.get(context, Db))
    const [onPrimary, onReplica] = [yield* elsewhere(primary), yield* elsewhere(replica)]
    const put = (db: Db["Service"], ...entities: ReadonlyArray<BundleEntity>) =>
      Effect.provideService(putOnRecord(...entities), Db, db)
    yield* Effect.provideService(migrate(), Db, onPrimary)
    yield* put(onPrimary, place("springfield"), agency("springfield-council", ["springfield"]))
    return { primary, replica, replication, onPrimary, onReplica, put }
  })
}) {}

/** A node of the service on a database. */
const nodeOn = Effect.fnUntraced(function* (
  database: ReturnType<typeof Db.layerUrl>,
  search: typeof SearchIndex.layer = SearchIndex.none
) {
  const node = yield* Layer.build(
    Layer.fresh(
      serviceOf(
        setupOf({ BASE_URL: "http://record.example.gov", PORT: "0" }),
        fakeIdentity,
        undefined,
        undefined,
        Layer.fresh(database),
        search
      )
    )
  )
  const { address } = Context.get(node, HttpServer.HttpServer)
  return { node, base: `http://127.0.0.1:${"port" in address ? address.port : 0}` }
})

layer(Layer.effect(Pair, Pair.make), { excludeTestServices: true })("two databases", (it) => {
  it.effect("show the same: what was taken down, or written by whoever asks, is so on every node at once", () =>
    Effect.gen(function* () {
      const { onPrimary, onReplica, primary, put, replica } = yield* Pair
      yield* put(onPrimary, council("shown", "Budget"), council("private", "Alice Doe"))
      const nodes = [
        yield* nodeOn(databaseAt(primary, Option.some(replica))),
        yield* nodeOn(databaseAt(primary, Option.some(replica)))
      ]
      const every = <A>(ask: (base: string) => Effect.Effect<A>) => Effect.forEach(nodes, ({ base }) => ask(base))
      const served = (by: string) =>
        eventually(
          Effect.map(
            every((base) => ask(`${base}/health`)),
            (answers) => (answers.every((answer) => answer.json().replica === by) ? true : undefined)
          )
        )
      const statuses = (name: string) =>
        Effect.map(
          every((base) => ask(`${base}/api/meetings/${meetingId(name)}`)),
          (answers) => answers.map(({ status }) => status)
        )
      yield* served("ok")
      assert.deepStrictEqual(yield* statuses("shown"), [200, 200])

      yield* onReplica`select pg_wal_replay_pause()`
      yield* served("ok")
      yield* Effect.provideService(
        onPrimary.withTransaction(meetingsRemoved(onPrimary, [meetingId("shown")], "By order")),
        Db,
        onPrimary
      )
      // For as long as other processes' changes may be unknown to a node.
      yield* Effect.sleep("100 millis")
      assert.deepStrictEqual(yield* statuses("shown"), [410, 410])
      assert.deepStrictEqual(
        yield* Effect.map(onReplica`select from meeting where id = ${meetingId("shown")}`, ({ length }) => length),
        1
      )
      yield* served("behind")
      yield* onReplica`select pg_wal_replay_resume()`
      yield* served("ok")
      assert.deepStrictEqual(yield* statuses("shown"), [410, 410])

      yield* onReplica`select pg_wal_replay_pause()`
      yield* put(onPrimary, council("private", "Resident"))
      const own = yield* every((base) =>
        ask(`${base}/api/meetings/${meetingId("private")}`, { headers: { authorization: "Bearer whoever-wrote" } })
      )
      assert.deepStrictEqual(
        own.map((answer) => answer.json().title),
        ["Resident", "Resident"]
      )
      yield* onReplica`select pg_wal_replay_resume()`
      yield* Effect.provideService(
        onPrimary.withTransaction(meetingsRemoved(onPrimary, [meetingId("private")], undefined)),
        Db,
        onPrimary
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "leave nothing of what a failover lost in answers, search and streams of a node that lived through it",
    () =>
      Effect.gen(function* () {
        const { onPrimary, onReplica, primary, put, replica, replication } = yield* Pair
        const [one, two] = [primary, replica].map((url) => new URL(Redacted.value(url)))
        const way = yield* wayTo("127.0.0.1", Number(one?.port))
        const address = new URL(Redacted.value(primary))
        address.hostname = "127.0.0.1"
        address.port = String(way.port)
        yield* put(onPrimary, council("a", "Budget"), council("b", "Greenway"))

        const { base, node } = yield* nodeOn(
          Db.layerUrl(Redacted.make(address.href), Option.none(), { statementTimeout: "10 seconds" }),
          SearchIndex.layer
        )
        /** The first answer that is not an excuse. */
        const got = (path: string) =>
          eventually(Effect.map(ask(`${base}${path}`), (answer) => (answer.status === 200 ? answer.json() : undefined)))
        const total = (query = "") => Effect.map(got(`/api/meetings/browse${query}`), ({ total }) => total)
        const titleOf = (name: string) => Effect.map(got(`/api/meetings/${meetingId(name)}`), ({ title }) => title)
        const agencies = Effect.map(
          got("/api/meetings/browse?group_by=agency"),
          (found) => JSON.stringify(found).match(/"springfield-[a-z]+"/g)?.length
        )
        const indexed = eventually(
          Effect.map(Context.get(node, SearchIndex).state, ({ state, behind }) =>
            state === "ready" && behind === 0 ? true : undefined
          )
        )
        yield* indexed
        const events = yield* listening(`${base}/api/meetings/stream`)
        const hears = (count: number) =>
          eventually(Effect.sync(() => (events().length >= count ? events() : undefined)))

        // What the replica has, and the node has answered from.
        yield* put(onPrimary, council("c", "Parks"))
        yield* eventually(
          Effect.map(onReplica<{ n: number }>`select count(*)::int as n from meeting`, ([row]) =>
            row?.n === 3 ? true : undefined
          )
        )
        assert.deepStrictEqual([yield* total(), yield* total("?q=budget"), yield* titleOf("a")], [3, 1, "Budget"])

        const timelineOf = (db: Db["Service"]) =>
          Effect.map(db<{ name: string }>`select current_timeline() as name`, ([row]) => row?.name)
        const before = yield* timelineOf(onPrimary)
        assert.strictEqual(yield* timelineOf(onReplica), before)
        const opensFor = (db: Db["Service"]) =>
          Effect.map(Effect.scoped(Context.get(node, SearchIndex).open(db)), Option.isSome)
        yield* indexed
        assert.isTrue(yield* opensFor(onReplica))

        // What it never gets, and the node has.
        yield* replication.cut
        const other = agency("springfield-schools", ["springfield"], { segment: "schools" })
        yield* put(onPrimary, council("a", "Zoning"))
        yield* put(onPrimary, other, meeting("d", "springfield-schools"))
        yield* put(onPrimary, council("e", "Zoning"), council("f", "Zoning"))
        yield* indexed
        const lost = yield* hears(5)
        assert.deepStrictEqual(
          [yield* total(), yield* total("?q=budget"), yield* total("?q=zoning"), yield* titleOf("a")],
          [6, 0, 3, "Zoning"]
        )
        const withOther = yield* agencies

        yield* onReplica`select pg_promote()`
        assert.isFalse(yield* opensFor(onReplica))
        yield* way.cut
        yield* way.leadTo(Number(two?.port))
        yield* way.open
        assert.deepStrictEqual(
          [yield* total(), yield* total("?q=zoning"), yield* total("?q=budget"), yield* titleOf("a")],
          [3, 0, 1, "Budget"]
        )
        assert.isBelow((yield* agencies) ?? 0, withOther ?? 0)

        // As many changes again, which are given the same numbers.
        yield* put(onReplica, council("b", "Harbor"))
        const library = agency("springfield-library", ["springfield"], { segment: "library" })
        yield* put(onReplica, library, meeting("g", "springfield-library", { title: "Harbor" }))
        yield* put(onReplica, council("h", "Harbor"))
        assert.deepStrictEqual(
          [yield* total(), yield* total("?q=zoning"), yield* total("?q=harbor"), yield* titleOf("b")],
          [5, 0, 3, "Harbor"]
        )
        yield* indexed
        assert.deepStrictEqual([yield* total("?q=harbor"), yield* total("?agency=springfield-library")], [3, 1])
        const heard = (yield* hears(lost.length + 3)).slice(lost.length)
        assert.deepStrictEqual(
          heard.map(({ meeting }) => meeting),
          ["b", "g", "h"].map(meetingId)
        )
        assert.notStrictEqual(yield* timelineOf(onReplica), before)
        // A sequence is some 30 numbers ahead after a failover, by itself.
        assert.isAbove(Math.min(...heard.map(({ id }) => id)), Math.max(...lost.map(({ id }) => id)) + 1000)
      }).pipe(Effect.scoped)
  )
})
