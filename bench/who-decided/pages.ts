import { nearestRank } from "../reads/nearest-rank.ts"
import { listIn, wordIn } from "./counts.ts"

/** Requests of each kind, all of them different. */
const many = 300

/** How often each is asked for: the fastest time is its own cost on a machine that others use too. */
const rounds = 3

const words =
  "bicycle housing park school budget tenant street water police fire health tax zoning landmark senior youth traffic bus rent noise"

/** Every so many values, so that `many` of them are spread over all. */
const spread = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values.length <= many
    ? values
    : Array.from({ length: many }, (_, at) => values[Math.floor((at * values.length) / many)]).filter(
        (value) => value !== undefined
      )

const slugsOf = async (base: string, kind: "people" | "matters", pages: number): Promise<ReadonlyArray<string>> => {
  const slugs: Array<string> = []
  for (let page = 1; page <= pages; page++) {
    const response = await fetch(`${base}/api/${kind}?page=${page}&page_size=100`)
    const list: unknown = await response.json()
    slugs.push(...listIn(list, kind).map((one) => wordIn(one, "slug")))
  }
  return slugs
}

/** Asks for each kind of page, uncached and one at a time, thrice. Returns a table of milliseconds in Markdown. */
export const measurePages = async (base: string, signal: AbortSignal): Promise<string> => {
  const people = spread(await slugsOf(base, "people", 4))
  const matters = spread(await slugsOf(base, "matters", 142))
  const counted = (path: (page: number) => string) => Array.from({ length: many }, (_, at) => path(at + 1))
  const kinds: ReadonlyArray<readonly [name: string, paths: ReadonlyArray<string>]> = [
    ["/api/people/{slug}", people.map((slug) => `/api/people/${slug}`)],
    ["/api/people/{slug}/votes", people.map((slug) => `/api/people/${slug}/votes`)],
    ["the same, against the majority", people.map((slug) => `/api/people/${slug}/votes?majority=against&page=2`)],
    ["/people/{slug}, the page", people.map((slug) => `/people/${slug}`)],
    ["/api/people", counted((page) => `/api/people?page_size=${(page % 50) + 1}&page=${(page % 7) + 1}`)],
    ["/api/matters/{slug}", matters.map((slug) => `/api/matters/${slug}`)],
    ["/matters/{slug}, the page", matters.map((slug) => `/matters/${slug}`)],
    ["/api/matters", counted((page) => `/api/matters?page=${page}`)],
    ["/api/matters?q", counted((page) => `/api/matters?q=${words.split(" ")[page % 20]}&page=${Math.ceil(page / 20)}`)],
    ["/api/matters?sponsor", people.map((slug) => `/api/matters?sponsor=${slug}`)]
  ]
  const rows: Array<string> = []
  const slow: Array<string> = []
  const timed = async (path: string) => {
    const begun = performance.now()
    const response = await fetch(base + path, { signal })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`)
    return performance.now() - begun
  }
  for (const [name, paths] of kinds) {
    // Some are asked for before, so that what is measured is compiled; no answer is kept.
    for (const path of paths.slice(-60)) await timed(path)
    const fastest = new Map<string, number>()
    const all: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      for (const path of paths) {
        const time = await timed(path)
        all.push(time)
        fastest.set(path, Math.min(time, fastest.get(path) ?? time))
      }
    }
    const [whole, own] = [nearestRank(all), nearestRank([...fastest.values()])]
    const shares = (at: (share: number) => number) => [0.5, 0.9, 0.99].map((share) => at(share).toFixed(1)).join(" / ")
    rows.push(`| ${name} | ${paths.length} | ${shares(whole)} | ${shares(own)} |`)
    const [worst] = [...fastest].toSorted(([, one], [, other]) => other - one)
    slow.push(`${name}: ${worst?.[0]}`)
  }
  console.error(slow.join("\n"))
  const heading = "| request, uncached | requests | p50 / p90 / p99, ms | the same, fastest of three |"
  return `\n${heading}\n| --- | --: | --: | --: |\n${rows.join("\n")}`
}
