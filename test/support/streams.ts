import * as fs from "node:fs"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { makeFfmpeg } from "../../layers/renderer/ffmpeg.ts"
import { scratch } from "./rendering.ts"

/** A stream as ffmpeg makes one: a piece a second, and what a player reads first where pieces need that. */
interface StreamParts {
  readonly init?: Buffer
  readonly pieces: ReadonlyArray<Buffer>
}

const making = Effect.fnUntraced(
  function* (seconds: number, inputs: ReadonlyArray<string>, out: (f: string) => ReadonlyArray<string>) {
    const folder = yield* scratch
    const { render } = yield* makeFfmpeg({ base: "30 seconds", perSecond: "4 seconds" })
    yield* render(path.join(folder, "made"), seconds, () =>
      Effect.succeed([
        ...inputs,
        ...["-t", String(seconds), "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "5"],
        ...["-keyint_min", "5", "-sc_threshold", "0", "-c:a", "aac", "-b:a", "16k", ...out(folder)]
      ])
    )
    return folder
  },
  Effect.provide(NodeServices.layer),
  Effect.provideServiceEffect(Environment, Effect.orDie(readEnvironment({ PATH: process.env.PATH })))
)

const picture = (seconds: number, color: string) => ["-f", "lavfi", "-i", `color=c=${color}:s=160x90:r=5:d=${seconds}`]
const silence = ["-f", "lavfi", "-i", "anullsrc=channel_layout=mono:sample_rate=16000"]

/** MPEG transport stream, a file a second. */
export const transportStream = Effect.fnUntraced(function* (seconds: number, color = "0x1d3b4a") {
  const out = (folder: string) => [
    "-f",
    "hls",
    "-hls_time",
    "1",
    "-hls_list_size",
    "0",
    "-hls_segment_filename",
    path.join(folder, "%03d.ts")
  ]
  const folder = yield* making(seconds, [...picture(seconds, color), ...silence], out)
  const names = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".ts"))
    .toSorted()
  return { pieces: names.map((name) => fs.readFileSync(path.join(folder, name))) } satisfies StreamParts
}, Effect.scoped)

/** Fragmented MP4: what comes first, and a fragment a second. */
export const fragments = Effect.fnUntraced(function* (seconds: number, kind: "both" | "picture" | "sound" = "both") {
  const inputs = [...(kind === "sound" ? [] : picture(seconds, "0x4a1d3b")), ...(kind === "picture" ? [] : silence)]
  const cut = kind === "sound" ? ["-frag_duration", "1000000"] : []
  const flags = `+empty_moov+default_base_moof${kind === "sound" ? "" : "+frag_keyframe"}`
  const folder = yield* making(seconds, inputs, () => [...cut, "-movflags", flags, "-f", "mp4"])
  const whole = fs.readFileSync(path.join(folder, "made"))
  const boxes: Array<{ readonly type: string; readonly from: number; readonly to: number }> = []
  for (let from = 0; from + 8 <= whole.length; ) {
    const to = from + whole.readUInt32BE(from)
    boxes.push({ type: whole.toString("latin1", from + 4, from + 8), from, to })
    from = to
  }
  const starts = boxes.filter(({ type }) => type === "moof").map(({ from }) => from)
  const end = boxes.findLast(({ type }) => type === "mdat")?.to ?? whole.length
  return {
    init: whole.subarray(0, starts[0]),
    pieces: starts.map((from, at) => whole.subarray(from, starts[at + 1] ?? end))
  } satisfies StreamParts
}, Effect.scoped)
