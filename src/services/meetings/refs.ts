import { Schema } from "effect"
import { BodyKind } from "../../../schema/agency.ts"
import type { ClipCard } from "../../../schema/clip.ts"
import type { MatterRef } from "../../../schema/matter.ts"
import { PlaceKind, type PlaceRef } from "../../../schema/place.ts"
import { AgendaItemId, ClipId, roundSeconds } from "../../../schema/primitives.ts"
import { given } from "../wire.ts"

/** The columns of a `PlaceRef`. */
export const PlaceRow = Schema.Struct({
  slug: Schema.String,
  name: Schema.String,
  kind: PlaceKind,
  state: Schema.String,
  county: Schema.NullOr(Schema.String)
})
export interface PlaceRow extends Schema.Schema.Type<typeof PlaceRow> {}

export const BodyRow = Schema.Struct({
  slug: Schema.String,
  segment: Schema.String,
  name: Schema.String,
  kind: BodyKind
})
export interface BodyRow extends Schema.Schema.Type<typeof BodyRow> {}

/** A curated clip; times in seconds. */
export const ClipRow = Schema.Struct({
  id: ClipId,
  title: Schema.String,
  start: Schema.Finite,
  end: Schema.Finite,
  agenda_item_id: Schema.NullOr(AgendaItemId)
})
export interface ClipRow extends Schema.Schema.Type<typeof ClipRow> {}

export const placePath = (slug: string): string => `/in/${slug}`

export const placeRef = (row: PlaceRow): PlaceRef => ({
  slug: row.slug,
  name: row.name,
  kind: row.kind,
  state: row.state,
  ...given("county", row.county),
  path: placePath(row.slug)
})

/** A body's page belongs to the first of its places (contract section 3). */
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

export const personPath = (slug: string): string => `/people/${slug}`
export const personRef = ({ slug, name }: { readonly slug: string; readonly name: string }) => ({
  ...{ slug, name, path: personPath(slug) }
})

export const matterPath = (place: string, slug: string): string => `/in/${place}/matters/${slug}`

export const matterRef = (row: {
  readonly slug: string
  readonly identifier: string
  readonly title: string
  readonly place: string
}): MatterRef => ({
  slug: row.slug,
  identifier: row.identifier,
  title: row.title,
  path: matterPath(row.place, row.slug)
})
