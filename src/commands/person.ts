import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { PersonMerge } from "../services/people/person-merge.ts"

const merge = Command.make(
  "merge",
  {
    from: Argument.String("from").pipe(Argument.withDescription("Slug of the person to merge")),
    into: Argument.String("into").pipe(
      Argument.withDescription("Slug of the person who remains; both slugs will answer with them")
    )
  },
  ({ from, into }) =>
    Effect.gen(function* () {
      const merged = yield* PersonMerge.use((people) => people.merge(from, into))
      yield* Console.log(`${merged} was merged into ${into}. To undo it: civic-record person split ${merged}.`)
    })
).pipe(Command.withDescription("Merge one person into another, who is the same"))

const split = Command.make(
  "split",
  { slug: Argument.String("slug").pipe(Argument.withDescription("Slug of a person who was merged into another")) },
  ({ slug }) =>
    Effect.gen(function* () {
      const wasMerged = yield* PersonMerge.use((people) => people.split(slug))
      yield* Console.log(wasMerged ? `${slug} stands alone again.` : `${slug} was not merged; nothing changed.`)
    })
).pipe(Command.withDescription("Take a person apart from the one they were merged into"))

export const person = Command.make("person").pipe(
  Command.withDescription("Work on the people on record"),
  Command.withSubcommands([merge, split]),
  Command.provide(PersonMerge.layer),
  Command.provide(CommandDb)
)
