import { Effect, Struct } from "effect"
import type { Statement } from "effect/sql"
import type { Sql } from "../../../layers/db.ts"
import { bodyKindLabels, bodyKinds } from "../../../schema/agency.ts"
import type { FacetName, Facets, FacetValue } from "../../../schema/browse.ts"
import type { SearchQuery } from "../../../schema/search-query.ts"
import { type ActiveFilter, conditionsOn } from "./filters.ts"
import { heldByBodyAndYear } from "./found-meetings.ts"

/** The agency facet lists at most this many bodies; readers of a larger record narrow it by place first. */
const mostAgencies = 200

interface FacetRow {
  readonly facet: FacetName | "total"
  readonly value: string
  readonly label: string
  readonly count: number
}

/** The names of the filters that a body `b` fails, as an array. */
const failed = (db: Sql, filters: ReadonlyArray<ActiveFilter>) => {
  const failures = filters
    .filter(({ of }) => of === "body")
    .map(({ name, condition }) => db`case when ${condition(db)} then null else ${name} end`)
  return db`array_remove(array[${db.csv(failures)}]::text[], null)`
}

/**
 * Counts by a column of `held`, or by the values of an array in it, over the bodies that fail no filter but the
 * facet's own.
 */
const byBody = (name: FacetName, value: string) => (db: Sql) =>
  db`
    select ${name}::text, value, value, sum(n)::int
    from (select ${db.literal(value)} as value, n from held where n > 0 and failed <@ array[${name}::text]) counted
    group by value`

/** The rows of each facet: its name, a value, the value's label and how many meetings have it. */
const facetRows: {
  readonly [Name in FacetName]: (db: Sql, filters: ReadonlyArray<ActiveFilter>) => Statement.Fragment
} = {
  state: byBody("state", "unnest(states)"),
  county: byBody("county", "unnest(counties)"),
  city: byBody("city", "unnest(cities)"),
  type: byBody("type", "kind"),
  // The bodies with the most meetings, and the chosen ones however few they have.
  agency: (db, filters) => db`(
    (select 'agency', slug, name, n from held where n > 0 and failed <@ array['agency']
      order by n desc, name, slug limit ${mostAgencies})
    union
    select 'agency', slug, name, case when failed = '{}' then n else 0 end from held
    where ${filters.some(({ name }) => name === "agency")} and 'agency' <> all(failed))`,
  year: (db) => db`
    select 'year', year::text, year::text, sum(n)::int from hit
    where body_id in (select id from held where failed = '{}') group by year`
}

/** How many meetings fit, and for each value of a facet how many would if it replaced the facet's own filter. */
export const countFacets = Effect.fn("Browse.facets")(function* (
  db: Sql,
  filters: ReadonlyArray<ActiveFilter>,
  search: SearchQuery | undefined
) {
  const rows = yield* db<FacetRow>`
    with hit as materialized (${heldByBodyAndYear(db, filters, search)}),
    held as materialized (
      select b.id, b.slug, b.name, b.kind, b.states, b.counties, b.cities, coalesce(counted.n, 0) as n,
        ${failed(db, filters)} as failed
      from body b left join (
        select body_id, sum(n)::int as n from hit where ${db.and(conditionsOn(db, filters, "year"))} group by body_id
      ) counted on counted.body_id = b.id
    )
    select 'total' as facet, '' as value, '' as label, coalesce(sum(n), 0)::int as count from held where failed = '{}'
    union all ${db.join(" union all ", false)(Struct.keys(facetRows).map((name) => facetRows[name](db, filters)))}`
  const facet = (name: FacetName) => values(rows, name, filters)
  const facets: Facets = {
    state: facet("state"),
    county: facet("county"),
    city: facet("city"),
    type: facet("type").map((row) => ({ ...row, label: labelOfKind(row.value) })),
    agency: facet("agency"),
    year: facet("year").toSorted((a, b) => Number(b.value) - Number(a.value))
  }
  return { total: rows.find((row) => row.facet === "total")?.count ?? 0, facets }
})

const labelOfKind = (kind: string): string => {
  const known = bodyKinds.find((one) => one === kind)
  return known === undefined ? kind : bodyKindLabels[known]
}

const comparable = (value: string): string =>
  value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("-", " ")

/**
 * The rows of one facet, most meetings first. A chosen value stays listed at 0; in the agency facet, SQL sees to
 * that.
 */
const values = (
  rows: ReadonlyArray<FacetRow>,
  facet: FacetName,
  filters: ReadonlyArray<ActiveFilter>
): ReadonlyArray<FacetValue> => {
  const found = rows
    .filter((row) => row.facet === facet)
    .map(({ value, label, count }) => ({ value, label, count }))
    .toSorted((a, b) => b.count - a.count || a.label.localeCompare(b.label, "en") || (a.value < b.value ? -1 : 1))
  const listed = new Set(found.map((row) => comparable(row.value)))
  const chosen = facet === "agency" ? [] : (filters.find(({ name }) => name === facet)?.values ?? [])
  return [
    ...found,
    ...chosen.filter((value) => !listed.has(comparable(value))).map((value) => ({ value, label: value, count: 0 }))
  ]
}
