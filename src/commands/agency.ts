import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { AgencyMerge } from "../services/directory/agency-merge.ts"
import { type Reversal, Reversals, undoneWithin } from "../services/directory/reversals.ts"

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
        `${from} was merged into ${into}: ${meetings} ${meetings === 1 ? "meeting was" : "meetings were"} moved, and the old slug still answers. To undo it: civic-record agency moves.`
      )
    })
).pipe(Command.withDescription("Merge one body into another"))

const sentence = ({ id, at, operator, kind, from_slug, into_slug, meetings, undone_at }: Reversal): string => {
  const what = kind === "merge" ? `${from_slug} merged into ${into_slug}` : `${from_slug} to ${into_slug}`
  const moved = `${meetings} ${meetings === 1 ? "meeting" : "meetings"}`
  return `${id}  ${at.toISOString().slice(0, 16)}Z  ${what}, ${moved}, by ${operator}${undone_at === null ? "" : ", undone"}`
}

const moves = Command.make("moves", {}, () =>
  Effect.gen(function* () {
    const all = yield* Reversals.use(({ list }) => list)
    yield* Console.log(all.length === 0 ? "Nothing was merged or moved lately." : all.map(sentence).join("\n"))
  })
).pipe(Command.withDescription(`List the merges and moves of the last ${undoneWithin} days`))

const undo = Command.make(
  "undo",
  { id: Argument.String("id").pipe(Argument.withDescription("The id of a merge or a move, as agency moves lists it")) },
  ({ id }) =>
    Effect.gen(function* () {
      const { undone_at, from_slug, returned } = yield* Reversals.use(({ undo }) => undo(id))
      yield* Console.log(
        undone_at === null
          ? `Undone: ${returned} ${returned === 1 ? "meeting is" : "meetings are"} back at ${from_slug}.`
          : "It was undone before; nothing changed."
      )
    })
).pipe(Command.withDescription(`Undo a merge of bodies, or a move of meetings, within ${undoneWithin} days`))

export const agency = Command.make("agency").pipe(
  Command.withDescription("Work on the bodies on record"),
  Command.withSubcommands([merge, moves, undo]),
  Command.provide(AgencyMerge.layer),
  Command.provide(Reversals.layer),
  Command.provide(CommandDb)
)
