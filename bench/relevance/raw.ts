import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { gunzipSync } from "node:zlib"
import { unpackWithVoices } from "./voices.ts"

export interface Cue {
  readonly second: number
  readonly voice: string
  readonly words: string
}

/** An item of an agenda. */
export interface Item {
  /** The words of its matter's short name. */
  readonly name: string
  /** The words of its name and title. */
  readonly words: string
  readonly isApproved: boolean
}

/** A meeting of the raw records. */
export interface Raw {
  readonly date?: string
  readonly body: string
  /** What is said, if it has captions. */
  readonly cues: ReadonlyArray<Cue>
  /** The words of its agenda. */
  readonly items: string
  /** Its items, if it is New York's. */
  readonly agenda: ReadonlyArray<Item>
}

/** What committees and the Council do when they vote for an item, overriding a veto included. */
const approval = /Approved|Adopted|Overridden/

/** The words of a text in small letters, with a blank before and after each. */
export const wordsOf = (text: string) => ` ${(text.toLowerCase().match(/[a-z0-9]+/g) ?? []).join(" ")} `

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

const linesOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

/** The meetings of Knox County and New York as the judgments name them, read without the service. */
export const readRaw = (data: string): ReadonlyMap<string, Raw> => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-judgments-"))
  unpackWithVoices(path.join(data, "knox-tn.tar.gz"), folder)
  const knox = linesOf(fs.readFileSync(path.join(folder, "meetings.ndjson"), "utf8")).map(
    ({ source_url = "", captions, date, body, title = "" }): readonly [string, Raw] => [
      source_url.split("/").at(-1),
      {
        date,
        body,
        cues: captions === undefined ? [] : cuesOf(fs.readFileSync(path.join(folder, captions), "utf8")),
        items: wordsOf(title),
        agenda: []
      }
    ]
  )
  fs.rmSync(folder, { recursive: true })
  const events = gunzipSync(fs.readFileSync(path.join(data, "nyc-legistar-events.ndjson.gz"))).toString()
  const newYork = linesOf(events).map(({ ID, Date: held, BodyName, Items }): readonly [string, Raw] => [
    `nyc:${ID}`,
    {
      date: held.slice(0, 10),
      body: BodyName,
      cues: [],
      items: wordsOf((Items ?? []).flatMap((item: object) => Object.values(item)).join(" ")),
      agenda: (Items ?? []).map(({ Title = "", MatterName = "", ActionName = "" }) => ({
        name: wordsOf(MatterName),
        words: wordsOf(`${MatterName} ${Title}`),
        isApproved: approval.test(ActionName)
      }))
    }
  ])
  return new Map([...knox, ...newYork])
}
