import { Context, DateTime, Effect, Layer } from "effect"
import { dbDies, ReadDb } from "../../../layers/db.ts"
import type { AgencyUpcoming, Upcoming as UpcomingList, UpcomingQuery } from "../../../schema/browse.ts"
import type { NotFound } from "../failures.ts"
import { cardsOf } from "../meetings/cards.ts"
import { followed } from "../meetings/sql.ts"
import { Directory } from "./directory.ts"
import { isUpcoming, upcomingWindow } from "./upcoming-rule.ts"

const defaultPerBody = 3

/** Upcoming meetings, within the window in which the crawl detects them (spec 4.4). */
export class Upcoming extends Context.Service<
  Upcoming,
  {
    /** Each body's next few meetings, leaving out cancelled ones. The body that meets soonest comes first. */
    readonly list: (query: UpcomingQuery) => Effect.Effect<UpcomingList>
    /** Every upcoming meeting of a body, by its live or retired slug; its profile counts the same ones. */
    readonly ofAgency: (slug: string) => Effect.Effect<AgencyUpcoming, NotFound>
  }
>()("civic-record/Upcoming") {
  static readonly layer = Layer.effect(
    Upcoming,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const directory = yield* Directory

      /**
       * The ids of the meetings within the next `days`, soonest first: all of them, or the first `perBody` of each
       * body.
       */
      const next = Effect.fnUntraced(function* (query: UpcomingQuery, days: number, perBody?: number) {
        const now = DateTime.formatIso(yield* DateTime.now)
        const agencies = query.follow_agency ?? []
        const places = query.follow_place ?? []
        return yield* db<{ id: string }>`
          select id from (
            select m.id, b.slug, m.date, m.starts_at,
              row_number() over (partition by b.id order by m.date, m.starts_at, m.id) as turn,
              min((m.date, m.starts_at, m.id)::text) over (partition by b.id) as first
            from meeting m join body b on b.id = m.body_id
            where ${isUpcoming(db, now, days)}
              ${query.place_slug === undefined ? db`` : db`and ${query.place_slug} = any(b.place_slugs)`}
              ${agencies.length + places.length === 0 ? db`` : db`and ${followed(db, agencies, places)}`}
          ) numbered
          ${perBody === undefined ? db`` : db`where turn <= ${perBody}`}
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
        const rows = yield* next({ follow_agency: [current] }, upcomingWindow)
        const meetings = yield* cardsOf(
          db,
          rows.map(({ id }) => id)
        )
        return { body: { slug: current, name, kind, path }, meetings }
      }, dbDies)

      return { list, ofAgency }
    })
  )
}
