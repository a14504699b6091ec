import { Verdict } from "../../../schema/briefing.ts"
import { writtenLines } from "./script.ts"

/** A briefing as written, with its labels still unresolved. */
interface WrittenBriefing {
  readonly headline: string
  readonly worthWatching: ReadonlyArray<Cited>
  readonly topics: ReadonlyArray<{
    readonly title: string
    /** Keys. */
    readonly figures: ReadonlyArray<string>
    readonly sentences: ReadonlyArray<Cited & { readonly verdict: Verdict | undefined }>
  }>
}

interface Cited {
  readonly text: string
  readonly labels: ReadonlyArray<string>
}

/** Parts a line from its words that begin with a sign: `text #a #b` with `#` is `text` and `a`, `b`. */
const signed = (line: string, sign: string): readonly [text: string, names: ReadonlyArray<string>] => {
  const words = line.split(" ")
  const names = words.filter((word) => word.startsWith(sign)).map((word) => word.slice(1))
  return [words.filter((word) => !word.startsWith(sign)).join(" "), names]
}

/** Reads a briefing. A sentence that cites something or is marked makes a claim, and therefore has a verdict. */
export const readBriefing = (text: string): WrittenBriefing => {
  const [headline = "", ...lines] = writtenLines(text)
  const worthWatching: Array<Cited> = []
  const topics: Array<{
    title: string
    figures: ReadonlyArray<string>
    sentences: Array<Cited & { verdict: Verdict | undefined }>
  }> = []
  for (const line of lines) {
    if (line.startsWith("== ")) {
      const [title, figures] = signed(line.slice(3), "%")
      topics.push({ title, figures, sentences: [] })
      continue
    }
    const [unmarked, marks] = signed(line, "!")
    const [said, labels] = signed(unmarked.replace(/^\* /, ""), "#")
    if (line.startsWith("* ")) {
      worthWatching.push({ text: said, labels })
      continue
    }
    const marked = Verdict.literals.find((verdict) => verdict === marks[0])
    const verdict = marked ?? (labels.length > 0 ? "supported" : undefined)
    topics.at(-1)?.sentences.push({ text: said, labels, verdict })
  }
  return { headline, worthWatching, topics }
}
