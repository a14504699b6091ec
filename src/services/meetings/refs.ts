import type { BodyKind } from "../../../schema/agency.ts"
import type { ClipCard } from "../../../schema/clip.ts"
import type { PlaceKind, PlaceRef } from "../../../schema/place.ts"
import { type AgendaItemId, type ClipId, roundSeconds } from "../../../schema/primitives.ts"
import { given } from "../wire.ts"

/** The columns of a place that make a `PlaceRef`. */
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

/** A curated clip; times in seconds. */
export interface ClipRow {
  readonly id: ClipId
  readonly title: string
  readonly start: number
  readonly end: number
  readonly agenda_item_id: AgendaItemId | null
}

export const placePath = (slug: string): string => `/in/${slug}`

export const placeRef = (row: PlaceRow): PlaceRef => ({
  slug: row.slug,
  name: row.name,
  kind: row.kind,
  state: row.state,
  ...given("county", row.county),
  path: placePath(row.slug)
})

/** A body's page is under the first of its places (contract section 3). */
export const bodyPath = (firstPlace: string | undefined, segment: string): string =>
  `/in/${firstPlace ?? "-"}/${segment}`

export const bodyRef = (row: BodyRow, firstPlace: string | undefined) => ({
  slug: row.slug,
  name: row.name,
  kind: row.kind,
  path: bodyPath(firstPlace, row.segment)
})

export const clipCard = (row: ClipRow): ClipCard => ({
  id: row.id,
  title: row.title,
  start: row.start,
  end: row.end,
  duration: roundSeconds(row.end - row.start),
  ...given("agenda_item", row.agenda_item_id)
})
