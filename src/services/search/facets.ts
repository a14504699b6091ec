import { bodyKindLabels, bodyKinds } from "../../../schema/agency.ts"
import type { Facets, FacetValue } from "../../../schema/browse.ts"
import type { Bodies, Folded, Shared } from "./bodies.ts"
import type { ActiveFilter } from "./filters.ts"
import type { Cells, Narrowed } from "./found.ts"

/** A facet lists at most this many bodies or cities; readers of a larger record narrow it by place first. */
const mostListed = 200

/** A bit for each facet of bodies: a body that fails no filter but the facet's own counts for it. */
const bits = { state: 1, county: 2, city: 4, type: 8, agency: 16 } as const
/** The bit of the filters that have no facet. */
const otherBit = 32

type BodyFacet = keyof typeof bits
const isBodyFacet = (name: string): name is BodyFacet => name in bits

/** For each body, the bits of the filters that it fails. */
const failures = (all: Bodies, filters: ReadonlyArray<ActiveFilter>, folded: Folded): Uint8Array => {
  const failed = new Uint8Array(all.list.length)
  for (const filter of filters) {
    if (filter.of !== "body") continue
    const fits = new Uint8Array(failed.length)
    for (const body of filter.bodies(all, folded)) fits[body] = 1
    const bit = isBodyFacet(filter.name) ? bits[filter.name] : otherBit
    for (let body = 0; body < failed.length; body++) if (fits[body] === 0) failed[body] = (failed[body] ?? 0) | bit
  }
  return failed
}

/** How many meetings of the chosen years each body held, and how many of the bodies that fail no filter each year. */
const sums = (cells: Cells, all: Bodies, years: ReadonlySet<number> | undefined, failed: Uint8Array) => {
  const { counts } = cells
  const columns = cells.years.length
  const chosen = cells.years.map((year) => years === undefined || years.has(year))
  const held = new Uint32Array(all.list.length)
  const byYear = new Uint32Array(columns)
  for (const [body, { id }] of all.list.entries()) {
    const row = cells.rowOf(id)
    if (row === undefined) continue
    let sum = 0
    for (let at = 0; at < columns; at++) {
      const n = counts[row * columns + at] ?? 0
      if (n === 0) continue
      if (chosen[at]) sum += n
      if (failed[body] === 0) byYear[at] = (byYear[at] ?? 0) + n
    }
    held[body] = sum
  }
  return { held, byYear }
}

/** More than any facet has values. A count times this, and the place in the order of names, are one number. */
const places = 2 ** 21

/**
 * Which of the values have the most meetings, in that order, and then in the order in which they are given; at most
 * `mostListed` that have any, and `kept` however few they have. Values are told by their place.
 */
const listed = (counts: Uint32Array, kept: Iterable<number>) => {
  const keyOf = (at: number) => (counts[at] ?? 0) * places + (places - 1 - at)
  const placeOf = (key: number) => places - 1 - (key % places)
  const keys = new Float64Array(counts.length)
  let n = 0
  for (let at = 0; at < counts.length; at++) if (counts[at] !== 0) keys[n++] = keyOf(at)
  const top = keys.subarray(0, n).sort().slice(-mostListed)
  const shown = new Set(top)
  const extra = [...kept].map(keyOf).filter((key) => !shown.has(key))
  return [...top.reverse(), ...extra.toSorted((a, b) => b - a)].map(placeOf)
}

const labelOfKind = (kind: string): string => {
  const known = bodyKinds.find((one) => one === kind)
  return known === undefined ? kind : bodyKindLabels[known]
}

const comparable = (value: string): string =>
  value.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("-", " ")

/** The facet of what bodies have in common. A chosen value stays listed at 0, as it was chosen. */
const sharedFacet = (
  { values, ofBody }: Shared,
  held: Uint32Array,
  counts: (body: number) => boolean,
  chosen: ReadonlyArray<string>,
  label = (value: string) => value
): ReadonlyArray<FacetValue> => {
  const sum = new Uint32Array(values.length)
  for (let body = 0; body < held.length; body++) {
    const n = held[body] ?? 0
    if (n === 0 || !counts(body)) continue
    for (const value of ofBody[body] ?? []) sum[value] = (sum[value] ?? 0) + n
  }
  const wanted = new Set(chosen.map(comparable))
  const kept = [...values.keys()].filter((at) => sum[at] !== 0 && wanted.has(comparable(values[at] ?? "")))
  const found = listed(sum, kept).map((at) => ({
    value: values[at] ?? "",
    label: label(values[at] ?? ""),
    count: sum[at] ?? 0
  }))
  const known = new Set(found.map(({ value }) => comparable(value)))
  const absent = chosen.filter((value) => !known.has(comparable(value)))
  return [...found, ...absent.map((value) => ({ value, label: label(value), count: 0 }))]
}

export interface Counted extends Narrowed {
  readonly facets: Facets
  /** The bodies that held meetings that fit, with how many, the most first; an id breaks ties. */
  readonly groups: () => ReadonlyArray<{ readonly body: number; readonly total: number }>
}

/** How many meetings fit, and for each value of a facet how many would if it replaced the facet's own filter. */
export const countFacets = (
  cells: Cells,
  all: Bodies,
  filters: ReadonlyArray<ActiveFilter>,
  folded: Folded
): Counted => {
  const failed = failures(all, filters, folded)
  const years = filters.find((filter) => filter.of === "year")
  const { held, byYear } = sums(cells, all, years === undefined ? undefined : new Set(years.years), failed)
  const chosen = (name: string) => filters.find((filter) => filter.name === name)?.values ?? []
  const failsOnly = (facet: BodyFacet) => (body: number) => ((failed[body] ?? 0) & ~bits[facet]) === 0
  const shared = (facet: Exclude<BodyFacet, "agency">, label?: (value: string) => string) =>
    sharedFacet(all[facet], held, failsOnly(facet), chosen(facet), label)

  const byName = Uint32Array.from(all.byName, (body) => (failsOnly("agency")(body) ? (held[body] ?? 0) : 0))
  const chosenBodies = new Set(
    filters.flatMap((filter) =>
      filter.of === "body" && filter.name === "agency" ? [...filter.bodies(all, folded)] : []
    )
  )
  const chosenPlaces = [...all.byName.entries()].flatMap(([at, body]) => (chosenBodies.has(body) ? [at] : []))
  const fit = [...all.list.entries()].filter(([body]) => failed[body] === 0)
  const chosenYears = chosen("year").filter((year) => !cells.years.includes(Number(year)))
  return {
    total: fit.reduce((sum, [body]) => sum + (held[body] ?? 0), 0),
    bodies: new Set(fit.map(([, { id }]) => id)),
    facets: {
      state: shared("state"),
      county: shared("county"),
      city: shared("city"),
      type: shared("type", labelOfKind),
      agency: listed(byName, chosenPlaces).flatMap((at) => {
        const body = all.list[all.byName[at] ?? -1]
        return body === undefined ? [] : [{ value: body.slug, label: body.name, count: byName[at] ?? 0 }]
      }),
      year: [
        ...cells.years.map((year, at) => ({ year: String(year), count: byYear[at] ?? 0 })),
        ...chosenYears.map((year) => ({ year, count: 0 }))
      ]
        .filter(({ year, count }) => count > 0 || chosen("year").includes(year))
        .map(({ year, count }) => ({ value: year, label: year, count }))
        .toSorted((a, b) => Number(b.value) - Number(a.value))
    },
    groups: () =>
      fit
        .map(([body, { id }]) => ({ body: id, total: held[body] ?? 0 }))
        .filter(({ total }) => total > 0)
        .toSorted((a, b) => b.total - a.total || a.body - b.body)
  }
}
