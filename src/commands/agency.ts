import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { AgencyMerge } from "../services/directory/agency-merge.ts"

const merge = Command.make(
  "merge",
  {
    from: Argument.String("from").pipe(Argument.withDescription("Slug of the body to merge")),
    into: Argument.String("into").pipe(
      Argument.withDescription("Slug of the body that remains; both slugs will answer with it")
    )
  },
  ({ from, into }) =>
    Effect.gen(function* () {
      const { meetings } = yield* (yield* AgencyMerge).merge(from, into)
      yield* Console.log(
        `${from} was merged into ${into}: ${meetings} ${meetings === 1 ? "meeting was" : "meetings were"} moved, and the old slug still answers.`
      )
    })
).pipe(Command.withDescription("Merge one body into another"))

export const agency = Command.make("agency").pipe(
  Command.withDescription("Work on the bodies on record"),
  Command.withSubcommands([merge]),
  Command.provide(AgencyMerge.layer),
  Command.provide(CommandDb)
)
