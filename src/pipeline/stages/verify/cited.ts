import type { Span } from "../../../../schema/briefing.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import type { BriefingToCheck } from "../../../services/making/claim-checks.ts"
import { namingWords } from "../../../text/verify/names.ts"

/** A segment, and the agenda item it was said under: the number of items that had begun. */
interface Placed extends Segment {
  readonly item?: number
}

type Said = Pick<BriefingToCheck, "segments" | "itemStarts" | "about">

const placedIn = ({ segments, itemStarts }: Said): ReadonlyArray<Placed> =>
  itemStarts.length === 0
    ? segments
    : segments.map((segment) => ({
        ...segment,
        // The clerk has begun to read an item where most of the segment belongs to it.
        item: itemStarts.filter((start) => start < (segment.start + segment.end) / 2).length
      }))

/** The cited segments; a segment that a citation only touches at its edge is excluded. */
const citedBy = (citations: ReadonlyArray<Span>, segments: ReadonlyArray<Placed>): ReadonlyArray<Placed> =>
  segments.filter((segment) => citations.some(({ start, end }) => segment.end > start && segment.start < end))

/** The number of segments before and after the cited ones that are read as context, without needing to be cited. */
const reach = 6

/** The same within an agenda item, in which everybody speaks of one matter. */
const reachInItem = 60

/** The cited segments, with those near them of the same agenda items. */
const aroundOf = (cited: ReadonlyArray<Placed>, segments: ReadonlyArray<Placed>): ReadonlyArray<Placed> => {
  const places = cited.map((segment) => segments.indexOf(segment))
  return segments.filter((segment, at) =>
    places.some((place) => {
      const far = Math.abs(at - place)
      const { item } = segments[place] ?? {}
      return item === undefined ? far <= reach : far <= reachInItem && segment.item === item
    })
  )
}

const named = ({ speaker = "", text }: Segment): string => `${speaker} ${text}`

/** What the claims of a meeting are checked against, each by its citations: the cited segments, and their context. */
export const evidenceIn = (said: Said) => {
  const segments = placedIn(said)
  const names = namingWords(`${said.about}\n${segments.map(named).join("\n")}`)
  return (citations: ReadonlyArray<Span>) => {
    const cited = citedBy(citations, segments)
    return { cited, context: { around: aroundOf(cited, segments), names } }
  }
}
