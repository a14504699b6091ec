import * as path from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Context, Duration, Effect, FileSystem, Layer, Schema, type Scope, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import type { Span } from "../schema/briefing.ts"
import {
  drawText,
  encodingArgs,
  inputArgs,
  largestPicture,
  lastWords,
  moment,
  mostBytes,
  readingArgs,
  threeLetters,
  unexpanded
} from "./renderer/args.ts"
import { findTools, namedTools, type Tools } from "./renderer/tools.ts"

/**
 * A recording could not be read, or nothing could be made of it. `message` is for an operator's log: what ffmpeg said
 * last, with no path of this machine in it.
 */
export class RendererError extends Schema.TaggedError<RendererError>()("RendererError", {
  reason: Schema.Literals(["ffmpeg_missing", "input_unreadable", "timed_out", "failed"]),
  message: Schema.String
}) {}

/** What a recording is: seconds, and the pixels of its first picture stream. */
export interface Probed {
  readonly duration: number
  readonly width: number
  readonly height: number
}

/** A made-up recording: a calm picture with a running clock, and the sound of an empty room. */
export interface TestPicture {
  readonly title: string
  readonly subtitle: string
  /** Seconds. */
  readonly duration: number
  /** Who speaks when, in seconds, shown below the clock. */
  readonly captions: ReadonlyArray<{ readonly start: number; readonly end: number; readonly text: string }>
}

/** Told how much of a job is done, 0 to 1, about twice a second. */
export type OnProgress = (share: number) => Effect.Effect<void>

export interface ClipOptions {
  /** What is said in the clip, by its own clock (WebVTT), and in which language (BCP 47); a track of the clip. */
  readonly captions?: { readonly vtt: string; readonly language: string } | undefined
  readonly onProgress?: OnProgress | undefined
}

/** How long a job may take: `base`, and `perSecond` for every second of its output. */
export interface Patience {
  readonly base: Duration.Input
  readonly perSecond: Duration.Input
}

/** Twice as slow as a slow machine: 1 CPU encodes a second of 720p in well under two. */
const patience: Patience = { base: "30 seconds", perSecond: "4 seconds" }

const Described = Schema.fromJsonString(
  Schema.Struct({
    format: Schema.Struct({ duration: Schema.FiniteFromString }),
    streams: Schema.Array(
      Schema.Struct({ width: Schema.optionalKey(Schema.Finite), height: Schema.optionalKey(Schema.Finite) })
    )
  })
)

const make = (patience: Patience) =>
  Effect.gen(function* () {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const fs = yield* FileSystem.FileSystem

    const run = Effect.fnUntraced(
      function* (program: string, args: ReadonlyArray<string>, onLine?: (line: string) => Effect.Effect<void>) {
        const handle = yield* spawner.spawn(
          ChildProcess.make(program, args, { stdin: "ignore", killSignal: "SIGTERM", forceKillAfter: "2 seconds" })
        )
        const printing = Stream.decodeText(handle.stdout)
        const [said, printed] = yield* Effect.all(
          [
            Stream.mkString(Stream.decodeText(handle.stderr)),
            onLine === undefined
              ? Stream.mkString(printing)
              : Effect.as(Stream.runForEach(Stream.splitLines(printing), onLine), "")
          ],
          { concurrency: 2 }
        )
        return { code: yield* handle.exitCode, said, printed }
      },
      Effect.scoped,
      Effect.mapError(
        ({ reason }) =>
          new RendererError({ reason: "ffmpeg_missing", message: `ffmpeg could not be started: ${reason._tag}.` })
      )
    )

    const named = yield* namedTools

    const missing = (message: string) => new RendererError({ reason: "ffmpeg_missing", message })

    /** Looked for when it is first needed: a service that renders nothing starts without ffmpeg. */
    const tools: Effect.Effect<Tools, RendererError> = yield* Effect.cached(
      Effect.gen(function* () {
        const found = yield* findTools(named, (program, args) =>
          run(program, args).pipe(Effect.map(({ printed }) => printed))
        )
        return typeof found === "string" ? yield* missing(found) : found
      })
    )

    /** One of the two, within the bounds that the system keeps. */
    const runTool = Effect.fnUntraced(function* (
      tool: "ffmpeg" | "ffprobe",
      args: ReadonlyArray<string>,
      onLine?: (line: string) => Effect.Effect<void>
    ) {
      const found = yield* tools
      const [program, ...rest] = [...found.through, found[tool], ...args]
      return yield* run(program ?? found[tool], rest, onLine)
    })

    const limited = (seconds: number) => {
      const limit = Duration.sum(
        Duration.fromInputUnsafe(patience.base),
        Duration.times(Duration.fromInputUnsafe(patience.perSecond), seconds)
      )
      return Effect.timeoutOrElse({
        duration: limit,
        orElse: () =>
          new RendererError({ reason: "timed_out", message: `No end after ${Duration.format(limit)}; it was stopped.` })
      })
    }

    const probe = Effect.fn("Renderer.probe")(function* (file: string) {
      const args = ["-v", "error", ...readingArgs, "-select_streams", "v:0", "-show_entries"]
      const { code, said, printed } = yield* runTool("ffprobe", [
        ...args,
        "format=duration:stream=width,height",
        ...["-of", "json", `file:${file}`]
      ]).pipe(limited(0))
      const unreadable = (message: string) => new RendererError({ reason: "input_unreadable", message })
      if (code !== 0) return yield* unreadable(lastWords(said) || "It is no recording.")
      const { format, streams } = yield* Schema.decodeEffect(Described)(printed).pipe(
        Effect.mapError(() => unreadable("It does not say how long it is."))
      )
      const { width, height } = streams[0] ?? {}
      if (width === undefined || height === undefined) return yield* unreadable("It has no picture.")
      if (width * height > largestPicture) return yield* unreadable("Its picture is larger than 8K.")
      return { duration: format.duration, width, height } satisfies Probed
    })

    /** Runs ffmpeg in a folder beside the target, and puts what it made in the target's place when it is whole. */
    const render = Effect.fnUntraced(function* (
      target: string,
      seconds: number,
      prepare: (folder: string) => Effect.Effect<ReadonlyArray<string>, RendererError>,
      onProgress: OnProgress = () => Effect.void
    ): Effect.fn.Return<void, RendererError, Scope.Scope> {
      const beside = path.dirname(path.resolve(target))
      const failed = (message: string) => new RendererError({ reason: "failed", message })
      const unwritable = Effect.mapError(() => failed("The folder of the target cannot be written to."))
      yield* fs.makeDirectory(beside, { recursive: true }).pipe(unwritable)
      const folder = yield* fs.makeTempDirectoryScoped({ directory: beside, prefix: ".rendering-" }).pipe(unwritable)
      const making = path.join(folder, "made")
      const args = yield* prepare(folder)
      const { code, said } = yield* runTool(
        "ffmpeg",
        [
          ...["-nostdin", "-hide_banner", "-loglevel", "error", "-nostats", "-progress", "pipe:1", "-y"],
          ...["-filter_threads", "1", "-max_alloc", String(512 * 1024 ** 2)],
          ...args,
          ...["-fs", String(mostBytes(seconds)), `file:${making}`]
        ],
        (line) => {
          const micros = /^out_time_(?:us|ms)=(\d+)$/.exec(line)?.[1]
          return micros === undefined ? Effect.void : onProgress(Math.min(1, Number(micros) / 1_000_000 / seconds))
        }
      ).pipe(limited(seconds))
      const size = yield* fs.stat(making).pipe(
        Effect.map((stat) => stat.size),
        Effect.orElseSucceed(() => 0n)
      )
      if (code !== 0 || size === 0n) return yield* failed(lastWords(said) || "ffmpeg made nothing.")
      if (Number(size) > 0.98 * mostBytes(seconds)) return yield* failed("It takes more room than a job may have.")
      yield* fs.rename(making, target).pipe(unwritable)
    }, Effect.scoped)

    const written = (folder: string, name: string, text: string) => {
      const file = path.join(folder, name)
      return fs.writeFileString(file, text).pipe(
        Effect.mapError(() => new RendererError({ reason: "failed", message: "A text to burn in cannot be written." })),
        Effect.as(file)
      )
    }

    const rendition = Effect.fn("Renderer.rendition")(function* (
      source: string,
      target: string,
      watermark: string,
      onProgress?: OnProgress
    ) {
      const { duration } = yield* probe(source)
      const prepare = (folder: string) =>
        Effect.gen(function* () {
          const text = yield* written(folder, "watermark", `${unexpanded(watermark)} · ${moment}`)
          const mark =
            "fontsize=h/36:fontcolor=white@0.65:shadowcolor=black@0.6:shadowx=1:shadowy=1:x=w-tw-h/36:y=h-th-h/36"
          return [
            ...inputArgs(source),
            ...["-map", "0:v:0", "-map", "0:a:0?", "-sn", "-dn", "-map_metadata", "-1"],
            ...["-vf", `scale=-2:'min(720,trunc(ih/2)*2)',setsar=1,${drawText(text, mark, "normal")}`],
            // A key frame every two seconds: a player that seeks is there at once.
            ...encodingArgs,
            ...["-force_key_frames", "expr:gte(t,n_forced*2)", "-f", "mp4"]
          ]
        })
      yield* render(target, duration, prepare, onProgress)
      return yield* probe(target)
    })

    const poster = Effect.fn("Renderer.poster")(function* (source: string, at: number, target: string) {
      const { duration } = yield* probe(source)
      yield* render(target, 1, () =>
        Effect.succeed([
          ...["-ss", String(Math.max(0, Math.min(at, duration - 1)))],
          ...inputArgs(source),
          ...["-frames:v", "1", "-an", "-q:v", "4", "-f", "mjpeg"]
        ])
      )
    })

    const clip = Effect.fn("Renderer.clip")(function* (
      source: string,
      span: Span,
      target: string,
      { captions, onProgress }: ClipOptions = {}
    ) {
      const { duration } = yield* probe(source)
      const length = Math.min(span.end, duration) - span.start
      if (length <= 0) {
        return yield* new RendererError({ reason: "failed", message: "The span lies outside of the recording." })
      }
      const prepare = Effect.fnUntraced(function* (folder: string) {
        const words = captions === undefined ? undefined : yield* written(folder, "captions", captions.vtt)
        // Seeking before the input is exact because the cut is encoded again: it decodes from the key frame before.
        return [
          ...["-accurate_seek", "-ss", String(span.start)],
          ...inputArgs(source),
          ...(words === undefined ? [] : ["-f", "webvtt", "-i", `file:${words}`]),
          ...["-t", String(length), "-map", "0:v:0", "-map", "0:a:0?", "-map_metadata", "-1"],
          ...(captions === undefined ? [] : ["-map", "1:0", "-c:s", "mov_text", "-metadata:s:s:0"]),
          ...(captions === undefined ? [] : [`language=${threeLetters(captions.language)}`]),
          ...encodingArgs,
          ...["-f", "mp4"]
        ]
      })
      yield* render(target, length, prepare, onProgress)
      return yield* probe(target)
    })

    const synthesize = Effect.fn("Renderer.synthesize")(function* (target: string, picture: TestPicture) {
      const { title, subtitle, duration, captions } = picture
      yield* render(target, duration, (folder) =>
        Effect.gen(function* () {
          const style = "fontcolor=0xf4efe6:x=96"
          const shown = yield* Effect.forEach(captions, ({ start, end, text }, at) =>
            written(folder, `caption-${at}`, text).pipe(
              Effect.map((file) => drawText(file, `${style}:fontsize=34:y=560:enable='between(t,${start},${end})'`))
            )
          )
          const filters = [
            "drawbox=x=0:y=0:w=28:h=ih:color=0xc98f3c:t=fill",
            "drawbox=x=96:y=330:w=420:h=3:color=0xc98f3c:t=fill",
            drawText(yield* written(folder, "title", title), `${style}:fontsize=52:y=190`),
            drawText(yield* written(folder, "subtitle", subtitle), `${style}:fontsize=34:y=268`),
            drawText(
              yield* written(folder, "clock", "%{pts:gmtime:0:%M\\:%S}"),
              `${style}:fontsize=72:y=380`,
              "normal"
            ),
            ...shown
          ]
          return [
            ...["-f", "lavfi", "-i", `color=c=0x1d3b4a:s=1280x720:r=15:d=${duration}`],
            ...["-f", "lavfi", "-i", `anoisesrc=color=brown:amplitude=0.03:seed=7:d=${duration}`],
            ...["-vf", filters.join(","), "-af", "lowpass=f=320", "-t", String(duration)],
            ...["-c:v", "libx264", "-preset", "ultrafast", "-tune", "stillimage", "-crf", "23", "-pix_fmt", "yuv420p"],
            ...["-c:a", "aac", "-b:a", "64k", "-threads", "2", "-movflags", "+faststart", "-f", "mp4"]
          ]
        })
      )
      return yield* probe(target)
    })

    return Renderer.of({ synthesize, rendition, poster, clip, probe })
  })

/**
 * What makes pictures and sound of recordings. A job is bounded: in time by the length of what it makes, to two threads, in
 * what it writes, in the pictures it takes, and on Linux in its memory by the system. Every job writes beside its target
 * and renames when it is whole, is stopped (SIGTERM, then SIGKILL) when it is interrupted or its time is over, and fails with `RendererError`.
 */
export class Renderer extends Context.Service<
  Renderer,
  {
    /** Makes a made-up recording (MP4, 1280x720, 15 pictures a second). */
    readonly synthesize: (target: string, picture: TestPicture) => Effect.Effect<Probed, RendererError>
    /**
     * Makes the web rendition: MP4 (H.264, AAC), at most 720 high, ready to stream, with a watermark burned in, to which
     * the moment of the recording is added.
     */
    readonly rendition: (
      source: string,
      target: string,
      watermark: string,
      onProgress?: OnProgress
    ) => Effect.Effect<Probed, RendererError>
    /** Makes a JPEG of the picture at so many seconds, or of the last second where the recording is shorter. */
    readonly poster: (source: string, at: number, target: string) => Effect.Effect<void, RendererError>
    /** Cuts a span out of a rendition into an MP4, exact to the frame; the end is clamped to the recording's. */
    readonly clip: (
      rendition: string,
      span: Span,
      target: string,
      options?: ClipOptions
    ) => Effect.Effect<Probed, RendererError>
    /** What a recording is. */
    readonly probe: (file: string) => Effect.Effect<Probed, RendererError>
  }
>()("civic-record/Renderer") {
  /**
   * ffmpeg: `FFMPEG_PATH`, else one on the PATH that can burn text in and encode H.264, else the one that ships with
   * the project; ffprobe likewise (`FFPROBE_PATH`).
   */
  static readonly layer = Layer.effect(Renderer, make(patience)).pipe(Layer.provide(NodeServices.layer))

  /** The same with other limits of time. */
  static readonly layerPatience = (patience: Patience) =>
    Layer.effect(Renderer, make(patience)).pipe(Layer.provide(NodeServices.layer))
}
