import * as fs from "node:fs"
import * as path from "node:path"
import { evidenceIn } from "../../src/pipeline/stages/verify/cited.ts"
import type { Context } from "../../src/text/verify/rules.ts"
import type { Quote } from "../../src/text/verify/said.ts"
import type { Utterance } from "../../src/text/verify/words.ts"
import { realTranscripts } from "../../test/support/real-transcripts.ts"

/** How a false sentence was made of a true one. */
export const kinds = [
  ...["number", "unit", "swapped-numbers", "negation", "vote", "name", "swapped-names"],
  ...["role", "date", "verb", "comparison", "tense", "other-meeting", "invented"]
]

/** The half that may be read while rules are changed, and the one that may not. */
export const halves = ["tuned", "held"] as const
export type Half = (typeof halves)[number]

/** A sentence about a part of a real meeting. */
interface Sentence {
  readonly half: Half
  readonly meeting: string
  readonly start: number
  readonly end: number
  /** `true`, or how it was altered. */
  readonly kind: string
  readonly text: string
  /** What a careful judge says of it, and quotes for it. */
  readonly verdict: "supported" | "unsupported" | "contradicted"
  readonly quotes: ReadonlyArray<Quote>
}

/** A sentence, and what the verify stage would hold it against. */
export interface Claim extends Sentence {
  readonly evidence: ReadonlyArray<Utterance>
  readonly context: Context
}

const quoteOf = (position: string): Quote => {
  const [passage = 0, from = 0, to = 0] = position.split(/[:-]/u).map(Number)
  return { utterance: passage - 1, from, to }
}

const verdicts = ["supported", "unsupported", "contradicted"] as const

/** The lines of a file of this folder, each as its columns. */
const rowsOf = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
  fs
    .readFileSync(path.join(import.meta.dirname, name), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"))

const sentencesIn = (half: Half): ReadonlyArray<Sentence> =>
  rowsOf(`${half}.tsv`).map(([meeting = "", start, end, kind = "", verdict, quotes = "-", text = ""]) => ({
    ...{ half, meeting, start: Number(start), end: Number(end), kind, text },
    verdict: verdicts.find((one) => one === verdict) ?? "unsupported",
    quotes: quotes === "-" ? [] : quotes.split(" ").map(quoteOf)
  }))

/** The names of the bodies, by how the names of their meetings begin. */
const bodies: ReadonlyArray<readonly [start: string, name: string]> = [
  ["city-council", "Knoxville City Council"],
  ["county-commission", "Knox County Commission"],
  ["planning-commission", "Knoxville-Knox County Planning Commission"],
  ["beer-board", "Knoxville Beer Board"],
  ["a95KMDHf4vQ", "Seattle School Board"],
  ["", "Seattle City Council"]
]

const keyOf = (meeting: string, start: number, end: number): string => [meeting, start, end].join(" ")

/** Every claim, with what is on record of its meeting. Those of one stretch share their evidence. */
export const readClaims = async (): Promise<ReadonlyArray<Claim>> => {
  const sentences = halves.flatMap(sentencesIn)
  const wanted = new Set(sentences.map(({ meeting }) => meeting))
  const transcripts = await realTranscripts((name) => wanted.has(name))
  const stretches = new Map(
    rowsOf("items.tsv").map(([meeting = "", from, to, items = ""]) => {
      const [start, end] = [Number(from), Number(to)]
      const about = bodies.find(([beginning]) => meeting.startsWith(beginning))?.[1] ?? ""
      const segments = transcripts.get(meeting) ?? []
      const evidenceOf = evidenceIn({ segments, itemStarts: items.split(",").map(Number), about })
      return [keyOf(meeting, start, end), evidenceOf([{ start, end }])] as const
    })
  )
  return sentences.map((sentence) => {
    const { meeting, start, end } = sentence
    const { cited = [], context } = stretches.get(keyOf(meeting, start, end)) ?? {}
    if (context === undefined || cited.length === 0) {
      throw new Error(`Nobody speaks in ${meeting} from ${start} to ${end}.`)
    }
    return { ...sentence, evidence: cited, context }
  })
}
