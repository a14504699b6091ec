import * as path from "node:path"
import { Duration, Effect, FileSystem, Schema, type Scope, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { largestPicture, lastWords, mostBytes, readingArgs } from "./args.ts"
import { RendererError } from "./failure.ts"
import { findTools, namedTools, type Tools } from "./tools.ts"

/** A recording's length in seconds, and the pixels of its first picture stream. */
export interface Probed {
  readonly duration: number
  readonly width: number
  readonly height: number
}

/** What a recording consists of; at least one of picture and sound. */
export interface Looked {
  /** Seconds. */
  readonly duration: number
  /** The pixels of its first picture stream. The cover of a sound file is none. */
  readonly picture: { readonly width: number; readonly height: number } | undefined
  readonly hasSound: boolean
}

/** Called about twice a second with a job's progress, 0 to 1. */
export type OnProgress = (share: number) => Effect.Effect<void>

/** A job's timeout: `base`, plus `perSecond` for every second of its output. */
export interface TimeLimit {
  readonly base: Duration.Input
  readonly perSecond: Duration.Input
}

const Described = Schema.fromJsonString(
  Schema.Struct({
    format: Schema.Struct({ duration: Schema.FiniteFromString }),
    streams: Schema.Array(
      Schema.Struct({
        codec_type: Schema.optionalKey(Schema.String),
        width: Schema.optionalKey(Schema.Finite),
        height: Schema.optionalKey(Schema.Finite),
        disposition: Schema.optionalKey(Schema.Struct({ attached_pic: Schema.optionalKey(Schema.Finite) }))
      })
    )
  })
)

/** The picture formats that can be measured. */
export type PictureForm = "png" | "jpeg"

const Pictures = Schema.fromJsonString(
  Schema.Struct({
    streams: Schema.Tuple([
      Schema.Struct({ width: Schema.Finite, height: Schema.Finite, nb_read_frames: Schema.Literal("1") })
    ])
  })
)

/** ffmpeg and ffprobe, one job at a time, each with a timeout. Every method fails with `RendererError`. */
export const makeFfmpeg = Effect.fnUntraced(function* (timeLimit: TimeLimit) {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const fs = yield* FileSystem.FileSystem
  const named = yield* namedTools

  const run = Effect.fnUntraced(
    function* (program: string, args: ReadonlyArray<string>, onLine?: (line: string) => Effect.Effect<void>) {
      const handle = yield* spawner.spawn(
        ChildProcess.make(program, args, {
          stdin: "ignore",
          killSignal: "SIGTERM",
          forceKillAfter: "2 seconds",
          // What decodes other people's files is given no secret.
          env: {}
        })
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

  /** Resolved on first use, so that a service that renders nothing starts without ffmpeg. */
  const tools: Effect.Effect<Tools, RendererError> = yield* Effect.cached(
    Effect.gen(function* () {
      const found = yield* findTools(named, (program, args) =>
        run(program, args).pipe(Effect.map(({ printed }) => printed))
      )
      return typeof found === "string" ? yield* new RendererError({ reason: "ffmpeg_missing", message: found }) : found
    })
  )

  /** Runs one of the two programs, which `writes` at most so many bytes, within the limits that the system enforces. */
  const runTool = Effect.fnUntraced(function* (
    tool: "ffmpeg" | "ffprobe",
    args: ReadonlyArray<string>,
    writes = 0,
    onLine?: (line: string) => Effect.Effect<void>
  ) {
    const found = yield* tools
    const [program, ...rest] = [...found.through(writes), found[tool], ...args]
    return yield* run(program ?? found[tool], rest, onLine)
  })

  const limited = (seconds: number) => {
    const limit = Duration.sum(
      Duration.fromInputUnsafe(timeLimit.base),
      Duration.times(Duration.fromInputUnsafe(timeLimit.perSecond), seconds)
    )
    return Effect.timeoutOrElse({
      duration: limit,
      orElse: () =>
        new RendererError({
          reason: "timed_out",
          message: `Not finished after ${Duration.format(limit)}; it was stopped.`
        })
    })
  }

  const look = Effect.fn("Renderer.look")(function* (file: string) {
    const args = ["-v", "error", ...readingArgs, "-show_entries"]
    const { code, said, printed } = yield* runTool("ffprobe", [
      ...args,
      "format=duration:stream=codec_type,width,height:stream_disposition=attached_pic",
      ...["-of", "json", `file:${file}`]
    ]).pipe(limited(0))
    const unreadable = (message: string) => new RendererError({ reason: "input_unreadable", message })
    if (code !== 0) return yield* unreadable(lastWords(said) || "It is not a recording.")
    const { format, streams } = yield* Schema.decodeEffect(Described)(printed).pipe(
      Effect.mapError(() => unreadable("It does not say how long it is."))
    )
    const shown = streams.find(
      ({ codec_type, disposition }) => codec_type === "video" && disposition?.attached_pic !== 1
    )
    const { width, height } = shown ?? {}
    const picture = width === undefined || height === undefined ? undefined : { width, height }
    const hasSound = streams.some(({ codec_type }) => codec_type === "audio")
    if (picture === undefined && !hasSound) return yield* unreadable("It has neither picture nor sound.")
    if (picture !== undefined && picture.width * picture.height > largestPicture) {
      return yield* unreadable("Its picture is larger than 8K.")
    }
    return { duration: format.duration, picture, hasSound } satisfies Looked
  })

  const probe = Effect.fn("Renderer.probe")(function* (file: string) {
    const { duration, picture } = yield* look(file)
    if (picture !== undefined) return { duration, ...picture } satisfies Probed
    return yield* new RendererError({ reason: "input_unreadable", message: "It has no picture." })
  })

  const picture = Effect.fn("Renderer.picture")(function* (file: string, form: PictureForm) {
    const { code, said, printed } = yield* runTool("ffprobe", [
      ...["-v", "error", "-protocol_whitelist", "file,pipe", "-f", `${form}_pipe`],
      // Decoded, because even a truncated file has the size in its header.
      ...["-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "json", `file:${file}`]
    ]).pipe(limited(0))
    const unreadable = (message: string) => new RendererError({ reason: "input_unreadable", message })
    const pictures = yield* Schema.decodeEffect(Pictures)(printed).pipe(
      Effect.mapError(() => unreadable(lastWords(said) || "It is not a picture."))
    )
    const { width, height } = pictures.streams[0]
    if (code !== 0 || said !== "") return yield* unreadable(lastWords(said) || "It cannot be decoded.")
    if (width * height > largestPicture) return yield* unreadable("It is larger than 8K.")
    return { width, height }
  })

  /**
   * Runs ffmpeg in a folder beside the target, and moves the finished file into place. `seconds` is the length of the
   * output; `prepare` writes ffmpeg's input files into the folder and returns the arguments.
   */
  const render = Effect.fnUntraced(function* (
    target: string,
    seconds: number,
    prepare: (folder: string) => Effect.Effect<ReadonlyArray<string>, RendererError>,
    onProgress: OnProgress = () => Effect.void
  ): Effect.fn.Return<void, RendererError, Scope.Scope> {
    const beside = path.dirname(path.resolve(target))
    const failed = (message: string) => new RendererError({ reason: "failed", message })
    const unwritable = Effect.mapError(() => failed("The target's folder cannot be written to."))
    yield* fs.makeDirectory(beside, { recursive: true }).pipe(unwritable)
    const folder = yield* fs.makeTempDirectoryScoped({ directory: beside, prefix: ".rendering-" }).pipe(unwritable)
    const unfinished = path.join(folder, "made")
    const args = yield* prepare(folder)
    const { code, said } = yield* runTool(
      "ffmpeg",
      [
        ...["-nostdin", "-hide_banner", "-loglevel", "error", "-nostats", "-progress", "pipe:1", "-y"],
        ...["-filter_threads", "1", "-max_alloc", String(512 * 1024 ** 2)],
        ...args,
        ...["-fs", String(mostBytes(seconds)), `file:${unfinished}`]
      ],
      // More than ffmpeg's own limit, which it keeps only about.
      2 * mostBytes(seconds),
      (line) => {
        const micros = /^out_time_(?:us|ms)=(\d+)$/.exec(line)?.[1]
        return micros === undefined ? Effect.void : onProgress(Math.min(1, Number(micros) / 1_000_000 / seconds))
      }
    ).pipe(limited(seconds))
    const size = yield* fs.stat(unfinished).pipe(
      Effect.map((stat) => stat.size),
      Effect.orElseSucceed(() => 0n)
    )
    if (code !== 0 || size === 0n) return yield* failed(lastWords(said) || "ffmpeg produced no output.")
    if (Number(size) > 0.98 * mostBytes(seconds)) return yield* failed("The output is larger than a job may write.")
    yield* fs.rename(unfinished, target).pipe(unwritable)
  }, Effect.scoped)

  /** Writes a text file for ffmpeg, and returns its path. */
  const written = (folder: string, name: string, text: string) => {
    const file = path.join(folder, name)
    return fs.writeFileString(file, text).pipe(
      Effect.mapError(() => new RendererError({ reason: "failed", message: "A text for ffmpeg cannot be written." })),
      Effect.as(file)
    )
  }

  return { look, probe, picture, render, written }
})

export type Ffmpeg = Effect.Success<ReturnType<typeof makeFfmpeg>>
