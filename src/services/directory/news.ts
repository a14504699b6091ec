import { Context, DateTime, Effect, Layer } from "effect"
import { dbDies, ReadDb } from "../../../layers/db/db.ts"
import type { AccountFollows } from "../../../schema/account.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { followed } from "../meetings/sql.ts"

/** What is new in some bodies and places since an instant. */
export interface Changes {
  readonly since: string
  /** Meetings that came on record, or changed. */
  readonly total: number
  /** The latest of them, newest change first. */
  readonly newest: ReadonlyArray<MeetingId>
  /** How many there are by the slug of a body or place that was asked for. */
  readonly ofAgency: ReadonlyMap<string, number>
  readonly ofPlace: ReadonlyMap<string, number>
}

/** What has changed in bodies and places. */
export class News extends Context.Service<
  News,
  {
    /** What is new in these bodies and places since an instant, with the ids of at most `most` meetings. */
    readonly since: (follows: AccountFollows, from: string, most: number) => Effect.Effect<Changes>
  }
>()("civic-record/News") {
  static readonly layer = Layer.effect(
    News,
    Effect.gen(function* () {
      const db = yield* ReadDb

      const since = Effect.fn("News.since")(function* (
        { agencies, places }: AccountFollows,
        from: string,
        most: number
      ) {
        const now = DateTime.formatIso(yield* DateTime.now)
        const isLater = db`m.updated_at > ${from}::timestamptz`
        // Held meetings and others have an index each.
        const changed = db`
          select m.id, m.body_id, m.updated_at from meeting m join body b on b.id = m.body_id
          where ((m.status = 'held' and ${isLater})
              or (m.status <> 'held' and m.date >= ${now}::date - 1 and ${isLater}))
            and ${followed(db, agencies, places)}`
        const bodies = yield* db<{ slug: string; place_slugs: ReadonlyArray<string>; changed: number }>`
          select b.slug, b.place_slugs, count(*)::int as changed from (${changed}) c join body b on b.id = c.body_id
          group by b.id`
        const newest =
          bodies.length === 0
            ? []
            : yield* db<{ id: MeetingId }>`
              select id from (${changed}) c order by updated_at desc, id limit ${most}`
        const count = (slugs: ReadonlyArray<string>, isOf: (body: (typeof bodies)[number], slug: string) => boolean) =>
          new Map(
            slugs.map((slug) => [slug, bodies.reduce((sum, body) => sum + (isOf(body, slug) ? body.changed : 0), 0)])
          )
        return {
          since: from,
          total: bodies.reduce((sum, body) => sum + body.changed, 0),
          newest: newest.map(({ id }) => id),
          ofAgency: count(agencies, (body, slug) => body.slug === slug),
          ofPlace: count(places, ({ place_slugs }, slug) => place_slugs.includes(slug))
        }
      }, dbDies)

      return { since }
    })
  )
}
