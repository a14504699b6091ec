import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { backUp } from "../record/backup/backup.ts"
import { placeAt } from "../record/backup/place.ts"
import { Ended } from "./ended.ts"
import { makeProgress } from "./progress.ts"

export const backup = Command.make(
  "backup",
  {
    path: Argument.String("path").pipe(
      Argument.withDescription(
        "A new folder, on disk or in a store (s3://host/bucket/folder): nobody else may read it, because it holds sessions and personal data"
      )
    )
  },
  ({ path }) =>
    Effect.gen(function* () {
      const place = yield* placeAt(path)
      const progress = makeProgress()
      const { tables, media, missing_media } = yield* backUp(place, progress.showPart).pipe(
        Effect.ensuring(progress.clear),
        Effect.onInterrupt(() => Console.error("Stopped; nothing was kept."))
      )
      const rows = tables.reduce((sum, table) => sum + table.rows, 0)
      yield* Console.log(
        `Backed up ${rows} rows of ${tables.length} tables and ${media.objects} media files to ${place.name}.`
      )
      if (missing_media.length === 0) return
      yield* Console.error(
        `Not in the media store, though on record: ${missing_media.length} files, such as ${missing_media[0]}. The manifest lists them.`
      )
      return yield* new Ended({ code: 2 })
    })
).pipe(
  Command.withShortDescription("Back up the database and all media"),
  Command.withDescription(
    "Back up the database, as it is at one moment, and all media on record. The service may run meanwhile. Exits with 2 when media files were missing."
  ),
  Command.provide(ObjectStore.layer),
  Command.provide(CommandDb)
)
