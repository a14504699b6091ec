import { Clock, Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { DbUse, dbDies, ReadDb } from "../../../layers/db/db.ts"
import { makeSharedWork } from "../shared-work.ts"

/** How long a revision that other processes may have raised is trusted, in milliseconds. */
const believed = 100

/**
 * The state of the record that public reads see: a number on a timeline. Every transaction that changes something
 * public raises the number, so a value computed between two reads of the same number is true as long as the number
 * stands. A database that lost its last transactions gives out their numbers again, but on another timeline.
 */
export class RecordRevision extends Context.Service<
  RecordRevision,
  {
    /**
     * The revision, as text. It includes this process's commits immediately, and other processes' after a tenth of a
     * second at most. The database is asked only if the number may have changed: this process has used the database
     * since, or the last answer is that old. A revision from another database (`DbUse`) is another one.
     */
    readonly current: Effect.Effect<string>
  }
>()("civic-record/RecordRevision") {
  static readonly layer = Layer.effect(
    RecordRevision,
    Effect.gen(function* () {
      const { now: use } = yield* DbUse
      const db = yield* ReadDb
      const share = makeSharedWork<string, string, SqlError.SqlError>()
      let last = { revision: "", count: -1, switches: 0, at: 0 }

      const ask = Effect.fn("RecordRevision.ask")(function* ({ count, switches }: { count: number; switches: number }) {
        const at = yield* Clock.currentTimeMillis
        const [row] = yield* db<{ revision: string }>`
          select concat_ws(' ', coalesce(sum(raised), 0), current_timeline()) as revision from record_revision`
        last = { revision: `${row?.revision ?? ""} ${switches}`, count, switches, at }
        return last.revision
      })

      const current = Effect.gen(function* () {
        const used = yield* use
        const now = yield* Clock.currentTimeMillis
        if (last.count === used.count && last.switches === used.switches && now - last.at < believed)
          return last.revision
        return yield* share(`${used.count}.${used.switches}`, ask(used))
      }).pipe(dbDies)

      return { current }
    })
  )
}
