import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Fiber, Latch, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Db } from "../../../layers/db/db.ts"
import { examples } from "../../../src/api/examples/index.ts"
import { Shares } from "../../../src/services/accounts/shares.ts"
import { Directory } from "../../../src/services/directory/directory.ts"
import { fakeIdentity } from "../../layers/fake-identity.ts"
import {
  bearer,
  type Credentials,
  grantTo,
  nobody,
  reader,
  session,
  shareCookie,
  shareToken
} from "../../support/actors.ts"
import { ask } from "../../support/asked.ts"
import { documentId, meetingId } from "../../support/builders.ts"
import { cachedOperations } from "../../support/cached-operations.ts"
import { call } from "../../support/call.ts"
import { databaseAt, freshDatabase } from "../../support/database.ts"
import { fullRecord } from "../../support/full-record.ts"
import { fakeRecord, served } from "../../support/served.ts"
import { serviceOf, setupOf, TestService } from "../../support/service.ts"

/** One or two requests to each of them. */
const requests: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/api/meetings/browse": [
    "/api/meetings/browse",
    "/api/meetings/browse?q=sentence&page_size=1",
    "/api/meetings/browse?unknown=1&type[]=other&type=city_council&page=2"
  ],
  "/api/meetings/:id": [`/api/meetings/${meetingId("full")}`, `/api/meetings/${meetingId("bare")}?unknown=1`],
  "/api/agencies": ["/api/agencies"],
  "/api/agencies/:slug": ["/api/agencies/old-council", "/api/agencies/none"],
  "/api/agencies/:slug/upcoming": ["/api/agencies/springfield-council/upcoming"],
  "/api/in/:place/:body": [
    "/api/in/springfield/council",
    "/api/in/springfield/parks-board-2",
    "/api/in/springfield/nobody"
  ],
  "/api/places": ["/api/places"],
  "/api/places/:slug": ["/api/places/springfield"],
  "/api/people": ["/api/people", "/api/people?q=ada&on=2026-03-10"],
  "/api/people/:slug": ["/api/people/springfield-ada-marsh", "/api/people/nobody"],
  "/api/people/:slug/said": ["/api/people/springfield-ada-marsh/said"],
  "/api/people/:slug/votes": ["/api/people/springfield-ada-marsh/votes?option=yes"],
  "/api/matters": ["/api/matters", "/api/matters?q=ord+2026-14"],
  "/api/matters/:slug": ["/api/matters/springfield-ord-2026-14", "/api/matters/none"],
  "/api/meetings/:id/votes": [`/api/meetings/${meetingId("full")}/votes`],
  "/api/meetings/:id/documents": [`/api/meetings/${meetingId("full")}/documents`],
  "/api/documents/:id": [`/api/documents/${documentId("packet")}`, "/api/documents/none"],
  "/api/documents/:id/text": [`/api/documents/${documentId("packet")}/text?page=2`],
  "/api/search/locations": ["/api/search/locations", "/api/search/locations?q=springfeild"],
  "/api/geo": ["/api/geo?region=IL&city=Springfield"],
  "/api/trends": ["/api/trends?q=sentence&by=month", "/api/trends?q=sentence&group=agency&unknown=1", "/api/trends"],
  "/api/upcoming": ["/api/upcoming", "/api/upcoming?page_size=1&per_body=x"],
  "/upcoming.ics": ["/upcoming.ics", "/upcoming.ics?within_days=x", "/upcoming.ics?page=1&type=committee"]
}

/** The same for pages, in both forms, and for feeds, which use the same reads. */
const documents: ReadonlyArray<string> = [
  "/",
  "/md",
  "/browse?q=sentence&sort=oldest",
  "/md/browse?group_by=agency",
  "/upcoming",
  "/places?q=springfeild",
  "/in/springfield",
  "/in/springfield/council",
  "/md/in/springfield/none",
  "/browse.atom?q=sentence",
  "/trends?q=sentence",
  "/trends.csv?q=sentence",
  "/in/springfield.atom",
  "/in/springfield/council.atom",
  "/in/springfield.ics",
  "/in/springfield/council.ics"
]

describe("the cached operations", () => {
  it("are reads, counted, the same for everyone or at least for all anonymous callers, and all requested here", () => {
    const cached = cachedOperations()
    assert.deepStrictEqual(cached.map(({ path }) => path).toSorted(), Object.keys(requests).toSorted())
    for (const { isCounted, method, path, surface } of cached) {
      assert.include(["public", "by_viewer"], surface, path)
      assert.strictEqual(method, "GET", path)
      assert.isTrue(isCounted, path)
    }
  })
})

/** The same service twice on one database, one of them with a cache. */
const twoServices = Effect.gen(function* () {
  const url = yield* freshDatabase
  const service = (megabytes: string) =>
    Layer.build(
      Layer.fresh(
        serviceOf(
          setupOf({ BASE_URL: "http://record.example.gov", PORT: "0", ANSWER_CACHE_MB: megabytes }),
          fakeIdentity,
          undefined,
          undefined,
          Layer.fresh(databaseAt(url))
        )
      )
    )
  const addressOf = (context: Context.Context<HttpServer.HttpServer>) => {
    const { address } = Context.get(context, HttpServer.HttpServer)
    return `http://127.0.0.1:${"port" in address ? address.port : 0}`
  }
  const cached = yield* service("64")
  return { context: cached, cached: addressOf(cached), plain: addressOf(yield* service("0")) }
})

/** Other forms of a request. Each address is asked for in all of them, in some before a change and in some after it. */
const forms: ReadonlyArray<RequestInit> = [
  { method: "HEAD" },
  { headers: { "accept-encoding": "identity" } },
  { headers: { "if-none-match": "*" } },
  { headers: { accept: "text/html" } },
  { headers: { accept: "text/markdown" } }
]

/** So many of them, beginning with another one at each address. */
const inTurn = <A>(all: ReadonlyArray<A>, at: number, count: number): ReadonlyArray<A> =>
  [...all, ...all].slice(at % all.length, (at % all.length) + count)

const from = (base: string, path: string, { headers, query }: Credentials, init: RequestInit) => {
  const url = new URL(base + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return Effect.map(ask(url.href, { ...init, headers: { ...headers, ...init.headers } }), (answer) => ({
    status: answer.status,
    text: answer.text,
    headers: Object.fromEntries(
      [...answer.headers].filter(([name]) => !["date", "x-request-id", "ratelimit", "set-cookie"].includes(name))
    )
  }))
}

/** A service with places; `made` is how often they were read. */
const servedPlaces = Effect.gen(function* () {
  let made = 0
  const places = Effect.sync(() => {
    made++
    return examples.listPlaces
  })
  const { base } = yield* served({ record: Layer.mergeAll(fakeRecord, Layer.mock(Directory)({ places })) })
  return { base, made: () => made }
})

describe("a cached response", () => {
  it.live(
    "equals, for every kind of caller, the response without a cache, cold and warm",
    () =>
      Effect.gen(function* () {
        const { context, cached, plain } = yield* twoServices
        const { callers, raise } = yield* Effect.gen(function* () {
          yield* fullRecord
          const db = yield* Db
          // As of its newest change, unless that is only seconds old.
          yield* db`update meeting set updated_at = '2026-03-12'`
          const { token } = yield* reader()
          const [held, redeemed] = [yield* grantTo(meetingId("full")), yield* grantTo(meetingId("full"))]
          const { cookie } = yield* Shares.use((shares) => shares.redeem(redeemed))
          const callers: Readonly<Record<string, Credentials>> = {
            nobody,
            "a reader": session(token),
            "who holds a grant": shareToken(held),
            "who redeemed a grant": shareCookie(cookie),
            "a redeemed grant again": shareToken(redeemed),
            "an agent": bearer(`cr_agent_${"a".repeat(43)}`),
            "garbage in cookies": { headers: { cookie: "cr_session=%%%; cr_share=nothing; x=y" }, query: {} }
          }
          return { callers, raise: db`update place set name = name` }
        }).pipe(Effect.provide(context))

        const others = Object.keys(callers).filter((name) => name !== "nobody")
        const addresses = [...Object.values(requests).flat(), ...documents]
        const compare = Effect.fnUntraced(function* (path: string, name: string, init: RequestInit, turns: number) {
          const caller = callers[name] ?? nobody
          const expected = yield* from(plain, path, caller, init)
          for (let turn = 1; turn <= turns; turn++) {
            const label = `${name} ${turn}: ${path} ${JSON.stringify(init)}`
            assert.deepStrictEqual(yield* from(cached, path, caller, init), expected, label)
          }
          assert.notMatch(expected.text, /[?&](sig|eg|st)=/, `${path} holds what is for one caller`)
        })
        for (const [at, path] of addresses.entries()) {
          yield* compare(path, "nobody", {}, 3)
          for (const init of inTurn(forms, at, 2)) yield* compare(path, "nobody", init, 2)
          for (const name of others) yield* compare(path, name, {}, 1)
        }
        // The record has changed: nothing in the cache is current, and another caller comes first.
        yield* raise
        for (const [at, path] of addresses.entries()) {
          const [first = "", last = ""] = inTurn(others, at, 2)
          yield* compare(path, first, {}, 2)
          for (const init of inTurn(forms, at + 2, 3)) yield* compare(path, "nobody", init, 2)
          yield* compare(path, "nobody", {}, 1)
          yield* compare(path, last, {}, 1)
        }
      }),
    300_000
  )

  it.live("ignores undeclared parameters, and the order of parameters", () =>
    Effect.gen(function* () {
      const { base } = yield* served()
      const link = (query: string) =>
        Effect.map(ask(`${base}/api/meetings/browse?${query}`), ({ headers }) => headers.get("link"))
      const one = yield* link("q=park&type=other&type=committee&cachebuster=1")
      assert.strictEqual(yield* link("type=other&type=committee&q=park"), one)
      assert.notInclude(one, "cachebuster")
      assert.notStrictEqual(yield* link("type=committee&type=other&q=park"), one)
    })
  )

  it.live("is computed once for fifty callers waiting for it", () =>
    Effect.gen(function* () {
      const latch = yield* Latch.make()
      let made = 0
      const places = Effect.sync(() => made++).pipe(Effect.andThen(latch.await), Effect.as(examples.listPlaces))
      const { base } = yield* served({ record: Layer.mergeAll(fakeRecord, Layer.mock(Directory)({ places })) })
      const asked = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 50 }, () => ask(`${base}/api/places`)),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.sleep("200 millis")
      yield* latch.open
      for (const { status, headers } of yield* Fiber.join(asked)) {
        assert.strictEqual(status, 200)
        assert.isNotNull(headers.get("ratelimit"))
      }
      assert.strictEqual(made, 1)
    })
  )

  it.live("is kept in the coding that was asked for, and not without one beside it", () =>
    Effect.gen(function* () {
      const { base, made } = yield* servedPlaces
      const madeAfter = (coding: string) =>
        Effect.map(ask(`${base}/api/places`, { headers: { "accept-encoding": coding } }), ({ status }) => {
          assert.strictEqual(status, 200)
          return made()
        })
      assert.strictEqual(yield* madeAfter("gzip"), 1)
      assert.strictEqual(yield* madeAfter("gzip"), 1)
      assert.strictEqual(yield* madeAfter("identity"), 2)
      assert.strictEqual(yield* madeAfter("identity"), 2)
      // What is kept without a coding is compressed for those who ask for one.
      assert.strictEqual(yield* madeAfter("br"), 2)
    })
  )

  it.live("may be a page too, in each form, for anonymous callers", () =>
    Effect.gen(function* () {
      const { base, made } = yield* servedPlaces
      const twenty = (path: string) =>
        Effect.gen(function* () {
          const before = made()
          for (let n = 0; n < 20; n++) assert.strictEqual((yield* ask(base + path)).status, 200)
          return made() - before
        })
      // At most one more, if a minute ends in between.
      assert.include([1, 2], yield* twenty("/places"))
      assert.include([1, 2], yield* twenty("/md/places"))
      assert.strictEqual(yield* twenty("/places?st=forged"), 20)
    })
  )

  it.live("is never an error", () =>
    Effect.gen(function* () {
      let asked = 0
      const places = Effect.suspend(() => (asked++ === 0 ? Effect.die("broken") : Effect.succeed(examples.listPlaces)))
      const { base } = yield* served({ record: Layer.mergeAll(fakeRecord, Layer.mock(Directory)({ places })) })
      assert.strictEqual((yield* ask(`${base}/api/places`)).status, 500)
      assert.strictEqual((yield* ask(`${base}/api/places`)).status, 200)
      assert.strictEqual((yield* ask(`${base}/api/places`)).status, 200)
      assert.strictEqual(asked, 2)
    })
  )
})

layer(TestService, { excludeTestServices: true })("a change", (it) => {
  it.effect("is in the next response after its commit", () =>
    Effect.gen(function* () {
      yield* fullRecord
      const db = yield* Db
      // The last ones are pages without meetings, whose facets name the place.
      const paths = [
        "/api/places/springfield",
        "/api/places",
        "/md/places",
        "/in/springfield",
        "/in/springfield.atom",
        `/api/meetings/${meetingId("full")}`,
        "/api/meetings/browse?page=9998",
        "/api/meetings/browse?page=9999"
      ]
      for (let round = 0; round < 10; round++) {
        const name = `Springfield ${round}`
        yield* db.withTransaction(db`update place set name = ${name} where slug = 'springfield'`)
        for (const path of paths) assert.include((yield* call("GET", path)).text, name)
      }
      const tag = (yield* call("GET", "/api/places")).headers.get("etag") ?? ""
      const revalidated = { headers: { "if-none-match": tag }, query: {} }
      assert.strictEqual((yield* call("GET", "/api/places", revalidated)).status, 304)
      yield* db`update place set name = 'Elsewhere' where slug = 'springfield'`
      assert.strictEqual((yield* call("GET", "/api/places", revalidated)).status, 200)
    })
  )
})
