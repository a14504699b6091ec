import * as fs from "node:fs"
import * as path from "node:path"
import { Effect } from "effect"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { roundSeconds } from "../../schema/primitives.ts"
import { scratch, TestRenderer } from "./rendering.ts"

/** A picture of one pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)

const pdf = Buffer.from("%PDF-1.4\n%%EOF\n")

const make = Effect.gen(function* () {
  const folder = yield* scratch
  const renderer = yield* Renderer
  const [recording, poster] = [path.join(folder, "a.mp4"), path.join(folder, "a.jpg")]
  const made = yield* renderer.synthesize(recording, {
    title: "Council",
    subtitle: "Regular",
    duration: 1,
    captions: []
  })
  yield* renderer.poster(recording, 0, poster)
  return {
    mp4: fs.readFileSync(recording),
    jpeg: fs.readFileSync(poster),
    png,
    pdf,
    /** The size of the recording's picture; the JPEG is as large. */
    size: { width: made.width, height: made.height, duration: roundSeconds(made.duration) }
  }
}).pipe(Effect.scoped, Effect.provide(TestRenderer))

/** A small real file of every kind that a bundle may contain, made once. */
export const mediaFiles = Effect.runSync(Effect.cached(make))
