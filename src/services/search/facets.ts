import { Effect } from "effect"
import type { Sql } from "../../../layers/db.ts"
import { bodyKindLabels, bodyKinds } from "../../../schema/agency.ts"
import type { BrowseQuery, FacetName, Facets, FacetValue } from "../../../schema/browse.ts"
import { bodyConditions, scopeCondition, yearCondition } from "./browse-filters.ts"
import type { SearchQuery } from "./search-query.ts"
import { fits } from "./search-sql.ts"

/** Bodies named in the facet; a record of thousands of bodies is narrowed by place first. */
const mostAgencies = 200

interface FacetRow {
  readonly facet: FacetName | "total"
  readonly value: string
  readonly label: string
  readonly count: number
}

/** Held meetings by body and year: kept counts, or one pass over the text index under a query. */
const hits = (db: Sql, search: SearchQuery | undefined) =>
  search === undefined
    ? db`select body_id, year, held as n from held_count where held > 0`
    : db`select s.body_id, s.year, count(*)::int as n from meeting_search s where ${fits(db, search)} group by 1, 2`

/** Counts what fits, and every facet under all the active filters but its own. */
export const countFacets = Effect.fn("Browse.facets")(function* (
  db: Sql,
  query: BrowseQuery,
  search: SearchQuery | undefined
) {
  const on = bodyConditions(db, query)
  const rows = yield* db<FacetRow>`
    with hit as materialized (${hits(db, search)}),
    held as materialized (
      select body_id, sum(n)::int as n from hit where ${yearCondition(db, query, "year")} group by body_id
    ),
    scoped as materialized (
      select b.id, b.slug, b.name, b.kind, b.states, b.counties, b.cities,
        ${on.state} as in_state, ${on.county} as in_county, ${on.city} as in_city, ${on.type} as in_type,
        ${on.agency} as in_agency
      from body b where ${scopeCondition(db, query)}
    )
    select 'state' as facet, value, value as label, sum(n)::int as count
    from scoped join held on body_id = id, unnest(states) value
    where in_county and in_city and in_type and in_agency group by value
    union all
    select 'county', value, value, sum(n)::int from scoped join held on body_id = id, unnest(counties) value
    where in_state and in_city and in_type and in_agency group by value
    union all
    select 'city', value, value, sum(n)::int from scoped join held on body_id = id, unnest(cities) value
    where in_state and in_county and in_type and in_agency group by value
    union all
    select 'type', kind, kind, sum(n)::int from scoped join held on body_id = id
    where in_state and in_county and in_city and in_agency group by kind
    union all
    (select 'agency', slug, name, n from scoped join held on body_id = id
    where in_state and in_county and in_city and in_type order by n desc, name, slug limit ${mostAgencies})
    union all
    select 'agency', slug, name, coalesce(n, 0) from scoped left join held on body_id = id
    where ${(query.agency?.length ?? 0) > 0} and in_agency and not coalesce(n > 0 and in_state and in_county and in_city and in_type, false)
    union all
    select 'year', year::text, year::text, sum(n)::int from scoped join hit on body_id = id
    where in_state and in_county and in_city and in_type and in_agency group by year
    union all
    select 'total', '', '', coalesce(sum(n), 0)::int from scoped join held on body_id = id
    where in_state and in_county and in_city and in_type and in_agency`
  const facet = (name: FacetName, chosen: ReadonlyArray<string>) => values(rows, name, chosen)
  const facets: Facets = {
    state: facet("state", query.state ?? []),
    county: facet("county", query.county ?? []),
    city: facet("city", query.city ?? []),
    type: facet("type", query.type ?? []).map((row) => ({ ...row, label: labelOfKind(row.value) })),
    agency: facet("agency", []),
    year: facet("year", (query.year ?? []).map(String)).toSorted((a, b) => Number(b.value) - Number(a.value))
  }
  return { total: rows.find((row) => row.facet === "total")?.count ?? 0, facets }
})

const labelOfKind = (kind: string): string => {
  const known = bodyKinds.find((one) => one === kind)
  return known === undefined ? kind : bodyKindLabels[known]
}

const comparable = (value: string): string =>
  value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("-", " ")

/** The rows of one facet, most first; a chosen value without any stays listed at 0. */
const values = (
  rows: ReadonlyArray<FacetRow>,
  name: FacetName,
  chosen: ReadonlyArray<string>
): ReadonlyArray<FacetValue> => {
  const found = rows
    .filter((row) => row.facet === name)
    .map(({ value, label, count }) => ({ value, label, count }))
    .toSorted((a, b) => b.count - a.count || a.label.localeCompare(b.label, "en") || (a.value < b.value ? -1 : 1))
  const listed = new Set(found.map((row) => comparable(row.value)))
  return [
    ...found,
    ...chosen.filter((value) => !listed.has(comparable(value))).map((value) => ({ value, label: value, count: 0 }))
  ]
}
