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

/**
 * What a meeting `m` has, each as an expression: conditions, its length, and the number of clips that can be handed out. A published
 * clip that is still to be rendered is not counted.
 */
export const holdings = {
  transcript: (db: ReadSql) => db`exists (select from published_transcript t where t.meeting_id = m.id)`,
  briefing: (db: ReadSql) => db`exists (select from briefing f where f.meeting_id = m.id)`,
  video: (db: ReadSql) => db`exists (select from media d where d.meeting_id = m.id and d.role = 'rendition')`,
  agenda: (db: ReadSql) => db`exists (select from media d where d.meeting_id = m.id and d.role = 'agenda')`,
  /** In seconds: of the rendition, which is what can be watched, else as the record says it; null if neither does. */
  duration: (db: ReadSql) => db`coalesce((
    select d.duration from media d where d.meeting_id = m.id and d.role = 'rendition'), m.duration)::float8`,
  clips: (db: ReadSql) => db`(select count(*)::int from ${handedOut(db)} where c.meeting_id = m.id)`
}

/** The published clips `c` that can be watched, each beside its media `d`. */
export const handedOut = (db: ReadSql) => db`(select c.* from clip c where c.state = 'published') c
  join media d on d.meeting_id = c.meeting_id and d.role = 'clip' and d.subject = c.id`

/** The columns of a `ClipRow`, from a row `c` of `clip`; times in seconds. */
export const clipColumns = (db: ReadSql) =>
  db`c.id, c.title, c.start::float8 as start, c."end"::float8 as "end", c.agenda_item_id`

/**
 * The id that a text spells, in lower case as PostgreSQL writes it. Null if it spells none: comparing with null finds
 * no row, and comparing with the text would be an error. The schema of ids decides, so that every id found here can be
 * branded.
 */
export const idOf = (text: string): string | null => (isUuid(text) ? text.toLowerCase() : null)
