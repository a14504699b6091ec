import { type DocumentSet, has, noDocuments } from "../format/document-set.ts"
import { Hits, type Part, type SegmentDocuments } from "../format/part.ts"
import { bytesOfUuid } from "../format/segment.ts"
import type { FacetCounts, GroupsRequest, IndexQuery, PageRequest, PostFilter, ResultSet } from "../types.ts"
import { postFiltered } from "./bodies-and-years.ts"
import { scanByDate } from "./by-date.ts"
import { countMonths } from "./by-month.ts"
import { countHits } from "./facet-counts.ts"
import { matchQuery } from "./matching.ts"
import { bestPassages, type PassageKind, spokenPassages } from "./passages.ts"
import { queryTerms, Ranker } from "./rank.ts"
import { bestStretch, mostLacking } from "./stretches.ts"

/** The number of hits of a body that pass the filter. */
const totalOf = ({ bodies, years, counts }: FacetCounts, body: number, filter: PostFilter): number =>
  filter.bodies !== undefined && (filter.bodies[body] ?? 0) === 0
    ? 0
    : years.reduce(
        (sum, year, i) => sum + (filter.years?.includes(year) === false ? 0 : (counts[i * bodies + body] ?? 0)),
        0
      )

/** Flags, by body key, for the bodies to group by that pass the filter. */
const groupFlags = (bodies: number, groups: ReadonlyArray<number>, filter: PostFilter): Uint8Array => {
  const flags = new Uint8Array(bodies)
  for (const body of groups) if (filter.bodies === undefined || (filter.bodies[body] ?? 0) !== 0) flags[body] = 1
  return flags
}

/** The segment and number of a meeting's document, if it is among these. */
const locate = (documents: ReadonlyArray<SegmentDocuments>, id: string) => {
  const bytes = bytesOfUuid(id)
  for (const { segment, set } of documents) {
    const document = segment.documentOf(bytes)
    if (document >= 0 && has(set, document)) return { segment, document }
  }
  return undefined
}

/** Runs a query over some parts, whose live documents have the counts `all`. */
export const searchParts = (parts: ReadonlyArray<Part>, all: FacetCounts, query: IndexQuery): ResultSet => {
  const sets = matchQuery(parts, query)
  const isWhole = ({ live }: Part, set: DocumentSet) => "bits" in set && set.bits === live
  const hits = parts.flatMap((part, i) => {
    const set = sets[i]
    if (set === undefined) return []
    const { segment, deleted } = part
    return [new Hits(segment, set, isWhole(part, set) ? segment.documents - deleted : undefined)]
  })
  const matchesAll = parts.every((part, i) => {
    const set = sets[i]
    return set !== undefined && isWhole(part, set)
  })
  let counts: FacetCounts | undefined
  const facetCounts = () => {
    counts ??= matchesAll ? all : countHits(all, hits)
    return counts
  }

  let lastFilter: PostFilter = {}
  let lastHits: ReadonlyArray<Hits> = hits
  /** A request's total and page have the same filter, which is applied once. */
  const filtered = (filter: PostFilter): ReadonlyArray<Hits> => {
    if (filter.bodies !== lastFilter.bodies || filter.years !== lastFilter.years) {
      lastHits = postFiltered(hits, filter)
      lastFilter = filter
    }
    return lastHits
  }

  const total = (filter: PostFilter): number => filtered(filter).reduce((sum, { size }) => sum + size, 0)

  const months = (filter: PostFilter) => countMonths(filtered(filter))

  const filterIds = (ids: ReadonlyArray<string>, filter: PostFilter): ReadonlyArray<string> => {
    const documents = filtered(filter)
    return ids.filter((id) => locate(documents, id) !== undefined)
  }

  const passagesOf = (kind: PassageKind) => (ids: ReadonlyArray<string>) => {
    const layouts = query.either.map(queryTerms)
    return ids.map((id) => {
      const found = locate(hits, id)
      return found === undefined ? undefined : bestPassages(found.segment, kind, layouts, found.document)
    })
  }

  const spoken = (ids: ReadonlyArray<string>, lexemes: ReadonlyArray<string>) =>
    ids.map((id) => {
      const found = locate(hits, id)
      return found === undefined ? undefined : spokenPassages(found.segment, lexemes, found.document)
    })

  const page = ({ order, offset, limit, ...filter }: PageRequest): ReadonlyArray<string> => {
    if (limit <= 0) return []
    const documents = filtered(filter)
    if (order === "relevance") {
      const ranked = new Ranker(parts, documents, query).page(offset, limit)
      return ranked.map(({ segment, document }) => segment.uuid(document))
    }
    const ids: Array<string> = []
    let skipped = 0
    scanByDate[order](documents, (segment, document) => {
      if (skipped < offset) skipped++
      else ids.push(segment.uuid(document))
      return ids.length < limit
    })
    return ids
  }

  const groups = ({ order, groups: bodies, perGroup, ...filter }: GroupsRequest) => {
    const documents = postFiltered(hits, { ...filter, bodies: groupFlags(all.bodies, bodies, filter) })
    if (order === "relevance") {
      const ranked = new Ranker(parts, documents, query).groups(perGroup, bodies.length)
      return new Map(
        [...ranked].map(([body, entries]) => [body, entries.map(({ segment, document }) => segment.uuid(document))])
      )
    }
    // The scan ends when each body has as many as the counts say there are, or `perGroup`.
    const missing = new Map(bodies.map((body) => [body, Math.min(perGroup, totalOf(facetCounts(), body, filter))]))
    let allMissing = missing.values().reduce((sum, count) => sum + count, 0)
    const byBody = new Map<number, Array<string>>()
    if (allMissing === 0) return byBody
    scanByDate[order](documents, (segment, document) => {
      const body = segment.bodies[document] ?? 0
      const ofBody = missing.get(body) ?? 0
      if (ofBody === 0) return true
      missing.set(body, ofBody - 1)
      byBody.set(body, [...(byBody.get(body) ?? []), segment.uuid(document)])
      return --allMissing > 0
    })
    return byBody
  }

  const lacking = (filter: PostFilter): ReadonlyArray<string> | undefined => {
    const [only, ...others] = query.either
    if (only === undefined || others.length > 0) return undefined
    const layout = queryTerms(only)
    if (layout.length < 2) return undefined
    const most = mostLacking(layout.length)
    const { lexemes: _, ...conditions } = only
    const sets = matchQuery(parts, { either: [conditions] })
    const among = postFiltered(
      parts.map(({ segment }, i) => new Hits(segment, sets[i] ?? noDocuments)),
      filter
    )
    return bestStretch(parts, among, layout, most)?.missing
  }

  return {
    total,
    facetCounts,
    months,
    filterIds,
    page,
    passages: passagesOf("spoken"),
    printed: passagesOf("printed"),
    spoken,
    lacking,
    groups
  }
}
