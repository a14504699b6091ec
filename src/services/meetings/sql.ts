import type { Statement } from "effect/sql"
import type { ReadSql } from "../../../layers/db/db.ts"
import { isUuid } from "../../../schema/primitives.ts"

/** SQL shared by several services. Every fragment takes the connection that it runs on. */

/** The bodies with these slugs, current or retired (spec section 2), each with the slug that matched. */
export const bodyWithSlug = (db: ReadSql, slugs: ReadonlyArray<string>) => db<{ slug: string; id: number }>`
  select b.slug, b.id from body b where b.slug = any(${slugs}::text[])
  union all select r.slug, r.body_id from retired_slug r where r.slug = any(${slugs}::text[])`

/**
 * Whether a body `b` is one of these bodies or serves one of these places, by slug; the two are one filter (contract
 * section 4).
 */
export const followed = (db: ReadSql, agencies: ReadonlyArray<string>, places: ReadonlyArray<string>) => db`(
  b.id in (select id from (${bodyWithSlug(db, agencies)}) named) or b.place_slugs && ${places}::text[])`

/** The places of a body `b` as a JSON array of `PlaceRow`, first place first. */
export const placesOf = (db: ReadSql) => db`
  coalesce((
    select json_agg(json_build_object(
      'slug', p.slug, 'name', p.name, 'kind', p.kind, 'state', p.state, 'county', p.county) order by bp.position)
    from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id), '[]')`

/** The number of meetings that a body `b` has held. */
export const meetingsHeld = (db: ReadSql) => db`coalesce((select h.held from body_held h where h.body_id = b.id), 0)`

/** The length of a meeting `m` in seconds, of its rendition or else as recorded for the meeting; null if unknown. */
export const durationOf = (db: ReadSql) => db`coalesce((
  select d.duration from media d where d.meeting_id = m.id and d.role = 'rendition'), m.duration)::float8`

/** The columns of a `ClipRow`, from a row `c` of `clip`; times in seconds. */
export const clipColumns = (db: ReadSql) =>
  db`c.id, c.title, c.start::float8 as start, c."end"::float8 as "end", c.agenda_item_id`

/**
 * The id that a text spells, in lower case as PostgreSQL writes it. Otherwise null: comparing with null finds no row,
 * while comparing with the text would be an error. The schema of ids decides, so that every id found here can be
 * branded.
 */
export const idOf = (text: string): string | null => (isUuid(text) ? text.toLowerCase() : null)

/**
 * The passages of transcripts that match a tsquery, in the whole record: only blocks that may have one are read. What
 * is not among these columns is in `passage`, to be joined by the first three.
 */
export const passagesWith = (db: ReadSql, tsquery: Statement.Fragment) => db`(
  select b.meeting_id, b.block, (first_of(b.block) + v.n - 1)::int as position, v.words
  from passage_block b cross join lateral unnest(b.words) with ordinality v (words, n)
  where passage_lexemes(b.words) @@ (select loosened(${tsquery})) and v.words @@ ${tsquery} offset 0)`
