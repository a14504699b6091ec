import * as zlib from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { isPublicAddress, Web } from "../../../layers/web.ts"
import { PoliteWeb } from "../../../src/pipeline/web/polite-web.ts"
import { Robots } from "../../../src/pipeline/web/robots.ts"
import { HostPace } from "../../../src/services/sources/host-pace.ts"
import { type Answer, cityServer, says, status } from "../../support/city-server.ts"
import { TestDb } from "../../support/database.ts"

/** The loopback address that counts as public in these tests; every other is treated as usual. */
const publicHost = "127.0.0.2"

/** The client, on an Internet where names resolve as `names` says: each lookup takes the next address. */
const webWith = (names: Readonly<Record<string, Array<string>>> = {}) =>
  PoliteWeb.layerNoDeps.pipe(
    Layer.provide([
      Web.layerWith({
        isAllowed: (address) => address === publicHost || isPublicAddress(address),
        resolve: async (host) => [{ address: names[host]?.shift() ?? publicHost, family: 4 }],
        userAgent: "CivicRecord/1.0 (+https://record.example.gov/about)"
      }),
      HostPace.layerEvery(0.001),
      Robots.layerUnasked
    ]),
    Layer.fresh
  )

const request = { types: /^application\/json/, accept: "application/json", bytes: 100_000 }
const page = (address: string, over: object = {}) =>
  PoliteWeb.use((web) => web.page(address, { ...request, ...over })).pipe(
    Effect.map((found) => found?.body.toString()),
    Effect.provide(webWith())
  )

const refusal = (address: string, over: object = {}) => Effect.flip(page(address, over))

layer(TestDb, { excludeTestServices: true })("other people's servers", (it) => {
  it.effect("are called in our name, and their compressed responses are decoded", () =>
    Effect.gen(function* () {
      const city = yield* cityServer(publicHost)
      for (const [coding, encode] of [
        ["gzip", zlib.gzipSync],
        ["br", zlib.brotliCompressSync],
        ["deflate", zlib.deflateSync]
      ] as const) {
        city.answers.set(`/${coding}`, says(encode('{"a":1}'), "application/json", { "content-encoding": coding }))
        assert.strictEqual(yield* page(`${city.url}/${coding}`), '{"a":1}')
      }
      assert.strictEqual(city.asked[0]?.headers["user-agent"], "CivicRecord/1.0 (+https://record.example.gov/about)")
      assert.isUndefined(city.asked[0]?.headers.traceparent)
    })
  )

  it.effect("are not called if the address is not a public one, in any notation", () =>
    Effect.gen(function* () {
      const inside = yield* cityServer("127.0.0.1")
      inside.answers.set("/", says("{}"))
      for (const host of [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "0.0.0.0",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "224.0.0.1",
        "255.255.255.255"
      ]) {
        const failure = yield* refusal(`http://${host}:${inside.port}/`)
        assert.deepInclude(
          failure,
          { reason: "forbidden", message: "Its address is not on the public Internet." },
          host
        )
      }
      for (const address of ["file:///etc/passwd", "ftp://127.0.0.2/", "http://user:secret@127.0.0.2/", "nothing"]) {
        assert.deepInclude(yield* refusal(address), { reason: "forbidden" }, address)
      }
      assert.deepStrictEqual(inside.asked, [])
    })
  )

  it.effect("cannot redirect us to an internal address, nor more than five times", () =>
    Effect.gen(function* () {
      const inside = yield* cityServer("127.0.0.1")
      const city = yield* cityServer(publicHost)
      city.answers.set("/in", status(302, { location: `http://127.0.0.1:${inside.port}/` }))
      city.answers.set("/file", status(307, { location: "file:///etc/passwd" }))
      city.answers.set("/round", status(301, { location: "/round" }))
      city.answers.set("/there", says("{}"))
      city.answers.set("/once", status(308, { location: "there" }))
      assert.deepInclude(yield* refusal(`${city.url}/in`), { reason: "forbidden" })
      assert.deepInclude(yield* refusal(`${city.url}/file`), { reason: "forbidden" })
      assert.deepInclude(yield* refusal(`${city.url}/round`), { message: "It redirects more than 5 times." })
      assert.lengthOf(
        city.asked.filter(({ path }) => path === "/round"),
        6
      )
      assert.strictEqual(yield* page(`${city.url}/once`), "{}")
      assert.deepStrictEqual(inside.asked, [])
    })
  )

  it.effect("are looked up once for each connection, so a name that turns inward reaches nothing", () =>
    Effect.gen(function* () {
      const inside = yield* cityServer("127.0.0.1")
      const city = yield* cityServer(publicHost)
      city.answers.set("/", says("{}", "application/json", { connection: "close" }))
      const address = `http://city.example:${city.port}/`
      const twice = Effect.gen(function* () {
        const web = yield* PoliteWeb
        yield* web.page(address, request)
        return yield* Effect.flip(web.page(address, request))
      })
      const failure = yield* Effect.provide(twice, webWith({ "city.example": [publicHost, "127.0.0.1"] }))
      assert.deepInclude(failure, { reason: "forbidden" })
      assert.deepStrictEqual(inside.asked, [])
    })
  )

  it.effect("cannot fill the memory: by an endless body, a small one that decompresses, or a false length", () =>
    Effect.gen(function* () {
      const city = yield* cityServer(publicHost)
      const endless: Answer = (_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        const chunk = Buffer.alloc(65_536, " ")
        const more = () => {
          while (!response.destroyed && response.write(chunk));
        }
        response.on("drain", more)
        more()
      }
      const bomb = zlib.gzipSync(Buffer.alloc(50_000_000))
      assert.isBelow(bomb.length, 100_000)
      city.answers.set("/endless", endless)
      city.answers.set("/bomb", says(bomb, "application/json", { "content-encoding": "gzip" }))
      city.answers.set("/long", says("{}", "application/json", { "content-length": 100_001 }))
      for (const path of ["/endless", "/bomb", "/long"]) {
        assert.deepInclude(yield* refusal(city.url + path), { reason: "unsuitable" }, path)
      }
      // Fewer bytes than announced, and then a disconnect.
      city.answers.set("/short", (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": 100 })
        response.write("{}")
        setImmediate(() => response.destroy())
      })
      city.answers.set("/damaged", says(bomb.subarray(0, 50), "application/json", { "content-encoding": "gzip" }))
      city.answers.set("/odd", says("{}", "application/json", { "content-encoding": "zstd" }))
      assert.deepInclude(yield* refusal(`${city.url}/short`), { reason: "unreachable" })
      assert.deepInclude(yield* refusal(`${city.url}/damaged`), { reason: "unreachable" })
      assert.deepInclude(yield* refusal(`${city.url}/odd`), { reason: "unsuitable" })
      assert.deepInclude(yield* refusal(`${city.url}/none`), { reason: "gone" })
    })
  )

  it.effect("are understood when they send another type, or report that nothing changed", () =>
    Effect.gen(function* () {
      const city = yield* cityServer(publicHost)
      city.answers.set("/html", says("<html>", "text/html"))
      assert.deepInclude(yield* refusal(`${city.url}/html`), {
        message: "The server did not answer with application/json."
      })
      const stamp = "Wed, 11 Nov 2026 08:00:00 GMT"
      city.answers.set("/same", (asked, response) => {
        const isKnown = asked.headers["if-none-match"] === '"7"' && asked.headers["if-modified-since"] === stamp
        response.writeHead(isKnown ? 304 : 200, {
          "content-type": "application/json",
          etag: '"7"',
          "last-modified": stamp
        })
        response.end(isKnown ? undefined : "{}")
      })
      const first = yield* PoliteWeb.use((web) => web.page(`${city.url}/same`, request)).pipe(Effect.provide(webWith()))
      assert.deepStrictEqual(first?.validators, { etag: '"7"', lastModified: stamp })
      assert.isUndefined(yield* page(`${city.url}/same`, { validators: first?.validators }))
    })
  )

  it.effect("are left alone when they ask for it, on every path and for as long as they say", () =>
    Effect.gen(function* () {
      const city = yield* cityServer(publicHost)
      city.answers.set("/", says("{}"))
      city.answers.set("/busy", status(429, { "retry-after": "120" }))
      assert.deepInclude(yield* refusal(`${city.url}/busy`), { reason: "busy", seconds: 120 })
      const again = yield* refusal(`${city.url}/`)
      assert.strictEqual(again.reason, "busy")
      assert.approximately(again.seconds ?? 0, 120, 5)
      assert.deepStrictEqual(
        city.asked.map(({ path }) => path),
        ["/busy"]
      )
      const down = yield* cityServer(publicHost)
      const later = new Date(Date.now() + 3_600_000).toUTCString()
      down.answers.set("/", status(503, { "retry-after": later }))
      assert.approximately((yield* refusal(`${down.url}/`)).seconds ?? 0, 3600, 5)
    })
  )
})

layer(TestDb)("a slow server", (it) => {
  it.effect("is given up after two minutes in all", () =>
    Effect.gen(function* () {
      const city = yield* cityServer(publicHost)
      const asked = Promise.withResolvers<void>()
      city.answers.set("/", (_, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.write("{")
        asked.resolve()
      })
      const reading = yield* Effect.forkChild(refusal(`${city.url}/`))
      yield* Effect.promise(() => asked.promise)
      yield* TestClock.adjust("2 minutes")
      assert.deepInclude(yield* Fiber.join(reading), {
        reason: "unreachable",
        message: "The server's answer took longer than 120 seconds."
      })
    })
  )
})
