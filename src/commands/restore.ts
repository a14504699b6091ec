import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { placeAt } from "../record/backup/place.ts"
import { restore as restoreBackup } from "../record/backup/restore.ts"
import { makeProgress } from "./progress.ts"

export const restore = Command.make(
  "restore",
  {
    path: Argument.String("path").pipe(
      Argument.withDescription("The folder of a backup, on disk or in a store (s3://host/bucket/folder)")
    ),
    replace: Flag.Boolean("replace").pipe(
      Flag.withDescription("Delete what the database holds, for good"),
      Flag.withDefault(false)
    )
  },
  ({ path, replace }) =>
    Effect.gen(function* () {
      const place = yield* placeAt(path)
      const progress = makeProgress()
      const { tables, media, created_at } = yield* restoreBackup(place, {
        replace,
        onProgress: progress.showPart
      }).pipe(
        Effect.ensuring(progress.clear),
        Effect.onInterrupt(() => Console.error("Stopped; the database is as it was."))
      )
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      yield* Console.log(
        `Restored ${rows} rows of ${tables.length} tables and ${media.objects} media files as of ${created_at}. Start the service again.`
      )
    })
).pipe(
  Command.withShortDescription("Restore a backup"),
  Command.withDescription(
    "Restore a backup into an empty database, or in place of what is there. Stop the service and its workers first. Interrupted, it leaves the database as it was."
  ),
  Command.provide(ObjectStore.layer),
  Command.provide(CommandDb)
)
