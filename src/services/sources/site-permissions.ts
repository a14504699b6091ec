import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { type NotFound, sourceNotFound } from "../failures.ts"
import { commandLine, Operator, recordAction } from "../history.ts"
import { idOf } from "../meetings/sql.ts"

/** What became of an operator's word, on the console and the command line. */
export const permissionSaid = {
  kept: "Your word is kept with the source. Its site is read at most every ten seconds.",
  withdrawn: (changed: boolean) => (changed ? "Its robots.txt is obeyed again." : "It was obeyed already.")
} as const

/** Operators' word that a site may be read although its robots.txt refuses. It is kept with the source. */
export class SitePermissions extends Context.Service<
  SitePermissions,
  {
    /** Records with a source that its site may be read: by this fiber's operator, now, and why. */
    readonly permit: (source: string, why: string) => Effect.Effect<void, NotFound>
    /** Takes that word back; returns whether there was one. */
    readonly withdraw: (source: string) => Effect.Effect<boolean, NotFound>
    /** Whether a source at this host carries such a word. */
    readonly isPermitted: (host: string) => Effect.Effect<boolean, SqlError.SqlError>
  }
>()("civic-record/SitePermissions") {
  static readonly layer = Layer.effect(
    SitePermissions,
    Effect.gen(function* () {
      const db = yield* Db
      const permit = Effect.fn("SitePermissions.permit")(
        function* (ref: string, why: string) {
          const by = (yield* Operator) ?? commandLine
          const [row] = yield* db<{ id: string }>`
            update source set permitted_by = ${by}, permitted_at = clock_timestamp(), permitted_why = ${why}
            where id = ${idOf(ref)} returning id`
          if (row === undefined) return yield* sourceNotFound(ref)
          yield* recordAction(db, "source.permit", row.id, { why })
        },
        (permitted) => dbDies(db.withTransaction(permitted))
      )
      const withdraw = Effect.fn("SitePermissions.withdraw")(
        function* (ref: string) {
          const [row] = yield* db<{ id: string; why: string | null }>`
            select id, permitted_why as why from source where id = ${idOf(ref)} for update`
          if (row === undefined) return yield* sourceNotFound(ref)
          if (row.why === null) return false
          yield* db`
            update source set permitted_by = null, permitted_at = null, permitted_why = null where id = ${row.id}`
          yield* recordAction(db, "source.withdraw", row.id, { why: row.why })
          return true
        },
        (withdrawn) => dbDies(db.withTransaction(withdrawn))
      )
      const isPermitted = Effect.fn("SitePermissions.isPermitted")(function* (host: string) {
        const rows = yield* db`
          select from source where permitted_at is not null
            and lower(split_part(split_part(url, '://', 2), '/', 1)) = ${host.toLowerCase()} limit 1`
        return rows.length > 0
      })
      return { permit, withdraw, isPermitted }
    })
  )
}
