import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Option } from "effect"
import { Environment } from "../config.ts"

/** The paths of the two programs. */
export interface Tools {
  readonly ffmpeg: string
  readonly ffprobe: string
  /** The command that either is started through, which makes the system bound it. */
  readonly through: ReadonlyArray<string>
}

/** The programs that the deployment names, and the folders to look in for the others (as `PATH` lists them). */
interface Named {
  readonly ffmpeg: string | undefined
  readonly ffprobe: string | undefined
  readonly programPath: string
}

/** The programs that the environment names. */
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

const onPath = (programPath: string, program: string): string | undefined =>
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

/** A build without these cannot do the work; several that systems ship lack them. */
const isAble = (filters: string, encoders: string): boolean =>
  /\bdrawtext\b/.test(filters) && /\blibx264\b/.test(encoders) && /\baac\b/.test(encoders)

/** A job's address space in bytes: several times what ffmpeg needs for 4K in two threads. */
const memory = 4 * 1024 ** 3

/**
 * On Linux with util-linux, the system bounds a job's memory and ends it together with the process that started it, even if
 * that is killed. Elsewhere only its threads and its time are bounded.
 */
const systemBounds = Effect.fnUntraced(function* <E, R>(
  programPath: string,
  print: (program: string, args: ReadonlyArray<string>) => Effect.Effect<string, E, R>
): Effect.fn.Return<ReadonlyArray<string>, never, R> {
  const [setpriv, prlimit] = [onPath(programPath, "setpriv"), onPath(programPath, "prlimit")]
  if (setpriv === undefined || prlimit === undefined) return []
  const bounds = ["--pdeathsig", "KILL", prlimit, `--as=${memory}`]
  const printed = yield* Effect.orElseSucceed(print(setpriv, [...bounds, prlimit, "--version"]), () => "")
  return printed.includes("util-linux") ? [setpriv, ...bounds] : []
})

/**
 * Finds ffmpeg and ffprobe: those that the deployment names, else those on the PATH (if ffmpeg, according to `print`, can do
 * the work), else those that ship with the project. Returns a line that says what to do if there is none.
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
  const system = onPath(named.programPath, "ffmpeg")
  const ffmpeg =
    named.ffmpeg ??
    (system !== undefined && (yield* able(system)) ? system : undefined) ??
    (yield* installed(() => import("@ffmpeg-installer/ffmpeg")))
  const ffprobe =
    named.ffprobe ??
    onPath(named.programPath, "ffprobe") ??
    (yield* installed(() => import("@ffprobe-installer/ffprobe")))
  if (ffmpeg === undefined) return "There is no ffmpeg: install it, or set FFMPEG_PATH."
  if (ffprobe === undefined) return "There is no ffprobe: install ffmpeg, or set FFPROBE_PATH."
  return { ffmpeg, ffprobe, through: yield* systemBounds(named.programPath, print) }
})
