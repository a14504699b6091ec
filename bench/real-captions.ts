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

interface Sentence {
  readonly start_time: number
  readonly end_time: number
  readonly text: string
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
  const read = (meeting: string): ReadonlyArray<Segment> => {
    const session = /^seattle:(\w+)$/u.exec(meeting)?.[1]
    if (session === undefined) return cuesOf(fs.readFileSync(path.join(folder, "captions", `${meeting}.vtt`), "utf8"))
    const { sentences }: { readonly sentences: ReadonlyArray<Sentence> } = JSON.parse(
      fs.readFileSync(path.join(seattle, session, "ground-truth.json"), "utf8")
    )
    return sentences.map(({ start_time, end_time, text }) => ({ start: start_time, end: end_time, text }))
  }
  return { read, remove: () => fs.rmSync(folder, { recursive: true }) }
}
