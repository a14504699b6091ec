/**
 * Checks the judgments about speakers and full names against the captions themselves, without the service:
 *
 *     node bench/relevance/check.ts [../shared/data/knox-tn.tar.gz]
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { readJudgments } from "./score.ts"
import { unpackWithVoices } from "./voices.ts"

interface Cue {
  readonly second: number
  readonly voice: string
  readonly words: string
}

/** Titles that a query may put before a name; the captions have none. */
const titles = /\b(?:M[rs]\.|Council ?[Mm]ember|Mayor) /

const wordsOf = (text: string) => ` ${(text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(" ")} `

const cuesOf = (captions: string): ReadonlyArray<Cue> =>
  captions.split("\n\n").flatMap((cue) => {
    const [, hours, minutes, seconds, voice = "", text = ""] =
      /^(\d+):(\d+):(\d+)\.\d+ --> .*\n(?:<v ([^>]*)>)?([\s\S]*)$/.exec(cue.trim()) ?? []
    return hours === undefined
      ? []
      : [
          {
            second: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
            voice: wordsOf(voice),
            words: wordsOf(text)
          }
        ]
  })

/** The seconds at which a name is spoken; a name may run over into the next caption. */
const saidAt = (cues: ReadonlyArray<Cue>, name: string) =>
  cues.flatMap(({ second, words }, at) => {
    const next = cues[at + 1]?.words ?? ""
    const isHere = words.includes(wordsOf(name))
    return isHere || (`${words.trimEnd()}${next}`.includes(wordsOf(name)) && !next.includes(wordsOf(name)))
      ? [second]
      : []
  })

const answersAt = (cues: ReadonlyArray<Cue>, name: string) =>
  cues.flatMap(({ second, voice }) =>
    wordsOf(name)
      .trim()
      .split(" ")
      .every((word) => voice.includes(` ${word} `))
      ? [second]
      : []
  )

const [, , archive = path.join(import.meta.dirname, "../../../shared/data/knox-tn.tar.gz")] = process.argv
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-judgments-"))
unpackWithVoices(archive, folder)
const rows = fs
  .readFileSync(path.join(folder, "meetings.ndjson"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
const meetings = new Map<string, ReadonlyArray<Cue>>(
  rows.flatMap(({ source_url = "", captions }) =>
    captions === undefined
      ? []
      : [[source_url.split("/").at(-1), cuesOf(fs.readFileSync(path.join(folder, captions), "utf8"))]]
  )
)
fs.rmSync(folder, { recursive: true })

const faults = readJudgments().flatMap(({ kind, q, best, found = [], not = [], at = {}, corrected = q }) => {
  if (kind !== "speakers" && kind !== "full names") return []
  const [, excluded] = /-speaker:"([^"]+)"/.exec(q) ?? []
  const name = corrected
    .replace(/ -speaker:.*/, "")
    .replace(/speaker:|"/g, "")
    .replace(titles, "")
  const isSpeaker = kind === "speakers" && excluded === undefined
  const seconds = (cues: ReadonlyArray<Cue>) => (isSpeaker ? answersAt(cues, name) : saidAt(cues, name))
  const fits = (key: string) => {
    const cues = meetings.get(key) ?? []
    return seconds(cues).length > 0 && (excluded === undefined || answersAt(cues, excluded).length === 0)
  }
  return [
    ...[...best, ...found].filter((key) => !fits(key)).map((key) => `${q}: ${key} does not fit`),
    ...not.filter(fits).map((key) => `${q}: ${key} fits`),
    ...Object.entries(at).flatMap(([key, judged]) => {
      const cues = meetings.get(key) ?? []
      const right = new Set([...seconds(cues), ...(isSpeaker && !q.startsWith("speaker:") ? saidAt(cues, name) : [])])
      return judged.filter((second) => !right.has(second)).map((second) => `${q}: not said in ${key} at ${second}`)
    }),
    ...(best.length === 0
      ? [...meetings.keys()].filter(fits).map((key) => `${q}: ${key} fits, and nothing should`)
      : [])
  ]
})
console.log(faults.length === 0 ? "The judgments are as the captions have it." : faults.join("\n"))
process.exitCode = faults.length === 0 ? 0 : 1
