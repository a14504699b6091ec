import { type Removal, removalsIn } from "../../src/text/redact/redact.ts"
import { linesIn } from "./lines.ts"
import type { Outcome } from "./score.ts"

/** Characters of one segment. */
export interface Range {
  readonly segment: number
  readonly from: number
  readonly to: number
}

/** The segments of a line, and the ranges in `[[...]]`. ` / ` begins the next segment. */
export const rangesIn = (text: string) => {
  const marked: Array<Range> = []
  const segments = text.split(" / ").map((part, segment) => {
    let plain = ""
    let from = 0
    for (const piece of part.split(/(\[\[|\]\])/u)) {
      if (piece === "[[") from = plain.length
      // A period that ends an abbreviation or a sentence is not private.
      else if (piece === "]]") marked.push({ segment, from, to: plain.search(/[^\p{L}\p{N}]*$/u) })
      else plain += piece
    }
    return plain
  })
  return { segments, marked }
}

const overlap = (removals: ReadonlyArray<Removal>, { segment, from, to }: Range): ReadonlyArray<Range> =>
  removals.flatMap(({ parts }) => parts.filter((part) => part.segment === segment && part.from < to && from < part.to))

/** What must go is removed if all of it is; what stays is removed if any of its line is. */
export const phraseOutcomes = (file: string, inCapitals: boolean): ReadonlyArray<Outcome> =>
  linesIn(file).flatMap((line): ReadonlyArray<Outcome> => {
    const [label = "", text = ""] = line.split("\t")
    const { segments, marked } = rangesIn(text)
    const removals = removalsIn(
      segments.map((said, at) => ({ start: at * 5, end: at * 5 + 5, text: inCapitals ? said.toUpperCase() : said })),
      new Set()
    )
    if (marked.length === 0) return [{ name: text, label: "stays", isRemoved: removals.length > 0 }]
    return marked.map((range) => {
      const parts = overlap(removals, range)
      const isWhole = parts.some(({ from }) => from <= range.from) && parts.some(({ to }) => to >= range.to)
      return { name: text, label, isRemoved: isWhole }
    })
  })
