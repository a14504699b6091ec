import * as http from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, Option } from "effect"
import fc from "fast-check"
import { answers, requestSeconds } from "../../../layers/telemetry/metrics.ts"
import { AccountId } from "../../../schema/primitives.ts"
import { examples } from "../../../src/api/examples/index.ts"
import { Sessions } from "../../../src/services/accounts/sessions.ts"
import { Shares } from "../../../src/services/accounts/shares.ts"
import { RecordRevision } from "../../../src/services/feed/record-revision.ts"
import { Meetings } from "../../../src/services/meetings/meetings.ts"
import { askRaw } from "../../support/asked.ts"
import { cachedOperations } from "../../support/cached-operations.ts"
import { forAll } from "../../support/for-all.ts"
import { recordedSpans } from "../../support/recorded-spans.ts"
import { fakeRecord, served } from "../../support/served.ts"

const teaser = examples.getMeeting

/**
 * A service whose cache can be bypassed: each request then meets a new revision of the record, so that its response is
 * computed. A reader and the holder of a grant get a meeting in other words. `lookups` counts the queries for the
 * revision.
 */
const servedWithCache = Effect.fnUntraced(function* (overrides: Omit<Parameters<typeof served>[0], "record"> = {}) {
  const cache = { isUsed: true, lookups: 0 }
  const record = Layer.mergeAll(
    fakeRecord,
    Layer.mock(RecordRevision)({
      current: Effect.sync(() => {
        cache.lookups++
        return cache.isUsed ? "1" : `another ${cache.lookups}`
      })
    }),
    Layer.mock(Meetings)({
      resolve: () => Effect.succeed(teaser.id),
      open: (_, viewer) => Effect.succeed({ ...teaser, title: `as ${viewer._tag}` })
    }),
    Layer.mock(Sessions)({
      reader: (token) =>
        Effect.succeed(
          token === "reader"
            ? Option.some({
                accountId: AccountId.make("5f1a3f0e-35a4-4b6e-9a55-1d2f0c7b8e11"),
                renewedUntil: Option.none()
              })
            : Option.none()
        )
    }),
    Layer.mock(Shares)({
      ofToken: (token) => Effect.succeed(token === "held" ? Option.some(teaser.id) : Option.none()),
      ofCookie: (cookie) => Effect.succeed(cookie === "held" ? Option.some(teaser.id) : Option.none())
    })
  )
  const { lines, port } = yield* served({ ...overrides, record })
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new http.Agent({ keepAlive: true })),
    (open) => Effect.sync(() => open.destroy())
  )

  /** Sends one request exactly as given, with or without the cache. */
  const send = (path: string, { headers = {}, method = "GET" }: Partial<Asked> = {}) =>
    Effect.callback<Omit<Sent, "isCached" | "lookups">>((resume) => {
      const request = http.request({ agent, port, path, method, headers, host: "127.0.0.1" }, (response) => {
        const parts: Array<Buffer> = []
        response.on("data", (part: Buffer) => parts.push(part))
        response.on("end", () =>
          resume(
            Effect.succeed({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts).toString("base64")
            })
          )
        )
      })
      request.end()
    })
  const hits = Effect.map(Metric.value(Metric.withAttributes(answers, { outcome: "cached" })), ({ count }) => count)
  const ask = Effect.fnUntraced(function* (path: string, asked: Partial<Asked> = {}, isUsed = true) {
    cache.isUsed = isUsed
    const [before, lookups] = [yield* hits, cache.lookups]
    const sent = yield* send(path, asked)
    return { ...sent, isCached: (yield* hits) > before, lookups: cache.lookups - lookups }
  })
  return { ask, lines, port }
})

interface Asked {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

interface Sent {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
  readonly isCached: boolean
  readonly lookups: number
}

/** Everything in a response except the parts that differ with each request. */
const lasting = ({ body, headers, status }: Sent, asked: Asked) => {
  const { date: _, "x-request-id": id, ratelimit, ...rest } = headers
  return {
    body,
    status,
    headers: rest,
    id: id === asked.headers["x-request-id"] ? id : typeof id,
    ratelimit: ratelimit?.toString().replace(/\d+/g, "n")
  }
}

const addresses: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/api/meetings/browse": [
    "/api/meetings/browse",
    "/api/meetings/browse?q=park&type[]=other&type=committee&unknown=1&st=held",
    "/api/meetings/browse?page=2&q=%22creek%20way%22",
    "/api/meetings/browse?page=0",
    "/api/meetings/browse?q=%00",
    "/api/meetings/browse?q=%ff"
  ],
  "/api/meetings/:id": [
    `/api/meetings/${teaser.id}`,
    `/api/meetings/${teaser.slug}`,
    `/api/meetings/${teaser.id}?st=held`,
    `/api/meetings/${teaser.id}?%73t=held`,
    `/api/meetings/${teaser.id}?unknown=1`
  ],
  "/api/agencies": ["/api/agencies", "/api/agencies?x", "/api/agencies/", "/api/agencies;x"],
  "/api/agencies/:slug": ["/api/agencies/springfield-city-council", "/api/agencies/none", "/api/agencies/.."],
  "/api/agencies/:slug/upcoming": ["/api/agencies/springfield-city-council/upcoming"],
  "/api/in/:place/:body": ["/api/in/springfield/city-council", "/api/in/../agencies", "/api/in/../upcoming"],
  "/api/places": ["/api/places", "/api/%70laces", "/API/places"],
  "/api/places/:slug": ["/api/places/springfield"],
  "/api/people": ["/api/people", "/api/people?q=ada&on=2026-03-10"],
  "/api/people/:slug": ["/api/people/springfield-ada-marsh", "/api/people/nobody"],
  "/api/people/:slug/said": ["/api/people/springfield-ada-marsh/said"],
  "/api/people/:slug/votes": ["/api/people/springfield-ada-marsh/votes?option=yes"],
  "/api/matters": ["/api/matters", "/api/matters?q=ord+2026-14"],
  "/api/matters/:slug": ["/api/matters/springfield-ord-2026-14", "/api/matters/none"],
  "/api/meetings/:id/votes": [`/api/meetings/${teaser.id}/votes`],
  "/api/meetings/:id/documents": [`/api/meetings/${teaser.id}/documents`],
  "/api/documents/:id": [`/api/documents/${examples.getDocument.id}`, "/api/documents/none"],
  "/api/documents/:id/text": [`/api/documents/${examples.getDocument.id}/text?page=88`],
  "/api/search/locations": ["/api/search/locations?q=springfeild", "/api/search/locations?q=a&q=b"],
  "/api/geo": ["/api/geo?region=IL&city=Springfield", "/api/geo?city=Springfield&region=IL", "/api/geo"],
  "/api/trends": ["/api/trends?q=greenway&measure=share", "/api/trends?q=a&q=b&group=agency", "/api/trends"],
  "/api/upcoming": ["/api/upcoming", "/api/upcoming?page_size=1&per_body=x"],
  "/upcoming.ics": ["/upcoming.ics", "/upcoming.ics?within_days=x", "/upcoming.ics?page=1&type=committee"]
}

const header = (...values: ReadonlyArray<string>) => fc.option(fc.constantFrom(...values), { nil: undefined })

const rarely = (...values: ReadonlyArray<string>) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...values) })

/** ETags that the caller has; `this` stands for the current one. */
const versions = ["*", "this", 'W/"other"', '"other", this', "this-not-quoted", ""]

const requests = fc.record({
  path: fc.constantFrom(...Object.values(addresses).flat()),
  method: fc.constantFrom("GET", "GET", "GET", "HEAD", "HEAD", "HEAD", "POST", "OPTIONS"),
  headers: fc
    .record({
      "accept-encoding": header("br", "gzip", "identity", "*", "gzip;q=0.5, br;q=0.1", "identity;q=0", "deflate"),
      "if-none-match": header(...versions),
      "x-request-id": header("trace-0123", "not valid!"),
      cookie: header("cr_session=reader", "cr_session=nobody", "cr_share=held", "cr_share=none", "theme=dark"),
      authorization: header("Bearer reader", `Bearer cr_agent_${"a".repeat(43)}`),
      origin: header("https://elsewhere.example", "https://record.example.gov"),
      "sec-fetch-site": header("cross-site", "same-origin"),
      accept: header("text/html", "application/json", "text/markdown"),
      range: header("bytes=0-9"),
      host: rarely("record.example.gov", "no/host"),
      "x-forwarded-for": header("203.0.113.7", "garbage"),
      "content-length": rarely("0"),
      "user-agent": header("Mozilla/5.0")
    })
    .map(
      (all): Record<string, string> =>
        Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
    )
})

describe("the cache in front of the application", () => {
  it.live("answers every cached operation from its second request on", () =>
    Effect.gen(function* () {
      const { ask } = yield* servedWithCache()
      assert.deepStrictEqual(
        Object.keys(addresses).toSorted(),
        cachedOperations()
          .map(({ path }) => path)
          .toSorted()
      )
      for (const [path = ""] of Object.values(addresses)) {
        assert.isFalse((yield* ask(path)).isCached, path)
        const again = yield* ask(path)
        assert.isTrue(again.isCached, path)
        assert.strictEqual(again.status, 200, path)
      }
    })
  )

  it.live(
    "gives every request the response that is computed without it, byte for byte and header for header",
    () =>
      Effect.gen(function* () {
        const { ask, lines } = yield* servedWithCache({ settings: { publicReadLimit: 1_000_000 } })
        const tags = new Map<string, string>()
        let hits = 0
        yield* forAll(
          requests,
          Effect.fnUntraced(function* ({ headers, method, path }) {
            const tag = tags.get(path) ?? (yield* ask(path)).headers.etag ?? '"none"'
            tags.set(path, tag)
            const version = headers["if-none-match"]?.replace("this", tag)
            const asked = {
              method,
              headers: { ...headers, ...(version === undefined ? {} : { "if-none-match": version }) }
            }
            yield* ask(path, asked)
            const cached = yield* ask(path, asked)
            const line = lines.at(-1)
            const computed = yield* ask(path, asked, false)
            assert.deepStrictEqual(lasting(cached, asked), lasting(computed, asked))
            const told = { ...line?.annotations, ms: 0, request_id: "" }
            assert.deepStrictEqual({ ...lines.at(-1)?.annotations, ms: 0, request_id: "" }, told)
            assert.strictEqual(lines.at(-1)?.message?.toString(), line?.message?.toString())
            if (cached.isCached && computed.status < 400 && method !== "OPTIONS") hits++
          }),
          { numRuns: 600 }
        )
        // Their being equal means something only where the cache answered.
        assert.isAbove(hits, 100)
      }),
    120_000
  )

  it.live("does not answer a caller whose credential leads to a response of their own", () =>
    Effect.gen(function* () {
      const { ask } = yield* servedWithCache()
      const path = `/api/meetings/${teaser.id}`
      const titleOf = ({ body }: Sent) => JSON.parse(Buffer.from(body, "base64").toString()).title
      yield* ask(path)
      assert.strictEqual(titleOf(yield* ask(path)), "as Anonymous")
      assert.isTrue((yield* ask(path)).isCached)
      for (const [asked, headers] of [
        [path, { cookie: "cr_session=reader" }],
        [path, { cookie: "theme=dark; cr_share=held" }],
        [`${path}?st=held`, {}],
        [`${path}?%73t=held`, {}]
      ] as const) {
        const answer = yield* ask(asked, { headers })
        assert.include(["as Reader", "as ShareHolder"], titleOf(answer), asked)
        assert.strictEqual(answer.headers["cache-control"], "private, no-store")
      }
      assert.strictEqual(titleOf(yield* ask(path)), "as Anonymous")
    })
  )

  it.live("counts each request against its address once, and refuses as the application does", () =>
    Effect.gen(function* () {
      const { ask } = yield* servedWithCache({ settings: { publicReadLimit: 4 } })
      for (const left of [3, 2, 1, 0]) {
        const { headers, isCached } = yield* ask("/api/places")
        assert.match(headers.ratelimit?.toString() ?? "", new RegExp(`;r=${left};`))
        assert.strictEqual(isCached, left < 3)
      }
      const refusals = [yield* ask("/api/places"), yield* ask("/api/places", {}, false)]
      const [cached, computed] = refusals.map((sent) => {
        const { headers, ...rest } = lasting(sent, { method: "GET", headers: {} })
        const wait = Number(headers["retry-after"])
        assert.isTrue(wait >= 1 && wait <= 60, String(wait))
        // The refusal names a number of seconds, and a second may pass between the two.
        const text = Buffer.from(rest.body, "base64").toString().replace(/\d+/g, "n")
        return { ...rest, headers: { ...headers, "content-length": 0, "retry-after": 0 }, body: text }
      })
      assert.strictEqual(cached?.status, 429)
      assert.deepStrictEqual(cached, computed)
    })
  )

  it.live("measures and traces its responses, with no span but the request's", () =>
    Effect.gen(function* () {
      const { spans, tracer } = recordedSpans()
      const { ask } = yield* servedWithCache({ tracer })
      const measured = Effect.map(
        Metric.value(Metric.withAttributes(requestSeconds, { method: "GET", route: "/api/places", status: "200" })),
        ({ count }) => count
      )
      yield* ask("/api/places")
      const [before, begun] = [yield* measured, spans.length]
      const { isCached } = yield* ask("/api/places", { headers: { "x-request-id": "trace-0123" } })
      assert.isTrue(isCached)
      assert.strictEqual((yield* measured) - before, 1)
      const [span, ...others] = spans.slice(begun)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(span?.name, "GET /api/places")
      assert.strictEqual(span?.attributes.get("request_id"), "trace-0123")
      assert.strictEqual(span?.attributes.get("http.response.status_code"), 200)
    })
  )

  it.live("is looked up once for each request that it may answer, in either place", () =>
    Effect.gen(function* () {
      const { ask } = yield* servedWithCache()
      const meeting = `/api/meetings/${teaser.id}`
      const requests: ReadonlyArray<readonly [path: string, headers: Record<string, string>, lookups: number]> = [
        ["/api/places", {}, 1],
        ["/api/places", { cookie: "cr_session=reader" }, 1],
        [meeting, {}, 1],
        [meeting, { cookie: "theme=dark" }, 1],
        [`${meeting}?unknown=1`, {}, 1],
        [meeting, { cookie: "cr_session=reader" }, 0],
        [`${meeting}?st=held`, {}, 0],
        ["/places", {}, 1],
        ["/md/places", {}, 1],
        ["/places", { cookie: "cr_session=reader" }, 0],
        ["/browse.atom", {}, 1],
        ["/api/health/live", {}, 0]
      ]
      for (const [path, headers, lookups] of requests) {
        for (const turn of ["miss", "hit"]) {
          const answer = yield* ask(path, { headers })
          assert.strictEqual(answer.lookups, lookups, `${turn}: ${path} ${JSON.stringify(headers)}`)
        }
        assert.strictEqual((yield* ask(path, { headers })).isCached, lookups === 1, path)
      }
    })
  )

  it.live("trusts a proxy that is configured, and nobody else, to say who the client is", () =>
    Effect.gen(function* () {
      const left = Effect.fnUntraced(function* (trustedProxies: ReadonlyArray<string>) {
        const { ask } = yield* servedWithCache({ settings: { publicReadLimit: 10, trustedProxies } })
        yield* ask("/api/places", { headers: { "x-forwarded-for": "203.0.113.7" } })
        const sent = yield* ask("/api/places", { headers: { "x-forwarded-for": "203.0.113.8" } })
        assert.isTrue(sent.isCached)
        return sent.headers.ratelimit?.toString().replace(/;t=.*/, "")
      })
      assert.strictEqual(yield* left([]), '"public-read";r=8')
      assert.strictEqual(yield* left(["127.0.0.1"]), '"public-read";r=9')
    })
  )

  it.live("leaves a repeated Host header to be refused", () =>
    Effect.gen(function* () {
      const { ask, port } = yield* servedWithCache()
      yield* ask("/api/places")
      assert.isTrue((yield* ask("/api/places")).isCached)
      const host = `Host: 127.0.0.1:${port}\r\n`
      const { json, status } = yield* askRaw(
        port,
        `GET /api/places HTTP/1.1\r\n${host}${host}Connection: close\r\n\r\n`
      )
      assert.strictEqual(status, 400)
      assert.strictEqual(json().message, "The Host header is there twice.")
    })
  )
})
