import { Schema, SchemaTransformation } from "effect"
import { BrowseQuery } from "./browse-query.ts"
import { Instant, PagePath } from "./primitives.ts"
import { withPlainNames } from "./query-names.ts"

const wire = Schema.toCodecArrayFromSingle(Schema.toCodecStringTree(BrowseQuery))

/**
 * The browse parameters of a text, as one value per name, or a list. Unknown ones are ignored, as they are in an
 * address.
 */
const parametersOf = (text: string): Record<string, string | Array<string>> => {
  const found: Record<string, string | Array<string>> = {}
  const params = new URLSearchParams(withPlainNames(text))
  for (const name of Object.keys(BrowseQuery.fields).filter((name) => params.has(name))) {
    const all = params.getAll(name)
    found[name] = all.length === 1 ? (all[0] ?? "") : all
  }
  return found
}

const textOf = (parameters: object): string =>
  new URLSearchParams(
    Object.entries(parameters)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, value]) =>
        [...new Set([value].flat().map(String))].sort().map((one): [string, string] => [name, one])
      )
  ).toString()

/**
 * A browse query as text, read by the schema that browse itself reads its parameters by (spec 4.3). It is written in
 * one spelling: parameters and their values sorted, each value once.
 */
export const BrowseQueryText = Schema.String.pipe(
  Schema.decodeTo(
    wire,
    SchemaTransformation.transform<typeof wire.Encoded, string>({
      decode: parametersOf,
      encode: (parameters) => textOf(Object(parameters))
    })
  )
)

/** The same rule that addresses follow: UTF-8, and no U+0000, which no text of the record contains. */
const isEncodedText = (text: string): boolean => {
  try {
    return !decodeURIComponent(text).includes("\0")
  } catch {
    return false
  }
}

/** The most searches that one account may save. */
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
