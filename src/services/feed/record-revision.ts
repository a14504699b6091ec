import { Context, Effect, Layer } from "effect"
import { DbUse, dbDies } from "../../../layers/db/db.ts"

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
    Effect.map(DbUse, ({ publicState }) => ({
      current: dbDies(Effect.map(publicState, ({ revision }) => revision))
    }))
  )
}
