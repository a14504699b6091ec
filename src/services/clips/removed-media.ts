import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import type { UserClipId } from "../../../schema/primitives.ts"
import { userClipCaptionsKey, userClipKey } from "../meetings/media-tier.ts"

/** Rows whose objects are deleted per transaction. */
const pageSize = 50

/** One page of rows, taken out of their table: the keys of each. */
type Page = Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, SqlError.SqlError>

/**
 * Deletes objects from the store that no longer have a row: the media of readers' clips, whose ids a trigger records
 * whatever deletes them, and the media of removed meetings. A row is deleted once its objects are gone. Nothing can put
 * them back meanwhile: a worker uploads a clip only while it holds the clip's row, and an upload of a meeting's media
 * takes its key out of the table first, and so waits for the deletion.
 */
export class RemovedMedia extends Context.Service<
  RemovedMedia,
  {
    /** Deletes remaining objects; a failure is logged, and the next sweep tries again. */
    readonly sweep: Effect.Effect<void>
  }
>()("civic-record/RemovedMedia") {
  static readonly layer = Layer.effect(
    RemovedMedia,
    Effect.gen(function* () {
      const db = yield* Db
      const store = yield* ObjectStore

      const clips: Page = Effect.map(
        db<{ id: UserClipId }>`
          delete from removed_user_clip where id in (
            select id from removed_user_clip limit ${pageSize} for update skip locked)
          returning id`,
        (rows) => rows.map(({ id }) => [userClipKey(id), userClipCaptionsKey(id)])
      )
      const meetings: Page = Effect.map(
        db<{ key: string }>`
          delete from removed_media where key in (
            select key from removed_media limit ${pageSize} for update skip locked)
          returning key`,
        (rows) => rows.map(({ key }) => [key])
      )

      const sweepOf = Effect.fn("RemovedMedia.sweep")((page: Page) =>
        db
          .withTransaction(Effect.tap(page, (rows) => Effect.forEach(rows.flat(), (key) => store.delete(key))))
          .pipe(Effect.repeat({ while: (rows) => rows.length === pageSize }))
      )

      return {
        sweep: Effect.forEach([clips, meetings], sweepOf, { discard: true }).pipe(
          Effect.catch((error) =>
            Effect.logWarning("Media of what was removed could not be deleted yet", error.message)
          )
        )
      }
    })
  )
}
