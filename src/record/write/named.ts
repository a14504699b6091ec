import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"

/** An entity with its fingerprint. */
export interface Hashed<A> {
  readonly entity: A
  readonly hash: string
}

/** The ids of the places with these slugs. */
export const placesNamed = Effect.fnUntraced(function* (db: Sql, slugs: ReadonlyArray<string | undefined>) {
  const wanted = [...new Set(slugs.filter((slug) => slug !== undefined))]
  if (wanted.length === 0) return new Map<string, number>()
  const rows = yield* db<{ id: number; slug: string }>`select id, slug from place where slug = any(${wanted}::text[])`
  return new Map(rows.map(({ id, slug }) => [slug, id]))
})

/** A meeting by its number at its source, or as `body/day`, at a place. */
interface AtSource {
  readonly placeId: number
  readonly event: string
}

export const eventKey = (placeId: number, event: string | undefined): string => `${placeId} ${event}`

/** The meetings that these events name, by `eventKey`; those that are not on record are left out. */
export const meetingsAt = Effect.fnUntraced(function* (db: Sql, named: ReadonlyArray<AtSource>) {
  const wanted = [...new Map(named.map((one) => [eventKey(one.placeId, one.event), one])).values()]
  if (wanted.length === 0) return new Map<string, { readonly id: MeetingId; readonly date: string }>()
  const rows = yield* db<{ place: number; event: string; id: MeetingId; date: string }>`
    select w.place, w.event, m.id, m.date::text as date
    from unnest(${wanted.map(({ placeId }) => placeId)}::int[], ${wanted.map(({ event }) => event)}::text[])
      w (place, event)
    cross join lateral event_meeting(w.place, w.event) e join meeting m on m.id = e.id`
  return new Map(rows.map(({ place, event, id, date }) => [eventKey(place, event), { id, date }]))
})
