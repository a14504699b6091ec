import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { Web } from "../../layers/web.ts"
import { recordingTo } from "../../src/pipeline/stages/fetch/recording.ts"
import { PoliteWeb } from "../../src/pipeline/web/polite-web.ts"
import { Robots } from "../../src/pipeline/web/robots.ts"
import { HostPace } from "../../src/services/sources/host-pace.ts"
import { type CityServer, cityServer, says, status } from "../support/city-server.ts"
import { TestDb } from "../support/database.ts"
import { scratch, TestRenderer } from "../support/rendering.ts"
import { fragments, transportStream } from "../support/streams.ts"

const forbidden = "127.0.0.2"

const LocalWeb = PoliteWeb.layerNoDeps.pipe(
  Layer.provide([
    Web.layerWith({ isAllowed: (address) => address !== forbidden, resolve: async () => [], userAgent: "test" }),
    HostPace.layerEvery(0.001),
    Robots.layerUnasked
  ]),
  Layer.provideMerge(Layer.mergeAll(TestDb, TestRenderer))
)

const mpegurl = "application/vnd.apple.mpegurl"
const lines = (...text: ReadonlyArray<string>) =>
  ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:1", ...text].join("\n")
const whole = (...text: ReadonlyArray<string>) => lines(...text, "#EXT-X-ENDLIST", "")
const listed = (names: ReadonlyArray<string>) => names.flatMap((name) => ["#EXTINF:1.000,", name])

const fetched = Effect.fnUntraced(function* (city: CityServer, at: string, to: string, over: object = {}) {
  const web = yield* PoliteWeb
  const renderer = yield* Renderer
  const how = { types: /^video\//, what: "a recording", bytes: 10_000_000, onProgress: () => Effect.void, ...over }
  return yield* recordingTo(web, renderer, `${city.url}${at}`, to, how)
})

const probed = Effect.fnUntraced(function* (file: string) {
  const renderer = yield* Renderer
  const { duration, width } = yield* renderer.probe(file)
  return { seconds: Math.round(duration), width, hasSound: (yield* renderer.look(file)).hasSound }
})

/** A range of a file, as a web server sends it. */
const ranged =
  (bytes: Buffer) =>
  (request: { headers: { range?: string | undefined } }, response: import("node:http").ServerResponse) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []
    const part = bytes.subarray(Number(from), Number(to) + 1)
    response.writeHead(206, { "content-range": `bytes ${from}-${to}/${bytes.length}`, "content-length": part.length })
    response.end(part)
  }

const newFile = Effect.map(scratch, (folder) => path.join(folder, "source.part"))

layer(LocalWeb, { excludeTestServices: true })("a recording that is a stream", (it) => {
  it.effect("is fetched piece by piece, goes on where it was broken off, and is joined", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const to = yield* newFile
      const { pieces } = yield* transportStream(4)
      const names = pieces.map((_, at) => `piece-${at}.ts?sig=1`)
      // The playlist calls itself by its type alone.
      city.answers.set("/play", says(whole(...listed(names)), mpegurl))
      for (const [at, piece] of pieces.entries()) city.answers.set(`/piece-${at}.ts`, says(piece, "video/mp2t"))
      city.answers.set("/piece-2.ts", status(404))
      assert.deepInclude(yield* Effect.flip(fetched(city, "/play", to)), { reason: "gone" })
      const asked = city.asked.length
      city.answers.set("/piece-2.ts", says(pieces[2] ?? Buffer.alloc(0), "video/mp2t"))
      city.answers.set("/play", says(whole(...listed(names.map((name) => name.replace("=1", "=2")))), mpegurl))
      const found = yield* fetched(city, "/play", to)
      assert.strictEqual(found?.type, "video/mp4")
      const again = city.asked.slice(asked).map(({ path }) => path)
      assert.deepStrictEqual(
        again.filter((at) => at.startsWith("/piece")),
        ["/piece-2.ts?sig=2", "/piece-3.ts?sig=2"]
      )
      assert.deepStrictEqual(yield* probed(to), { seconds: 4, width: 160, hasSound: true })
      // Nothing is left beside it.
      assert.deepStrictEqual(fs.readdirSync(path.dirname(to)), ["source.part"])
      // The same pieces are not fetched again.
      const digest = found !== undefined && "digest" in found ? found.digest : undefined
      const known = { etag: null, last_modified: null, bytes: 1, byLength: true, digest }
      assert.isUndefined(yield* fetched(city, "/play", to, { known }))
    })
  )

  it.effect("may be a piece that breaks off: the same one is asked for again", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const to = yield* newFile
      const { pieces } = yield* transportStream(2)
      let isWhole = false
      city.answers.set("/list.m3u8", says(whole(...listed(["a.ts", "b.ts"])), mpegurl))
      city.answers.set("/a.ts", says(pieces[0] ?? "", "video/mp2t"))
      city.answers.set("/b.ts", (_, response) => {
        const [, piece = Buffer.alloc(0)] = pieces
        response.writeHead(200, { "content-length": piece.length })
        response.write(piece.subarray(0, isWhole ? piece.length : 188), () => {
          if (isWhole) response.end()
          else response.destroy()
          isWhole = true
        })
      })
      yield* fetched(city, "/list.m3u8", to)
      assert.deepInclude(yield* probed(to), { seconds: 2 })
    })
  )

  it.effect("is taken at no more than 720 lines from a list of qualities, with its sound from a list of its own", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const to = yield* newFile
      const [film, sound] = [yield* fragments(3, "picture"), yield* fragments(3, "sound")]
      const stream = (height: number, name: string) => [
        `#EXT-X-STREAM-INF:BANDWIDTH=${height * 1000},RESOLUTION=${height * 2}x${height},CODECS="avc1",AUDIO="a"`,
        name
      ]
      city.answers.set("/moved.m3u8", status(302, { location: "/deep/main.m3u8" }))
      city.answers.set(
        "/deep/main.m3u8",
        says(
          [
            "#EXTM3U",
            '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",DEFAULT=YES,URI="sound.m3u8"',
            ...stream(360, "360.m3u8"),
            ...stream(1080, "1080.m3u8"),
            ...stream(720, "720.m3u8"),
            ""
          ].join("\n"),
          "text/plain"
        )
      )
      const mapped = (parts: { readonly init: Buffer; readonly pieces: ReadonlyArray<Buffer> }, name: string) => {
        const bytes = Buffer.concat([parts.init, ...parts.pieces])
        city.answers.set(`/deep/${name}.mp4`, ranged(bytes))
        const map = `#EXT-X-MAP:URI="${name}.mp4",BYTERANGE="${parts.init.length}@0"`
        const ranges = parts.pieces.flatMap((piece, at) => [
          "#EXTINF:1,",
          // Only the first says where it begins.
          `#EXT-X-BYTERANGE:${piece.length}${at === 0 ? `@${parts.init.length}` : ""}`,
          `${name}.mp4`
        ])
        return says(whole(map, ...ranges), mpegurl)
      }
      city.answers.set("/deep/720.m3u8", mapped(film, "film"))
      city.answers.set("/deep/sound.m3u8", mapped(sound, "sound"))
      yield* fetched(city, "/moved.m3u8", to)
      assert.deepStrictEqual(yield* probed(to), { seconds: 3, width: 160, hasSound: true })
    })
  )

  it.effect("may be sound alone", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const to = yield* newFile
      const { init, pieces } = yield* fragments(3, "sound")
      city.answers.set("/init.mp4", says(init, "video/mp4"))
      for (const [at, piece] of pieces.entries()) city.answers.set(`/${at}.m4s`, says(piece, "video/mp4"))
      const names = pieces.map((_, at) => `${at}.m4s`)
      city.answers.set("/list.m3u8", says(whole('#EXT-X-MAP:URI="init.mp4"', ...listed(names)), mpegurl))
      yield* fetched(city, "/list.m3u8", to)
      const { duration, ...looked } = yield* Renderer.use(({ look }) => look(to))
      assert.deepStrictEqual([Math.round(duration), looked], [3, { picture: undefined, hasSound: true }])
    })
  )

  it.effect("may change its clock or its codec between pieces", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const to = yield* newFile
      const [one, two] = [yield* transportStream(2), yield* transportStream(2, "red")]
      for (const [at, piece] of [...one.pieces, ...two.pieces].entries()) city.answers.set(`/${at}.ts`, says(piece))
      const list = whole(...listed(["0.ts", "1.ts"]), "#EXT-X-DISCONTINUITY", ...listed(["2.ts", "3.ts"]))
      city.answers.set("/list.m3u8", says(list, mpegurl))
      yield* fetched(city, "/list.m3u8", to)
      assert.deepStrictEqual(yield* probed(to), { seconds: 4, width: 160, hasSound: true })
      const parts = yield* fragments(2)
      city.answers.set("/init.mp4", says(parts.init))
      for (const [at, piece] of parts.pieces.entries()) city.answers.set(`/${at}.m4s`, says(piece))
      const map = '#EXT-X-MAP:URI="init.mp4"'
      const twice = [map, ...listed(["0.m4s", "1.m4s"]), "#EXT-X-DISCONTINUITY", map, ...listed(["0.m4s", "1.m4s"])]
      city.answers.set("/list.m3u8", says(whole(...twice), mpegurl))
      yield* fetched(city, "/list.m3u8", to)
      assert.deepStrictEqual(yield* probed(to), { seconds: 4, width: 160, hasSound: true })
    })
  )

  it.effect("is refused with a reason if it may not, or cannot, be fetched", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const to = yield* newFile
      const one = listed(["a.ts"])
      city.answers.set("/a.ts", says("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n", "video/mp2t"))
      city.answers.set("/big.ts", says(Buffer.alloc(20_000, 0x47)))
      const many = Array.from({ length: 50_001 }, () => one.join("\n")).join("\n")
      const loop = ["#EXTM3U", "#EXT-X-STREAM-INF:BANDWIDTH=1000", "list.m3u8", ""].join("\n")
      for (const [list, message] of [
        [whole('#EXT-X-KEY:METHOD=AES-128,URI="key"', ...one), "Its stream is encrypted."],
        [whole(...one, '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="key"', ...one), "Its stream is encrypted."],
        [lines(...one), "Its stream has no end: it is live, or still being made."],
        [whole(), "Its playlist has no pieces."],
        [whole(many), "Its stream has more than 50000 pieces."],
        [whole("#EXTINF:90000,", "a.ts"), "Its stream is longer than a day."],
        [whole("#EXTINF:1,", "file:///etc/passwd"), "Its playlist has pieces without an address."],
        [whole("#EXTINF:1,", "concat:a|b"), "Its playlist has pieces without an address."],
        [whole(...one), "A piece of its stream is no video."],
        [whole(...listed(["big.ts"])), "A piece of its stream is too large."],
        [whole(...listed([`http://${forbidden}:${city.port}/a.ts`])), "Its address is not on the public Internet."],
        [whole("#EXT-X-BYTERANGE:10@0", ...one), "The server sent another part than it was asked for."],
        [loop, "Its playlist leads to further playlists."],
        ["<html>", "Its address does not lead to a playlist."],
        ["#EXTM3U\n", "Its stream has no end: it is live, or still being made."],
        ["#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", "Its playlist has no stream."]
      ] as const) {
        city.answers.set("/list.m3u8", says(list, mpegurl))
        const failure = yield* Effect.flip(fetched(city, "/list.m3u8", to, { bytes: 10_000 }))
        assert.strictEqual(failure.message, message)
        assert.isFalse(fs.existsSync(to))
      }
    })
  )
})
