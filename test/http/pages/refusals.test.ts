import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlError } from "effect/sql"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { ask, askRaw, rawRequest } from "../../support/asked.ts"
import { agency, meeting, meetingId, putOnRecord } from "../../support/builders.ts"
import { fullRecord } from "../../support/full-record.ts"
import { readHtml } from "../../support/reading-pages.ts"
import { fakeRecord, served } from "../../support/served.ts"
import { serviceAddress, TestService } from "../../support/service.ts"

const as = (accept: string): RequestInit => ({ headers: { accept }, redirect: "manual" })
const html = as("text/html")

const placed = "/in/springfield/council"

layer(TestService)("addresses that name nothing", (it) => {
  it.effect("are 404 as a page, as Markdown or as JSON, as requested", () =>
    Effect.gen(function* () {
      yield* fullRecord
      const base = yield* serviceAddress
      for (const path of ["/nowhere", "/in/nowhere", `${placed}/2026-03-10-ffffffff`, "/places/none", "/clips/x/y"]) {
        const page = yield* ask(base + path, html)
        assert.strictEqual(page.status, 404, path)
        assert.strictEqual(page.headers.get("content-type"), "text/html; charset=utf-8")
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
        assert.include(page.text, "<h1>Nothing is at this address</h1>")
        assert.include(page.text, 'name="q"')
        assert.notInclude(page.text, 'rel="canonical"')
        for (const prose of [yield* ask(base + path, as("text/markdown")), yield* ask(`${base}/md${path}`)]) {
          assert.strictEqual(prose.status, 404)
          assert.include(prose.text, "# Nothing is at this address")
        }
        const program = yield* ask(base + path, as("*/*"))
        assert.deepStrictEqual([program.status, program.json().error], [404, "not_found"])
      }
    })
  )

  it.effect("lead to the same address without a slash at its end, and to no other site", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const leads = (path: string, init = html) =>
        Effect.map(ask(base + path, init), ({ status, headers }) => [status, headers.get("location")])
      assert.deepStrictEqual(yield* leads("/in/springfield/"), [308, "/in/springfield"])
      assert.deepStrictEqual(yield* leads("/browse//?q=a%20b&page=2", as("*/*")), [308, "/browse?q=a%20b&page=2"])
      assert.deepStrictEqual(yield* leads("/md/in/springfield/"), [308, "/md/in/springfield"])
      for (const path of ["//example.org/", "/%5Cexample.org/x//", "/api/places/", "/"]) {
        const [status, location] = yield* leads(path)
        assert.isTrue(location === null || /^\/[^/\\]/.test(String(location)), `${path}: ${status} ${location}`)
      }
      assert.deepStrictEqual(yield* leads("/api/places/"), [404, null])
      assert.deepStrictEqual(yield* leads("/browse/", { ...html, method: "POST" }), [404, null])
    })
  )

  it.effect("keep the words of a search that cannot be run", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const words = Array.from({ length: 17 }, (_, at) => `word${at}`).join(" ")
      for (const [q, problem] of [
        [words.replaceAll(" ", " or "), "Your search has 17 words, and a search may have at most 16."],
        ['"a b" "c d" "e f" "g h" "i j"', "Your search has 5 phrases in quotes, and a search may have at most 4."]
      ] as const) {
        const page = yield* ask(`${base}/browse?q=${encodeURIComponent(q)}`, html)
        assert.strictEqual(page.status, 400)
        assert.include(page.text, "<h1>This search needs other words</h1>")
        assert.include(page.text, problem)
        assert.include(page.text, `value="${q.replaceAll('"', "&quot;")}"`)
      }
    })
  )

  it.effect("suggest the most similar names", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const links = (path: string) => Effect.map(ask(base + path, html), ({ text }) => readHtml(text, base).links)
      assert.include(yield* links("/in/sprignfield"), "/in/springfield")
      assert.include(yield* links("/in/springfield/councill"), "/in/springfield/council")
      assert.include(yield* links("/agencies/springfeld"), "/in/springfield")
      assert.include(yield* links("/in/springfield/zzyzx"), "/in/springfield")
    })
  )

  it.effect("stay in the error shape where programs are, whatever they accept", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const path of ["/api/nowhere", "/api/places/none", "/health/x", "/assets/0/none.css", "/.well-known/x"]) {
        const { status, json } = yield* ask(base + path, html)
        assert.deepStrictEqual([status, json().error], [404, "not_found"], path)
      }
    })
  )

  it.effect("differ from addresses that cannot be decoded, which name the parameter", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      for (const path of ["/browse?year=soon", "/upcoming?within_days=99", `${placed}?page=0`]) {
        const { status, text } = yield* ask(base + path, html)
        assert.strictEqual(status, 400, path)
        assert.include(text, /\?(\w+)=/.exec(path)?.[1] ?? "")
      }
      const twice = yield* ask(`${base}/browse?type[]=city_council&type[]=school_board&nonsense=1&city=`, html)
      assert.strictEqual(twice.status, 200)
      assert.include(twice.text, "Kind of body: City council")
    })
  )
})

layer(TestService)("former addresses", (it) => {
  it.effect("redirect permanently to the place-first ones, with their query", () =>
    Effect.gen(function* () {
      yield* fullRecord
      const base = yield* serviceAddress
      const id = meetingId("full")
      const at = `${placed}/2026-03-10-${id.slice(0, 8)}`
      const moves = [
        ["/places/springfield", "/in/springfield"],
        ["/agencies/springfield-council", placed],
        ["/agencies/old-council", placed],
        [`/meetings/${id.slice(0, 8)}?t=60`, `${at}?t=60`],
        [`/meetings/${id}`, at],
        [`/in/springfield/parks-board/2026-03-10-${id.slice(0, 8)}`, at],
        [`${placed}/2020-01-01-${id.slice(0, 8)}`, at],
        ["/in/springfield/old-council", placed],
        ["/md/places/springfield", "/md/in/springfield"]
      ] as const
      for (const [from, to] of moves) {
        const { status, headers } = yield* ask(base + from, html)
        assert.deepStrictEqual([status, headers.get("location")], [308, to], from)
      }
      assert.strictEqual((yield* ask(base + at, html)).status, 200)
    })
  )

  it.effect("lead on from a body that was merged into another", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      yield* putOnRecord(
        agency("springfield-zoning", ["springfield"], { segment: "zoning" }),
        meeting("zoned", "springfield-zoning")
      )
      assert.strictEqual((yield* ask(`${base}/in/springfield/zoning`, html)).status, 200)
      yield* Effect.provide(
        AgencyMerge.use((merge) => merge.merge("springfield-zoning", "springfield-council")),
        AgencyMerge.layer
      )
      const { status, headers } = yield* ask(`${base}/in/springfield/zoning`, html)
      assert.deepStrictEqual([status, headers.get("location")], [308, placed])
    })
  )

  it.effect("answer at each place of a body that serves several, and name the first as its address", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      yield* putOnRecord(
        agency("two-rivers", ["springfield", "sangamon-county"], { segment: "two-rivers" }),
        meeting("rivers", "two-rivers")
      )
      const { status, text } = yield* ask(`${base}/in/sangamon-county/two-rivers`, html)
      assert.strictEqual(status, 200)
      assert.include(text, '<link rel="canonical" href="http://record.example.gov/in/springfield/two-rivers">')
      assert.include(readHtml(text, base).links, "/in/sangamon-county")
    })
  )
})

layer(TestService)("the pages of a meeting and its clips", (it) => {
  it.effect("show a published clip to everyone, at an address that is not cached", () =>
    Effect.gen(function* () {
      yield* fullRecord
      const base = yield* serviceAddress
      const at = `${placed}/2026-03-10-${meetingId("full").slice(0, 8)}`
      const teaser = readHtml((yield* ask(base + at, html)).text, base + at)
      const clip = teaser.links.find((link) => link.includes("/clips/")) ?? ""
      const { status, headers, text } = yield* ask(base + clip, html)
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("cache-control"), "private, no-store")
      assert.strictEqual(headers.get("referrer-policy"), "same-origin")
      const src = /<video src="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? ""
      assert.strictEqual((yield* ask(base + src)).status, 200)
      assert.include(readHtml(text, base).links, `${at}?t=1`)
      assert.notInclude((yield* ask(`${base}/md${clip}`)).text, "sig=")
      assert.strictEqual((yield* ask(`${base}${at}/clips/none`, html)).status, 404)
    })
  )

  it.effect("show anyone the teaser of a meeting, without a spoken word", () =>
    Effect.gen(function* () {
      const base = yield* serviceAddress
      const at = `${placed}/2026-03-10-${meetingId("full").slice(0, 8)}`
      for (const { text } of [yield* ask(base + at, html), yield* ask(`${base}/md${at}`)]) {
        for (const open of ["Headline", "Council", "Greenway extension", "Opening", "One", "Tuesday, March 10, 2026"])
          assert.include(text, open)
        for (const gated of ["Sentence number", "Bonds", "Passed", "It failed."]) assert.notInclude(text, gated)
      }
    })
  )
})

const broken = (defect: unknown) => Layer.merge(fakeRecord, Layer.mock(Browse)({ search: () => Effect.die(defect) }))

describe("pages that cannot be made", () => {
  it.live("say so with the request id, and reveal nothing of the inside", () =>
    Effect.gen(function* () {
      const { base } = yield* served({ record: broken(new Error("select secret")) })
      const headers = { accept: "text/html", "x-request-id": "asked-12345" }
      const { status, text } = yield* ask(`${base}/browse`, { headers })
      assert.strictEqual(status, 500)
      assert.include(text, "asked-12345")
      assert.notInclude(text, "secret")
      assert.strictEqual((yield* ask(`${base}/browse`)).json().error, "internal")
    })
  )

  it.live("say when to come back, if the database is unavailable", () =>
    Effect.gen(function* () {
      const away = new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause: new Error("secret") }) })
      const { base } = yield* served({ record: broken(away) })
      const { status, headers, text } = yield* ask(`${base}/browse`, html)
      assert.deepStrictEqual([status, headers.get("retry-after")], [503, "5"])
      assert.include(text, "<h1>The record cannot be reached right now</h1>")
      assert.include((yield* ask(`${base}/md/browse`)).text, "# The record cannot be reached right now")
    })
  )

  it.live("are counted as public reads, in either form, and refused past the limit", () =>
    Effect.gen(function* () {
      const { base } = yield* served({ settings: { publicReadLimit: 2 } })
      assert.strictEqual((yield* ask(`${base}/about`, html)).status, 200)
      assert.strictEqual((yield* ask(`${base}/md/about`)).status, 200)
      const { status, headers, text } = yield* ask(`${base}/about`, html)
      assert.strictEqual(status, 429)
      assert.match(headers.get("retry-after") ?? "", /^\d+$/)
      assert.include(text, "<h1>Too many requests</h1>")
      assert.strictEqual((yield* ask(`${base}/about`)).json().error, "rate_limited")
    })
  )

  it.live("have one method", () =>
    Effect.gen(function* () {
      const { base, port } = yield* served()
      const { status, headers } = yield* ask(`${base}/about`, { ...html, method: "POST", body: "{}" })
      assert.deepStrictEqual([status, headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
      // What TRACE sends back would have the cookie.
      const traced = yield* askRaw(port, rawRequest("TRACE /about", ["Cookie: cr_session=secret"]))
      assert.strictEqual(traced.status, 405)
      assert.notInclude(traced.text, "secret")
    })
  )
})
