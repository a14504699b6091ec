import { Context, Data, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db.ts"
import { agencyNotFound, type NotFound } from "../failures.ts"
import { announceStale, noteMeetingsOf } from "../feed/stale-meetings.ts"
import { bodyWithSlug } from "../meetings/sql.ts"

/** A body cannot be merged into itself. */
export class SameBody extends Data.TaggedError("SameBody")<{ readonly slug: string }> {
  override get message() {
    return `${this.slug} is the same body: name two different ones.`
  }
}

/** Merging one body into another, which then answers at both slugs forever (spec section 2). */
export class AgencyMerge extends Context.Service<
  AgencyMerge,
  {
    /**
     * Moves every meeting of `from` to `into` and retires its slugs there, in one transaction, then announces them in
     * batches; returns how many moved. Killed while it announces, it leaves the rest to the workers.
     */
    readonly merge: (from: string, into: string) => Effect.Effect<{ readonly meetings: number }, NotFound | SameBody>
  }
>()("civic-record/AgencyMerge") {
  static readonly layer = Layer.effect(
    AgencyMerge,
    Effect.gen(function* () {
      const db = yield* Db

      const bodyId = Effect.fnUntraced(function* (slug: string) {
        const [row] = yield* bodyWithSlug(db, [slug])
        return row === undefined ? yield* agencyNotFound(slug) : row.id
      })

      const merge = Effect.fn("AgencyMerge.merge")(function* (from: string, into: string) {
        const source = yield* bodyId(from)
        const target = yield* bodyId(into)
        if (source === target) return yield* new SameBody({ slug: into })
        const moved = yield* db.withTransaction(
          Effect.gen(function* () {
            const [retiring] = yield* db<{ slug: string }>`select slug from body where id = ${source} for update`
            yield* noteMeetingsOf(db, [source])
            const [row] = yield* db<{ moved: number }>`
              with moved as (update meeting set body_id = ${target} where body_id = ${source} returning 1)
              select count(*)::int as moved from moved`
            // The search index refers to the body that goes.
            yield* db`update meeting_search set body_id = ${target} where body_id = ${source}`
            // Readers who followed it now follow the body that it became.
            yield* db`
              insert into followed_body (account_id, body_id)
              select account_id, ${target}::int from followed_body where body_id = ${source}
              on conflict do nothing`
            // What sources list under its name is the other's from now on.
            yield* db`update source_body set body_id = ${target} where body_id = ${source}`
            yield* db`update discovered set same_as = ${target} where same_as = ${source}`
            yield* db`update retired_slug set body_id = ${target} where body_id = ${source}`
            yield* db`delete from body where id = ${source}`
            yield* db`insert into retired_slug (slug, body_id) values (${retiring?.slug}, ${target})`
            return row?.moved ?? 0
          })
        )
        yield* Effect.provideService(announceStale, Db, db)
        return { meetings: moved }
      }, dbDies)

      return { merge }
    })
  )
}
