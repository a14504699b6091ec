import type { Span } from "../../../../schema/briefing.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import type { BriefingToCheck } from "../../../services/making/claim-checks.ts"

/** The cited segments; a segment that a citation only touches at its edge is excluded. */
const citedBy = (citations: ReadonlyArray<Span>, segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> =>
  segments.filter((segment) => citations.some(({ start, end }) => segment.end > start && segment.start < end))

/** The number of segments before and after the cited ones that are read as context, without needing to be cited. */
const reach = 6

/** The cited segments, with `reach` more before and after. */
const aroundOf = (cited: ReadonlyArray<Segment>, segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const from = cited[0] === undefined ? -1 : segments.indexOf(cited[0])
  const to = segments.lastIndexOf(cited.at(-1) ?? { start: 0, end: 0, text: "" })
  return from === -1 ? [] : segments.slice(Math.max(0, from - reach), to + 1 + reach)
}

const named = ({ speaker = "", text }: Segment): string => `${speaker} ${text}`

/** What the claims of a meeting are checked against, each by its citations: the cited segments, and their context. */
export const evidenceIn = ({ segments, about }: Pick<BriefingToCheck, "segments" | "about">) => {
  const names = `${about}\n${segments.map(named).join("\n")}`
  return (citations: ReadonlyArray<Span>) => {
    const cited = citedBy(citations, segments)
    return { cited, context: { around: aroundOf(cited, segments), names } }
  }
}
