import { Context, DateTime, Effect, Layer } from "effect"
import { dbDies, ReadDb } from "../../../layers/db.ts"
import type { AgencyUpcoming, Upcoming as UpcomingList, UpcomingQuery } from "../../../schema/browse.ts"
import type { NotFound } from "../failures.ts"
import { cardsOf } from "../meetings/cards.ts"
import { followed } from "../meetings/sql.ts"
import { Directory } from "./directory.ts"

/** The crawl detects meetings this many days ahead (spec section 8). */
export const upcomingWindow = 30
const defaultPerBody = 3
const mostPerBody = 10

/** Meetings that are to come, within the window in which the crawl detects them (spec 4.4). */
export class Upcoming extends Context.Service<
  Upcoming,
  {
    /** Each body's next few meetings, the body that meets first at the head; cancelled ones are not among them. */
    readonly list: (query: UpcomingQuery) => Effect.Effect<UpcomingList>
    readonly ofAgency: (slug: string) => Effect.Effect<AgencyUpcoming, NotFound>
  }
>()("civic-record/Upcoming") {
  static readonly layer = Layer.effect(
    Upcoming,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const directory = yield* Directory

      /** Ids of the next meetings, `perBody` a body, in the order in which they begin. */
      const next = Effect.fnUntraced(function* (query: UpcomingQuery, within: number, perBody: number) {
        const now = DateTime.formatIso(yield* DateTime.now)
        const agencies = query.follow_agency ?? []
        const places = query.follow_place ?? []
        return yield* db<{ id: string; slug: string }>`
          select id, slug from (
            select m.id, b.slug, m.date, m.starts_at,
              row_number() over (partition by b.id order by m.date, m.starts_at, m.id) as turn,
              min((m.date, m.starts_at, m.id)::text) over (partition by b.id) as first
            from meeting m join body b on b.id = m.body_id
            where m.status = 'upcoming'
              and m.date >= (${now}::timestamptz at time zone m.timezone)::date
              and m.date <= (${now}::timestamptz at time zone m.timezone)::date + ${within}::int
              and m.date between ${now}::date - 1 and ${now}::date + ${within + 1}::int
              and (m.starts_at is null or m.starts_at >= ${now}::timestamptz - interval '6 hours')
              ${query.place_slug === undefined ? db`` : db`and ${query.place_slug} = any(b.place_slugs)`}
              ${agencies.length + places.length === 0 ? db`` : db`and ${followed(db, agencies, places)}`}
          ) numbered
          where turn <= ${perBody}
          order by first, slug, turn`
      })

      const list = Effect.fn("Upcoming.list")(function* (query: UpcomingQuery) {
        const within = query.within_days ?? upcomingWindow
        const rows = yield* next(query, within, query.per_body ?? defaultPerBody)
        const cards = yield* cardsOf(
          db,
          rows.map(({ id }) => id)
        )
        const bodies = Map.groupBy(cards, (card) => card.body.slug)
        return {
          within_days: within,
          bodies: [...bodies.values()].flatMap((meetings) => {
            const body = meetings[0]?.body
            return body === undefined ? [] : [{ body, meetings }]
          })
        }
      }, dbDies)

      const ofAgency = Effect.fn("Upcoming.ofAgency")(function* (slug: string) {
        const { name, kind, path, slug: current } = yield* directory.agency(slug)
        const rows = yield* Effect.orDie(next({ follow_agency: [current] }, upcomingWindow, mostPerBody))
        const meetings = yield* Effect.orDie(
          cardsOf(
            db,
            rows.map(({ id }) => id)
          )
        )
        return { body: { slug: current, name, kind, path }, meetings }
      })

      return { list, ofAgency }
    })
  )
}
