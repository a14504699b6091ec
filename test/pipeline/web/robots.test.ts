import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Web } from "../../../layers/web.ts"
import { formOf } from "../../../src/pipeline/sources/html-page.ts"
import { freshCookies } from "../../../src/pipeline/web/cookies.ts"
import { PoliteWeb } from "../../../src/pipeline/web/polite-web.ts"
import { Robots } from "../../../src/pipeline/web/robots.ts"
import { Operator } from "../../../src/services/history.ts"
import { HostPace } from "../../../src/services/sources/host-pace.ts"
import { SitePermissions } from "../../../src/services/sources/site-permissions.ts"
import { Sources } from "../../../src/services/sources/sources.ts"
import { place, putOnRecord } from "../../support/builders.ts"
import { answersForm, cityServer, says, status } from "../../support/city-server.ts"
import { TestDb } from "../../support/database.ts"

const Internet = PoliteWeb.layerNoDeps.pipe(
  Layer.provide([
    Web.layerWith({ isAllowed: () => true, resolve: async () => [], userAgent: "CivicRecord/1.0" }),
    HostPace.layerEvery(0.001),
    Robots.layer
  ]),
  Layer.provideMerge(Layer.mergeAll(SitePermissions.layer, Sources.layer)),
  Layer.provideMerge(TestDb)
)

const page = (address: string, over: object = {}) =>
  PoliteWeb.use((web) => web.page(address, { types: /./, accept: "text/html", bytes: 100_000, ...over })).pipe(
    Effect.map((found) => found?.body.toString())
  )

layer(Internet, { excludeTestServices: true })("a site", (it) => {
  it.effect("whose robots.txt refuses is read only on an operator's word, which stays with the source", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      city.answers.set("/", says("calendar", "text/html"))
      city.answers.set("/robots.txt", says("User-agent: *\nDisallow: /\n", "text/plain"))
      assert.deepInclude(yield* Effect.flip(page(`${city.url}/`)), {
        reason: "forbidden",
        message: "Its site asks programs not to read it (robots.txt)."
      })
      assert.deepStrictEqual(
        city.asked.map(({ path }) => path),
        ["/robots.txt"]
      )
      yield* putOnRecord(place("quarry", { name: "Quarry" }))
      const sources = yield* Sources
      const id = yield* sources.add({ kind: "primegov", url: `${city.url}/`, place: "quarry", everySeconds: 3600 })
      assert.deepInclude(yield* Effect.flip(page(`${city.url}/`)), { reason: "forbidden" })
      yield* SitePermissions.use(({ permit }) => permit(id, "It is our own site.")).pipe(
        Effect.provideService(Operator, "clerk@quarry.gov")
      )
      assert.strictEqual(yield* page(`${city.url}/`), "calendar")
      // Its robots.txt was read once.
      assert.lengthOf(
        city.asked.filter(({ path }) => path === "/robots.txt"),
        1
      )
      assert.deepInclude((yield* sources.source(id)).permitted, { by: "clerk@quarry.gov", why: "It is our own site." })
      yield* SitePermissions.use(({ withdraw }) => withdraw(id))
      assert.deepInclude(yield* Effect.flip(page(`${city.url}/`)), { reason: "forbidden" })
      assert.isUndefined((yield* sources.source(id)).permitted)
    })
  )

  it.effect("refuses us by name or by path, and one without the file refuses nobody", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      city.answers.set("/robots.txt", says("User-agent: CivicRecord\nDisallow: /private\n", "text/plain"))
      city.answers.set("/open", says("open", "text/html"))
      assert.strictEqual(yield* page(`${city.url}/open`), "open")
      assert.deepInclude(yield* Effect.flip(page(`${city.url}/private/1`)), { reason: "forbidden" })
      const other = yield* cityServer()
      other.answers.set("/open", says("open", "text/html"))
      assert.strictEqual(yield* page(`${other.url}/open`), "open")
      const broken = yield* cityServer()
      broken.answers.set("/robots.txt", status(500))
      broken.answers.set("/open", says("open", "text/html"))
      assert.deepInclude(yield* Effect.flip(page(`${broken.url}/open`)), { reason: "unreachable" })
    })
  )

  it.effect("gets a form as it was filled in, and its own cookies back, but no other site gets either", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const other = yield* cityServer("127.0.0.2")
      const cookies = freshCookies()
      city.answers.set("/", says("", "text/html", { "set-cookie": ["a=1; HttpOnly", "b=2; Max-Age=0", "c=3"] }))
      city.answers.set(
        "/form",
        answersForm((sent, { headers }) => `${sent} ${headers.cookie} ${headers["content-type"]}`)
      )
      city.answers.set("/kept", status(307, { location: "/form" }))
      city.answers.set("/away", status(307, { location: `${other.url}/form` }))
      city.answers.set("/seen", status(302, { location: "/answer" }))
      city.answers.set("/answer", (request, response) => says(`${request.method}`, "text/html")(request, response))
      city.answers.set("/leads", status(302, { location: `${other.url}/plain` }))
      other.answers.set("/plain", (request, response) =>
        says(`${request.headers.cookie} ${request.headers["x-requested-with"]}`, "text/html")(request, response)
      )
      yield* page(`${city.url}/`, { cookies })
      const form = formOf({ year: "2026", catID: "7" })
      const sent = "year=2026&catID=7 a=1; c=3 application/x-www-form-urlencoded"
      assert.strictEqual(yield* page(`${city.url}/form`, { cookies, form }), sent)
      assert.strictEqual(yield* page(`${city.url}/kept`, { cookies, form }), sent)
      assert.strictEqual(yield* page(`${city.url}/seen`, { cookies, form }), "GET")
      assert.deepInclude(yield* Effect.flip(page(`${city.url}/away`, { cookies, form })), {
        message: "It redirects a form to another server."
      })
      const headers = { "x-requested-with": "XMLHttpRequest" }
      assert.strictEqual(yield* page(`${city.url}/leads`, { cookies, headers }), "undefined undefined")
    })
  )
})
