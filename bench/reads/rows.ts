import { compareBrowse, compareLocations, compareWhole, type Difference, type Get } from "./equal.ts"
import type { Known } from "./words.ts"

/** A kind of request to measure. */
export interface Row {
  /** Begins with its route, and says `facets` if facets are counted. */
  readonly name: string
  /** Addresses of equivalent requests. */
  readonly asked: ReadonlyArray<string>
  /** Whether pages and page sizes vary too, so that no request is repeated; the average page has 20 meetings. */
  readonly isPaged: boolean
  /**
   * The difference between both sides' answers, if any. `asked` is one of the addresses; `get` fetches one from a side.
   */
  readonly compare: (asked: string, get: Get) => Promise<Difference | undefined>
}

const browse = "/api/meetings/browse"

/** Sets or replaces parameters of an address. */
const withParams = (path: string, params: Readonly<Record<string, string | number>>): string => {
  const url = new URL(path, "http://localhost")
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value))
  return `${url.pathname}${url.search}`
}

const address = (params: ReadonlyArray<readonly [string, string | number]>): string => {
  const search = new URLSearchParams(params.map(([name, value]): [string, string] => [name, String(value)]))
  return params.length === 0 ? browse : `${browse}?${search}`
}

/** All rows to measure, given the values known of a record. */
export const rowsFor = (known: Known): ReadonlyArray<Row> => {
  const { common, rare, phrases, counties, states, kinds, years, misspelled, places, meetings, held } = known
  const next = <A>(list: ReadonlyArray<A>, at: number, by = 1): A | undefined => list[(at + by) % list.length]
  const found = (name: string, asked: ReadonlyArray<string>): Row => ({
    name: `${browse} facets: ${name}`,
    asked,
    isPaged: true,
    compare: compareBrowse
  })
  const words = (write: (word: string, at: number) => string) =>
    common.map((word, at) => address([["q", write(word, at)]]))
  const sorted = (sort: string) =>
    found(
      `a common word, sort=${sort}`,
      common.map((q) =>
        address([
          ["q", q],
          ["sort", sort]
        ])
      )
    )
  // The last pages of the record, up to the 500th.
  const size = Math.max(1, Math.min(20, Math.floor(held / 500)))
  const deepest = Math.min(500, Math.floor(held / size))
  const deep = Array.from({ length: Math.min(100, deepest) }, (_, at) =>
    address([
      ["page", deepest - at],
      ["page_size", size]
    ])
  )
  const whole = (name: string, asked: ReadonlyArray<string>): Row => ({
    name,
    asked,
    isPaged: false,
    compare: compareWhole
  })
  const locations = (name: string, asked: ReadonlyArray<string>): Row => ({
    name: `/api/search/locations ${name}`,
    asked: asked.map((q) => `/api/search/locations?${new URLSearchParams({ q })}`),
    isPaged: false,
    compare: compareLocations
  })
  return [
    found("no filter", [browse]),
    found(
      "one filter, a county",
      counties.map((county) => address([["county", county]]))
    ),
    found(
      "one filter, a year",
      years.map((year) => address([["year", year]]))
    ),
    found("one filter, what there is", [
      address([["has", "briefing"]]),
      address([
        ["has", "transcript"],
        ["has", "briefing"]
      ])
    ]),
    found(
      "several filters",
      states.flatMap((state) =>
        kinds.map((type, at) =>
          address([
            ["state", state],
            ["type", type],
            ["year", next(years, at, 0) ?? ""],
            ["year", next(years, at) ?? ""]
          ])
        )
      )
    ),
    found(
      "a common word",
      words((word) => word)
    ),
    found(
      "a rare word",
      rare.map((q) => address([["q", q]]))
    ),
    found(
      "two common words",
      words((word, at) => `${word} ${next(common, at)}`)
    ),
    found(
      "a phrase",
      phrases.map((phrase) => address([["q", `"${phrase}"`]]))
    ),
    found(
      "a word with filters",
      common.map((q, at) =>
        address([
          ["q", q],
          ["state", next(states, at) ?? ""],
          ["year", next(years, at) ?? ""]
        ])
      )
    ),
    found(
      "a word and -word",
      words((word, at) => `${word} -${next(common, at)}`)
    ),
    found(
      "a word or a word",
      words((word, at) => `${word} or ${next(common, at)}`)
    ),
    found(
      "a misspelled word",
      misspelled.map((q) => address([["q", q]]))
    ),
    found("grouped", [address([["group_by", "agency"]])]),
    found(
      "grouped, a common word",
      common.map((q) =>
        address([
          ["q", q],
          ["group_by", "agency"]
        ])
      )
    ),
    { ...found(`page ${deepest}`, deep), isPaged: false },
    sorted("newest"),
    sorted("oldest"),
    sorted("updated"),
    whole("/api/agencies", ["/api/agencies"]),
    whole("/api/places", ["/api/places"]),
    whole(
      "/api/upcoming",
      Array.from({ length: 29 }, (_, at) => `/api/upcoming?within_days=${30 - at}`)
    ),
    locations("a name", places),
    locations(
      "a misspelled name",
      places.filter((name) => name.length >= 10).map((name) => name.slice(0, 3) + name.slice(4))
    ),
    whole(
      "/api/meetings/{id}",
      meetings.map((id) => `/api/meetings/${id}`)
    )
  ].filter(({ asked }) => asked.length > 0)
}

/** Cycles through the addresses of a row, repeating none until all are used. */
export const variantsOf = ({ asked, isPaged }: Row, offset = 0): (() => string) => {
  let count = offset
  return () => {
    const path = asked[count % asked.length] ?? ""
    const turn = Math.floor(count / asked.length)
    count++
    return isPaged ? withParams(path, { page_size: 15 + (turn % 11), page: 1 + Math.floor(turn / 11) }) : path
  }
}
