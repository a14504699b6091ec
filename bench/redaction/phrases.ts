import * as fs from "node:fs"
import * as path from "node:path"
import { type Removal, removalsIn } from "../../src/text/redact/redact.ts"
import type { Outcome } from "./score.ts"

interface Range {
  readonly segment: number
  readonly from: number
  readonly to: number
}

/** The segments of a line, and the ranges in `[[...]]`. ` / ` begins the next segment. */
const parsed = (text: string) => {
  const marked: Array<Range> = []
  const segments = text.split(" / ").map((part, segment) => {
    let plain = ""
    let from = 0
    for (const piece of part.split(/(\[\[|\]\])/u)) {
      if (piece === "[[") from = plain.length
      else if (piece === "]]") marked.push({ segment, from, to: plain.length })
      else plain += piece
    }
    return plain
  })
  return { segments, marked }
}

const overlap = (removals: ReadonlyArray<Removal>, { segment, from, to }: Range): ReadonlyArray<Range> =>
  removals.flatMap(({ parts }) => parts.filter((part) => part.segment === segment && part.from < to && from < part.to))

/** What must go is removed if all of it is; what stays is removed if any of its line is. */
export const phraseOutcomes = (inCapitals: boolean): ReadonlyArray<Outcome> =>
  fs
    .readFileSync(path.join(import.meta.dirname, "phrases.tsv"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .flatMap((line, number): ReadonlyArray<Outcome> => {
      const [label = "", text = ""] = line.split("\t")
      const { segments, marked } = parsed(text)
      const removals = removalsIn(
        segments.map((said, at) => ({ start: at * 5, end: at * 5 + 5, text: inCapitals ? said.toUpperCase() : said })),
        new Set()
      )
      const isHeldOut = number % 2 === 1
      if (marked.length === 0) return [{ name: text, label: "stays", isRemoved: removals.length > 0, isHeldOut }]
      return marked.map((range) => {
        const parts = overlap(removals, range)
        const isWhole = parts.some(({ from }) => from <= range.from) && parts.some(({ to }) => to >= range.to)
        return { name: text, label, isRemoved: isWhole, isHeldOut }
      })
    })
