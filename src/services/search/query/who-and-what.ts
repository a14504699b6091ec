import type { Statement } from "effect/sql"
import type { ReadSql } from "../../../../layers/db/db.ts"
import { nameOf, withoutTitles } from "./name-sql.ts"

/** People and matters as searches name them, and the meetings that they had a part in. */

type Ids = Statement.Statement<{ id: number }>

/** These rows of `person` and all that are the same person by a merge. */
const whole = (db: ReadSql, ids: Statement.Fragment): Ids => db<{ id: number }>`
  select p.id from person p where coalesce(p.merged_into, p.id) in (
    select coalesce(o.merged_into, o.id) from person o where o.id in (${ids}))`

/** The people with these slugs, current or retired: a select of `id`. */
export const peopleWithSlugs = (db: ReadSql, slugs: ReadonlyArray<string>) =>
  whole(
    db,
    db`select p.id from person p where p.slug = any(${slugs}::text[])
      union all select r.person_id from retired_person r where r.slug = any(${slugs}::text[])`
  )

/**
 * The people with this slug, or else of this name; failing that, those with all of these words in their name, at last
 * without titles: a select of `id`.
 */
export const peopleNamed = (db: ReadSql, text: string) => {
  const slug = text.toLowerCase()
  const named = (words: string) => db`
    select p.id from person p where to_tsvector('simple', p.plain) @@ ${nameOf(db, words)}
    union all
    select p.id from person p cross join unnest(p.other_names) other
    where p.other_names <> '{}' and to_tsvector('simple', fold(other)) @@ ${nameOf(db, words)}`
  return whole(
    db,
    db`select id from (
      select id, closeness, min(closeness) over () as closest from (
        select p.id, 0 as closeness from person p where p.slug = ${slug}
        union all select r.person_id, 0 from retired_person r where r.slug = ${slug}
        union all select named.id, case when p.plain = plain_words(${text}) then 1 else 2 end
          from (${named(text)}) named join person p on p.id = named.id
        union all select named.id, 3 from (${named(withoutTitles(text))}) named) likely) ranked
    where closeness = closest`
  )
}

/** The matters with these slugs: a select of `id`. */
export const mattersWithSlugs = (db: ReadSql, slugs: ReadonlyArray<string>): Ids =>
  db<{ id: number }>`select x.id from matter x where x.slug = any(${slugs}::text[])`

/** The matters with this slug, or else this number, however it is written; or else with all these words: `id`s. */
export const mattersNamed = (db: ReadSql, text: string): Ids => db<{ id: number }>`
  select id from (
    select id, closeness, min(closeness) over () as closest from (
      select x.id, 0 as closeness from matter x where x.slug = ${text.toLowerCase()}
      union all select x.id, 1 from matter x where x.key = plain_words(search_text(${text}))
      union all select x.id, 2 from matter x where x.words @@ search_words(${text})) likely) ranked
  where closeness = closest`

/** The meetings at which these people voted or answered a roll call: a select of `id`. */
export const votedAt = (db: ReadSql, people: Statement.Fragment) => db<{ id: string }>`
  select distinct v.meeting_id as id from ballot t join vote v on v.id = t.vote_id
  where t.person_id in (${people}) and v.meeting_id is not null`

/**
 * What meetings took up, by their history, a vote or the agenda: rows `meeting_id, matter_id`, with repetitions. The
 * condition is asked for by the names of both columns, because PostgreSQL does not push one into a union of joins.
 */
export const takenUp = (
  db: ReadSql,
  holds: (meeting: Statement.Fragment, matter: Statement.Fragment) => Statement.Fragment
) => db`
  select s.meeting_id, s.matter_id from matter_step s
  where s.meeting_id is not null and ${holds(db`s.meeting_id`, db`s.matter_id`)}
  union all
  select v.meeting_id, v.matter_id from vote v
  where v.meeting_id is not null and v.matter_id is not null and ${holds(db`v.meeting_id`, db`v.matter_id`)}
  union all
  select i.meeting_id, x.id from matter x join agenda_item i on i.matter_key = x.key
  join meeting o on o.id = i.meeting_id join body_place bp on bp.body_id = o.body_id and bp.place_id = x.place_id
  where ${holds(db`i.meeting_id`, db`x.id`)}`

/** The meetings that took up these matters: a select of `id`. */
export const tookUp = (db: ReadSql, matters: Statement.Fragment) => db<{ id: string }>`
  select distinct meeting_id as id from (${takenUp(db, (_, matter) => db`${matter} in (${matters})`)}) taken`
