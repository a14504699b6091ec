import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Environment, readEnvironment } from "../../layers/config.ts"
import { makeFfmpeg } from "../../layers/renderer/ffmpeg.ts"
import { scratch } from "./rendering.ts"

/** A recording of so many seconds that is fetched, rendered and cut in a moment: 160 by 90 pixels, and a hum if it has sound. */
export const smallRecording = Effect.fnUntraced(
  function* (seconds: number, { hasSound } = { hasSound: true }) {
    const { render } = yield* makeFfmpeg({ base: "30 seconds", perSecond: "4 seconds" })
    const file = path.join(yield* scratch, "small.mp4")
    yield* render(file, seconds, () =>
      Effect.succeed([
        ...["-f", "lavfi", "-i", `color=c=0x1d3b4a:s=160x90:r=5:d=${seconds}`],
        ...(hasSound ? ["-f", "lavfi", "-i", `sine=frequency=220:d=${seconds}`, "-c:a", "aac", "-b:a", "16k"] : []),
        ...["-t", String(seconds), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"],
        ...["-movflags", "+faststart", "-f", "mp4"]
      ])
    )
    return fs.readFileSync(file)
  },
  Effect.scoped,
  Effect.provide(NodeServices.layer),
  Effect.provideServiceEffect(Environment, readEnvironment({ PATH: process.env.PATH }))
)
