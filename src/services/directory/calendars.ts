import { Context, DateTime, Effect, Layer } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import type { AccountFollows } from "../../../schema/account.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { cardsOf } from "../meetings/cards.ts"
import { followed } from "../meetings/sql.ts"

/** How far a calendar reaches from today, in days: a season back, and a year ahead. */
const daysBack = 90
const daysAhead = 365
/** The most meetings in one calendar; beyond that, the earliest are left out. */
const mostMeetings = 2000

/** The meetings of calendars that people subscribe to: upcoming, held and cancelled. */
export class Calendars extends Context.Service<
  Calendars,
  {
    /** Every meeting of these bodies and places, by slug, within the window: by date, then by hour. */
    readonly of: (follows: AccountFollows) => Effect.Effect<ReadonlyArray<MeetingCard>>
  }
>()("civic-record/Calendars") {
  static readonly layer = Layer.effect(
    Calendars,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const { baseUrl } = yield* Environment

      const of = Effect.fn("Calendars.of")(function* ({ agencies, places }: AccountFollows) {
        const now = DateTime.formatIso(yield* DateTime.now)
        // Held meetings and others have an index each.
        const inWindow = db`m.date between ${now}::date - ${daysBack}::int and ${now}::date + ${daysAhead}::int`
        const rows = yield* db<{ id: string }>`
          select id from (
            select m.id, m.date, m.starts_at from meeting m join body b on b.id = m.body_id
            where ((m.status = 'held' and ${inWindow}) or (m.status <> 'held' and ${inWindow}))
              and ${followed(db, agencies, places)}
            order by m.date desc, m.starts_at desc, m.id desc limit ${mostMeetings}
          ) latest order by date, starts_at, id`
        return yield* cardsOf(
          db,
          rows.map(({ id }) => id),
          baseUrl
        )
      }, dbDies)

      return { of }
    })
  )
}
