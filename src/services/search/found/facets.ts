import { bodyKindLabels, bodyKinds } from "../../../../schema/agency.ts"
import type { Facets, FacetValue } from "../../../../schema/browse.ts"
import { nameKey } from "../../../text/fold.ts"
import type { ActiveFilter } from "../query/filters.ts"
import type { Bodies, Shared } from "./bodies.ts"
import type { Cells, ChosenBodies } from "./found.ts"

/** The most bodies or cities in a facet; readers of a larger record narrow by place first. */
const mostListed = 200

/** A bit per facet of bodies: a facet counts a body that fails no filter but the facet's own. */
const bits = { state: 1, county: 2, city: 4, type: 8, agency: 16 } as const
/** The bit of filters without a facet. */
const otherBit = 32

type BodyFacet = keyof typeof bits
const isBodyFacet = (name: string): name is BodyFacet => name in bits

/**
 * Numbers that a count needs while it runs and nobody keeps, in the same memory for every count: V8 collects its whole
 * heap once arrays of 64 MB were allocated, and stops all requests for that.
 */
const scratch = () => {
  let numbers = new Uint32Array(0)
  return (size: number): Uint32Array => {
    if (numbers.length < size) numbers = new Uint32Array(size)
    return numbers.subarray(0, size).fill(0)
  }
}
const [fitting, heldInRows, summed] = [scratch(), scratch(), scratch()]

/** For each body, the bits of the filters that it fails. */
const failures = (all: Bodies, filters: ReadonlyArray<ActiveFilter>): Uint8Array => {
  const failed = new Uint8Array(all.list.length)
  for (const filter of filters) {
    if (filter.of !== "body") continue
    const fits = new Uint8Array(failed.length)
    for (const body of filter.bodies(all)) fits[body] = 1
    const bit = isBodyFacet(filter.name) ? bits[filter.name] : otherBit
    for (let body = 0; body < failed.length; body++) if (fits[body] === 0) failed[body] = (failed[body] ?? 0) | bit
  }
  return failed
}

/** The number of meetings in the chosen years by body, and per year for bodies that fail no filter. */
const sums = (cells: Cells, all: Bodies, years: ReadonlySet<number> | undefined, failed: Uint8Array) => {
  const { counts, rows } = cells
  const rowOf = cells.rowsOf(all.list)
  const fits = fitting(rows)
  for (let body = 0; body < rowOf.length; body++) {
    const row = rowOf[body] ?? -1
    if (failed[body] === 0 && row >= 0 && row < rows) fits[row] = 1
  }
  const heldByRow = heldInRows(rows)
  const byYear = new Uint32Array(cells.years.length)
  for (const [at, year] of cells.years.entries()) {
    const isChosen = years === undefined || years.has(year) ? 1 : 0
    const ofYear = counts.subarray(at * rows, (at + 1) * rows)
    let sum = 0
    for (let row = 0; row < ofYear.length; row++) {
      const n = ofYear[row] ?? 0
      heldByRow[row] = (heldByRow[row] ?? 0) + n * isChosen
      sum += n * (fits[row] ?? 0)
    }
    byYear[at] = sum
  }
  const held = new Uint32Array(rowOf.length)
  for (let body = 0; body < held.length; body++) held[body] = heldByRow[rowOf[body] ?? -1] ?? 0
  return { held, byYear }
}

/** Larger than any facet's number of values. A sort key is a count times this, plus the value's place in name order. */
const places = 2 ** 21
const keyOf = (count: number, place: number) => count * places + (places - 1 - place)
const placeOf = (key: number) => places - 1 - (key % places)

/** As above, for the keys of a facet. */
const keys = new Float64Array(2 * mostListed)

/** The keys of the largest counts above 0, at most `most`, ascending. Avoids sorting tens of thousands of counts. */
const largest = (counts: Uint32Array, most: number): Float64Array => {
  const kept = most === mostListed ? keys : new Float64Array(2 * most)
  let n = 0
  let least = 0
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at] ?? 0
    if (count === 0) continue
    const key = keyOf(count, at)
    if (key < least) continue
    kept[n++] = key
    if (n < kept.length) continue
    kept.sort()
    kept.copyWithin(0, most)
    n = most
    least = kept[0] ?? 0
  }
  return kept.subarray(0, n).sort().slice(-most)
}

/**
 * The values with the most meetings, most first, ties in the given order: at most `mostListed`, and `kept` whatever
 * their counts. A value is given by its index.
 */
const listed = (counts: Uint32Array, kept: Iterable<number>) => {
  const top = largest(counts, mostListed)
  const shown = new Set(top)
  const extra = Array.from(kept, (place) => keyOf(counts[place] ?? 0, place)).filter((key) => !shown.has(key))
  return [...top.reverse(), ...extra.toSorted((a, b) => b - a)].map(placeOf)
}

const labelOfKind = (kind: string): string => {
  const known = bodyKinds.find((one) => one === kind)
  return known === undefined ? kind : bodyKindLabels[known]
}

/** A facet of a value that bodies share. A chosen value stays listed at 0, as the caller wrote it. */
const sharedFacet = (
  { values, numbers, firsts }: Shared,
  held: Uint32Array,
  chosen: ReadonlyArray<string>,
  label = (value: string) => value
): ReadonlyArray<FacetValue> => {
  const sum = summed(values.length)
  for (let body = 0; body < held.length; body++) {
    const n = held[body] ?? 0
    if (n === 0) continue
    const end = firsts[body + 1] ?? 0
    for (let at = firsts[body] ?? 0; at < end; at++) {
      const value = numbers[at] ?? 0
      sum[value] = (sum[value] ?? 0) + n
    }
  }
  const wanted = new Set(chosen.map(nameKey))
  const isWanted = (at: number) => sum[at] !== 0 && wanted.has(nameKey(values[at] ?? ""))
  const found = listed(sum, wanted.size === 0 ? [] : [...values.keys()].filter(isWanted)).map((at) => ({
    value: values[at] ?? "",
    label: label(values[at] ?? ""),
    count: sum[at] ?? 0
  }))
  if (wanted.size === 0) return found
  const known = new Set(found.map(({ value }) => nameKey(value)))
  const absent = chosen.filter((value) => !known.has(nameKey(value)))
  return [...found, ...absent.map((value) => ({ value, label: label(value), count: 0 }))]
}

export interface Counted {
  readonly total: number
  readonly facets: () => Facets
  /**
   * The bodies that held matching meetings, with their number, most first (ties are broken by id), and the number of
   * such bodies.
   */
  readonly groups: (part: { readonly offset: number; readonly limit: number }) => {
    readonly total: number
    readonly part: ReadonlyArray<{ readonly body: number; readonly total: number }>
  }
}

/** Applies filters to a directory's bodies. */
export interface Choice {
  readonly all: Bodies
  readonly filters: ReadonlyArray<ActiveFilter>
  /** The result of `failures`. */
  readonly failed: Uint8Array
  readonly bodies: ChosenBodies
}

/** The bodies that pass the filters; computed without counts. */
export const chooseBodies = (all: Bodies, filters: ReadonlyArray<ActiveFilter>): Choice => {
  const failed = failures(all, filters)
  const bodies = filters.some(({ of }) => of === "body")
    ? new Set(all.list.flatMap(({ id }, body) => (failed[body] === 0 ? [id] : [])))
    : undefined
  return { all, filters, failed, bodies }
}

/**
 * The number of matching meetings and, for each value of a facet, how many would match if it replaced the facet's own
 * filter.
 */
export const countFacets = (cells: Cells, { all, filters, failed, bodies }: Choice): Counted => {
  const years = filters.find((filter) => filter.of === "year")
  const { held, byYear } = sums(cells, all, years === undefined ? undefined : new Set(years.years), failed)
  const chosen = (name: string) => filters.find((filter) => filter.name === name)?.values ?? []
  /** The meetings of each body that fails none of the filters except `but`; 0 for other bodies. */
  const heldBut = (but: number): Uint32Array => {
    if (bodies === undefined) return held
    const kept = new Uint32Array(held.length)
    for (let body = 0; body < held.length; body++) {
      if (((failed[body] ?? 0) & ~but) === 0) kept[body] = held[body] ?? 0
    }
    return kept
  }
  const shared = (facet: Exclude<BodyFacet, "agency">, label?: (value: string) => string) =>
    sharedFacet(all[facet], heldBut(bits[facet]), chosen(facet), label)

  const facets = (): Facets => {
    const heldByAgency = heldBut(bits.agency)
    const byName = all.byName.map((body) => heldByAgency[body] ?? 0)
    const chosenBodies = new Set(
      filters.flatMap((filter) => (filter.of === "body" && filter.name === "agency" ? [...filter.bodies(all)] : []))
    )
    const chosenPlaces =
      chosenBodies.size === 0 ? [] : [...all.byName.keys()].filter((at) => chosenBodies.has(all.byName[at] ?? -1))
    const chosenYears = chosen("year").filter((year) => !cells.years.includes(Number(year)))
    return {
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
    }
  }
  return {
    get total() {
      return heldBut(0).reduce((sum, n) => sum + n, 0)
    },
    facets,
    groups: ({ offset, limit }) => {
      const fit = heldBut(0)
      // Bodies are listed by id.
      const total = fit.reduce((sum, n) => sum + Number(n > 0), 0)
      const top = largest(fit, Math.min(total, offset + limit)).reverse()
      const part = Array.from(top.subarray(offset), (key) => {
        const at = placeOf(key)
        return { body: all.list[at]?.id ?? 0, total: fit[at] ?? 0 }
      })
      return { total, part }
    }
  }
}
