import { Struct } from "effect"
import type { Statement } from "effect/sql"
import type { Sql } from "../../../layers/db.ts"
import type { BrowseQuery, FilterName } from "../../../schema/browse-query.ts"
import { bodyWithSlug, followed, holdings } from "../meetings/sql.ts"

/**
 * What a condition is about: a row `b` of `body`, the column `year` of a held meeting, or a row `m` of `meeting`. It
 * decides how fitting meetings are counted. `held_count` has them by body and year, so it answers the first two;
 * while a filter on meetings is active, the meetings themselves are counted.
 */
type Subject = "body" | "year" | "meeting"

/** A filter whose parameter has values of the type `Value`. */
interface Filter<Value> {
  readonly of: Subject
  /** `query` serves a filter that is spread over two parameters. */
  readonly condition: (db: Sql, value: Value, query: Partial<Values>) => Statement.Fragment
  /** What the filter adds to the name of a saved search whose reader gave it none. */
  readonly words: (value: Value) => ReadonlyArray<string>
}

type Values = Required<Pick<BrowseQuery, FilterName>>

const asWritten = (values: ReadonlyArray<string | number>) => values.map(String)
const unslugged = (slugs: ReadonlyArray<string>) => slugs.map((slug) => slug.replaceAll(/[-_]/g, " "))

const isBody = (db: Sql, slugs: ReadonlyArray<string>) =>
  db`b.id in (select id from (${bodyWithSlug(db, slugs)}) named)`

/** Names compare without accents, case and hyphens, so that a slug finds its name. `keys` are a body's, kept that way. */
const hasName = (db: Sql, keys: string, chosen: ReadonlyArray<string>) =>
  db`${db.literal(keys)} && array(select name_key(name) from unnest(${chosen}::text[]) name)`

/** What `has` asks for, as the meeting's card says it. */
const hasPart = { ...Struct.omit(holdings, ["clips", "duration"]), clips: (db: Sql) => db`${holdings.clips(db)} > 0` }

/**
 * Every browse filter (spec 4.3), by the parameter that asks for it. Counts, pages, facets, the canonical query and
 * the name of a saved search all read this table; the name follows its order.
 */
const filters: { readonly [Name in FilterName]: Filter<Values[Name]> } = {
  agency_slug: {
    of: "body",
    condition: (db, slug) => isBody(db, [slug]),
    words: (slug) => unslugged([slug])
  },
  agency: { of: "body", condition: isBody, words: unslugged },
  follow_agency: {
    of: "body",
    condition: (db, agencies, { follow_place = [] }) => followed(db, agencies, follow_place),
    words: unslugged
  },
  place_slug: {
    of: "body",
    condition: (db, slug) => db`${slug} = any(b.place_slugs)`,
    words: (slug) => unslugged([slug])
  },
  follow_place: {
    of: "body",
    condition: (db, places, { follow_agency = [] }) => followed(db, follow_agency, places),
    words: unslugged
  },
  type: { of: "body", condition: (db, kinds) => db`b.kind = any(${kinds}::text[])`, words: unslugged },
  city: { of: "body", condition: (db, names) => hasName(db, "b.city_keys", names), words: asWritten },
  county: { of: "body", condition: (db, names) => hasName(db, "b.county_keys", names), words: asWritten },
  state: { of: "body", condition: (db, states) => db`b.states && ${states}::text[]`, words: asWritten },
  has: {
    of: "meeting",
    condition: (db, parts) => db.and(parts.map((part) => hasPart[part](db))),
    words: (parts) => parts.map((part) => `with ${part}`)
  },
  year: { of: "year", condition: (db, years) => db`year = any(${years}::int[])`, words: asWritten },
  date_from: {
    of: "meeting",
    condition: (db, date) => db`m.date >= ${date}::date`,
    words: (date) => [`from ${date}`]
  },
  date_to: {
    of: "meeting",
    condition: (db, date) => db`m.date <= ${date}::date`,
    words: (date) => [`to ${date}`]
  },
  updated_since: {
    of: "meeting",
    condition: (db, instant) => db`m.updated_at >= ${instant}::timestamptz`,
    words: (instant) => [`changed since ${instant}`]
  }
}

/** A filter that a query asks for, with the value it asks for. */
export interface ActiveFilter {
  readonly name: string
  readonly of: Subject
  readonly condition: (db: Sql) => Statement.Fragment
  /** Sorted, so that a search has the same name in whatever order its values were given. */
  readonly words: ReadonlyArray<string>
  /** The values as they appear in an address. */
  readonly values: ReadonlyArray<string>
}

const activeFilter = <Name extends FilterName>(name: Name, query: Partial<Values>) => {
  const value = query[name]
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return []
  const { of, condition, words }: Filter<Values[Name]> = filters[name]
  return [
    {
      name,
      of,
      condition: (db: Sql) => condition(db, value, query),
      words: words(value).toSorted(),
      values: [value].flat().map(String)
    }
  ]
}

/** The filters that a query asks for, in the order of the table. An empty list of values asks for nothing. */
export const activeFilters = (query: Partial<Values>) =>
  Struct.keys(filters).flatMap((name) => activeFilter(name, query))

/** The conditions of the filters that are about `of`. */
export const conditionsOn = (db: Sql, filters: ReadonlyArray<ActiveFilter>, of: Subject) =>
  filters.filter((filter) => filter.of === of).map(({ condition }) => db`(${condition(db)})`)
