import { Context, Effect, Layer } from "effect"
import { Db } from "../../../layers/db.ts"
import { ObjectStore } from "../../../layers/object-store.ts"
import type { UserClipId } from "../../../schema/primitives.ts"
import { userClipCaptionsKey, userClipKey } from "../meetings/media-tier.ts"

/** Clips whose media is removed in one go. */
const batchSize = 50

/**
 * Takes the media of deleted clips out of the store. What deletes a clip's row, for whatever cause, leaves its id behind
 * (a trigger); it is forgotten once its objects are gone. Nothing can put them back: a worker puts a clip only while it
 * holds the clip's row.
 */
export class RemovedClips extends Context.Service<
  RemovedClips,
  {
    /** Removes what is left of deleted clips; what fails is logged, and tried again by the next sweep. */
    readonly sweep: Effect.Effect<void>
  }
>()("civic-record/RemovedClips") {
  static readonly layer = Layer.effect(
    RemovedClips,
    Effect.gen(function* () {
      const db = yield* Db
      const store = yield* ObjectStore

      const some = Effect.fn("RemovedClips.some")(() =>
        db.withTransaction(
          Effect.gen(function* () {
            const rows = yield* db<{ id: UserClipId }>`
              delete from removed_user_clip where id in (
                select id from removed_user_clip limit ${batchSize} for update skip locked)
              returning id`
            for (const { id } of rows) {
              yield* store.delete(userClipKey(id))
              yield* store.delete(userClipCaptionsKey(id))
            }
            return rows.length
          })
        )
      )

      return {
        sweep: some().pipe(
          Effect.repeat({ while: (count) => count === batchSize }),
          Effect.asVoid,
          Effect.catch((error) => Effect.logWarning("Media of deleted clips could not be removed yet", error.message))
        )
      }
    })
  )
}
