import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, FileSystem, Layer } from "effect"
import { afterAll, beforeAll } from "vitest"
import { findTools } from "../../layers/renderer/tools.ts"
import { Renderer, type TestPicture } from "../../layers/renderer.ts"

// A folder whose name would break a filter graph, a shell or a protocol that is not written with care.
const root = fs.mkdtempSync(path.join(os.tmpdir(), "civic record 'quoted', [x]; a:b % "))
const at = (name: string) => path.join(root, name)
const made = () => fs.readdirSync(root).sort()

const picture: TestPicture = {
  title: "Peña Springs: 100% 'City' Council",
  subtitle: "March 10, 2026",
  duration: 3,
  captions: [{ start: 0, end: 1.5, text: "Mayor: call to order" }]
}

afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

describe("Renderer", () => {
  layer(Renderer.layer, { excludeTestServices: true })((it) => {
    beforeAll(() =>
      Effect.runPromise(
        Renderer.use((renderer) => renderer.synthesize(at("source.mp4"), picture)).pipe(Effect.provide(Renderer.layer))
      )
    )

    it.effect("makes a test picture with sound", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const { duration, width, height } = yield* renderer.probe(at("source.mp4"))
        assert.approximately(duration, 3, 0.1)
        assert.deepStrictEqual([width, height], [1280, 720])
      })
    )

    it.effect("makes a rendition whose watermark can be seen and whose index comes first", () =>
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

    it.effect("takes a poster of the last second where the recording is shorter", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        yield* renderer.poster(at("source.mp4"), 900, at("poster.jpg"))
        assert.deepStrictEqual([...fs.readFileSync(at("poster.jpg")).subarray(0, 3)], [0xff, 0xd8, 0xff])
      })
    )

    it.effect("cuts a clip to the frame, and clamps its end", () =>
      Effect.gen(function* () {
        const renderer = yield* Renderer
        const frames = (file: string) =>
          renderer.probe(file).pipe(Effect.map(({ duration }) => Math.round(duration * 15)))
        yield* renderer.clip(at("source.mp4"), { start: 0.6, end: 1.8 }, at("clip.mp4"))
        yield* renderer.clip(at("source.mp4"), { start: 2, end: 60 }, at("end.mp4"))
        assert.approximately(yield* frames(at("clip.mp4")), 18, 1)
        assert.approximately(yield* frames(at("end.mp4")), 15, 1)
        const outside = yield* Effect.flip(renderer.clip(at("source.mp4"), { start: 5, end: 6 }, at("none.mp4")))
        assert.strictEqual(outside.reason, "failed")
      })
    )

    it.effect("says that a broken file cannot be read, without a path, and leaves nothing", () =>
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

    it.effect("says that a recording without picture cannot be read", () =>
      Effect.gen(function* () {
        const tools = yield* findTools({ ffmpeg: undefined, ffprobe: undefined }, () => Effect.succeed("")).pipe(
          Effect.map((found) => (typeof found === "string" ? assert.fail(found) : found))
        )
        execFileSync(tools.ffmpeg, ["-v", "error", "-f", "lavfi", "-i", "sine=d=1", "-y", at("sound.wav")])
        const failure = yield* Effect.flip((yield* Renderer).probe(at("sound.wav")))
        assert.strictEqual(failure.reason, "input_unreadable")
        assert.include(failure.message, "no picture")
      })
    )

    it.effect("stops what is interrupted and takes its half-made file away", () =>
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

  layer(Renderer.layerPatience({ base: "1 millis", perSecond: 0 }), { excludeTestServices: true })(
    "without patience",
    (it) => {
      it.effect("names the end of its time", () =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(
            (yield* Renderer).synthesize(at("late.mp4"), { ...picture, duration: 3600 })
          )
          assert.strictEqual(failure.reason, "timed_out")
          assert.isFalse(fs.existsSync(at("late.mp4")))
        })
      )
    }
  )

  const without = ConfigProvider.layer(ConfigProvider.fromEnv({ env: { FFMPEG_PATH: "nowhere" } }))
  layer(Layer.provide(Renderer.layer, without))("with a bad FFMPEG_PATH", (it) => {
    it.effect("starts, and names what is missing when it is needed", () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip((yield* Renderer).probe(at("source.mp4")))
        assert.strictEqual(failure.reason, "ffmpeg_missing")
        assert.include(failure.message, "FFMPEG_PATH")
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
          Effect.gen(function* () {
            const known = process.env.PATH
            process.env.PATH = `${folder}${path.delimiter}${known}`
            return yield* findTools({ ffmpeg: undefined, ffprobe: undefined }, () => Effect.succeed(printed)).pipe(
              Effect.ensuring(
                Effect.sync(() => {
                  process.env.PATH = known
                })
              )
            )
          })
        assert.notPropertyVal(yield* found("scale"), "ffmpeg", poor)
        assert.propertyVal(yield* found("drawtext libx264 aac"), "ffmpeg", poor)
      })
    )
  })
})
