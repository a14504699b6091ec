import type { Sql } from "postgres"
import { type BodyKind, bodyKindLabels } from "../../schema/agency.ts"
import {
  type BodyRow,
  bodyPath,
  bodyRef,
  type PlaceRow,
  placePath,
  placeRef
} from "../../src/services/meetings/refs.ts"
import { cardsOf } from "./cards.ts"
import { one, type Params, whole } from "./query.ts"

interface AgencyRow extends BodyRow {
  readonly places: ReadonlyArray<PlaceRow>
  readonly meetings_held: number
}

export const agencies = async (sql: Sql) => {
  const rows = await sql<ReadonlyArray<AgencyRow>>`
    select b.slug, b.segment, b.name, b.kind, coalesce(h.held, 0) as meetings_held,
      (select json_agg(json_build_object('slug', p.slug, 'name', p.name, 'kind', p.kind,
          'state', p.state, 'county', p.county)
          order by bp.position)
        from body_place bp join place p on p.id = bp.place_id where bp.body_id = b.id) as places
    from body b left join (
      select body_id, count(*)::int as held from meeting where status = 'held' group by 1
    ) h on h.body_id = b.id
    order by meetings_held desc, b.name, b.slug`
  return {
    agencies: rows.map((row) => ({
      ...bodyRef(row, row.places[0]?.slug),
      places: row.places.map(placeRef),
      meetings_held: row.meetings_held
    }))
  }
}

export const places = async (sql: Sql) => {
  const rows = await sql<ReadonlyArray<PlaceRow & { bodies: number; meetings_held: number }>>`
    select p.slug, p.name, p.kind, p.state, p.county, count(*)::int as bodies, sum(h.held)::int as meetings_held
    from place p join body_place bp on bp.place_id = p.id join (
      select b.id, count(m.id) filter (where m.status = 'held') as held, count(m.id) as known
      from body b left join meeting m on m.body_id = b.id group by 1
    ) h on h.id = bp.body_id
    group by p.id having sum(h.known) > 0
    order by meetings_held desc, p.name, p.slug`
  return {
    places: rows.map((row) => ({ ...placeRef(row), bodies: row.bodies, meetings_held: row.meetings_held }))
  }
}

/**
 * The next meetings of each body within `within_days` days, including cancelled ones; the body that meets soonest comes
 * first.
 */
export const upcoming = async (sql: Sql, params: Params) => {
  const days = whole(params, "within_days", 30)
  const size = whole(params, "page_size", 200)
  const skip = (whole(params, "page", 1) - 1) * size
  const rows = await sql<ReadonlyArray<{ id: string }>>`
    with coming as (
      select m.id, b.slug, m.date, m.starts_at,
        row_number() over (partition by b.id order by m.date, m.starts_at, m.id) as turn
      from meeting m join body b on b.id = m.body_id
      where m.status in ('upcoming', 'cancelled')
        and m.date between (now() at time zone m.timezone)::date
          and (now() at time zone m.timezone)::date + ${days}::int
        and m.date between now()::date - 1 and now()::date + ${days + 1}::int
        and (m.starts_at is null or m.starts_at >= now() - interval '6 hours')
    ), listed as (
      select id, turn, dense_rank() over (order by first_date, first_start, first_id, slug) as place from (
        select *, first_value(date) over w as first_date, first_value(starts_at) over w as first_start,
          first_value(id) over w as first_id
        from coming window w as (partition by slug order by turn)
      ) f where turn <= ${whole(params, "per_body", 3)}
    )
    select id from listed where place > ${skip} and place <= ${skip + size} order by place, turn`
  const cards = await cardsOf(
    sql,
    rows.map(({ id }) => id)
  )
  const bodies = [...Map.groupBy(cards, (card) => card.body.slug).values()].flatMap((meetings) =>
    meetings[0] === undefined ? [] : [{ body: meetings[0].body, meetings }]
  )
  return { within_days: days, bodies }
}

interface LocationRow {
  readonly what: "place" | "body"
  readonly slug: string
  readonly name: string
  readonly kind: string
  readonly segment: string | null
  readonly first_place: string | null
  readonly seat: string
  readonly state: string
  readonly meetings_held: number
}

/** Places and bodies by name, tolerating misspellings. */
export const locations = async (sql: Sql, params: Params) => {
  const q = one(params, "q") ?? ""
  const rows = await sql<ReadonlyArray<LocationRow>>`
    with held as (select body_id, count(*)::int as held from meeting where status = 'held' group by 1),
    known as (
      select 'place' as what, p.slug, p.name, p.kind, null as segment, null as first_place,
        coalesce(p.county, '') as seat,
        p.state, coalesce((select sum(h.held)::int from body_place bp join held h on h.body_id = bp.body_id
          where bp.place_id = p.id), 0) as meetings_held
      from place p
      union all
      select 'body', b.slug, b.name, b.kind, b.segment, p.slug, p.name, p.state, coalesce(h.held, 0)
      from body b join body_place bp on bp.body_id = b.id and bp.position = 0 join place p on p.id = bp.place_id
      left join held h on h.body_id = b.id
    )
    select * from known where word_similarity(fold(${q}), fold(name)) >= 0.45
    order by fold(name) = fold(${q}) desc, starts_with(fold(name), fold(${q})) desc,
      similarity(fold(${q}), fold(name)) desc,
      meetings_held desc, name, slug
    limit 20`
  return {
    query: q,
    results: rows.map((row) => ({
      kind: row.what,
      slug: row.slug,
      name: row.name,
      path: row.what === "place" ? placePath(row.slug) : bodyPath(row.first_place ?? undefined, row.segment ?? ""),
      detail:
        row.what === "place"
          ? `${row.kind === "county" ? "County" : "City"} in ` +
            [row.seat, row.state].filter((part) => part !== "").join(", ")
          : `${row.kind === "other" ? "Public body" : bodyKindLabels[row.kind as BodyKind]} of ` +
            `${row.seat}, ${row.state}`,
      meetings_held: row.meetings_held,
      match: "name"
    }))
  }
}
