import { Schema, SchemaTransformation } from "effect"
import { BrowseQuery } from "./browse.ts"
import { Instant, PagePath } from "./primitives.ts"

const wire = Schema.toCodecArrayFromSingle(Schema.toCodecStringTree(BrowseQuery))

/** What a browse address has after its question mark, as one value a name, or a list. */
const parametersOf = (text: string): Record<string, string | Array<string>> => {
  const found: Record<string, string | Array<string>> = {}
  const params = new URLSearchParams(text)
  for (const name of new Set(params.keys())) {
    const all = params.getAll(name)
    found[name] = all.length === 1 ? (all[0] ?? "") : all
  }
  return found
}

const textOf = (parameters: object): string =>
  new URLSearchParams(
    Object.entries(parameters)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]))
  ).toString()

/** A browse query as text, read by the schema that browse itself reads its parameters by (spec 4.3). */
export const BrowseQueryText = Schema.String.pipe(
  Schema.decodeTo(
    wire,
    SchemaTransformation.transform<typeof wire.Encoded, string>({
      decode: parametersOf,
      encode: (parameters) => textOf(Object(parameters))
    })
  )
)

/** The same that an address is held to: UTF-8, and no U+0000, which no text of the record holds. */
const isEncodedText = (text: string): boolean => {
  try {
    return !decodeURIComponent(text).includes("\0")
  } catch {
    return false
  }
}

const values = <A extends string | number>(given: ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
  [...new Set(given)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/**
 * The one way to write what a query asks for: which page of it, how large and how grouped is left out, and so is what
 * asks for nothing; values that may be repeated come once each and sorted.
 */
export const canonicalQuery = ({
  page: _,
  page_size: _1,
  per_group: _2,
  group_by: _3,
  ...asked
}: BrowseQuery): BrowseQuery => {
  const q = (asked.q ?? "").trim().replace(/\s+/gu, " ")
  const canonical = Object.entries({ ...asked, q }).map(([name, value]) => [
    name,
    Array.isArray(value) ? values<string | number>(value) : value
  ])
  return Object.fromEntries(
    canonical.filter(([name, value]) =>
      Array.isArray(value) || name === "q" ? value !== undefined && value.length > 0 : true
    )
  )
}

const words = (slug: string): string => slug.replaceAll(/[-_]/g, " ")

/** What a search is called by whoever did not name it, at most 120 characters: `“greenway”, Springfield, 2026`. */
export const nameOfQuery = (query: BrowseQuery): string => {
  const parts = [
    ...(query.q === undefined ? [] : [`“${query.q}”`]),
    ...[query.agency_slug ?? [], query.agency ?? [], query.follow_agency ?? []].flat().map(words),
    ...[query.place_slug ?? [], query.follow_place ?? []].flat().map(words),
    ...(query.type ?? []).map(words),
    ...(query.city ?? []),
    ...(query.county ?? []),
    ...(query.state ?? []),
    ...(query.year ?? []).map(String)
  ].filter((part) => part.trim() !== "")
  const name = parts.length === 0 ? "All meetings" : parts.join(", ")
  return name.length > 120 ? `${name.slice(0, 119)}…` : name
}

/** So many searches one account may keep. */
export const savedSearchLimit = 50

export const SavedSearch = Schema.Struct({
  id: Schema.String.check(Schema.isUUID()),
  name: Schema.String,
  query: Schema.String.annotate({
    description: "The query as it appears in a browse address after the question mark, in canonical form.",
    examples: ["city=Springfield&q=greenway"]
  }),
  path: PagePath,
  created_at: Instant
}).annotate({ identifier: "SavedSearch", description: "A browse query that its reader saved." })
export interface SavedSearch extends Schema.Schema.Type<typeof SavedSearch> {}

export const SavedSearches = Schema.Struct({ saved_searches: Schema.Array(SavedSearch) }).annotate({
  identifier: "SavedSearches",
  description: "Your saved searches, newest first."
})
export interface SavedSearches extends Schema.Schema.Type<typeof SavedSearches> {}

export const SaveSearchRequest = Schema.Struct({
  query: Schema.String.check(
    Schema.isMaxLength(2000),
    Schema.makeFilter(
      (text) => isEncodedText(text) || "must be UTF-8 text, percent-encoded, without the character U+0000"
    )
  )
    .annotate({
      description: "The part of a browse address after the question mark. Paging and grouping parameters are dropped.",
      examples: ["q=greenway&city=Springfield"]
    })
    .pipe(Schema.decodeTo(BrowseQueryText)),
  name: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^(?=.*\S)\P{Cc}*$/u, { message: "must be one line, and not empty" }),
      Schema.isMaxLength(120)
    ).annotate({
      examples: ["Greenway news"]
    })
  )
}).annotate({ identifier: "SaveSearchRequest", description: "The search to save." })
export interface SaveSearchRequest extends Schema.Schema.Type<typeof SaveSearchRequest> {}
