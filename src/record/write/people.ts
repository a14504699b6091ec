import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleMembership, BundlePerson } from "../../../schema/bundle-people.ts"
import { bodyWithSlug } from "../../services/meetings/sql.ts"
import { mergeRows } from "../../services/people/person-merge.ts"
import { settled } from "./directory.ts"
import { refused, unchanged } from "./outcome.ts"

/** Somebody whom a line names by slug. */
interface Named {
  readonly person?: string | undefined
  readonly name: string
}

/**
 * The ids of the people with these slugs, current or retired. Somebody who is not on record yet is put there by slug
 * and name; a line about them may follow.
 */
export const peopleNamed = Effect.fnUntraced(function* (
  db: Sql,
  named: ReadonlyArray<Named>,
  placeId: number | undefined,
  now: string
) {
  const wanted = named.flatMap(({ person, name }) => (person === undefined ? [] : [{ slug: person, name }]))
  if (wanted.length === 0) return new Map<string, number>()
  const rows = yield* db<{ slug: string; id: number }>`
    with wanted as (
      select distinct on (slug) slug, name from json_to_recordset(${JSON.stringify(wanted)}::json)
        as (slug text, name text) order by slug),
    known as (
      select p.slug, p.id from person p where p.slug in (select slug from wanted)
      union all select r.slug, r.person_id from retired_person r where r.slug in (select slug from wanted)),
    made as (
      insert into person (slug, name, place_id, updated_at)
      select w.slug, w.name, ${placeId ?? null}::int, ${now} from wanted w
      where not exists (select from known k where k.slug = w.slug)
      on conflict (slug) do update set updated_at = person.updated_at returning slug, id)
    select slug, id from known union all select slug, id from made`
  return new Map(rows.map(({ slug, id }) => [slug, id]))
})

/** Writes one person under their slug. One who was merged into another stays merged. */
export const writePerson = Effect.fnUntraced(function* (db: Sql, person: BundlePerson, hash: string, now: string) {
  const [place] =
    person.place === undefined ? [] : yield* db<{ id: number }>`select id from place where slug = ${person.place}`
  if (person.place !== undefined && place === undefined)
    return refused("place", `place ${person.place} is neither on record nor on an earlier line`)
  const [into] =
    person.merged_into === undefined
      ? []
      : yield* db<{ id: number; whole: number; is_same: boolean }>`
          select p.id, coalesce(w.id, p.id) as whole, coalesce(w.slug, p.slug) = ${person.slug} as is_same
          from person p left join person w on w.id = p.merged_into where p.slug = ${person.merged_into}`
  if (into?.is_same === true)
    return refused("merged_into", "is this person, or somebody merged into them; name another one")
  if (person.merged_into !== undefined && into === undefined)
    return refused("merged_into", `person ${person.merged_into} is neither on record nor on an earlier line`)
  const merged = yield* db`select from retired_person where slug = ${person.slug}`
  if (merged.length > 0) return unchanged
  const row = {
    slug: person.slug,
    place_id: place?.id ?? null,
    name: person.name,
    sort_name: person.sort_name ?? null,
    other_names: person.other_names ?? [],
    image_url: person.image_url ?? null,
    source_url: person.source_url ?? null,
    updated_at: now,
    content_hash: hash
  }
  const [written] = yield* db<{ id: number; created: boolean; merged_into: number | null }>`
    insert into person as p ${db.insert(row)}
    on conflict (slug) do update set
      place_id = excluded.place_id, name = excluded.name, sort_name = excluded.sort_name,
      other_names = excluded.other_names, image_url = excluded.image_url, source_url = excluded.source_url,
      updated_at = excluded.updated_at, content_hash = excluded.content_hash
    where p.content_hash <> excluded.content_hash
    returning id, merged_into, xmax = 0 as created`
  if (written !== undefined && person.retired_slugs !== undefined) {
    yield* db`
      insert into retired_person (slug, person_id)
      select r.slug, ${written.id} from unnest(${person.retired_slugs}::text[]) r (slug)
      where not exists (select from person p where p.slug = r.slug)
      on conflict (slug) do nothing`
  }
  // Whom an operator or an earlier line merged stays merged.
  if (written !== undefined && into !== undefined && written.merged_into === null) {
    yield* mergeRows(db, written.id, into, now)
  }
  return settled(written)
})

/** Writes a seat on a body, or an office in it, under its id. */
export const writeMembership = Effect.fnUntraced(function* (
  db: Sql,
  seat: BundleMembership,
  hash: string,
  now: string
) {
  const [person] = yield* db<{ id: number }>`
    select id from person where slug = ${seat.person}
    union all select person_id from retired_person where slug = ${seat.person}`
  if (person === undefined)
    return refused("person", `person ${seat.person} is neither on record nor on an earlier line`)
  const [body] = yield* bodyWithSlug(db, [seat.agency])
  const row = {
    id: seat.id,
    person_id: person.id,
    agency: seat.agency,
    body_id: body?.id ?? null,
    name: seat.name,
    role: seat.role,
    label: seat.label ?? null,
    start_date: seat.start ?? null,
    end_date: seat.end ?? null,
    party: seat.party ?? null,
    district: seat.district ?? null,
    content_hash: hash
  }
  const [written] = yield* db<{ created: boolean }>`
    insert into membership as m ${db.insert(row)}
    on conflict (id) do update set
      person_id = excluded.person_id, agency = excluded.agency, body_id = excluded.body_id, name = excluded.name,
      role = excluded.role, label = excluded.label, start_date = excluded.start_date, end_date = excluded.end_date,
      party = excluded.party, district = excluded.district, content_hash = excluded.content_hash
    where m.content_hash <> excluded.content_hash
    returning xmax = 0 as created`
  // A list of people shows their seats.
  if (written !== undefined) yield* db`update person set updated_at = ${now} where id = ${person.id}`
  return settled(written)
})
