import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { RemovalKind } from "../../schema/transcript.ts"
import { type ListedRemoval, Removals } from "../services/making/removals.ts"
import { wordsOf } from "../text/redact/taken.ts"

const sentence = ({ id, meeting_id, start, kind, rule, state, kept }: ListedRemoval): string =>
  [id, meeting_id, `${Math.floor(start)}s`, kind, rule, state, kept === null ? "(no longer kept)" : wordsOf(kept)].join(
    "\t"
  )

const list = Command.make(
  "list",
  {
    meeting: Flag.String("meeting").pipe(Flag.withDescription("The id or slug of a meeting"), Flag.optional),
    page: Flag.Int("page").pipe(Flag.withDescription("The page, from 1"), Flag.withDefault(1))
  },
  ({ meeting, page }) =>
    Effect.gen(function* () {
      const given = { meeting: Option.getOrUndefined(meeting) }
      const { removals } = yield* Removals.use(({ list }) => list(given, Math.max(1, page)))
      yield* Console.log(removals.length === 0 ? "Nothing was taken out." : removals.map(sentence).join("\n"))
    })
).pipe(
  Command.withDescription(
    "List what was taken out: id, meeting, second, kind, rule, state and words, with tabs between"
  )
)

const restore = Command.make(
  "restore",
  { id: Argument.String("id").pipe(Argument.withDescription("The removal's id, as removal list shows it")) },
  ({ id }) =>
    Effect.gen(function* () {
      const { changed } = yield* Removals.use(({ restore }) => restore(id))
      yield* Console.log(changed ? "The words are back in the transcript." : "They had been put back already.")
    })
).pipe(Command.withDescription("Put words back that were taken out of a transcript"))

const takeOut = Command.make(
  "take-out",
  {
    meeting: Argument.String("meeting").pipe(Argument.withDescription("The meeting's id or slug")),
    second: Argument.Finite("second").pipe(Argument.withDescription("A second at which the line is said")),
    words: Argument.String("words").pipe(Argument.withDescription("The words, as the transcript has them")),
    kind: Flag.Literals("kind", RemovalKind.literals).pipe(
      Flag.withDescription("What they are"),
      Flag.withDefault("home" as const)
    )
  },
  ({ meeting, second, words, kind }) =>
    Effect.gen(function* () {
      const { changed } = yield* Removals.use(({ takeOut }) => takeOut(meeting, { kind, second, words }))
      yield* Console.log(changed ? "The words are out of the transcript." : "They had been taken out already.")
    })
).pipe(Command.withDescription("Take words out of a transcript that was refined here"))

export const removal = Command.make("removal").pipe(
  Command.withDescription("List what was taken out of transcripts, put it back, or take more out"),
  Command.withSubcommands([list, restore, takeOut]),
  Command.provide(Removals.layer),
  Command.provide(CommandDb)
)
