import { Effect, Option, Stream } from "effect"
import type { SqlError } from "effect/sql"
import type { Sql } from "../../layers/db/db.ts"

/** An entity as PostgreSQL builds it: JSON without nulls. */
export interface EntityRow {
  readonly entity: unknown
}

/** Rows per page. */
const page = 200

/** The people, each after whom they were merged into, and then their seats and offices. */
export const people = (db: Sql) =>
  db<EntityRow>`
    with recursive chain as (
      select id, 0 as depth from person where merged_into is null
      union all select p.id, c.depth + 1 from person p join chain c on coalesce(p.merged_with, p.merged_into) = c.id)
    select json_strip_nulls(json_build_object('type', 'person', 'slug', p.slug, 'place', l.slug, 'name', p.name,
      'sort_name', p.sort_name, 'other_names', nullif(p.other_names, '{}'),
      'retired_slugs', nullif(array(select r.slug from retired_person r where r.person_id = p.id order by r.slug), '{}'), 'merged_into', w.slug,
      'image_url', p.image_url, 'source_url', p.source_url)) as entity
    from person p join chain c on c.id = p.id left join person w on w.id = coalesce(p.merged_with, p.merged_into)
    left join place l on l.id = p.place_id order by c.depth, p.slug`.pipe(
    Effect.zipWith(
      db<EntityRow>`
        select json_strip_nulls(json_build_object('type', 'membership', 'id', m.id, 'person', p.slug, 'agency', coalesce(b.slug, m.agency),
          'name', m.name, 'role', m.role, 'label', m.label, 'start', m.start_date, 'end', m.end_date, 'party', m.party,
          'district', m.district)) as entity
        from membership m join person p on p.id = m.person_id left join body b on b.id = m.body_id order by m.id`,
      (people, seats) => [...people, ...seats]
    )
  )

/** Batches of the keys that a statement finds after one, in order. */
const batches = <K>(
  first: K,
  after: (last: K) => Effect.Effect<ReadonlyArray<{ readonly key: K }>, SqlError.SqlError>
) =>
  Stream.paginate(first, (last) =>
    Effect.map(after(last), (rows) => {
      const keys = rows.map(({ key }) => key)
      return [keys.length === 0 ? [] : [keys], Option.fromUndefinedOr(keys.at(-1))] as const
    })
  )

/** The matters with their sponsors and history, a page in each effect. */
export const mattersOf = (db: Sql) =>
  batches(
    0,
    (last) => db<{ key: number }>`select id as key from matter where id > ${last} order by id limit ${page}`
  ).pipe(
    Stream.map(
      (ids) => db<EntityRow>`
        select json_strip_nulls(json_build_object('type', 'matter', 'slug', m.slug, 'place', l.slug,
          'identifier', m.identifier, 'title', m.title, 'description', m.description, 'kind', m.kind,
          'kind_label', m.kind_label, 'status', m.status, 'status_label', m.status_label,
          'introduced_on', m.introduced_on, 'enacted_as', m.enacted_as, 'agency', coalesce(b.slug, m.agency),
          'source_url', m.source_url, 'attachments', nullif(m.attachments, '[]'),
          'sponsors', (
            select json_agg(json_build_object('person', p.slug, 'name', s.name, 'is_primary', nullif(s.is_primary, false))
              order by s.position)
            from sponsor s left join person p on p.id = s.person_id where s.matter_id = m.id),
          'history', coalesce((
            select json_agg(json_build_object('date', s.date, 'action', s.action, 'result', s.result,
              'agency', coalesce(c.slug, s.agency), 'body_name', s.body_name, 'event', s.event, 'item', s.item,
              'meeting_id', s.meeting_id, 'agenda_item', s.agenda_item_id) order by s.position)
            from matter_step s left join body c on c.id = s.body_id where s.matter_id = m.id), '[]'))) as entity
        from matter m join place l on l.id = m.place_id left join body b on b.id = m.body_id
        where m.id = any(${ids}::int[]) order by m.id`
    )
  )

/** The votes and roll calls with their ballots, a page in each effect: without what the writer would fill in. */
export const votesOf = (db: Sql) =>
  batches(
    "00000000-0000-0000-0000-000000000000",
    (last) => db<{ key: string }>`select id as key from vote where id > ${last}::uuid order by id limit ${page}`
  ).pipe(
    Stream.map(
      (ids) => db<EntityRow>`
        select json_strip_nulls(json_build_object('type', 'vote', 'id', v.id, 'kind', v.kind,
          'date', case when v.event is null then nullif(v.date, m.date) else v.date end,
          'meeting_id', v.meeting_id, 'agenda_item', v.agenda_item_id,
          'place', case when v.event is not null then l.slug end, 'event', v.event, 'item', v.item,
          'matter', x.slug, 'motion', v.motion, 'result', v.result, 'result_label', v.result_label,
          'counts', case when told.counts is distinct from summed.counts then v.counts end, 'moved_by', v.moved_by, 'seconded_by', v.seconded_by, 'start', v.start, 'end', v."end",
          'quote', v.quote, 'from', v.origin, 'source_url', v.source_url,
          'ballots', coalesce((
            select json_agg(json_build_object('person', p.slug, 'name', b.name, 'option', b.option, 'note', b.note)
              order by b.position)
            from ballot b left join person p on p.id = b.person_id where b.vote_id = v.id), '[]'))) as entity
        from vote v left join matter x on x.id = v.matter_id left join place l on l.id = v.place_id
        left join meeting m on m.id = v.meeting_id
        cross join lateral (
          select jsonb_object_agg(option, value) as counts
          from jsonb_to_recordset(v.counts) as c (option text, value int)) told
        cross join lateral (
          select jsonb_object_agg(option, ballots) as counts from (
            select option, count(*) as ballots from ballot b where b.vote_id = v.id group by option) b) summed
        where v.id = any(${ids}::uuid[]) order by v.id`
    )
  )
