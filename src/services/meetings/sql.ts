import type { ReadSql } from "../../../layers/db/db.ts"
import { isUuid } from "../../../schema/primitives.ts"

/** SQL that several services share. Every fragment takes the connection that it runs on. */

/** The bodies that these slugs name, live or retired (spec section 2), each with the slug that found it. */
export const bodyWithSlug = (db: ReadSql, slugs: ReadonlyArray<string>) => db<{ slug: string; id: number }>`
  select b.slug, b.id from body b where b.slug = any(${slugs}::text[])
  union all select r.slug, r.body_id from retired_slug r where r.slug = any(${slugs}::text[])`

/**
 * Whether a body `b` is one of these bodies or serves one of these places, by slug: one filter (contract section 4).
 */
export const followed = (db: ReadSql, agencies: ReadonlyArray<string>, places: ReadonlyArray<string>) => db`(
  b.id in (select id from (${bodyWithSlug(db, agencies)}) named) or b.place_slugs && ${places}::text[])`

/** The places of a body `b` as JSON, first place first: an array of `PlaceRow`. */
export const placesOf = (db: ReadSql) => db`
  coalesce((
    select json_agg(json_build_object(
      'slug', p.slug, 'name', p.name, 'kind', p.kind, 'state', p.state, 'county', p.county) order by bp.position)
    from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id), '[]')`

/** How many meetings a body `b` has held. */
export const meetingsHeld = (db: ReadSql) => db`coalesce((select h.held from body_held h where h.body_id = b.id), 0)`

/** How long a meeting `m` is, in seconds: its rendition, else as the record says; null if neither does. */
export const durationOf = (db: ReadSql) => db`coalesce((
  select d.duration from media d where d.meeting_id = m.id and d.role = 'rendition'), m.duration)::float8`

/** The columns of a `ClipRow`, from a row `c` of `clip`; times in seconds. */
export const clipColumns = (db: ReadSql) =>
  db`c.id, c.title, c.start::float8 as start, c."end"::float8 as "end", c.agenda_item_id`

/**
 * The id that a text spells, in lower case as PostgreSQL writes it. Null if it spells none: comparing with null finds
 * no row, and comparing with the text would be an error. The schema of ids decides, so that every id found here can be
 * branded.
 */
export const idOf = (text: string): string | null => (isUuid(text) ? text.toLowerCase() : null)
