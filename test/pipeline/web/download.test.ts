import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Web } from "../../../layers/web.ts"
import { downloadTo } from "../../../src/pipeline/web/download.ts"
import { PoliteWeb } from "../../../src/pipeline/web/polite-web.ts"
import { Robots } from "../../../src/pipeline/web/robots.ts"
import { HostPace } from "../../../src/services/sources/host-pace.ts"
import { type Answer, type CityServer, cityServer, file, says } from "../../support/city-server.ts"
import { TestDb } from "../../support/database.ts"
import { scratch } from "../../support/rendering.ts"

const LocalWeb = PoliteWeb.layerNoDeps.pipe(
  Layer.provide([
    Web.layerWith({ isAllowed: () => true, resolve: async () => [], userAgent: "test" }),
    HostPace.layerEvery(0.001),
    Robots.layerUnasked
  ]),
  Layer.provideMerge(TestDb)
)

const film = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))

/** Sends the beginning of a file, and disconnects once some of it has been stored. */
const half =
  (bytes: Buffer, etag: string, kept: string): Answer =>
  (_, response) => {
    response.writeHead(200, { "content-type": "video/mp4", "content-length": bytes.length, etag })
    response.write(bytes.subarray(0, bytes.length / 2))
    const looking = setInterval(() => {
      if ((fs.statSync(kept, { throwIfNoEntry: false })?.size ?? 0) === 0) return
      clearInterval(looking)
      response.destroy()
    }, 5)
  }

const download = Effect.fnUntraced(function* (city: CityServer, to: string, over: object = {}) {
  const web = yield* PoliteWeb
  const how = { types: /^video\//, what: "a recording", bytes: 1_000_000, onProgress: () => Effect.void, ...over }
  return yield* downloadTo(web, `${city.url}/film.mp4`, to, how)
})

/** A city whose server broke off in the middle of a file, and the path of the first half. */
const brokenOff = Effect.gen(function* () {
  const city = yield* cityServer()
  const to = path.join(yield* scratch, "part")
  city.answers.set("/film.mp4", half(film, '"1"', to))
  assert.deepInclude(yield* Effect.flip(download(city, to)), { reason: "unreachable" })
  assert.isAbove(fs.statSync(to).size, 0)
  return { city, to, size: fs.statSync(to).size }
})

layer(LocalWeb, { excludeTestServices: true })("a half-fetched file", (it) => {
  it.effect("is continued from the byte where it broke off", () =>
    Effect.gen(function* () {
      const { city, to, size } = yield* brokenOff
      city.answers.set("/film.mp4", file(film, "video/mp4"))
      assert.strictEqual((yield* download(city, to))?.type, "video/mp4")
      assert.strictEqual(city.asked.at(-1)?.headers.range, `bytes=${size}-`)
      assert.isTrue(fs.readFileSync(to).equals(film))
      // All of it is there: the server has nothing to add.
      assert.strictEqual((yield* download(city, to))?.type, "video/mp4")
      assert.isTrue(fs.readFileSync(to).equals(film))
    })
  )

  it.effect("is fetched again if the city has replaced it, or sends no ranges", () =>
    Effect.gen(function* () {
      const other = Buffer.from(film.map((byte) => 255 - byte))
      const replaced = yield* brokenOff
      replaced.city.answers.set("/film.mp4", file(other, "video/mp4", '"2"'))
      yield* download(replaced.city, replaced.to)
      assert.isTrue(fs.readFileSync(replaced.to).equals(other))
      const plain = yield* brokenOff
      plain.city.answers.set("/film.mp4", says(film, "video/mp4"))
      yield* download(plain.city, plain.to)
      assert.isTrue(fs.readFileSync(plain.to).equals(film))
    })
  )

  it.effect("is refused if it is too large, a web page, or another part than requested", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const to = path.join(yield* scratch, "part")
      city.answers.set("/film.mp4", file(film, "video/mp4"))
      assert.deepInclude(yield* Effect.flip(download(city, to, { bytes: 299_999 })), { reason: "unsuitable" })
      // Without a length, the size is noticed on the way.
      city.answers.set("/film.mp4", (_, response) => {
        response.writeHead(200, { "content-type": "video/mp4" })
        response.end(film)
      })
      assert.deepInclude(yield* Effect.flip(download(city, to, { bytes: 299_999 })), { reason: "unsuitable" })
      city.answers.set("/film.mp4", says("<html>", "text/html"))
      assert.deepInclude(yield* Effect.flip(download(city, to)), {
        reason: "unsuitable",
        message: "Its address leads to a web page, not a recording."
      })
      city.answers.set("/film.mp4", (_, response) => {
        response.writeHead(206, { "content-type": "video/mp4", "content-range": "bytes 5-9/10" })
        response.end("12345")
      })
      assert.deepInclude(yield* Effect.flip(download(city, to)), { reason: "unsuitable" })
    })
  )
})
