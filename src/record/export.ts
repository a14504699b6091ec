import { Effect, Option, Schema, Stream } from "effect"
import type { SqlError } from "effect/sql"
import { Db, type Sql } from "../../layers/db/db.ts"
import { BundleEntity } from "../../schema/bundle.ts"
import { segmentsFrom } from "../services/meetings/packed-segments.ts"
import { type EntityRow, mattersOf, people, votesOf } from "./export-people.ts"

/** An entity that belongs to a meeting; a transcript's segments come beside its other fields. */
interface BelongingRow {
  readonly entity: object
  readonly segments: Uint8Array | null
}

const whole = Effect.fnUntraced(function* ({ entity, segments }: BelongingRow) {
  return { entity: segments === null ? entity : { ...entity, segments: yield* segmentsFrom(segments) } }
})

const decode = Schema.decodeUnknownEffect(BundleEntity)

/** An instant in the usual spelling, with a fraction of a second only if it has one. */
const instant = (column: string) =>
  `regexp_replace(to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), '\\.?0*Z$', 'Z')`

/** Meetings per page; a page of long transcripts is a few megabytes. */
const page = 25

/** Below every id. */
const firstId = "00000000-0000-0000-0000-000000000000"

const directory = (db: Sql) =>
  db<EntityRow>`
    select json_strip_nulls(json_build_object('type', 'place', 'slug', p.slug, 'name', p.name, 'kind', p.kind,
      'state', p.state, 'county', p.county, 'zips', nullif(p.zips, '{}'), 'latitude', p.latitude,
      'longitude', p.longitude)) as entity
    from place p order by p.slug`.pipe(
    Effect.zipWith(
      db<EntityRow>`
        select json_strip_nulls(json_build_object('type', 'agency', 'slug', b.slug, 'segment', b.segment, 'name', b.name,
          'kind', b.kind,
          'places', array(select p.slug from body_place bp join place p on p.id = bp.place_id
            where bp.body_id = b.id order by bp.position),
          'retired_slugs', nullif(array(select r.slug from retired_slug r where r.body_id = b.id order by r.slug), '{}'),
          'retired_paths', nullif(array(select p.slug || '/' || a.segment from body_address a
            join place p on p.id = a.place_id where a.body_id = b.id and (a.segment <> b.segment or not exists (
              select from body_place bp where bp.body_id = b.id and bp.place_id = a.place_id)) order by 1), '{}'),
          'website', b.website)) as entity
        from body b order by b.slug`,
      (places, agencies) => [...places, ...agencies]
    )
  )

const meetings = (db: Sql, ids: ReadonlyArray<string>) => db<EntityRow>`
  select json_strip_nulls(json_build_object('type', 'meeting', 'id', m.id, 'agency', b.slug, 'title', m.title,
    'date', m.date, 'starts_at', ${db.literal(instant("m.starts_at"))}, 'timezone', m.timezone, 'status', m.status,
    'identifier', m.identifier, 'duration', m.duration, 'location', m.location, 'join_url', m.join_url, 'source_url', m.source_url,
    'agenda_url', m.agenda_url, 'agenda_changed_at', ${db.literal(instant("m.agenda_changed_at"))}, 'minutes_url', m.minutes_url, 'video_url', m.video_url,
    'attachments', nullif(m.attachments, '[]'),
    'agenda_items', coalesce((select json_agg(json_build_object('id', a.id, 'number', a.number, 'title', a.title,
        'description', a.description, 'outcome', a.outcome, 'start', a.start, 'identifier', a.identifier,
        'matter', a.matter) order by a.position)
      from agenda_item a where a.meeting_id = m.id), '[]'),
    'chapters', coalesce((select json_agg(json_build_object('title', c.title, 'start', c.start, 'end', c."end")
      order by c.position) from chapter c where c.meeting_id = m.id), '[]'))) as entity
  from meeting m join body b on b.id = m.body_id where m.id = any(${ids}::uuid[]) order by m.id`

const belongings = (db: Sql, ids: ReadonlyArray<string>) => db<BelongingRow>`
  with wanted as (select id::uuid as meeting_id from unnest(${ids}::text[]) id)
  select entity, segments from (
    select meeting_id, 1 as turn, version as name, json_strip_nulls(json_build_object('type', 'transcript',
      'meeting_id', meeting_id, 'version', version, 'language', language, 'generator', generator, 'duration', duration,
      'speakers', speakers)) as entity, segments from published_transcript join wanted using (meeting_id)
    union all
    select meeting_id, 2, id::text, json_strip_nulls(json_build_object('type', 'figure', 'meeting_id', meeting_id, 'id', id,
      'title', title, 'alt', alt)), null from figure join wanted using (meeting_id)
    union all
    select meeting_id, 3, '', json_strip_nulls(json_build_object('type', 'briefing', 'meeting_id', meeting_id,
      'headline', written -> 'headline', 'headline_claim', written -> 'headline_claim',
      'worth_watching', written -> 'worth_watching', 'topics', written -> 'topics',
      'generator', generator, 'published_at', ${db.literal(instant("published_at"))})), null
    from briefing join wanted using (meeting_id)
    union all
    select meeting_id, 4, '', json_strip_nulls(json_build_object('type', 'claims', 'meeting_id', meeting_id, 'claims',
      coalesce((select json_agg(json_build_object('id', c.id, 'topic', c.topic, 'text', c.text, 'verdict', c.verdict,
        'evidence', c.evidence, 'checked_at', ${db.literal(instant("c.checked_at"))}) order by c.position)
        from claim c where c.meeting_id = claims.meeting_id), '[]'))), null
    from claims join wanted using (meeting_id)
    union all
    select meeting_id, 5, '', json_strip_nulls(json_build_object('type', 'recap', 'meeting_id', meeting_id,
      'headline', headline, 'summary', summary, 'decisions', decisions)), null from recap join wanted using (meeting_id)
    union all
    select meeting_id, 6, '', json_strip_nulls(json_build_object('type', 'agenda_summary', 'meeting_id', meeting_id,
      'items', items)), null from agenda_summary join wanted using (meeting_id)
    union all
    select meeting_id, 7, id::text, json_strip_nulls(json_build_object('type', 'clip', 'meeting_id', meeting_id, 'id', id,
      'title', title, 'start', start, 'end', "end", 'agenda_item', agenda_item_id, 'state', state)), null
    from clip join wanted using (meeting_id)
    union all
    select meeting_id, 8, key, json_strip_nulls(json_build_object('type', 'media', 'meeting_id', meeting_id, 'role', role,
      'subject', subject, 'path', key, 'media_type', media_type, 'width', width, 'height', height, 'duration', duration)), null
    from media join wanted using (meeting_id)
    union all
    select d.meeting_id, 9, d.id::text, json_strip_nulls(json_build_object('type', 'document',
      'meeting_id', d.meeting_id, 'id', d.id, 'kind', d.kind, 'title', d.title, 'agenda_item', d.agenda_item_id,
      'source_url', d.source_url, 'version', nullif(d.version, 1), 'media_type', v.media_type, 'bytes', v.bytes,
      'digest', v.digest, 'page_count', nullif(v.pages, pages.count), 'unread', v.unread, 'removals', nullif(v.removals, 0), 'bookmarks', nullif(v.bookmarks, '[]'),
      'fetched_at', ${db.literal(instant("v.fetched_at"))}, 'pages', pages.list)), null
    from document d join wanted using (meeting_id)
    join document_version v on v.document_id = d.id and v.version = d.version
    cross join lateral (
      select count(*)::int as count, coalesce(json_agg(json_build_object('text', p.text,
        'from', case when p.is_recognized then 'ocr' end) order by p.number), '[]') as list
      from document_page p where p.document_id = d.id and p.version = d.version) pages
  ) entities
  order by meeting_id, turn, name`

const removals = (db: Sql) => db<EntityRow>`
  select json_strip_nulls(json_build_object('type', 'removed', 'what', 'meeting', 'id', id, 'reason', reason,
    'merged_into', merged_into)) as entity
  from removed_meeting order by removed_at, id`

/**
 * The whole record as bundle entities, in an order that can be imported: the directory, then meetings by id, one page
 * at a time, each page followed by what belongs to its meetings, then the tombstones of removed meetings. Media are
 * named by their keys, which are also the paths of the exported files. Fails only when the database does; a row that
 * does not make an entity is a defect.
 */
export const exportEntities: Effect.Effect<Stream.Stream<BundleEntity, SqlError.SqlError>, never, Db> = Effect.gen(
  function* () {
    const db = yield* Db
    const entities = (rows: ReadonlyArray<EntityRow>) => Effect.orDie(Effect.forEach(rows, (row) => decode(row.entity)))
    const meetingPages = Stream.paginate(firstId, (after) =>
      Effect.gen(function* () {
        const rows = yield* db<{ id: string }>`select id from meeting where id > ${after} order by id limit ${page}`
        const ids = rows.map(({ id }) => id)
        const found = [...(yield* meetings(db, ids)), ...(yield* Effect.forEach(yield* belongings(db, ids), whole))]
        return [yield* entities(found), Option.fromUndefinedOr(ids.at(-1))] as const
      })
    )
    const allOf = (rows: Effect.Effect<ReadonlyArray<EntityRow>, SqlError.SqlError>) =>
      Stream.flatMap(Stream.fromEffect(Effect.flatMap(rows, entities)), Stream.fromIterable)
    return allOf(directory(db)).pipe(
      Stream.concat(allOf(people(db))),
      Stream.concat(meetingPages),
      Stream.concat(Stream.flatMap(mattersOf(db), allOf)),
      Stream.concat(Stream.flatMap(votesOf(db), allOf)),
      Stream.concat(allOf(removals(db)))
    )
  }
)
