import { Struct } from "effect"
import type { Statement } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import type { BrowseQuery, FilterName } from "../../../../schema/browse-query.ts"
import { nameKey } from "../../../text/fold.ts"
import { bodyWithSlug, followed } from "../../meetings/sql.ts"
import type { Bodies, Shared } from "../found/bodies.ts"
import { holdsParts, markOf } from "./parts.ts"
import { mattersWithSlugs, peopleWithSlugs, tookUp, votedAt } from "./who-and-what.ts"

/** A filter whose parameter has values of the type `Value`. */
interface Condition<Value> {
  /** `query` is needed for a filter that is spread over two parameters. */
  readonly condition: (db: ReadSql, value: Value, query: Partial<Values>) => Statement.Fragment
  /** The filter's part in the default name of a saved search. */
  readonly words: (value: Value) => ReadonlyArray<string>
  /** Whether the value is what goes without saying, which is no filter. */
  readonly isDefault?: (value: Value) => boolean
}

/** The days that a filter on meetings accepts, `YYYY-MM-DD`. */
interface Days {
  readonly from?: string
  readonly to?: string
}

/**
 * How the search index applies a filter on meetings: by a range of days, by marks that they all have (`markOf`), or by
 * a list of meetings from the database, if it is short; or not at all, and the search is one for SQL.
 */
type InIndex =
  | { readonly by: "days"; readonly days: Days }
  | { readonly by: "marks"; readonly marks: ReadonlyArray<string> }
  | { readonly by: "list" }
  | { readonly by: "sql" }

/**
 * The subject of a condition: a row `b` of `body`, the column `year` of a held meeting, or a row `m` of `meeting`. It
 * decides how matching meetings are counted: filters on bodies and years are applied to counts by body and year, made
 * with the filters on meetings alone. So filters on bodies and years also have a form for the in-memory directory, and
 * filters on meetings one for the search index.
 */
type Filter<Value> = Condition<Value> &
  (
    | {
        readonly of: "body"
        readonly bodies: (all: Bodies, value: Value, query: Partial<Values>) => Iterable<number>
      }
    | { readonly of: "year"; readonly years: (value: Value) => ReadonlyArray<number> }
    | { readonly of: "meeting"; readonly inIndex: (value: Value) => InIndex }
  )

type Values = Required<Pick<BrowseQuery, FilterName>>

const asWritten = (values: ReadonlyArray<string | number>) => values.map(String)
const unslugged = (slugs: ReadonlyArray<string>) => slugs.map((slug) => slug.replaceAll(/[-_]/g, " "))

const isBody = (db: ReadSql, slugs: ReadonlyArray<string>) =>
  db`b.id in (select id from (${bodyWithSlug(db, slugs)}) named)`

/** Whether a body has one of these names; the column `keys` has the body's own names as keys (`name_key`). */
const hasName = (db: ReadSql, keys: string, chosen: ReadonlyArray<string>) =>
  db`${db.literal(keys)} && array(select name_key(name) from unnest(${chosen}::text[]) name)`

const withSlugs = ({ bySlug }: Bodies, slugs: ReadonlyArray<string>) => slugs.flatMap((slug) => bySlug.get(slug) ?? [])
const atPlaces = ({ byPlace }: Bodies, slugs: ReadonlyArray<string>) => slugs.flatMap((slug) => byPlace.get(slug) ?? [])
const sharing = ({ bodies }: Shared, keys: ReadonlyArray<string>) => keys.flatMap((key) => bodies.get(key) ?? [])

/**
 * Every browse filter (spec 4.3), by its parameter. Counts, pages, facets, the canonical query and the default name of
 * a saved search are all driven by this table; the name follows its order.
 */
const filters: { readonly [Name in FilterName]: Filter<Values[Name]> } = {
  agency_slug: {
    of: "body",
    condition: (db, slug) => isBody(db, [slug]),
    bodies: (all, slug) => withSlugs(all, [slug]),
    words: (slug) => unslugged([slug])
  },
  agency: { of: "body", condition: isBody, bodies: withSlugs, words: unslugged },
  follow_agency: {
    of: "body",
    condition: (db, agencies, { follow_place = [] }) => followed(db, agencies, follow_place),
    bodies: (all, agencies, { follow_place = [] }) => [...withSlugs(all, agencies), ...atPlaces(all, follow_place)],
    words: unslugged
  },
  place_slug: {
    of: "body",
    condition: (db, slug) => db`${slug} = any(b.place_slugs)`,
    bodies: (all, slug) => atPlaces(all, [slug]),
    words: (slug) => unslugged([slug])
  },
  follow_place: {
    of: "body",
    condition: (db, places, { follow_agency = [] }) => followed(db, follow_agency, places),
    bodies: (all, places, { follow_agency = [] }) => [...withSlugs(all, follow_agency), ...atPlaces(all, places)],
    words: unslugged
  },
  type: {
    of: "body",
    condition: (db, kinds) => db`b.kind = any(${kinds}::text[])`,
    bodies: ({ type }, kinds) => sharing(type, kinds),
    words: unslugged
  },
  city: {
    of: "body",
    condition: (db, names) => hasName(db, "b.city_keys", names),
    bodies: ({ city }, names) => sharing(city, names.map(nameKey)),
    words: asWritten
  },
  county: {
    of: "body",
    condition: (db, names) => hasName(db, "b.county_keys", names),
    bodies: ({ county }, names) => sharing(county, names.map(nameKey)),
    words: asWritten
  },
  state: {
    of: "body",
    condition: (db, states) => db`b.states && ${states}::text[]`,
    bodies: ({ state }, states) => sharing(state, states),
    words: asWritten
  },
  has: {
    of: "meeting",
    condition: holdsParts,
    inIndex: (parts) => ({ by: "marks", marks: parts.map(markOf) }),
    words: (parts) => parts.map((part) => `with ${part}`)
  },
  year: {
    of: "year",
    condition: (db, years) => db`year = any(${years}::int[])`,
    years: (years) => years,
    words: asWritten
  },
  date_from: {
    of: "meeting",
    condition: (db, date) => db`m.date >= ${date}::date`,
    inIndex: (from) => ({ by: "days", days: { from } }),
    words: (date) => [`from ${date}`]
  },
  date_to: {
    of: "meeting",
    condition: (db, date) => db`m.date <= ${date}::date`,
    inIndex: (to) => ({ by: "days", days: { to } }),
    words: (date) => [`to ${date}`]
  },
  person: {
    of: "meeting",
    condition: (db, slugs) => db`m.id in (${votedAt(db, peopleWithSlugs(db, slugs))})`,
    inIndex: () => ({ by: "list" }),
    words: unslugged
  },
  matter: {
    of: "meeting",
    condition: (db, slugs) => db`m.id in (${tookUp(db, mattersWithSlugs(db, slugs))})`,
    inIndex: () => ({ by: "list" }),
    words: unslugged
  },
  vote: {
    of: "meeting",
    condition: (db, results) => db`exists (
      select from vote v where v.meeting_id = m.id and v.kind = 'vote'
        and v.result = any(array(select case r when 'passed' then 'pass' else 'fail' end
          from unnest(${results}::text[]) r)))`,
    inIndex: () => ({ by: "list" }),
    words: asWritten
  },
  status: {
    of: "meeting",
    condition: (db, statuses) => db`m.status = any(${statuses}::text[])`,
    // The index has held meetings only.
    inIndex: () => ({ by: "sql" }),
    isDefault: (statuses) => statuses.every((status) => status === "held"),
    words: asWritten
  },
  updated_since: {
    of: "meeting",
    condition: (db, instant) => db`m.updated_at >= ${instant}::timestamptz`,
    inIndex: () => ({ by: "list" }),
    words: (instant) => [`changed since ${instant}`]
  }
}

/** An active filter of a query. */
export type ActiveFilter<Name extends string = string> = {
  readonly name: Name
  readonly condition: (db: ReadSql) => Statement.Fragment
  /** Sorted, so that a search's name does not depend on the order of its values. */
  readonly words: ReadonlyArray<string>
  /** The values as they appear in an address. */
  readonly values: ReadonlyArray<string>
} & (
  | { readonly of: "body"; readonly bodies: (all: Bodies) => Iterable<number> }
  | { readonly of: "year"; readonly years: ReadonlyArray<number> }
  | { readonly of: "meeting"; readonly inIndex: InIndex }
)

const activeFilter = <Name extends FilterName>(
  name: Name,
  query: Partial<Values>
): ReadonlyArray<ActiveFilter<FilterName>> => {
  const value = query[name]
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return []
  const filter: Filter<Values[Name]> = filters[name]
  if (filter.isDefault?.(value) === true) return []
  const common = {
    name,
    condition: (db: ReadSql) => filter.condition(db, value, query),
    words: filter.words(value).toSorted(),
    values: [value].flat().map(String)
  }
  switch (filter.of) {
    case "body":
      return [{ ...common, of: "body", bodies: (all) => filter.bodies(all, value, query) }]
    case "year":
      return [{ ...common, of: "year", years: filter.years(value) }]
    case "meeting":
      return [{ ...common, of: "meeting", inIndex: filter.inIndex(value) }]
  }
}

/** The filters of a query, in the order of the table. An empty list of values is no filter. */
export const activeFilters = (query: Partial<Values>) =>
  Struct.keys(filters).flatMap((name) => activeFilter(name, query))

/** The conditions of the filters on `of`. */
export const conditionsOn = (db: ReadSql, filters: ReadonlyArray<ActiveFilter>, of: ActiveFilter["of"]) =>
  filters.filter((filter) => filter.of === of).map(({ condition }) => db`(${condition(db)})`)
