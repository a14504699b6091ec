import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { writeBundle } from "../record/write-bundle.ts"

export const exportRecord = Command.make(
  "export",
  {
    path: Argument.String("path").pipe(
      Argument.withDescription(
        "A new folder for the bundle, or a file ending in .ndjson or .ndjson.gz for the text only"
      )
    )
  },
  ({ path }) =>
    Effect.gen(function* () {
      const written = yield* writeBundle(path)
      yield* Console.log(`Wrote ${written.entities} entities and ${written.media} media files to ${path}.`)
    })
).pipe(
  Command.withDescription(
    "Write the record as a bundle. docs/bundle.md lists what that holds and leaves out: no accounts, tokens or withheld transcripts."
  ),
  Command.provide(ObjectStore.layer),
  Command.provide(CommandDb)
)
