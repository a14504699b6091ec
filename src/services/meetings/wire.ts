import type { BodyKind } from "../../../schema/agency.ts"
import type { PlaceKind, PlaceRef } from "../../../schema/place.ts"

/** A place as `PlaceRef` columns give it. */
export interface PlaceRow {
  readonly slug: string
  readonly name: string
  readonly kind: PlaceKind
  readonly state: string
  readonly county: string | null
}

export interface BodyRow {
  readonly slug: string
  readonly segment: string
  readonly name: string
  readonly kind: BodyKind
}

/** Leaves out what has no value: on the wire a field is omitted, never null (contract section 1). */
export const given = <K extends string, A>(name: K, value: A | null | undefined): { readonly [P in K]?: A } =>
  value === null || value === undefined ? {} : ({ [name]: value } as { readonly [P in K]: A })

export const placePath = (slug: string): string => `/in/${slug}`

export const placeRef = (row: PlaceRow): PlaceRef => ({
  slug: row.slug,
  name: row.name,
  kind: row.kind,
  state: row.state,
  ...given("county", row.county),
  path: placePath(row.slug)
})

/** A body's page is at the first of its places (contract section 3). */
export const bodyPath = (firstPlace: string | undefined, segment: string): string =>
  `/in/${firstPlace ?? "-"}/${segment}`

export const bodyRef = (row: BodyRow, firstPlace: string | undefined) => ({
  slug: row.slug,
  name: row.name,
  kind: row.kind,
  path: bodyPath(firstPlace, row.segment)
})
