import { countHits } from "./cube.ts"
import { sizeOf } from "./document-set.ts"
import { fitting } from "./fits.ts"
import type { Part } from "./part.ts"
import { Ranking } from "./rank.ts"
import type { Segment } from "./segment.ts"
import type { Cells, Found, GroupsRequest, IndexQuery, Narrowing, PageRequest } from "./types.ts"
import { walks } from "./walk.ts"

/** Whether a document is within the bodies and years of a request. */
const keeps = ({ bodies, years }: Narrowing): ((segment: Segment, document: number) => boolean) => {
  const chosen = years === undefined ? undefined : new Set(years)
  return (segment, document) =>
    (bodies === undefined || (bodies[segment.bodies[document] ?? 0] ?? 0) !== 0) &&
    (chosen === undefined || chosen.has(segment.years[document] ?? 0))
}

/** How many of a body are within the bodies and years of a request. */
const totalOf = ({ years, counts }: Cells, body: number, { bodies, years: chosen }: Narrowing): number =>
  bodies !== undefined && (bodies[body] ?? 0) === 0
    ? 0
    : years.reduce(
        (sum, year, i) =>
          sum + (chosen === undefined || chosen.includes(year) ? (counts[body * years.length + i] ?? 0) : 0),
        0
      )

/** What fits a query in these parts, of which `all` are the counts. */
export const foundIn = (parts: ReadonlyArray<Part>, all: Cells, query: IndexQuery): Found => {
  const sets = fitting(parts, query)
  const hits = parts.flatMap(({ segment }, i) => {
    const set = sets[i]
    return set === undefined ? [] : [{ segment, set }]
  })
  const isEverything = parts.every(({ living }, i) => {
    const set = sets[i]
    return set !== undefined && "bits" in set && set.bits === living
  })
  let counted: Cells | undefined
  const cells = () => {
    counted ??= isEverything ? all : countHits(all, hits)
    return counted
  }
  const ranking = () => new Ranking(parts, hits, query)

  const page = ({ order, offset, limit, ...narrowing }: PageRequest): ReadonlyArray<string> => {
    const keep = keeps(narrowing)
    if (limit <= 0) return []
    if (order === "relevance") {
      return ranking()
        .page(offset, limit, keep)
        .map(({ segment, document }) => segment.uuid(document))
    }
    const ids: Array<string> = []
    let skipped = 0
    walks[order](hits, (segment, document) => {
      if (!keep(segment, document)) return true
      if (skipped < offset) skipped++
      else ids.push(segment.uuid(document))
      return ids.length < limit
    })
    return ids
  }

  const groups = ({ order, groups: bodies, perGroup, ...narrowing }: GroupsRequest) => {
    const keep = keeps(narrowing)
    if (order === "relevance") {
      const ranked = ranking().groups(bodies, perGroup, keep)
      return new Map(
        [...ranked].map(([body, entries]) => [body, entries.map(({ segment, document }) => segment.uuid(document))])
      )
    }
    // The walk ends when each body has what the counts say it will have.
    const wanted = new Map(bodies.map((body) => [body, Math.min(perGroup, totalOf(cells(), body, narrowing))]))
    let missing = wanted.values().reduce((sum, count) => sum + count, 0)
    const first = new Map<number, Array<string>>()
    if (missing === 0) return first
    walks[order](hits, (segment, document) => {
      const body = segment.bodies[document] ?? 0
      const left = wanted.get(body) ?? 0
      if (left === 0 || !keep(segment, document)) return true
      wanted.set(body, left - 1)
      first.set(body, [...(first.get(body) ?? []), segment.uuid(document)])
      return --missing > 0
    })
    return first
  }

  return { total: hits.reduce((sum, { set }) => sum + sizeOf(set), 0), cells, page, groups }
}
