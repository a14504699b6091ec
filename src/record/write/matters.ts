import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { BundleMatter } from "../../../schema/bundle-people.ts"
import { settled } from "./directory.ts"
import { eventKey, type Hashed, meetingsAt, placesNamed } from "./named.ts"
import { type Outcome, refused, unchanged } from "./outcome.ts"
import { peopleNamed } from "./people.ts"

/** A matter that is written, and the id of its place. */
interface Placed extends Hashed<BundleMatter> {
  readonly placeId: number
}

/** The rows of `matter`; those of matters on record are replaced. */
const putMatters = (db: Sql, placed: ReadonlyArray<Placed>, now: string) => {
  const rows = placed.map(
    ({ entity: { type: _, sponsors: _1, history: _2, place: _3, ...matter }, hash, placeId }) => ({
      ...matter,
      place_id: placeId,
      attachments: matter.attachments ?? [],
      content_hash: hash
    })
  )
  return db<{ id: number; slug: string; created: boolean }>`
    insert into matter as m (slug, place_id, identifier, title, description, kind, kind_label, status, status_label,
      introduced_on, enacted_as, agency, body_id, source_url, attachments, updated_at, content_hash)
    select r.slug, r.place_id, r.identifier, r.title, r.description, r.kind, r.kind_label, r.status, r.status_label,
      r.introduced_on, r.enacted_as, r.agency, coalesce(b.id, old.body_id), r.source_url, r.attachments, ${now}, r.content_hash
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (slug text, place_id int, identifier text, title text,
      description text, kind text, kind_label text, status text, status_label text, introduced_on date, enacted_as text,
      agency text, source_url text, attachments jsonb, content_hash text)
    left join body b on b.slug = r.agency left join retired_slug old on old.slug = r.agency
    on conflict (slug) do update set
      place_id = excluded.place_id, identifier = excluded.identifier, title = excluded.title,
      description = excluded.description, kind = excluded.kind, kind_label = excluded.kind_label,
      status = excluded.status, status_label = excluded.status_label, introduced_on = excluded.introduced_on,
      enacted_as = excluded.enacted_as, agency = excluded.agency, body_id = excluded.body_id,
      source_url = excluded.source_url, attachments = excluded.attachments, updated_at = excluded.updated_at,
      content_hash = excluded.content_hash
    returning id, slug, xmax = 0 as created`
}

/** A matter that was written, with the id of its row. */
interface Written extends Placed {
  readonly id: number
}

const putSponsors = Effect.fnUntraced(function* (db: Sql, written: ReadonlyArray<Written>, now: string) {
  const rows: Array<object> = []
  for (const [placeId, those] of Map.groupBy(written, (one) => one.placeId)) {
    const people = yield* peopleNamed(
      db,
      those.flatMap(({ entity }) => entity.sponsors ?? []),
      placeId,
      now
    )
    for (const { id, entity } of those) {
      for (const [position, { person, name, is_primary = false }] of (entity.sponsors ?? []).entries()) {
        rows.push({ matter_id: id, position, person_id: people.get(person ?? "") ?? null, name, is_primary })
      }
    }
  }
  if (rows.length === 0) return
  yield* db`
    insert into sponsor (matter_id, position, person_id, name, is_primary)
    select * from json_to_recordset(${JSON.stringify(rows)}::json)
      as (matter_id int, position int, person_id int, name text, is_primary boolean)`
})

const putSteps = Effect.fnUntraced(function* (db: Sql, written: ReadonlyArray<Written>) {
  const unplaced = written.flatMap(({ entity, placeId }) =>
    entity.history.flatMap(({ meeting_id, event }) =>
      meeting_id === undefined && event !== undefined ? [{ placeId, event }] : []
    )
  )
  const meetings = yield* meetingsAt(db, unplaced)
  const rows = written.flatMap(({ id, entity, placeId }) =>
    entity.history.map((step, position) => ({
      matter_id: id,
      position,
      ...step,
      meeting_id: step.meeting_id ?? meetings.get(eventKey(placeId, step.event))?.id ?? null
    }))
  )
  if (rows.length === 0) return
  yield* db`
    insert into matter_step (matter_id, position, date, action, result, agency, body_id, body_name, event, item,
      meeting_id, agenda_item_id)
    select s.matter_id, s.position, s.date, s.action, s.result, s.agency, coalesce(b.id, old.body_id), s.body_name,
      s.event, s.item, m.id, i.id
    from json_to_recordset(${JSON.stringify(rows)}::json) as s (matter_id int, position int, date date, action text,
      result text, agency text, body_name text, event text, item text, meeting_id uuid, agenda_item uuid)
    left join body b on b.slug = s.agency left join retired_slug old on old.slug = s.agency
    left join meeting m on m.id = s.meeting_id
    left join lateral (
      select known.id from agenda_item known
      where known.meeting_id = m.id
        and (known.id = s.agenda_item or s.agenda_item is null and known.identifier = s.item)
      limit 1) i on true`
})

/** Writes matters of different slugs, with their sponsors and histories; returns an outcome for each. */
export const writeMatters = Effect.fnUntraced(function* (
  db: Sql,
  matters: ReadonlyArray<Hashed<BundleMatter>>,
  now: string
) {
  if (matters.length === 0) return []
  const outcomes: Array<Outcome> = []
  const slugs = matters.map(({ entity }) => entity.slug)
  const rows = yield* db<{ slug: string; hash: string }>`
    select slug, content_hash as hash from matter where slug = any(${slugs}::text[])`
  const known = new Map(rows.map(({ slug, hash }) => [slug, hash]))
  const places = yield* placesNamed(
    db,
    matters.map(({ entity }) => entity.place)
  )
  const placed: Array<Placed & { readonly at: number }> = []
  for (const [at, one] of matters.entries()) {
    const { slug, place } = one.entity
    const placeId = places.get(place)
    if (known.get(slug) === one.hash) outcomes[at] = unchanged
    else if (placeId === undefined)
      outcomes[at] = refused("place", `place ${place} is neither on record nor on an earlier line`)
    else placed.push({ ...one, placeId, at })
  }
  if (placed.length === 0) return outcomes
  const put = new Map((yield* putMatters(db, placed, now)).map((row) => [row.slug, row]))
  const written = placed.flatMap((one): ReadonlyArray<Written> => {
    const row = put.get(one.entity.slug)
    outcomes[one.at] = settled(row)
    return row === undefined ? [] : [{ ...one, id: row.id }]
  })
  const replaced = [...put.values()].flatMap(({ id, created }) => (created ? [] : [id]))
  if (replaced.length > 0) {
    yield* db`delete from sponsor where matter_id = any(${replaced}::int[])`
    yield* db`delete from matter_step where matter_id = any(${replaced}::int[])`
  }
  yield* putSponsors(db, written, now)
  yield* putSteps(db, written)
  return outcomes
})
