import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { Web } from "../../layers/web.ts"
import { playerPage } from "../../src/pipeline/stages/fetch/players/player-page.ts"
import { playerAt } from "../../src/pipeline/stages/fetch/players/players.ts"
import { publishedCaptions } from "../../src/pipeline/stages/fetch/published-captions.ts"
import { closedPlayer, playerCaptions, recordingTo } from "../../src/pipeline/stages/fetch/recording.ts"
import { PoliteWeb } from "../../src/pipeline/web/polite-web.ts"
import { Robots } from "../../src/pipeline/web/robots.ts"
import { HostPace } from "../../src/services/sources/host-pace.ts"
import { cityServer, file, says } from "../support/city-server.ts"
import { TestDb } from "../support/database.ts"
import { scratch, TestRenderer } from "../support/rendering.ts"
import { smallRecording } from "../support/small-recording.ts"
import { transportStream } from "../support/streams.ts"

/** Every name leads to this machine. */
const LocalWeb = PoliteWeb.layerNoDeps.pipe(
  Layer.provide([
    Web.layerWith({
      isAllowed: () => true,
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
      userAgent: "test"
    }),
    HostPace.layerEvery(0.001),
    Robots.layerUnasked
  ]),
  Layer.provideMerge(Layer.mergeAll(TestDb, TestRenderer))
)

const film = Buffer.from("a film")

/** A page of each player as it writes them, where it is, and where the recording and the captions are. */
const pages = (port: number) => {
  const at = (host: string, rest: string) => `http://${host}:${port}${rest}`
  const archive = at("archive-video.granicus.com", "/marlow/marlow_0a1b.mp4")
  return [
    {
      address: at("marlow.granicus.com", "/player/clip/6669?view_id=14&redirect=true"),
      html: `<html><head><script>var video_url = "${archive.replace(/^http:/, "").replaceAll("/", "\\/")}";</script></head>
        <body><div id="index"><div class="index-point" time="77">Agenda</div></div></body></html>`,
      recording: archive,
      captions: at("marlow.granicus.com", "/videos/6669/captions.vtt")
    },
    {
      address: at("marlow.granicus.com", "/MediaPlayer.php?view_id=2&clip_id=31"),
      html: `<video><source src="${archive}" type="video/mp4"><track kind="captions" src="/videos/31/captions.vtt"></video>`,
      recording: archive,
      captions: at("marlow.granicus.com", "/videos/31/captions.vtt")
    },
    {
      address: at("marlowil.new.swagit.com", "/videos/374900"),
      // Another city's stream is in what is commented out.
      html: `<!-- <script>player.src = "${at("archive-stream.granicus.com", "/abilenetx/playlist.m3u8")}"</script> -->
        <script>
        // player.src = "${at("archive-video.granicus.com", "/abilenetx/x.mp4")}"
        /* file: "${at("archive-video.granicus.com", "/abilenetx/y.mp4")}" */
        jwplayer("player").setup({playlist:[{"file":"${archive}"}], "poster":"https://x.example/a.jpg"})</script>
        <track src="${at("swagit-video.granicus.com", "/marlowil/374900.vtt")}">`,
      recording: archive,
      captions: at("swagit-video.granicus.com", "/marlowil/374900.vtt")
    },
    {
      address: at("marlowil.iqm2.com", "/Citizens/SplitView.aspx?Mode=Video&MeetingID=4294&Format=Minutes"),
      html: `<html><!-- MEDIA URL: ${archive.replace("marlow_0a1b", "76801_480")}--></html>`,
      recording: archive.replace("marlow_0a1b", "76801_480"),
      captions: at("marlowil.iqm2.com", "/Services/TranscriptGet.aspx?MediaID=76801&format=vtt")
    },
    {
      address: at("cablecast.marlow.example", "/internetchannel/show/812?site=1"),
      html: `<script>window.__remixContext = {"state":{"showId":812,"title":"Council","vodUrl":"${at("reflect-marlow.cablecast.tv", "/store-1/812/vod.mp4")}"}};</script>`,
      recording: at("reflect-marlow.cablecast.tv", "/store-1/812/vod.mp4"),
      captions: undefined
    },
    {
      address: at("player.marlow.example", "/watch/1"),
      html: `<video src="/films/1.mp4"></video>`,
      recording: at("player.marlow.example", "/films/1.mp4"),
      captions: undefined
    }
  ]
}

const how = { types: /^video\//, what: "a recording", bytes: 10_000_000, onProgress: () => Effect.void }

layer(LocalWeb, { excludeTestServices: true })("a player's page", (it) => {
  it.effect("leads to its file and its captions, with the page as the referer", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const web = yield* PoliteWeb
      const renderer = yield* Renderer
      const to = path.join(yield* scratch, "source.part")
      for (const { address, html, recording, captions } of pages(city.port)) {
        const { pathname, search } = new URL(address)
        city.answers.clear()
        city.answers.set(`${pathname}${search}`, says(html, "text/html; charset=utf-8"))
        city.answers.set(new URL(recording).pathname, file(film, "video/mp4"))
        yield* recordingTo(web, renderer, address, to, how)
        assert.deepStrictEqual(fs.readFileSync(to), film, address)
        assert.strictEqual(city.asked.at(-1)?.headers.referer, address)
        assert.strictEqual(city.asked.at(-1)?.headers.host, new URL(recording).host)
        assert.strictEqual(yield* playerCaptions(web, address), captions)
      }
    })
  )

  it.effect("leads to a stream whose pieces are answered only to who comes from the player", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const web = yield* PoliteWeb
      const renderer = yield* Renderer
      const to = path.join(yield* scratch, "source.part")
      const page = `http://marlow.granicus.com:${city.port}/player/clip/7`
      const [piece = Buffer.alloc(0)] = (yield* transportStream(1)).pieces
      const fromPlayer =
        (body: string | Buffer): Parameters<typeof city.answers.set>[1] =>
        (request, response) =>
          void response.writeHead(request.headers.referer === page ? 200 : 403).end(body)
      const stream = "/OnDemand/_definst_/mp4:archive/marlow/marlow_0a.mp4/playlist.m3u8"
      const named = `//archive-stream.granicus.com:${city.port}${stream}`
      city.answers.set("/player/clip/7", says(`<script>load("${named}")</script>`, "text/html"))
      city.answers.set(stream, fromPlayer("#EXTM3U\n#EXTINF:1,\nmedia_0.ts\n#EXT-X-ENDLIST\n"))
      city.answers.set(stream.replace("playlist.m3u8", "media_0.ts"), fromPlayer(piece))
      yield* recordingTo(web, renderer, page, to, how)
      assert.strictEqual((yield* renderer.probe(to)).width, 160)
    })
  )

  it.effect("of a recording in parts leads to all of them, in the player's order and joined", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const web = yield* PoliteWeb
      const renderer = yield* Renderer
      const to = path.join(yield* scratch, "source.part")
      const at = (host: string, rest: string) => `http://${host}:${city.port}${rest}`
      const page = at("yolocountyca.new.swagit.com", "/videos/324107")
      const part = (seq: number, title: string, name: string) => ({
        ...{ id: seq, seq, title, image: "http://stills.swagit.com/x.jpg" },
        dfile: at("swagit-video.granicus.com", `/archive/2024/05/07/${name}.360.mp4`),
        file: at("archive-stream.granicus.com", `/OnDemand/_definst_/mp4:swagitVideo/${name}.360.mp4/playlist.m3u8`)
      })
      const list = [part(13, " Item [continued] \u0026 consent", "533"), part(6, " 9:00 A.M. CALL TO ORDER", "532")]
      // A dead host comes first, and another city's recording in a comment.
      const words = [..."GOOD EVENING. ROLL CALL PLEASE".split(" ").entries(), [9, "HERE"] as const]
      const player = `<script>player.src({src: "http://107.178.209.195/live/playlist.m3u8"});
        // playlist: [{"seq":1,"dfile":"${at("swagit-video.granicus.com", "/abilenetx/1.mp4")}"}]
        jwplayer("player").setup({playlist: ${JSON.stringify(list).replaceAll("&", "\\u0026").replaceAll("/", "\\/")}});
        </script><a href="#transcript">Transcript</a><div id="transcript-fragments">
        ${words.map(([second, word]) => `<a data-ts="${second + 0.295}" data-end-ts="${second + 0.295}">${word}</a>`).join(" ")}</div>`
      city.answers.set("/videos/324107", says(player, "text/html"))
      city.answers.set("/archive/2024/05/07/532.360.mp4", file(yield* smallRecording(2), "video/mp4"))
      assert.deepInclude(yield* Effect.flip(recordingTo(web, renderer, page, to, how)), { reason: "gone" })
      city.answers.set("/archive/2024/05/07/533.360.mp4", file(yield* smallRecording(1), "video/mp4", '"2"'))
      const found = yield* recordingTo(web, renderer, page, to, how)
      assert.strictEqual(Math.round((yield* renderer.probe(to)).duration), 3)
      // What was there before the second part could be had was not fetched again.
      assert.deepStrictEqual(
        city.asked.filter(({ path }) => path.endsWith(".mp4")).map(({ path }) => path.slice(-11, -8)),
        ["532", "533", "533"]
      )
      const known = { etag: null, last_modified: null, bytes: 1, byLength: true, digest: found?.digest ?? "" }
      assert.isUndefined(yield* recordingTo(web, renderer, page, to, { ...how, known }))

      assert.strictEqual(yield* playerCaptions(web, page), page)
      const captions = yield* publishedCaptions(web, page, {})
      assert.deepStrictEqual(captions && Result.getOrThrow(captions.segments), [
        { start: 0.295, end: 2.295, text: "GOOD EVENING." },
        { start: 2.295, end: 6.295, text: "ROLL CALL PLEASE" },
        { start: 9.295, end: 11.295, text: "HERE" }
      ])
      // The page of a live stream has none of its own.
      const live = at("petalumaca.new.swagit.com", "/videos/43607")
      city.answers.set(
        "/videos/43607",
        says(
          `<script>// player.src({src: "${at("archive-stream.granicus.com", "/abilenetx/59d7.mp4/playlist.m3u8")}"});
          player.src({src: "https://edge-f.swagit.com/live/petalumaca/live-1-a/playlist.m3u8"});</script>`,
          "text/html"
        )
      )
      const failure = yield* Effect.flip(recordingTo(web, renderer, live, to, how))
      assert.strictEqual(failure.message, "The page of Swagit names no file and no stream.")
      assert.isUndefined(yield* playerCaptions(web, live))
    })
  )

  it.effect("without a file says so; one that offers none is not asked for it", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const web = yield* PoliteWeb
      const renderer = yield* Renderer
      const to = path.join(yield* scratch, "source.part")
      const empty = `http://marlow.granicus.com:${city.port}/player/clip/8`
      city.answers.set("/player/clip/8", says("<html><p>Not yet</p></html>", "text/html"))
      // Two are one too many to choose from, where the page is not known.
      const two = `<video src="/a.mp4"></video><video src="/b.mp4"></video>`
      city.answers.set("/two", says(two, "text/html"))
      // A page that leads to itself is not followed.
      city.answers.set("/loop", says(`<video src="/loop.mp4"></video>`, "text/html"))
      city.answers.set("/loop.mp4", says("<html>", "text/html"))
      city.answers.set("/deep", says("<div>".repeat(1_000_000), "text/html"))
      city.answers.set("/wide", says("<p>".repeat(500_000), "text/html"))
      for (const [address, message] of [
        [empty, "The page of Granicus names no file and no stream."],
        [`${city.url}/two`, "Its address leads to a web page, not a recording."],
        [`${city.url}/loop`, "Its page leads to another one, not a recording."],
        [`${city.url}/deep`, "Its address leads to a web page, not a recording."],
        [`${city.url}/wide`, "Its address leads to a web page, not a recording."],
        [`http://x.viebit.com:${city.port}/vod/?v=abc`, "The page of Viebit names no file and no stream."]
      ] as const) {
        const failure = yield* Effect.flip(recordingTo(web, renderer, address, to, how))
        assert.strictEqual(failure.message, message)
      }
      assert.isFalse(city.asked.some(({ path }) => path.startsWith("/vod")))
      const vtt = `http://cdn.viebit.com:${city.port}/t/abc.vtt`
      const config = `{video:{src:[{url:"x.m3u8"}],textTracks:[{kind:"captions",src:"${vtt}",srclang:"en"}]}}`
      city.answers.set("/vod/?v=abc", says(`<script>var pageConfig=${config}</script>`, "text/html"))
      assert.strictEqual(yield* playerCaptions(web, `http://x.viebit.com:${city.port}/vod/?v=abc`), vtt)
      for (const [address, name] of [
        ["https://www.youtube.com/watch?v=abcdefghijk", "YouTube"],
        ["https://youtu.be/abcdefghijk", "YouTube"],
        ["https://www.facebook.com/marlow/videos/1", "Facebook"],
        ["https://us02web.zoom.us/rec/share/x", "Zoom"],
        ["https://x.viebit.com/vod/?v=abc", "Viebit"],
        ["https://marlow.granicus.com/player/clip/8", undefined],
        ["https://marlow.example/film.mp4", undefined],
        ["https://notyoutube.com/watch", undefined]
      ] as const) {
        assert.strictEqual(closedPlayer(address), name)
      }
    })
  )

  it.effect("of the Internet Archive leads to an item's MP4, and to the captions that were uploaded with it", () =>
    Effect.gen(function* () {
      const player = playerAt("https://archive.org/details/marlow-council-1") ?? assert.fail()
      const files = [
        { name: "council 1.mpeg", format: "MPEG2" },
        { name: "council 1.asr.srt", format: "SubRip" },
        { name: "captions/council 1.vtt", format: "Web Video Text Tracks" },
        { name: "council 1.mp4", format: "h.264" }
      ]
      const page = (given: typeof files) =>
        playerPage({
          body: Buffer.from(JSON.stringify({ metadata: { identifier: "marlow-council-1" }, files: given })),
          ...{ address: "https://archive.org/metadata/marlow-council-1", validators: {} }
        })
      const at = "https://archive.org/download/marlow-council-1"
      assert.strictEqual(player.page, "https://archive.org/metadata/marlow-council-1")
      assert.strictEqual(player.recording?.(yield* page(files)), `${at}/council%201.mp4`)
      assert.strictEqual(player.captions?.(yield* page(files)), `${at}/captions/council%201.vtt`)
      assert.isUndefined(player.captions?.(yield* page(files.slice(0, 2))))
    })
  )
})
