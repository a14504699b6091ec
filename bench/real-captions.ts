import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import type { Segment } from "../schema/transcript.ts"

const secondsOf = (time: string): number => time.split(":").reduce((total, part) => total * 60 + Number(part), 0)

const cuesOf = (text: string): ReadonlyArray<Segment> =>
  text.split("\n\n").flatMap((block) => {
    const [, start = "", end = "", said = ""] = /^(\S+) --> (\S+).*\n([\s\S]*)/mu.exec(block) ?? []
    return start === ""
      ? []
      : [{ start: secondsOf(start), end: secondsOf(end), text: said.trim().replaceAll("\n", " ") }]
  })

interface Timed {
  readonly start_time: number
  readonly end_time: number
  readonly text: string
}

interface Session {
  /** With the offset of the place. */
  readonly session_datetime: string
  readonly sentences: ReadonlyArray<Timed & { readonly words: ReadonlyArray<Timed> }>
}

/** A meeting of Knox County as its file of captions lists it. */
interface Listed {
  readonly source_url?: string
  /** The captions' file, in the archive. */
  readonly captions?: string
}

/**
 * Unpacks the real captions, and reads a meeting's segments by its name: that of the captions' file or, for Seattle,
 * `seattle:` and the session.
 */
export const unpack = (data: string) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "bench-captions-"))
  for (const name of ["knox-tn", "seattle-wa"]) {
    execFileSync("tar", ["xzf", path.join(data, `${name}.tar.gz`), "-C", folder])
  }
  const seattle = path.join(folder, "seattle-wa/whisper-experiments")
  execFileSync("unzip", ["-qo", "cdp-whisper-experiments-data.zip"], { cwd: seattle })
  const sessionOf = (meeting: string): Session | undefined => {
    const session = /^seattle:(\w+)$/u.exec(meeting)?.[1]
    if (session === undefined) return undefined
    return JSON.parse(fs.readFileSync(path.join(seattle, session, "ground-truth.json"), "utf8"))
  }
  const read = (meeting: string): ReadonlyArray<Segment> =>
    sessionOf(meeting)?.sentences.map(({ start_time, end_time, text }) => ({
      start: start_time,
      end: end_time,
      text
    })) ?? cuesOf(fs.readFileSync(path.join(folder, "captions", `${meeting}.vtt`), "utf8"))
  const listed: ReadonlyArray<Listed> = fs
    .readFileSync(path.join(folder, "meetings.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  return { read, sessionOf, listed, remove: () => fs.rmSync(folder, { recursive: true }) }
}
