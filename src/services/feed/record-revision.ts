import { Clock, Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { DbUse, dbDies } from "../../../layers/db/db.ts"
import { makeSharedWork } from "./shared-work.ts"

/** How long a revision that other processes may have raised is trusted, in milliseconds. */
const believed = 100

/**
 * The state of the record that public reads see. Every transaction that changes something public raises the number, so
 * a value computed between two reads of the same number is true as long as the number stands.
 */
export class RecordRevision extends Context.Service<
  RecordRevision,
  {
    /**
     * The revision, as text. It includes this process's commits immediately, and other processes' after a tenth of a
     * second at most. The database is asked only if the number may have changed: this process has used the database
     * since, or the last answer is that old.
     */
    readonly current: Effect.Effect<string>
    /** The same without asking the database, or undefined. */
    readonly known: Effect.Effect<string | undefined>
  }
>()("civic-record/RecordRevision") {
  static readonly layer = Layer.effect(
    RecordRevision,
    Effect.gen(function* () {
      const { count, db } = yield* DbUse
      const share = makeSharedWork<number, string, SqlError.SqlError>()
      let last = { revision: "", used: -1, at: 0 }

      const ask = Effect.fn("RecordRevision.ask")(function* (used: number) {
        const at = yield* Clock.currentTimeMillis
        const [row] = yield* db<{ revision: string }>`
          select coalesce(sum(raised), 0)::text as revision from record_revision`
        last = { revision: row?.revision ?? "", used, at }
        return last.revision
      })

      const known = Effect.zipWith(count, Clock.currentTimeMillis, (used, now) =>
        last.used === used && now - last.at < believed ? last.revision : undefined
      )

      const current = Effect.gen(function* () {
        const used = yield* count
        return (yield* known) ?? (yield* share(used, ask(used)))
      }).pipe(dbDies)

      return { current, known }
    })
  )
}
