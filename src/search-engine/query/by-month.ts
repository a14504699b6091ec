import { forEachDocument } from "../format/document-set.ts"
import type { SegmentDocuments } from "../format/part.ts"

const dayLength = 86_400_000
/** Day 0 of a segment. */
const epoch = Date.UTC(2000, 0, 1)

/** A month's number (12 × year + month, from 0), and its days, `until` exclusive. */
const monthAround = (day: number) => {
  const date = new Date(epoch + day * dayLength)
  const number = 12 * date.getUTCFullYear() + date.getUTCMonth()
  const first = (later: number) => {
    date.setUTCFullYear(Math.floor((number + later) / 12), (number + later) % 12, 1)
    return (date.getTime() - epoch) / dayLength
  }
  return { number, from: first(0), until: first(1) }
}

/** Counts documents by month. Those of a segment are in order of their days, so a month is worked out once. */
export const countMonths = (hits: ReadonlyArray<SegmentDocuments>): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const { segment, set } of hits) {
    let month = { number: 0, from: 0, until: 0 }
    let count = 0
    const put = () => {
      if (count > 0) counts.set(month.number, (counts.get(month.number) ?? 0) + count)
    }
    forEachDocument(set, (document) => {
      const day = segment.days[document] ?? 0
      if (day < month.from || day >= month.until) {
        put()
        month = monthAround(day)
        count = 0
      }
      count++
    })
    put()
  }
  return counts
}
