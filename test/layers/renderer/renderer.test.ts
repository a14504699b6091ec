import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Layer } from "effect"
import { afterAll } from "vitest"
import { Environment, readEnvironment } from "../../../layers/config/config.ts"
import { Renderer, type TestPicture } from "../../../layers/renderer/renderer.ts"
import { findTools } from "../../../layers/renderer/tools.ts"

// A folder whose name would break a filter graph, a shell command or a protocol that was written without care.
const root = fs.mkdtempSync(path.join(os.tmpdir(), "civic record 'quoted', [x]; a:b % "))
const at = (name: string) => path.join(root, name)
const made = () => fs.readdirSync(root).sort()

const picture: TestPicture = {
  title: "Peña Springs: 100% 'City' Council",
  subtitle: "March 10, 2026",
  duration: 3,
  captions: [{ start: 0, end: 1.5, text: "Mayor: call to order" }]
}

const environment = (variables: NodeJS.ProcessEnv) =>
  Layer.effect(Environment, readEnvironment({ PATH: process.env.PATH, ...variables }))

const shippedTools = Effect.map(
  findTools({ ffmpeg: undefined, ffprobe: undefined, programPath: "" }, () => Effect.succeed("")),
  (found) => (typeof found === "string" ? assert.fail(found) : found)
)

afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

describe("Renderer", () => {
  const source = Layer.effectDiscard(Renderer.use((renderer) => renderer.synthesize(at("source.mp4"), picture)))
  const live = Layer.provideMerge(source, Layer.provide(Renderer.layer, environment({})))
  layer(live, { excludeTestServices: true, timeout: "180 seconds" })((it) => {
    it.effect("makes a test picture with sound", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const { duration, width, height } = yield* renderer.probe(at("source.mp4"))
        assert.approximately(duration, 3, 0.1)
        assert.deepStrictEqual([width, height], [1280, 720])
      })
    )

    it.effect("makes a rendition with a visible watermark and its index first", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const marked = yield* renderer.rendition(at("source.mp4"), at("marked.mp4"), "Civic Record · Peña 100%")
        yield* renderer.rendition(at("source.mp4"), at("unmarked.mp4"), " ")
        assert.approximately(marked.duration, 3, 0.1)
        assert.strictEqual(marked.height, 720)
        const bytes = fs.readFileSync(at("marked.mp4"))
        assert.isBelow(bytes.indexOf("moov"), bytes.indexOf("mdat"))
        yield* renderer.poster(at("marked.mp4"), 1, at("marked.jpg"))
        yield* renderer.poster(at("unmarked.mp4"), 1, at("unmarked.jpg"))
        assert.notDeepEqual(fs.readFileSync(at("marked.jpg")), fs.readFileSync(at("unmarked.jpg")))
      })
    )

    it.effect("takes a poster of the last second if the recording is shorter", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        yield* renderer.poster(at("source.mp4"), 900, at("poster.jpg"))
        assert.deepStrictEqual([...fs.readFileSync(at("poster.jpg")).subarray(0, 3)], [0xff, 0xd8, 0xff])
      })
    )

    it.effect("cuts a clip as long as its span, and clamps its end", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const lengthOf = (file: string) => Effect.map(renderer.probe(file), ({ duration }) => duration)
        yield* renderer.clip(at("source.mp4"), { start: 0.6, end: 1.8 }, at("clip.mp4"))
        yield* renderer.clip(at("source.mp4"), { start: 2, end: 60 }, at("end.mp4"))
        assert.approximately(yield* lengthOf(at("clip.mp4")), 1.2, 1 / 5)
        assert.approximately(yield* lengthOf(at("end.mp4")), 1, 1 / 5)
        const outside = yield* Effect.flip(renderer.clip(at("source.mp4"), { start: 5, end: 6 }, at("none.mp4")))
        assert.strictEqual(outside.reason, "failed")
      })
    )

    it.effect("cuts by frames, not only by length: each frame of a clip is the rendition's at that moment", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const { ffmpeg } = yield* shippedTools
        // Each frame shows its own number, a bit per column, in its upper half; 29.97 frames a second.
        const [rate, seconds] = [30_000 / 1001, 12]
        const bits = "geq=lum='if(mod(floor(N/pow(2,X)),2),235,16)':cb=128:cr=128"
        execFileSync(ffmpeg, [
          ...["-v", "error", "-f", "lavfi", "-i", `color=s=16x9:r=30000/1001:d=${seconds}`, "-vf"],
          ...[`format=yuv444p,${bits},scale=640:360:flags=neighbor,format=yuv420p`, "-y", at("counted.mp4")]
        ])
        const numbersOf = (file: string) => {
          const read = "crop=iw:ih/2:0:0,scale=16:1:flags=area,format=gray"
          const raw = execFileSync(ffmpeg, ["-v", "error", "-i", file, "-vf", read, "-f", "rawvideo", "-"])
          return Array.from({ length: raw.length / 16 }, (_, frame) =>
            [...raw.subarray(frame * 16, frame * 16 + 16)].reduce(
              (number, light, bit) => number + (light > 125 ? 2 ** bit : 0),
              0
            )
          )
        }
        yield* renderer.rendition(at("counted.mp4"), at("counted-web.mp4"), "Civic Record")
        const all = numbersOf(at("counted-web.mp4"))
        assert.deepStrictEqual(
          all,
          all.map((_, frame) => frame)
        )
        for (const span of [
          { start: 0, end: 1 },
          { start: 3.21, end: 5.87 },
          { start: 7.001, end: 8.001 },
          { start: 10.5, end: 12 }
        ]) {
          yield* renderer.clip(at("counted-web.mp4"), span, at("counted-clip.mp4"))
          const frames = numbersOf(at("counted-clip.mp4"))
          const [first = -1] = frames
          assert.deepStrictEqual(
            frames,
            frames.map((_, frame) => first + frame)
          )
          assert.isAtMost(Math.abs(first - span.start * rate), 1, JSON.stringify(span))
          assert.isAtMost(Math.abs(first + frames.length - span.end * rate), 1, JSON.stringify(span))
        }
      })
    )

    it.effect("burns in the recording's timecode, and so it is in every clip", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const { ffmpeg } = yield* shippedTools
        execFileSync(ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "color=s=1280x720:r=5:d=4", "-y", at("still.mp4")])
        yield* renderer.rendition(at("still.mp4"), at("still-web.mp4"), "Civic Record · Peña 100% \\ %{n} · 2026-03-10")
        const markAt = (seconds: number) =>
          execFileSync(ffmpeg, [
            ...["-v", "error", "-ss", String(seconds), "-i", at("still-web.mp4"), "-frames:v", "1"],
            ...["-vf", "crop=iw:ih/8:0:ih*7/8,format=gray", "-f", "rawvideo", "-"]
          ])
        const differing = (one: Buffer, other: Buffer) =>
          one.reduce((count, light, pixel) => count + (Math.abs(light - (other[pixel] ?? 0)) > 60 ? 1 : 0), 0)
        const [first, same, next] = [markAt(1), markAt(1.6), markAt(2)]
        assert.isAbove(first.filter((light) => light > 100).length, 1000)
        assert.strictEqual(differing(first, same), 0)
        // One digit differs, and nothing else of the line has moved.
        assert.isAbove(differing(first, next), 10)
        assert.isBelow(differing(first, next), 400)
      })
    )

    it.effect("lays the clip's words beside its pictures, and reports its progress", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const { ffmpeg, ffprobe } = yield* shippedTools
        const shares: Array<number> = []
        const vtt = "WEBVTT\n\n00:00:00.500 --> 00:00:01.500\n<v Mayor>Buenos días &amp; gracias\n"
        yield* renderer.clip(at("source.mp4"), { start: 1, end: 3 }, at("spoken.mp4"), {
          captions: { vtt, language: "es-MX" },
          onProgress: (share) => Effect.sync(() => shares.push(share))
        })
        assert.deepStrictEqual(shares, shares.toSorted())
        assert.approximately(shares.at(-1) ?? 0, 1, 0.1)
        const entries = "stream=codec_name:stream_tags=language"
        const streams = execFileSync(ffprobe, ["-v", "error", "-show_entries", entries, "-of", "csv", at("spoken.mp4")])
        assert.match(streams.toString(), /mov_text,spa/)
        const words = execFileSync(ffmpeg, ["-v", "error", "-i", at("spoken.mp4"), "-map", "0:s:0", "-f", "srt", "-"])
        assert.match(words.toString(), /00:00:00,500 --> 00:00:01,500\s+.*Buenos días & gracias/)
      })
    )

    it.effect("reports that a broken file cannot be read, without a path, and leaves nothing", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        fs.writeFileSync(at("broken.mp4"), "this is no recording".repeat(100))
        const before = made()
        for (const source of ["broken.mp4", "absent.mp4"]) {
          const failure = yield* Effect.flip(renderer.rendition(at(source), at("never.mp4"), "mark"))
          assert.strictEqual(failure.reason, "input_unreadable")
          assert.notInclude(failure.message, root)
          assert.notMatch(failure.message, /\/[a-z]+\//)
        }
        assert.deepStrictEqual(made(), before)
      })
    )

    it.effect("reads no list of other files", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const playlist = ["#EXTM3U", "#EXT-X-TARGETDURATION:3", "#EXTINF:3,", "source.mp4", "#EXT-X-ENDLIST", ""]
        fs.writeFileSync(at("list.mp4"), playlist.join("\n"))
        fs.writeFileSync(at("concat.mp4"), "ffconcat version 1.0\nfile source.mp4\n")
        for (const list of ["list.mp4", "concat.mp4"]) {
          assert.strictEqual((yield* Effect.flip(renderer.probe(at(list)))).reason, "input_unreadable")
        }
      })
    )

    it.effect("gives sound without a picture a still one, and takes a cover for none", () =>
      Effect.gen(function* () {
        const tools = yield* shippedTools
        const renderer = yield* Renderer
        const cover = ["-f", "lavfi", "-i", "color=c=red:s=64x64:d=1:r=1", "-map", "0:a", "-map", "1:v"]
        const covered = [...cover, "-c:v", "mjpeg", "-disposition:v:0", "attached_pic", "-frames:v", "1"]
        const sine = ["-v", "error", "-f", "lavfi", "-i", "sine=d=4"]
        execFileSync(tools.ffmpeg, [...sine, ...covered, "-y", at("covered.mp3")])
        assert.deepInclude(yield* renderer.look(at("covered.mp3")), { picture: undefined, hasSound: true })
        const made = yield* renderer.rendition(at("covered.mp3"), at("still.mp4"), "Civic Record · Peña 100%")
        assert.deepInclude(made, { width: 1280, height: 720 })
        assert.approximately(made.duration, 4, 0.3)
        assert.isTrue((yield* renderer.look(at("still.mp4"))).hasSound)
        const clip = yield* renderer.clip(at("still.mp4"), { start: 1, end: 3 }, at("still-clip.mp4"))
        assert.approximately(clip.duration, 2, 0.2)
        yield* renderer.poster(at("still.mp4"), 12, at("still.jpg"))
        assert.strictEqual((yield* renderer.picture(at("still.jpg"), "jpeg")).width, 1280)
      })
    )

    it.effect("reports that a recording without picture cannot be read", () =>
      Effect.gen(function* () {
        const tools = yield* shippedTools
        execFileSync(tools.ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "sine=d=1", "-y", at("sound.wav")])
        const failure = yield* Effect.flip((yield* Renderer).probe(at("sound.wav")))
        assert.strictEqual(failure.reason, "input_unreadable")
        assert.include(failure.message, "no picture")
      })
    )

    it.effect("stops when interrupted, and removes its half-made file", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const before = made()
        const long = { ...picture, duration: 3600 }
        const job = yield* Effect.forkChild(renderer.synthesize(at("long.mp4"), long))
        const half = Effect.sync(() => {
          const [folder] = fs.readdirSync(root).filter((name) => name.startsWith(".rendering-"))
          return folder !== undefined && fs.existsSync(path.join(root, folder, "made"))
        })
        while (!(yield* half)) yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
        yield* Fiber.interrupt(job)
        assert.deepStrictEqual(made(), before)
      })
    )
  })

  const hurried = Layer.provide(Renderer.layerTimeLimit({ base: "1 millis", perSecond: 0 }), environment({}))
  layer(hurried, { excludeTestServices: true })("in no time at all", (it) => {
    it.effect("reports that its time is up", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip((yield* Renderer).synthesize(at("late.mp4"), { ...picture, duration: 3600 }))
        assert.strictEqual(failure.reason, "timed_out")
        assert.isFalse(fs.existsSync(at("late.mp4")))
      })
    )
  })

  layer(Layer.provide(Renderer.layer, environment({ FFMPEG_PATH: "nowhere" })))("with a bad FFMPEG_PATH", (it) => {
    it.effect("starts, and names the missing tool when it is needed", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip((yield* Renderer).probe(at("source.mp4")))
        assert.strictEqual(failure.reason, "ffmpeg_missing")
        assert.include(failure.message, "FFMPEG_PATH")
      })
    )
  })

  const watched = Layer.unwrap(
    Effect.sync(() => {
      fs.writeFileSync(
        at("watched"),
        `#!/bin/sh
for last; do :; done
{ echo ENV; env; echo NET; cat /proc/net/dev; echo LIMITS; ulimit -v; ulimit -n; ulimit -f; ulimit -c; } > "\${last#file:}"
`,
        { mode: 0o755 }
      )
      return Layer.provide(Renderer.layer, environment({ FFMPEG_PATH: at("watched"), SIGNING_KEYS: "" }))
    })
  )
  const isBounded = ["prlimit", "setpriv", "unshare"].every((name) =>
    (process.env.PATH ?? "").split(":").some((folder) => fs.existsSync(path.join(folder, name)))
  )
  layer(watched, { excludeTestServices: true })("what decodes other people's files", (it) => {
    it.effect.skipIf(!isBounded)("has no secret, no network, and bounds on memory, files and their size", () =>
      Effect.gen(function* () {
        process.env.CIVIC_SECRET = "s3cr3t"
        yield* (yield* Renderer).poster(at("source.mp4"), 1, at("watched.jpg"))
        delete process.env.CIVIC_SECRET
        const said = fs.readFileSync(at("watched.jpg"), "utf8")
        const [, env = "", net = "", limits = ""] = /ENV\n(.*)NET\n(.*)LIMITS\n(.*)/s.exec(said) ?? []
        assert.notMatch(env, /s3cr3t|PGPASSWORD|DATABASE_URL|HOME=/)
        assert.deepStrictEqual(
          net.match(/^ *\w+:/gm)?.map((name) => name.trim()),
          ["lo:"]
        )
        const [memory, files, blocks, core] = limits.trim().split("\n")
        assert.deepStrictEqual([memory, files, core], [String(4 * 1024 ** 2), "64", "0"])
        assert.isBelow(Number(blocks), 100_000)
      })
    )
  })

  layer(NodeServices.layer)("its tools", (it) => {
    it.effect("pass over an ffmpeg on the PATH that cannot burn text in", () =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const folder = yield* files.makeTempDirectoryScoped()
        const poor = path.join(folder, "ffmpeg")
        yield* files.writeFileString(poor, "#!/bin/sh\n", { mode: 0o755 })
        const found = (printed: string) =>
          findTools({ ffmpeg: undefined, ffprobe: undefined, programPath: folder }, () => Effect.succeed(printed))
        assert.notPropertyVal(yield* found("scale"), "ffmpeg", poor)
        assert.propertyVal(yield* found("drawtext libx264 aac"), "ffmpeg", poor)
      })
    )
  })
})
