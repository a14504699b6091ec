import { isDeepStrictEqual } from "node:util"

/** Fetches an address from one of the two sides, as JSON. */
export type Get = (side: "ours" | "peer", path: string) => Promise<unknown>

/** The difference between two answers to the same request, in one line. */
export type Difference = string

/** The parts of a browse response that both sides must agree on. */
interface Found {
  readonly total: number
  readonly corrected_query?: string
  readonly facets: Readonly<Record<string, ReadonlyArray<{ readonly value: string; readonly count: number }>>>
  readonly meetings: ReadonlyArray<{ readonly id: string }>
  readonly groups?: ReadonlyArray<{ readonly agency: { readonly slug: string }; readonly total: number }>
  readonly groups_total?: number
}

const differs = (what: string, ours: unknown, peer: unknown): Difference | undefined =>
  isDeepStrictEqual(ours, peer)
    ? undefined
    : `${what}: ${JSON.stringify(ours)?.slice(0, 160)} against ${JSON.stringify(peer)?.slice(0, 160)}`

/**
 * Facets must have the same counts for the same values. A side that lists fewer values of a long facet must list those
 * with the most meetings, and a selected value without matches may be listed at 0.
 */
const facetsDiffer = (ours: Found["facets"], peer: Found["facets"]): Difference | undefined => {
  for (const [name, values] of Object.entries(ours)) {
    const others = peer[name] ?? []
    const counts = new Map(others.map(({ value, count }) => [value, count]))
    const most = Math.min(values.filter(({ count }) => count > 0).length, others.length)
    const highest = (list: typeof values) =>
      list
        .map(({ count }) => count)
        .toSorted((a, b) => b - a)
        .slice(0, most)
    const listed = differs(`facet ${name}`, highest(values), highest(others))
    if (listed !== undefined) return listed
    for (const { value, count } of values) {
      const other = counts.get(value)
      if (other !== undefined && other !== count) return `facet ${name}, ${value}: ${count} against ${other}`
    }
  }
  return undefined
}

const withParam = (path: string, name: string, value: string): string => {
  const url = new URL(path, "http://localhost")
  url.searchParams.set(name, value)
  return `${url.pathname}${url.search}`
}

/**
 * Compares totals, facets, groups and the meetings of a page. Each side ranks in its own way, so pages of a search are
 * compared sorted by date; a misspelled word is compared by our correction of it.
 */
export const compareBrowse = async (asked: string, get: Get): Promise<Difference | undefined> => {
  const params = new URL(asked, "http://localhost").searchParams
  const isRanked = params.has("q") && !params.has("sort")
  const path = isRanked ? withParam(asked, "sort", "newest") : asked
  const ours = (await get("ours", path)) as Found
  const spelled = ours.corrected_query === undefined ? path : withParam(path, "q", ours.corrected_query)
  const peer = (await get("peer", spelled)) as Found
  const isMisspelled = ours.corrected_query !== undefined
  if (isMisspelled && ((await get("peer", path)) as Found).corrected_query === undefined) return "only ours corrects it"
  const totals = (found: Found) => found.groups?.map(({ agency, total }) => [agency.slug, total])
  const ids = (found: Found) => (found.groups === undefined ? found.meetings.map(({ id }) => id) : undefined)
  return (
    differs("total", ours.total, peer.total) ??
    facetsDiffer(ours.facets, peer.facets) ??
    differs("groups_total", ours.groups_total, peer.groups_total) ??
    differs("groups", totals(ours), totals(peer)) ??
    differs("meetings", ids(ours), ids(peer))
  )
}

/** Compares whole JSON values. */
export const compareWhole = async (asked: string, get: Get): Promise<Difference | undefined> => {
  const [ours, peer] = [await get("ours", asked), await get("peer", asked)]
  if (isDeepStrictEqual(ours, peer)) return undefined
  const at = Object.entries(ours as object).find(
    ([name, value]) => !isDeepStrictEqual(value, (peer as Readonly<Record<string, unknown>>)[name])
  )
  const theirs = (peer as Readonly<Record<string, unknown>>)[at?.[0] ?? ""]
  if (Array.isArray(at?.[1]) && Array.isArray(theirs)) {
    const others: ReadonlyArray<unknown> = theirs
    const first = at[1].findIndex((value: unknown, index: number) => !isDeepStrictEqual(value, others[index]))
    return differs(`${at[0]} ${first} of ${at[1].length} and ${others.length}`, at[1][first], others[first]) ?? "length"
  }
  return differs(at?.[0] ?? "fields", at?.[1], theirs) ?? "fields"
}

interface Located {
  readonly results: ReadonlyArray<{ readonly slug: string; readonly name: string }>
}

/** Each side has its own measure of similarity, so our best result must merely be among the peer's. */
export const compareLocations = async (asked: string, get: Get): Promise<Difference | undefined> => {
  const [ours, peer] = [(await get("ours", asked)) as Located, (await get("peer", asked)) as Located]
  const best = ours.results[0]?.slug
  if (best !== undefined && peer.results.some(({ slug }) => slug === best)) return undefined
  return `results: ${best} is not among ${peer.results.map(({ slug }) => slug).join(", ")}`
}
