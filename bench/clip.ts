/**
 * Measures the cost of a clip: 30 seconds cut from a rendition of little and of much motion, by the service's renderer
 * and by a bare ffmpeg command that makes the same cut without the service's additions (captions as a track, progress,
 * limits, a probe before and after). Prints CPU and clock seconds per second of clip. Takes about two minutes on two
 * cores.
 *
 *     node bench/clip.ts
 */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Effect, Layer } from "effect"
import { Environment, readEnvironment } from "../layers/config/config.ts"
import { fontFile } from "../layers/renderer/args.ts"
import { Renderer } from "../layers/renderer/renderer.ts"
import { findTools } from "../layers/renderer/tools.ts"

const length = 30
const rounds = 3
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-clip-"))
const at = (name: string) => path.join(folder, name)
const span = { start: 21.4, end: 21.4 + length }
const stamp = (second: number) => `00:00:${String(second).padStart(2, "0")}.000`
const cues = Array.from(
  { length: 6 },
  (_, cue) => `${stamp(cue * 5)} --> ${stamp(cue * 5 + 4)}\nWords of the clip, cue ${cue}.\n`
)
const vtt = `WEBVTT\n\n${cues.join("\n")}`

/** The cost of one run: seconds of the clock, and CPU seconds of its child processes. */
const measured = async (run: () => Promise<unknown>) => {
  const startedAt = performance.now()
  const before = childCpu()
  await run()
  return { clock: (performance.now() - startedAt) / 1000, cpu: childCpu() - before }
}

/** CPU seconds of ended children, user and system, from /proc (Linux). */
const childCpu = (): number => {
  const fields = fs
    .readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
  return (Number(fields[13]) + Number(fields[14])) / 100
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const environment = Layer.effect(Environment, readEnvironment({ PATH: process.env.PATH }))

const program = Effect.gen(function* () {
  const renderer = yield* Renderer
  const tools = yield* findTools({ ffmpeg: undefined, ffprobe: undefined, programPath: process.env.PATH ?? "" }, () =>
    Effect.succeed("")
  )
  if (typeof tools === "string") return console.error(tools)
  const make = (name: string, picture: string) =>
    execFileSync(tools.ffmpeg, [
      ...["-v", "error", "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", "anoisesrc=color=pink:amplitude=0.1"],
      ...["-t", "60", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", "-pix_fmt", "yuv420p", "-c:a", "aac"],
      ...["-y", at(name)]
    ])
  make(
    "low-source.mp4",
    `color=c=0x1d3b4a:s=1280x720:r=30,drawtext=fontfile=${fontFile}:text=%{pts}:fontsize=90:fontcolor=white:x=90:y=300`
  )
  make("high-source.mp4", "testsrc2=s=1280x720:r=30")
  for (const motion of ["low", "high"]) {
    const web = at(`${motion}.mp4`)
    const started = performance.now()
    yield* renderer.rendition(at(`${motion}-source.mp4`), web, "Civic Record · Springfield City Council · 2026-03-10")
    const rendition = (performance.now() - started) / 1000 / 60
    const clip = () =>
      Effect.runPromise(renderer.clip(web, span, at("clip.mp4"), { captions: { vtt, language: "en" } }))
    const bare = async () =>
      execFileSync(tools.ffmpeg, [
        ...["-v", "error", "-nostdin", "-y", "-ss", String(span.start), "-i", web, "-t", String(length)],
        ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "26", "-profile:v", "main", "-pix_fmt", "yuv420p"],
        ...["-c:a", "aac", "-b:a", "96k", "-ac", "2", "-ar", "44100", "-threads", "2", "-movflags", "+faststart"],
        at("bare.mp4")
      ])
    const runs: Array<{ ours: Awaited<ReturnType<typeof measured>>; bare: Awaited<ReturnType<typeof measured>> }> = []
    for (let round = 0; round < rounds; round++) {
      runs.push(yield* Effect.promise(async () => ({ ours: await measured(clip), bare: await measured(bare) })))
    }
    const per = (of: "ours" | "bare", what: "clock" | "cpu") => median(runs.map((run) => run[of][what])) / length
    const ratio = median(runs.map((run) => run.ours.clock / run.bare.clock))
    console.log(
      `${motion} motion: ${per("ours", "clock").toFixed(3)} s of the clock and ` +
        `${per("ours", "cpu").toFixed(3)} CPU s a second of clip; ` +
        `bare ffmpeg ${per("bare", "clock").toFixed(3)} and ${per("bare", "cpu").toFixed(3)}; ` +
        `ratio ${ratio.toFixed(2)}; ` +
        `rendition ${rendition.toFixed(3)} s of the clock a second`
    )
  }
})

await Effect.runPromise(program.pipe(Effect.provide(Layer.provide(Renderer.layer, environment))))
fs.rmSync(folder, { recursive: true })
