import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import type { Agencies, Agency, AgencySummary, BodyRef, Place } from "../../../schema/agency.ts"
import type { Places } from "../../../schema/place.ts"
import { MeetingId } from "../../../schema/primitives.ts"
import { agencyNotFound, type NotFound, placeNotFound } from "../failures.ts"
import { BodyRow, bodyRef, PlaceRow, placePath, placeRef } from "../meetings/refs.ts"
import { bodyWithSlug, meetingsHeld, placesOf } from "../meetings/sql.ts"
import { given, givenAddress } from "../wire.ts"
import { isUpcoming, upcomingWindow } from "./upcoming-rule.ts"

interface SummaryRow extends BodyRow {
  readonly id: number
  readonly website: string | null
  readonly places: ReadonlyArray<PlaceRow>
  readonly meetings_held: number
}

const summary = (row: SummaryRow): AgencySummary => ({
  ...bodyRef(row, row.places[0]?.slug),
  places: row.places.map(placeRef),
  meetings_held: row.meetings_held
})

const listedBodies = rowsBy(
  Schema.Struct({
    ...BodyRow.fields,
    place_ids: Schema.NullOr(Schema.Array(Schema.Finite)),
    meetings_held: Schema.Finite
  })
)
const knownPlaces = rowsBy(Schema.Struct({ ...PlaceRow.fields, id: Schema.Finite }))
const listedPlaces = rowsBy(Schema.Struct({ ...PlaceRow.fields, bodies: Schema.Finite, meetings_held: Schema.Finite }))

/** Meetings of one body that came on record on one day. */
export interface Arrival {
  readonly body: BodyRef
  readonly meetings: number
  /** The calendar days of the first and the last of them. */
  readonly first: string
  readonly last: string
  /** The day they came on record, in UTC. */
  readonly day: string
  /** The newest of them. */
  readonly newest: ReadonlyArray<MeetingId>
}

const arrivalRows = rowsBy(
  Schema.Struct({
    ...BodyRow.fields,
    places: Schema.Array(PlaceRow),
    meetings: Schema.Finite,
    first: Schema.String,
    last: Schema.String,
    day: Schema.String,
    newest: Schema.Array(MeetingId)
  })
)

/** The bodies and the places they serve (spec 4.4). Slugs and segments are found in any case. */
export class Directory extends Context.Service<
  Directory,
  {
    /** Every body, most meetings held first. */
    readonly agencies: Effect.Effect<Agencies>
    /** How many bodies have a held meeting on record. */
    readonly holding: Effect.Effect<number>
    /** What came on record lately, as far as the feed remembers: the newest arrivals first. */
    readonly arrivals: Effect.Effect<ReadonlyArray<Arrival>>
    /** A body by its slug, or by one that a merge or a rename retired. */
    readonly agency: (slug: string) => Effect.Effect<Agency, NotFound>
    /** The places with at least one meeting on record, held or upcoming; most held first. */
    readonly places: Effect.Effect<Places>
    readonly place: (slug: string) => Effect.Effect<Place, NotFound>
    /**
     * The body that has, or had, this address: its segment at this place, or one of its slugs. An address is one body's
     * for ever (`body_address`), so a segment never names two (spec section 7, rule 7).
     */
    readonly agencyAt: (place: string, segment: string) => Effect.Effect<Agency, NotFound>
  }
>()("civic-record/Directory") {
  static readonly layer = Layer.effect(
    Directory,
    Effect.gen(function* () {
      const db = yield* ReadDb

      const byIds = (bodies: ReadonlyArray<{ readonly id: number }>) => db<SummaryRow>`
        select b.id, b.slug, b.segment, b.name, b.kind, b.website,
          ${placesOf(db)} as places,
          ${meetingsHeld(db)} as meetings_held
        from body b where b.id = any(${bodies.map(({ id }) => id)}::int[])
        order by meetings_held desc, b.name, b.slug`

      const profile = Effect.fnUntraced(function* (row: SummaryRow) {
        const retired = yield* db<{
          slug: string
        }>`select slug from retired_slug where body_id = ${row.id} order by slug`
        const now = DateTime.formatIso(yield* DateTime.now)
        const [dates] = yield* db<{ first: string | null; latest: string | null }>`
          select
            (select min(date)::text from meeting where body_id = ${row.id} and status = 'held') as first,
            (select max(date)::text from meeting where body_id = ${row.id} and status = 'held') as latest`
        const [announced] = yield* db<{ upcoming: number; cancelled: number }>`
          select count(*) filter (where m.status = 'upcoming')::int as upcoming,
            count(*) filter (where m.status = 'cancelled')::int as cancelled
          from meeting m where m.body_id = ${row.id} and ${isUpcoming(db, now, upcomingWindow)}`
        return {
          ...summary(row),
          retired_slugs: retired.map(({ slug }) => slug),
          ...givenAddress("website", row.website),
          ...given("first_meeting", dates?.first),
          ...given("latest_meeting", dates?.latest),
          upcoming: announced?.upcoming ?? 0,
          cancelled: announced?.cancelled ?? 0
        }
      })

      const holding = Effect.gen(function* () {
        const [counted] = yield* db<{ bodies: number }>`select count(*)::int as bodies from body_held where held > 0`
        return counted?.bodies ?? 0
      }).pipe(dbDies, Effect.withSpan("Directory.holding"))

      const arrivals = arrivalRows(db`
        with published as (
          select e.meeting_id, (e.created_at at time zone 'UTC')::date as day
          from (select * from feed_event order by id desc limit 20000) e
          where e.channel = 'meetings' and e.event = 'meeting.published'
        )
        select b.slug, b.segment, b.name, b.kind, ${placesOf(db)} as places, count(distinct m.id)::int as meetings,
          min(m.date)::text as first, max(m.date)::text as last, p.day::text as day,
          (array_agg(m.id order by m.date desc, m.id))[1:12] as newest
        from published p join meeting m on m.id = p.meeting_id join body b on b.id = m.body_id
        where m.status = 'held'
        group by p.day, b.id order by p.day desc, max(m.date) desc limit 24`).pipe(
        Effect.map((rows) =>
          rows.map(({ meetings, first, last, day, newest, ...row }) => ({
            ...{ body: bodyRef(row, row.places[0]?.slug), meetings, first, last, day, newest }
          }))
        ),
        dbDies,
        Effect.withSpan("Directory.arrivals")
      )

      /** For thousands of bodies: common data is read once, in passes over whole tables. */
      const agencies = Effect.gen(function* () {
        const bodies = yield* listedBodies(db`
          select b.slug, b.segment, b.name, b.kind, s.place_ids, coalesce(h.held, 0) as meetings_held
          from body b
          left join (
            select body_id, array_agg(place_id order by position) as place_ids from body_place group by body_id
          ) s on s.body_id = b.id
          left join body_held h on h.body_id = b.id
          order by meetings_held desc, b.name, b.slug`)
        // After the bodies, so that a new place is not missing from its own bodies.
        const known = yield* knownPlaces(db`select id, slug, name, kind, state, county from place`)
        const places = new Map(known.map((row) => [row.id, placeRef(row)]))
        return {
          agencies: bodies.map((row) => {
            const served = (row.place_ids ?? []).flatMap((id) => places.get(id) ?? [])
            return { ...bodyRef(row, served[0]?.slug), places: served, meetings_held: row.meetings_held }
          })
        }
      }).pipe(dbDies, Effect.withSpan("Directory.agencies"))

      const agency = Effect.fn("Directory.agency")(function* (slug: string) {
        const [row] = yield* byIds(yield* bodyWithSlug(db, [slug.toLowerCase()]))
        if (row === undefined) return yield* agencyNotFound(slug)
        return yield* profile(row)
      }, dbDies)

      const places = listedPlaces(db`
        select p.slug, p.name, p.kind, p.state, p.county, count(*)::int as bodies,
          coalesce(sum(h.held), 0)::int as meetings_held
        from place p
        join body_place bp on bp.place_id = p.id
        left join body_held h on h.body_id = bp.body_id
        group by p.id
        having sum(h.held) > 0
          or exists (select from body_place o join meeting m on m.body_id = o.body_id where o.place_id = p.id)
        order by meetings_held desc, p.name, p.slug`).pipe(
        Effect.map((rows) => ({
          places: rows.map((row) => ({ ...placeRef(row), bodies: row.bodies, meetings_held: row.meetings_held }))
        })),
        dbDies,
        Effect.withSpan("Directory.places")
      )

      const place = Effect.fn("Directory.place")(function* (slug: string) {
        const [row] = yield* db<PlaceRow & { id: number }>`
          select id, slug, name, kind, state, county from place where slug = ${slug.toLowerCase()}`
        if (row === undefined) return yield* placeNotFound(slug)
        const bodies = yield* byIds(
          yield* db<{ id: number }>`select body_id as id from body_place where place_id = ${row.id}`
        )
        return {
          ...placeRef(row),
          bodies: bodies.map(summary),
          meetings_held: bodies.reduce((held, body) => held + body.meetings_held, 0)
        }
      }, dbDies)

      const agencyAt = Effect.fn("Directory.agencyAt")(function* (at: string, segment: string) {
        const [place, wanted] = [at.toLowerCase(), segment.toLowerCase()]
        const found = yield* db<{ id: number }>`
          select a.body_id as id from body_address a join place p on p.id = a.place_id
          where p.slug = ${place} and a.segment = ${wanted}`
        const isPlace = (yield* db`select from place where slug = ${place}`).length > 0
        const named = isPlace ? yield* bodyWithSlug(db, [wanted, `${place}-${wanted}`]) : []
        const bodies = [...found, ...named.toSorted((one, other) => one.slug.length - other.slug.length)]
        const [row] = yield* byIds(bodies.slice(0, 1))
        if (row === undefined) return yield* agencyNotFound(`${placePath(at)}/${segment}`)
        return yield* profile(row)
      }, dbDies)

      return { agencies, arrivals, holding, agency, places, place, agencyAt }
    })
  )
}
