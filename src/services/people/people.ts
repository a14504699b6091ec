import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { dbDies, ReadDb, type ReadSql } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import { BodyKind } from "../../../schema/agency.ts"
import {
  MemberRole,
  type Membership,
  type People as PeoplePage,
  type PeopleQuery,
  type Person
} from "../../../schema/people.ts"
import { type NotFound, personNotFound } from "../failures.ts"
import { bodyRef, PlaceRow, personRef, placeRef } from "../meetings/refs.ts"
import { bodyWithSlug } from "../meetings/sql.ts"
import { given, givenAddress } from "../wire.ts"
import { agreementOf } from "./agreement.ts"

const nullable = Schema.NullOr

const PersonRow = Schema.Struct({
  id: Schema.Finite,
  slug: Schema.String,
  name: Schema.String,
  other_names: Schema.Array(Schema.String),
  image_url: nullable(Schema.String),
  source_url: nullable(Schema.String),
  updated_at: Schema.Date,
  place: nullable(PlaceRow)
})
const personRows = rowsBy(PersonRow)

const personColumns = (db: ReadSql) => db`
  p.id, p.slug, p.name, p.other_names || array(
    select distinct o.name from person o where o.merged_into = p.id and o.name <> all(p.other_names || p.name)
    order by o.name) as other_names, p.image_url, p.source_url, p.updated_at, (
    select json_build_object('slug', l.slug, 'name', l.name, 'kind', l.kind, 'state', l.state, 'county', l.county)
    from place l where l.id = p.place_id) as place`

const seatRows = rowsBy(
  Schema.Struct({
    person_id: Schema.Finite,
    name: Schema.String,
    role: MemberRole,
    label: nullable(Schema.String),
    start: nullable(Schema.String),
    end: nullable(Schema.String),
    party: nullable(Schema.String),
    district: nullable(Schema.String),
    slug: nullable(Schema.String),
    segment: nullable(Schema.String),
    body_name: nullable(Schema.String),
    kind: nullable(BodyKind),
    place: nullable(Schema.String)
  })
)

/** The person with this slug, current, retired or of somebody merged into them, with the ids of all of their rows. */
export const personWithSlug = (db: ReadSql, slug: string) => db<{ id: number; ids: ReadonlyArray<number> }>`
  select coalesce(p.merged_into, p.id) as id,
    array(select o.id from person o where coalesce(p.merged_into, p.id) in (o.id, o.merged_into)) as ids
  from person p where p.slug = ${slug.toLowerCase()}
    or p.id in (select r.person_id from retired_person r where r.slug = ${slug.toLowerCase()}) limit 1`

/** People in public office: who they are, what they sit on, and their votes in figures. */
export class People extends Context.Service<
  People,
  {
    /** People by name; with `on`, those in office on that day, and their seats then. */
    readonly list: (query: PeopleQuery) => Effect.Effect<PeoplePage>
    /** A person by slug, or by one that a merge retired. */
    readonly person: (slug: string) => Effect.Effect<Person, NotFound>
  }
>()("civic-record/People") {
  static readonly layer = Layer.effect(
    People,
    Effect.gen(function* () {
      const db = yield* ReadDb

      /** The seats of these people, the newest first; only those held on a day, if one is given. */
      const seatsOf = Effect.fnUntraced(function* (ids: ReadonlyArray<number>, on: string | undefined) {
        const rows = yield* seatRows(db`
          select coalesce(o.merged_into, o.id) as person_id, s.name, s.role, s.label, s.start_date::text as start, s.end_date::text as "end", s.party,
            s.district, b.slug, b.segment, b.name as body_name, b.kind, (
              select l.slug from body_place bp join place l on l.id = bp.place_id
              where bp.body_id = b.id order by bp.position limit 1) as place
          from membership s join person o on o.id = s.person_id left join body b on b.id = s.body_id
          where (o.id = any(${ids}::int[]) or o.merged_into = any(${ids}::int[]))
            and (${on ?? null}::date is null
              or coalesce(s.start_date, '-infinity') <= ${on ?? null}::date and coalesce(s.end_date, 'infinity') >= ${on ?? null}::date)
          order by 1, s.end_date desc nulls first, s.start_date desc nulls last, s.name, s.id`)
        const seats = new Map<number, Array<Membership>>()
        for (const row of rows) {
          const { slug, segment, body_name, kind } = row
          const seat: Membership = {
            ...(slug === null || segment === null || body_name === null || kind === null
              ? {}
              : { agency: bodyRef({ slug, segment, name: body_name, kind }, row.place ?? undefined) }),
            name: body_name ?? row.name,
            role: row.role,
            ...given("label", row.label),
            ...given("start", row.start),
            ...given("end", row.end),
            ...given("party", row.party),
            ...given("district", row.district)
          }
          seats.set(row.person_id, [...(seats.get(row.person_id) ?? []), seat])
        }
        return seats
      })

      const list = Effect.fn("People.list")(function* (query: PeopleQuery) {
        const { q = "", agency_slug, place_slug, on, updated_since, page = 1, page_size = 20 } = query
        const [body] = agency_slug === undefined ? [] : yield* bodyWithSlug(db, [agency_slug])
        const day = on ?? null
        const conditions = db.and([
          db`p.merged_into is null`,
          ...(q.trim() === ""
            ? []
            : [
                db`p.id in (
                  select coalesce(o.merged_into, o.id) from person o where o.plain like '%' || plain_words(${q}) || '%'
                  union all
                  select coalesce(o.merged_into, o.id) from person o cross join unnest(o.other_names) n (name)
                  where o.other_names <> '{}' and plain_words(n.name) like '%' || plain_words(${q}) || '%')`
              ]),
          ...(place_slug === undefined ? [] : [db`p.place_id = (select id from place where slug = ${place_slug})`]),
          ...(updated_since === undefined ? [] : [db`p.updated_at >= ${updated_since}::timestamptz`]),
          ...(agency_slug === undefined && on === undefined
            ? []
            : [
                db`exists (
                  select from membership s join person o on o.id = s.person_id
                  where p.id in (o.id, o.merged_into)
                  and (${agency_slug === undefined} or s.body_id = ${body?.id ?? 0})
                  and (${day}::date is null or coalesce(s.start_date, '-infinity') <= ${day}::date
                    and coalesce(s.end_date, 'infinity') >= ${day}::date))`
              ])
        ])
        const [counted] = yield* db<{ total: number }>`select count(*)::int as total from person p where ${conditions}`
        const rows = yield* personRows(db`
          select ${personColumns(db)} from person p where ${conditions}
          order by coalesce(p.sort_name, p.name), p.id limit ${page_size} offset ${(page - 1) * page_size}`)
        const today = DateTime.formatIsoDate(yield* DateTime.now)
        const seats = yield* seatsOf(
          rows.map(({ id }) => id),
          on ?? today
        )
        const people = rows.map((row) => ({
          ...personRef(row),
          ...(row.place === null ? {} : { place: placeRef(row.place) }),
          memberships: seats.get(row.id) ?? [],
          updated_at: row.updated_at.toISOString()
        }))
        return { total: counted?.total ?? 0, page, page_size, people }
      }, dbDies)

      const yearsOf = (ids: ReadonlyArray<number>) => db<{
        year: number
        votes: number
        no: number
        absent: number
        divided: number
        against_majority: number
        present: number
        called: number
      }>`
        select extract(year from t.date)::int as year,
          count(*) filter (where not t.is_roll_call)::int as votes,
          count(*) filter (where t.option = 'no')::int as no,
          count(*) filter (where not t.is_roll_call and t.option in ('absent', 'excused'))::int as absent,
          count(*) filter (where not t.is_roll_call and t.is_divided)::int as divided,
          count(*) filter (where not t.with_majority)::int as against_majority,
          count(*) filter (where t.is_roll_call and t.option = 'present')::int as present,
          count(*) filter (where t.is_roll_call)::int as called
        from ballot t where t.person_id = any(${ids}::int[]) group by 1 order by 1 desc`

      const person = Effect.fn("People.person")(function* (slug: string) {
        const [found] = yield* personWithSlug(db, slug)
        const [row] =
          found === undefined
            ? []
            : yield* personRows(db`
          select ${personColumns(db)} from person p where p.id = ${found.id}`)
        if (row === undefined) return yield* personNotFound(slug)
        const [agreement, seats, years, [sponsored]] = yield* Effect.all(
          [
            agreementOf(db, row.id, found?.ids ?? []),
            seatsOf([row.id], undefined),
            yearsOf(found?.ids ?? []),
            db<{
              matters: number
            }>`select count(*)::int as matters from sponsor where person_id = any(${found?.ids ?? []}::int[])`
          ],
          { concurrency: 2 }
        )
        const sum = (of: (year: (typeof years)[number]) => number) => years.reduce((all, year) => all + of(year), 0)
        const called = sum((year) => year.called)
        return {
          ...personRef(row),
          ...(row.place === null ? {} : { place: placeRef(row.place) }),
          ...(row.other_names.length === 0 ? {} : { other_names: row.other_names }),
          ...givenAddress("image_url", row.image_url),
          ...givenAddress("source_url", row.source_url),
          memberships: seats.get(row.id) ?? [],
          votes: sum((year) => year.votes),
          divided_votes: sum((year) => year.divided),
          against_majority: sum((year) => year.against_majority),
          ...(called === 0 ? {} : { attendance: { present: sum((year) => year.present), called } }),
          years: years.filter(({ votes, called }) => votes + called > 0).map(({ divided: _, ...year }) => year),
          agreement,
          sponsored: sponsored?.matters ?? 0
        }
      }, dbDies)

      return { list, person }
    })
  )
}
