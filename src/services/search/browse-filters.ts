import type { Sql } from "../../../layers/db.ts"
import type { BrowseQuery } from "../../../schema/browse.ts"

/** Names compare without accents, case and hyphens, so that a slug finds its name. */
const named = (db: Sql, column: string, values: ReadonlyArray<string>) => db`exists (
  select from unnest(${db.literal(column)}) name, unnest(${values}::text[]) chosen
  where replace(fold(name), '-', ' ') = replace(fold(chosen), '-', ' '))`

const isAgency = (db: Sql, slugs: ReadonlyArray<string>) => db`(
  b.slug = any(${slugs}::text[])
  or b.id in (select r.body_id from retired_slug r where r.slug = any(${slugs}::text[])))`

/**
 * The conditions of browse on a body `b`. State, county, city, type and agency are all properties of the body, so that
 * counts kept by body and year answer every facet. Each is apart, because a facet is counted under all but its own.
 */
export const bodyConditions = (db: Sql, query: BrowseQuery) => {
  const when = (
    values: ReadonlyArray<string> | undefined,
    condition: (values: ReadonlyArray<string>) => ReturnType<typeof db.and>
  ) => (values === undefined || values.length === 0 ? db`true` : condition(values))
  return {
    state: when(query.state, (values) => db`b.states && ${values}::text[]`),
    county: when(query.county, (values) => named(db, "b.counties", values)),
    city: when(query.city, (values) => named(db, "b.cities", values)),
    type: when(query.type, (values) => db`b.kind = any(${values}::text[])`),
    agency: when(query.agency, (values) => isAgency(db, values))
  }
}

/** What narrows the record as a whole and is no facet: one body, one place, what a reader follows. */
export const scopeCondition = (db: Sql, query: BrowseQuery) => {
  const agencies = query.follow_agency ?? []
  const places = query.follow_place ?? []
  return db.and([
    query.agency_slug === undefined ? db`true` : isAgency(db, [query.agency_slug]),
    query.place_slug === undefined ? db`true` : db`${query.place_slug} = any(b.place_slugs)`,
    agencies.length + places.length === 0
      ? db`true`
      : db`(${isAgency(db, agencies)} or b.place_slugs && ${places}::text[])`
  ])
}

export const yearCondition = (db: Sql, query: BrowseQuery, column: string) =>
  query.year === undefined || query.year.length === 0 ? db`true` : db`${db.literal(column)} = any(${query.year}::int[])`
