import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Data, Effect, Option, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import type { SpeechFile } from "../config/config.ts"
import { filterValue } from "../renderer/args.ts"
import { namedTools, onPath, systemBounds } from "../renderer/tools.ts"
import type { Sound, Stretch } from "./recognized.ts"

/** FFmpeg's whisper filter, as it is found on this machine. */
interface Whisper {
  /** For an operator: the program's path, or the package's name. */
  readonly where: string
  /** The command that runs a graph of filters. */
  readonly command: (graph: string) => ReadonlyArray<string>
  /** The address space that it takes beside the model's, in bytes: Node reserves 6 GB and uses little of it. */
  readonly memory: number
}

/** Why the filter gave nothing. */
export class WhisperFailed extends Data.TaggedError("WhisperFailed")<{
  /** `empty`: the model loads, but has no weights, as one for tests or one that was cut short. */
  readonly reason: "no_filter" | "not_loaded" | "empty" | "crashed" | "bad_answer"
}> {}

const gigabyte = 1024 ** 3

const child = path.join(import.meta.dirname, "whisper-child.ts")

const nodeAv: Whisper = {
  where: "node-av",
  // Types are stripped by WebAssembly, which would reserve more addresses than the limit leaves.
  command: (graph) => [process.execPath, "--no-warnings", "--disable-wasm-trap-handler", child, graph],
  memory: 8 * gigabyte
}

const programAt = (program: string): Whisper => {
  const options = ["-nostdin", "-hide_banner", "-loglevel", "warning", "-nostats", "-f", "lavfi", "-i"]
  return { where: program, command: (graph) => [program, ...options, graph, "-f", "null", "-"], memory: 2 * gigabyte }
}

/** Whether node-av is installed where this program finds packages. */
const hasNodeAv = (): boolean => {
  try {
    import.meta.resolve("node-av/lib")
    return true
  } catch {
    return false
  }
}

/** A line that the filter writes for a stretch, in milliseconds. */
const Said = Schema.Struct({ start: Schema.Finite, end: Schema.Finite, text: Schema.String })
const decodeSaid = Schema.decodeUnknownOption(Schema.fromJsonString(Said))

/** FFmpeg 8 writes the text of a line as it is, so that one with a quotation mark is no JSON. */
const unescaped = /^\{"start":(\d{1,9}),"end":(\d{1,9}),"text":"(.*)"\}$/

const stretchOf = (line: string): ReadonlyArray<Stretch> => {
  const decoded = decodeSaid(line)
  const [, from, to, words = ""] = unescaped.exec(line) ?? []
  const { start, end, text } =
    decoded._tag === "Some" ? decoded.value : { start: Number(from), end: Number(to), text: words }
  const plain = text.replace(/[\p{Cc}\s]+/gu, " ").trim()
  return start >= 0 && end >= start && plain !== "" ? [{ start: start / 1000, end: end / 1000, text: plain }] : []
}

/** Far more than anyone says in a piece of a recording. */
const longestOutput = 4 * 1024 ** 2
const longestWarnings = 20_000

/** One core is left to the rest of the service. */
const threads = Math.max(1, os.availableParallelism() - 1)

/** The end of what a process says, at most so many characters. */
const tail = <E>(output: Stream.Stream<Uint8Array, E>, length: number) =>
  Stream.runFold(
    Stream.decodeText(output),
    () => "",
    (said, more) => (said + more).slice(-length)
  )

/** The whole graph: a sound, or a silence too short for anything to be computed, and the filter that hears it. */
const graphOf = ({ path: file, language }: SpeechFile, sound: Sound | undefined): string => {
  const source =
    sound === undefined
      ? "anullsrc=r=16000:cl=mono:d=0.05"
      : `amovie=filename=${filterValue(sound.file)}:format_name=wav`
  // All of a piece is heard at once: the filter would cut through words every three seconds.
  const queue = Math.ceil(sound?.seconds ?? 1) + 1
  const options = [`model=${filterValue(file)}`, `language=${language}`, `queue=${queue}`, "use_gpu=0", "format=json"]
  return `${source},whisper=${[...options, `destination=${filterValue("pipe:1")}`, `threads=${threads}`].join(":")}`
}

/**
 * FFmpeg's whisper filter: in the ffmpeg named by `FFMPEG_PATH`, else in one on the PATH, else in the package node-av,
 * which operators may install. `find` tells which, if any. `hear` has it transcribe a WAV file with a model; without
 * one it only loads the model. It runs in a process without an environment or a network, bounded in memory by the
 * model's size, that ends with whoever waits for it.
 */
export const makeWhisper = Effect.gen(function* () {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const { ffmpeg, programPath } = yield* namedTools

  const print = (program: string, args: ReadonlyArray<string>) =>
    spawner.string(ChildProcess.make(program, args, { stdin: "ignore", env: {} }))

  const find = yield* Effect.cached(
    Effect.gen(function* () {
      for (const program of [ffmpeg, onPath(programPath, "ffmpeg")]) {
        if (program === undefined) continue
        const filters = yield* Effect.orElseSucceed(print(program, ["-hide_banner", "-filters"]), () => "")
        if (/^\s*\S+\s+whisper\s/m.test(filters)) return Option.some(programAt(program))
      }
      return hasNodeAv() ? Option.some(nodeAv) : Option.none<Whisper>()
    })
  )
  const bounds = yield* Effect.cached(systemBounds(programPath, print))

  const hear = Effect.fn("Whisper.hear")(function* (model: SpeechFile, sound?: Sound) {
    const failed = (reason: WhisperFailed["reason"]) => new WhisperFailed({ reason })
    const whisper = yield* Effect.flatMap(find, (found) => Effect.fromOption(found)).pipe(
      Effect.mapError(() => failed("no_filter"))
    )
    const size = yield* Effect.try({ try: () => fs.statSync(model.path).size, catch: () => failed("not_loaded") })
    // A model takes up to twice its size while it loads.
    const through = (yield* bounds)(0, whisper.memory + 2 * size)
    const [program = "", ...args] = [...through, ...whisper.command(graphOf(model, sound))]
    const running = yield* spawner.spawn(
      // What reads other people's files is given no secret.
      ChildProcess.make(program, args, { stdin: "ignore", forceKillAfter: "2 seconds", env: {} })
    )
    const [code, printed, said] = yield* Effect.all(
      [running.exitCode, tail(running.stdout, longestOutput), tail(running.stderr, longestWarnings)],
      { concurrency: 3 }
    ).pipe(Effect.mapError(() => failed("crashed")))
    if (said.includes("Failed to initialize whisper context")) return yield* failed("not_loaded")
    if (code !== 0) return yield* failed("crashed")
    // It would find that nothing is said.
    if (said.includes("no tensors loaded")) return yield* failed("empty")
    if (printed.length === longestOutput) return yield* failed("bad_answer")
    // It goes on after a window that could not be computed, and ends well.
    if (said.includes("Failed to process audio")) return yield* failed("bad_answer")
    return printed.split("\n").flatMap(stretchOf)
  }, Effect.scoped)

  return { find, hear }
})
