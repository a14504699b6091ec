import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Layer } from "effect"
import { type Probed, Renderer, type RendererError } from "../../layers/renderer/renderer.ts"
import { TestRenderer } from "./rendering.ts"
import { writeSmallRecording } from "./small-recording.ts"

/**
 * Real ffmpeg with a cache: a rendition or clip of the same bytes, made in the same way, is copied from a folder.
 * Encoding is most of the cost of a drill, and several drills have the same recording. The recording is as high as a
 * drill demands and a tenth as wide, shows nothing and is silent: no stage here hears or sees it.
 */
export const sparingRenderer = (folder: string) =>
  Layer.effect(
    Renderer,
    Effect.map(Renderer, (real) => {
      const once = Effect.fnUntraced(function* (
        how: ReadonlyArray<unknown>,
        source: string,
        target: string,
        made: Effect.Effect<Probed, RendererError>
      ) {
        const hash = createHash("sha256").update(JSON.stringify(how)).update(fs.readFileSync(source)).digest("hex")
        const kept = path.join(folder, `${hash}.mp4`)
        if (fs.existsSync(kept)) {
          fs.copyFileSync(kept, target)
          return yield* real.probe(target)
        }
        const probed = yield* made
        fs.copyFileSync(target, kept)
        return probed
      })
      return Renderer.of({
        ...real,
        synthesize: (target, { duration }) =>
          Effect.andThen(writeSmallRecording(target, duration, { size: "128x720" }), real.probe(target)),
        rendition: (source, target, watermark, onProgress) =>
          once(["rendition", watermark], source, target, real.rendition(source, target, watermark, onProgress)),
        clip: (source, span, target, options) =>
          once(["clip", span, options?.captions], source, target, real.clip(source, span, target, options))
      })
    })
  ).pipe(Layer.provide(TestRenderer))
