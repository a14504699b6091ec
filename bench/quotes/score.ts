import type { QuoteCheck } from "../../schema/quote.ts"
import type { Quote } from "./quotes.ts"
import type { makeSaid } from "./said.ts"

export interface Answer {
  readonly verdict: QuoteCheck["verdict"]
  /** The first hit. */
  readonly hit?: { readonly meeting: string; readonly second: number }
}

export interface Score {
  readonly quote: Quote
  readonly verdict: QuoteCheck["verdict"]
  readonly isRight: boolean
  /** Whether the first hit is where it was said; undefined if it was said nowhere. */
  readonly isThere?: boolean
}

export const scoreOf = (said: ReturnType<typeof makeSaid>, quote: Quote, { verdict, hit }: Answer): Score => {
  if (quote.kind === "invented") return { quote, verdict, isRight: verdict === "not_found" }
  const isSame = verdict === "exact" || verdict === "nearly"
  // What is said often, or in two recordings of a meeting, may be found wherever it is said.
  const isThere = hit !== undefined && said.isSaid(said.saidAt(quote), hit.meeting, hit.second)
  switch (quote.kind) {
    case "as said":
      return { quote, verdict, isThere, isRight: verdict === "exact" && isThere }
    case "misheard":
      return { quote, verdict, isThere, isRight: isSame && isThere }
    case "altered":
      return { quote, verdict, isThere, isRight: !isSame }
    default:
      return { quote, verdict, isRight: !isSame }
  }
}

const verdicts = ["exact", "nearly", "parts", "not_found"] as const

/** A Markdown table of the verdicts on each kind, and of what was altered. */
export const table = (scores: ReadonlyArray<Score>): string => {
  const names = scores.flatMap(({ quote }) =>
    quote.kind === "altered" ? [quote.kind, `– ${quote.what}`] : [quote.kind]
  )
  const rows = [...new Set(names)].map((name) => {
    const own = scores.filter(({ quote }) =>
      name.startsWith("– ") ? quote.kind === "altered" && name === `– ${quote.what}` : quote.kind === name
    )
    const placed = own.filter(({ isThere }) => isThere !== undefined)
    const cells = [
      own.length,
      ...verdicts.map((verdict) => own.filter((score) => score.verdict === verdict).length),
      own.filter(({ isRight }) => isRight).length,
      placed.length === 0 ? "–" : placed.filter(({ isThere }) => isThere).length
    ]
    return `| ${name} | ${cells.join(" | ")} |`
  })
  return [
    "| quotes | number | `exact` | `nearly` | `parts` | `not_found` | right | at the second |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...rows
  ].join("\n")
}
