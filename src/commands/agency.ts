import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { AgencyMerge } from "../services/directory/agency-merge.ts"

const merge = Command.make(
  "merge",
  {
    from: Argument.String("from").pipe(Argument.withDescription("Slug of the body that goes")),
    into: Argument.String("into").pipe(Argument.withDescription("Slug of the body that stays and answers at both"))
  },
  ({ from, into }) =>
    Effect.gen(function* () {
      const { meetings } = yield* AgencyMerge.use((service) => service.merge(from, into))
      yield* Console.log(`${from} is merged into ${into}: ${meetings} meetings moved, the old slug goes on answering.`)
    })
).pipe(Command.withDescription("Merge one body into another"))

export const agency = Command.make("agency").pipe(
  Command.withDescription("The bodies on record"),
  Command.withSubcommands([merge]),
  Command.provide(AgencyMerge.layer),
  Command.provide(CommandDb)
)
