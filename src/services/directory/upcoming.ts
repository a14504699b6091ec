import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import { rowsBy } from "../../../layers/db/rows.ts"
import type { AgencyUpcoming, Upcoming as UpcomingList, UpcomingQuery } from "../../../schema/browse.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import type { NotFound } from "../failures.ts"
import { CardRow, card, cardColumns, cardsOf } from "../meetings/cards.ts"
import { followed } from "../meetings/sql.ts"
import { Directory } from "./directory.ts"
import { isUpcoming, upcomingWindow } from "./upcoming-rule.ts"

const defaultPerBody = 3
const defaultPageSize = 200

/** Each card has the counts of the whole list beside it; a page without cards is one row of counts. */
const [listed, all] = [{ bodies: Schema.Finite }, { total: Schema.Finite, cancelled: Schema.Finite }]
const none = { id: Schema.Null }
const listRows = rowsBy(
  Schema.Union([Schema.Struct({ ...listed, ...CardRow.fields }), Schema.Struct({ ...listed, ...none })])
)
const calendarRows = rowsBy(
  Schema.Union([Schema.Struct({ ...all, ...CardRow.fields }), Schema.Struct({ ...all, ...none })])
)

/** A page of the upcoming list, with the number of bodies on all pages. */
interface UpcomingPage {
  readonly list: UpcomingList
  readonly bodies: number
  readonly page: number
  readonly pageSize: number
}

/** Filters of upcoming meetings, whatever the form of the list. */
export type AnnouncedQuery = Omit<UpcomingQuery, "page" | "page_size" | "per_body">

/** A page of the calendar, with the number of meetings on all pages. */
export interface CalendarPage {
  readonly meetings: ReadonlyArray<MeetingCard>
  readonly total: number
  /** How many of them are cancelled. */
  readonly cancelled: number
  readonly withinDays: number
}

/** Upcoming meetings, within the window in which the crawl detects them (spec 4.4); cancelled ones say so. */
export class Upcoming extends Context.Service<
  Upcoming,
  {
    /** Each body's next few meetings, 200 bodies by default. The body that meets soonest comes first. */
    readonly list: (query: UpcomingQuery) => Effect.Effect<UpcomingPage>
    /**
     * The upcoming meetings of all bodies in one list: by day, then by time, those without a time last in their day.
     */
    readonly calendar: (
      query: AnnouncedQuery,
      page: { readonly offset: number; readonly limit: number }
    ) => Effect.Effect<CalendarPage>
    /**
     * Every upcoming meeting of a body, by its live or retired slug, soonest first; its profile counts those that are
     * not cancelled.
     */
    readonly ofAgency: (slug: string) => Effect.Effect<AgencyUpcoming, NotFound>
  }
>()("civic-record/Upcoming") {
  static readonly layer = Layer.effect(
    Upcoming,
    Effect.gen(function* () {
      const db = yield* ReadDb
      const directory = yield* Directory
      const { baseUrl } = yield* Environment

      /** The conditions on an upcoming meeting `m`. */
      const fitting = Effect.fnUntraced(function* (query: AnnouncedQuery) {
        const now = DateTime.formatIso(yield* DateTime.now)
        const { type: kinds = [], follow_agency: agencies = [], follow_place: places = [], place_slug: place } = query
        const ofBody = [
          ...(place === undefined ? [] : [db`${place} = any(b.place_slugs)`]),
          ...(kinds.length === 0 ? [] : [db`b.kind = any(${kinds}::text[])`]),
          ...(agencies.length + places.length === 0 ? [] : [followed(db, agencies, places)])
        ]
        return db.and([
          isUpcoming(db, now, query.within_days ?? upcomingWindow),
          ...(ofBody.length === 0 ? [] : [db`m.body_id in (select b.id from body b where ${db.and(ofBody)})`])
        ])
      })

      const list = Effect.fn("Upcoming.list")(function* (query: UpcomingQuery) {
        const { page = 1, page_size: pageSize = defaultPageSize, per_body: perBody = defaultPerBody } = query
        // With their cards, because a second round trip costs more than they do. An index has the announced meetings in
        // order, with all that is asked of them: only those of the page are read.
        const rows = yield* listRows(db`
          with announced as materialized (
            select m.id, m.body_id, row_number() over (order by m.date, m.starts_at, m.id) as place
            from meeting m where ${yield* fitting(query)}
          ),
          bodies as materialized (select body_id, min(place) as first from announced group by body_id),
          listed as (
            select a.id, a.place, chosen.first, row_number() over (partition by chosen.first order by a.place) as turn
            from (select * from bodies order by first offset ${(page - 1) * pageSize} limit ${pageSize}) chosen
            join announced a on a.body_id = chosen.body_id
          )
          select counted.bodies, ${cardColumns(db)}
          from (select count(*)::int as bodies from bodies) counted
          left join listed on listed.turn <= ${perBody}
          left join meeting m on m.id = listed.id
          left join body b on b.id = m.body_id
          order by listed.first, listed.place`)
        const cards = rows.flatMap((row) => (row.id === null ? [] : card(row, baseUrl)))
        const byBody = Map.groupBy(cards, ({ body }) => body.slug)
        const bodies = [...byBody.values()].flatMap((meetings) => {
          const body = meetings[0]?.body
          return body === undefined ? [] : [{ body, meetings }]
        })
        return {
          list: { within_days: query.within_days ?? upcomingWindow, bodies },
          bodies: rows[0]?.bodies ?? 0,
          page,
          pageSize
        }
      }, dbDies)

      const calendar = Effect.fn("Upcoming.calendar")(function* (
        query: AnnouncedQuery,
        { offset, limit }: { readonly offset: number; readonly limit: number }
      ) {
        const rows = yield* calendarRows(db`
          with fitting as materialized (
            select m.id, m.status, row_number() over (order by m.date, m.starts_at, m.id) as place
            from meeting m where ${yield* fitting(query)}
          )
          select counted.total, counted.cancelled, ${cardColumns(db)}
          from (
            select count(*)::int as total, (count(*) filter (where status = 'cancelled'))::int as cancelled from fitting
          ) counted
          left join fitting on fitting.place > ${offset} and fitting.place <= ${offset + limit}
          left join meeting m on m.id = fitting.id
          left join body b on b.id = m.body_id
          order by fitting.place`)
        return {
          meetings: rows.flatMap((row) => (row.id === null ? [] : [card(row, baseUrl)])),
          total: rows[0]?.total ?? 0,
          cancelled: rows[0]?.cancelled ?? 0,
          withinDays: query.within_days ?? upcomingWindow
        }
      }, dbDies)

      const ofAgency = Effect.fn("Upcoming.ofAgency")(function* (slug: string) {
        const { name, kind, path, slug: current } = yield* directory.agency(slug)
        const rows = yield* db<{ id: string }>`
          select m.id from meeting m where ${yield* fitting({ follow_agency: [current] })}
          order by m.date, m.starts_at, m.id`
        const meetings = yield* cardsOf(
          db,
          rows.map(({ id }) => id),
          baseUrl
        )
        return { body: { slug: current, name, kind, path }, meetings }
      }, dbDies)

      return { list, calendar, ofAgency }
    })
  )
}
