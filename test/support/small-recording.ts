import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { makeFfmpeg } from "../../layers/renderer/ffmpeg.ts"
import { scratch } from "./rendering.ts"

interface Small {
  /** The size of the picture in pixels, width by height. */
  readonly size?: string
  readonly hasSound?: boolean
  /** A file with what is heard, instead of silence. */
  readonly sound?: string
}

/** Silence, because encoding it takes a fifth of the work of even a hum. */
const silence = ["-f", "lavfi", "-i", "anullsrc=channel_layout=mono:sample_rate=16000", "-c:a", "aac", "-b:a", "16k"]

/** Writes a recording of this many seconds that is fetched, rendered and cut in a moment. */
export const writeSmallRecording = Effect.fnUntraced(
  function* (file: string, seconds: number, { size = "160x90", hasSound = true, sound }: Small = {}) {
    const { render } = yield* makeFfmpeg({ base: "30 seconds", perSecond: "4 seconds" })
    yield* render(file, seconds, () =>
      Effect.succeed([
        ...["-f", "lavfi", "-i", `color=c=0x1d3b4a:s=${size}:r=5:d=${seconds}`],
        ...(sound !== undefined ? ["-i", sound, "-c:a", "aac", "-b:a", "48k"] : hasSound ? silence : []),
        ...["-t", String(seconds), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
        ...["-movflags", "+faststart", "-f", "mp4"]
      ])
    )
  },
  Effect.provide(NodeServices.layer),
  Effect.provideServiceEffect(Environment, Effect.orDie(readEnvironment({ PATH: process.env.PATH })))
)

/** The bytes of such a recording. */
export const smallRecording = Effect.fnUntraced(function* (seconds: number, small: Small = {}) {
  const file = path.join(yield* scratch, "small.mp4")
  yield* writeSmallRecording(file, seconds, small)
  return fs.readFileSync(file)
}, Effect.scoped)
