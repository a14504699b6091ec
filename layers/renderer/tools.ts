import * as fs from "node:fs"
import * as path from "node:path"
import { DateTime, Effect, Option } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { Environment } from "../config/config.ts"

/** The paths of the two programs. */
export interface Tools {
  readonly ffmpeg: string
  readonly ffprobe: string
  /** The origin of this ffmpeg: the setting of that name, the system, or the npm package. */
  readonly origin: "FFMPEG_PATH" | "system" | "npm"
  /** The command that either program is started through so that the system bounds it. */
  readonly through: Bounds
}

/** The configured programs, and the folders to search for the others (in the form of `PATH`). */
interface Named {
  readonly ffmpeg: string | undefined
  readonly ffprobe: string | undefined
  readonly programPath: string
}

/** The programs named by the environment. */
export const namedTools = Effect.map(
  Environment,
  ({ ffmpegPath, ffprobePath, programPath }): Named => ({
    ffmpeg: Option.getOrUndefined(ffmpegPath),
    ffprobe: Option.getOrUndefined(ffprobePath),
    programPath
  })
)

const isExecutable = (file: string): boolean => {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

/** The program of that name in the first of these folders that has one. */
export const onPath = (programPath: string, program: string): string | undefined =>
  programPath
    .split(path.delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => path.join(folder, process.platform === "win32" ? `${program}.exe` : program))
    .find(isExecutable)

/** The program of an installer package; some install it executable by its owner only. */
const installed = (load: () => Promise<{ readonly default: { readonly path: string } }>) =>
  Effect.tryPromise(async () => {
    const { path: file } = (await load()).default
    if (!isExecutable(file)) fs.chmodSync(file, 0o755)
    return file
  }).pipe(Effect.orElseSucceed(() => undefined))

/** The features ffmpeg must have; several systems ship builds without some. */
const isAble = (filters: string, encoders: string): boolean =>
  /\bdrawtext\b/.test(filters) && /\blibx264\b/.test(encoders) && /\baac\b/.test(encoders)

/** A job's address space in bytes: several times what ffmpeg needs for 4K in two threads. */
const usualMemory = 4 * 1024 ** 3

/** Files that a job may have open: its own few, and the libraries of a system's ffmpeg while they load. */
const openFiles = 64

/**
 * The command that a program is started through, for a job that writes files of at most so many bytes and takes the
 * usual memory or so much of it.
 */
export type Bounds = (mostBytes: number, memory?: number) => ReadonlyArray<string>

/**
 * On Linux with util-linux, the system bounds a job's memory, its files and their size, takes the network from it, and
 * ends it with its parent process, even if the parent is killed. Where a namespace of its own is not allowed, it keeps
 * the network, which its protocols do not name. Elsewhere only its threads, its output and its time are bounded.
 */
export const systemBounds = Effect.fnUntraced(function* <E, R>(
  programPath: string,
  print: (program: string, args: ReadonlyArray<string>) => Effect.Effect<string, E, R>
): Effect.fn.Return<Bounds, never, R> {
  const named = ["prlimit", "setpriv", "unshare"].map((program) => onPath(programPath, program))
  const [prlimit, setpriv, unshare = ""] = named
  if (prlimit === undefined || setpriv === undefined) return () => []
  // The last of all, because a new namespace would clear it.
  const death = [setpriv, "--pdeathsig", "KILL"]
  for (const namespace of [[unshare, "--net"], [unshare, "--user", "--net"], []]) {
    const bounds: Bounds = (mostBytes, memory = usualMemory) => [
      ...[prlimit, `--as=${memory}`, `--fsize=${mostBytes}`, `--nofile=${openFiles}`, "--core=0"],
      ...[...namespace, ...death]
    ]
    const [program = prlimit, ...rest] = bounds(0)
    const printed = yield* Effect.orElseSucceed(print(program, [...rest, prlimit, "--version"]), () => "")
    if (printed.includes("util-linux")) return bounds
  }
  return () => []
})

/**
 * Finds ffmpeg and ffprobe: the configured ones, else those on the PATH (if `print` shows that ffmpeg has the
 * features), else the bundled ones. If there are none, returns a line that tells the operator what to do.
 */
export const findTools = Effect.fnUntraced(function* <E, R>(
  named: Named,
  print: (program: string, args: ReadonlyArray<string>) => Effect.Effect<string, E, R>
): Effect.fn.Return<Tools | string, never, R> {
  const able = (program: string) =>
    Effect.all([print(program, ["-hide_banner", "-filters"]), print(program, ["-hide_banner", "-encoders"])]).pipe(
      Effect.map(([filters, encoders]) => isAble(filters, encoders)),
      Effect.orElseSucceed(() => false)
    )

  for (const [name, file] of [
    ["FFMPEG_PATH", named.ffmpeg],
    ["FFPROBE_PATH", named.ffprobe]
  ] as const) {
    if (file !== undefined && !isExecutable(file)) return `${name} does not name a program that can be run.`
  }
  const onSystem = onPath(named.programPath, "ffmpeg")
  const system = onSystem !== undefined && (yield* able(onSystem)) ? onSystem : undefined
  const ffmpeg = named.ffmpeg ?? system ?? (yield* installed(() => import("@ffmpeg-installer/ffmpeg")))
  const origin = named.ffmpeg !== undefined ? "FFMPEG_PATH" : system !== undefined ? "system" : "npm"
  const ffprobe =
    named.ffprobe ??
    onPath(named.programPath, "ffprobe") ??
    (yield* installed(() => import("@ffprobe-installer/ffprobe")))
  if (ffmpeg === undefined) return "There is no ffmpeg: install it, or set FFMPEG_PATH."
  if (ffprobe === undefined) return "There is no ffprobe: install ffmpeg, or set FFPROBE_PATH."
  return { ffmpeg, ffprobe, origin, through: yield* systemBounds(named.programPath, print) }
})

/** Recordings come from anywhere, and a decoder that has gone unpatched for this many years is vulnerable. */
const oldAfterYears = 5

/** The ffmpeg in use, as a line for an operator. */
export interface AboutFfmpeg {
  /** `old`: it works, but should be upgraded. */
  readonly state: "fine" | "old" | "missing"
  readonly text: string
}

/** `printed` is the output of `ffmpeg -version`: its first line has the version and the copyright years. */
export const describeFfmpeg = ({ ffmpeg, origin }: Tools, printed: string, thisYear: number): AboutFfmpeg => {
  const version = /^ffmpeg version (\S+)/.exec(printed)?.[1] ?? "of an unknown version"
  const year = Number(/Copyright \(c\) (?:\d{4}-)?(\d{4})/.exec(printed)?.[1] ?? Number.NaN)
  const age = thisYear - year
  const text = `ffmpeg ${version}${Number.isNaN(year) ? "" : `, of ${year},`} is used (${origin}: ${ffmpeg})`
  return age > oldAfterYears
    ? { state: "old", text: `${text}; it is ${age} years old: install a newer ffmpeg, or name one in FFMPEG_PATH` }
    : { state: "fine", text }
}

/** Describes the ffmpeg that renders clips here, and its age. */
export const aboutFfmpeg = Effect.gen(function* () {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const print = (program: string, args: ReadonlyArray<string>) => spawner.string(ChildProcess.make(program, args))
  const tools = yield* findTools(yield* namedTools, print)
  if (typeof tools === "string") return { state: "missing", text: tools } satisfies AboutFfmpeg
  const printed = yield* Effect.orElseSucceed(print(tools.ffmpeg, ["-version"]), () => "")
  return describeFfmpeg(tools, printed, DateTime.getPartUtc(yield* DateTime.now, "year"))
})

/** The ffprobe in use, as a line for an operator; undefined if there is none, or no ffmpeg. */
export const aboutFfprobe = Effect.gen(function* () {
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const print = (program: string, args: ReadonlyArray<string>) => spawner.string(ChildProcess.make(program, args))
  const tools = yield* findTools(yield* namedTools, print)
  if (typeof tools === "string") return undefined
  const printed = yield* Effect.orElseSucceed(print(tools.ffprobe, ["-version"]), () => "")
  return `${/^ffprobe version \S+/.exec(printed)?.[0] ?? "ffprobe of an unknown version"} is used (${tools.ffprobe})`
})

/** Logs it at startup. */
export const logFfmpeg = Effect.flatMap(aboutFfmpeg, ({ state, text }) =>
  state === "fine" ? Effect.logInfo(text) : Effect.logWarning(text)
)
