import { Context, Effect, Layer } from "effect"
import { Db, dbDies, type Sql } from "../../../layers/db/db.ts"
import { agencyNotFound, type NotFound } from "../failures.ts"
import { meetingsRemoved } from "../feed/changed.ts"
import { recordAction } from "../history.ts"

/**
 * Removes the body with this slug, in the caller's transaction. Returns how many meetings were removed with it;
 * undefined if no body has the slug.
 */
export const agencyRemoved = Effect.fnUntraced(function* (db: Sql, slug: string, reason: string | undefined) {
  const [body] = yield* db<{ id: number }>`select id from body where slug = ${slug} for update`
  if (body === undefined) return undefined
  const meetings = yield* db<{ id: string }>`select id from meeting where body_id = ${body.id}`
  const removed = yield* meetingsRemoved(
    db,
    meetings.map(({ id }) => id),
    reason,
    db`delete from body where id = ${body.id}`
  )
  return removed.length
})

/** Takes a body off the record with all of its meetings. Imported again, they are on record again. */
export class AgencyRemoval extends Context.Service<
  AgencyRemoval,
  {
    /**
     * Removes the body with this slug, in one transaction; returns how many meetings were removed with it, each of
     * which answers 410 with `reason`. A retired slug names no body here: it would remove the body it was merged into.
     */
    readonly remove: (
      slug: string,
      reason: string | undefined
    ) => Effect.Effect<{ readonly meetings: number }, NotFound>
  }
>()("civic-record/AgencyRemoval") {
  static readonly layer = Layer.effect(
    AgencyRemoval,
    Effect.gen(function* () {
      const db = yield* Db

      const remove = Effect.fn("AgencyRemoval.remove")(
        function* (slug: string, reason: string | undefined) {
          const meetings = yield* agencyRemoved(db, slug, reason)
          if (meetings === undefined) return yield* agencyNotFound(slug)
          yield* recordAction(db, "agency.remove", slug, { meetings, reason })
          return { meetings }
        },
        (removed) => dbDies(db.withTransaction(removed))
      )

      return { remove }
    })
  )
}
