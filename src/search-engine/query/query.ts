import { type DocumentSet, has } from "../format/document-set.ts"
import { type Documents, Hits, type Part } from "../format/part.ts"
import { bytesOfUuid } from "../format/segment.ts"
import type { Cells, Found, GroupsRequest, IndexQuery, Narrowing, PageRequest } from "../types.ts"
import { narrowed } from "./bodies-and-years.ts"
import { walks } from "./by-date.ts"
import { countHits } from "./facet-counts.ts"
import { fitting } from "./matching.ts"
import { passagesIn } from "./passages.ts"
import { Ranking } from "./rank.ts"
import { wantedOf } from "./wanted.ts"

/** How many of a body are within the bodies and years of a request. */
const totalOf = ({ bodies, years, counts }: Cells, body: number, chosen: Narrowing): number =>
  chosen.bodies !== undefined && (chosen.bodies[body] ?? 0) === 0
    ? 0
    : years.reduce(
        (sum, year, i) => sum + (chosen.years?.includes(year) === false ? 0 : (counts[i * bodies + body] ?? 0)),
        0
      )

/** Flags for the bodies of a request of groups that it keeps. */
const ofGroups = (bodies: number, groups: ReadonlyArray<number>, { bodies: chosen }: Narrowing): Uint8Array => {
  const flags = new Uint8Array(bodies)
  for (const body of groups) if (chosen === undefined || (chosen[body] ?? 0) !== 0) flags[body] = 1
  return flags
}

/** Where a meeting is among documents. */
const placeOf = (documents: ReadonlyArray<Documents>, id: string) => {
  const bytes = bytesOfUuid(id)
  for (const { segment, set } of documents) {
    const document = segment.find(bytes)
    if (document >= 0 && has(set, document)) return { segment, document }
  }
  return undefined
}

/** What fits a query in these parts, of which `all` are the counts. */
export const foundIn = (parts: ReadonlyArray<Part>, all: Cells, query: IndexQuery): Found => {
  const sets = fitting(parts, query)
  const isWhole = ({ living }: Part, set: DocumentSet) => "bits" in set && set.bits === living
  const hits = parts.flatMap((part, i) => {
    const set = sets[i]
    if (set === undefined) return []
    const { segment, dead } = part
    return [new Hits(segment, set, isWhole(part, set) ? segment.documents - dead : undefined)]
  })
  const isEverything = parts.every((part, i) => {
    const set = sets[i]
    return set !== undefined && isWhole(part, set)
  })
  let counted: Cells | undefined
  const cells = () => {
    counted ??= isEverything ? all : countHits(all, hits)
    return counted
  }

  let last: Narrowing = {}
  let kept: ReadonlyArray<Hits> = hits
  /** Total and page of a request have the same bodies and years, which are narrowed once. */
  const within = (narrowing: Narrowing): ReadonlyArray<Hits> => {
    if (narrowing.bodies !== last.bodies || narrowing.years !== last.years) {
      kept = narrowed(hits, narrowing)
      last = narrowing
    }
    return kept
  }

  const total = (narrowing: Narrowing): number => within(narrowing).reduce((sum, { size }) => sum + size, 0)

  const among = (ids: ReadonlyArray<string>, narrowing: Narrowing): ReadonlyArray<string> => {
    const kept = within(narrowing)
    return ids.filter((id) => placeOf(kept, id) !== undefined)
  }

  const passages = (ids: ReadonlyArray<string>) => {
    const layouts = query.either.map(wantedOf)
    return ids.map((id) => {
      const place = placeOf(hits, id)
      return place === undefined ? undefined : passagesIn(place.segment, layouts, place.document)
    })
  }

  const page = ({ order, offset, limit, ...narrowing }: PageRequest): ReadonlyArray<string> => {
    if (limit <= 0) return []
    const kept = within(narrowing)
    if (order === "relevance") {
      const ranked = new Ranking(parts, kept, query).page(offset, limit)
      return ranked.map(({ segment, document }) => segment.uuid(document))
    }
    const ids: Array<string> = []
    let skipped = 0
    walks[order](kept, (segment, document) => {
      if (skipped < offset) skipped++
      else ids.push(segment.uuid(document))
      return ids.length < limit
    })
    return ids
  }

  const groups = ({ order, groups: bodies, perGroup, ...narrowing }: GroupsRequest) => {
    const kept = narrowed(hits, { ...narrowing, bodies: ofGroups(all.bodies, bodies, narrowing) })
    if (order === "relevance") {
      const ranked = new Ranking(parts, kept, query).groups(perGroup, bodies.length)
      return new Map(
        [...ranked].map(([body, entries]) => [body, entries.map(({ segment, document }) => segment.uuid(document))])
      )
    }
    // The walk ends when each body has what the counts say it will have.
    const wanted = new Map(bodies.map((body) => [body, Math.min(perGroup, totalOf(cells(), body, narrowing))]))
    let missing = wanted.values().reduce((sum, count) => sum + count, 0)
    const first = new Map<number, Array<string>>()
    if (missing === 0) return first
    walks[order](kept, (segment, document) => {
      const body = segment.bodies[document] ?? 0
      const left = wanted.get(body) ?? 0
      if (left === 0) return true
      wanted.set(body, left - 1)
      first.set(body, [...(first.get(body) ?? []), segment.uuid(document)])
      return --missing > 0
    })
    return first
  }

  return { total, cells, among, page, passages, groups }
}
