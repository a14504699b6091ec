import * as http from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { Db } from "../../../layers/db/db.ts"
import { migrate } from "../../../layers/db/migrate.ts"
import type { BundleEntity } from "../../../schema/bundle.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { fakeIdentity } from "../../layers/fake-identity.ts"
import { ask } from "../../support/asked.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
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

describe("a failover that lost what was committed last", () => {
  it.live("leaves nothing of it in answers, search and streams of a node that lived through it", () =>
    Effect.gen(function* () {
      const { primary, replica, way: replication } = yield* streamingReplica
      const [one, two] = [primary, replica].map((url) => new URL(Redacted.value(url)))
      const way = yield* wayTo("127.0.0.1", Number(one?.port))
      const address = new URL(Redacted.value(primary))
      address.hostname = "127.0.0.1"
      address.port = String(way.port)

      // Others write, on connections of their own.
      const elsewhere = (url: typeof primary) =>
        Effect.map(Layer.build(Layer.fresh(Db.layerUrl(url))), (context) => Context.get(context, Db))
      const [onPrimary, onReplica] = [yield* elsewhere(primary), yield* elsewhere(replica)]
      const put = (db: Db["Service"], ...entities: ReadonlyArray<BundleEntity>) =>
        Effect.provideService(putOnRecord(...entities), Db, db)
      yield* Effect.provideService(migrate(), Db, onPrimary)
      yield* put(onPrimary, place("springfield"), agency("springfield-council", ["springfield"]))
      yield* put(onPrimary, council("a", "Budget"), council("b", "Greenway"))

      const node = yield* Layer.build(
        Layer.fresh(
          serviceOf(
            setupOf({ BASE_URL: "http://record.example.gov", PORT: "0" }),
            fakeIdentity,
            undefined,
            undefined,
            Layer.fresh(Db.layerUrl(Redacted.make(address.href), Option.none(), { statementTimeout: "10 seconds" })),
            SearchIndex.layer
          )
        )
      )
      const { address: bound } = Context.get(node, HttpServer.HttpServer)
      const base = `http://127.0.0.1:${"port" in bound ? bound.port : 0}`
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
      const hears = (count: number) => eventually(Effect.sync(() => (events().length >= count ? events() : undefined)))

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
    })
  )
})
