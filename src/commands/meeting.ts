import { Console, Effect, Option } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { MeetingCorrections } from "../services/feed/meeting-corrections.ts"

const given = (name: string, about: string) => Flag.String(name).pipe(Flag.withDescription(about), Flag.optional)

const correct = Command.make(
  "correct",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The meeting's id or slug")),
    title: given("title", "Its title"),
    date: given("date", "The day that it was held, YYYY-MM-DD; its hour stays"),
    agency: given("agency", "The slug of the body that held it")
  },
  ({ id, ...flags }) =>
    Effect.gen(function* () {
      const correction = {
        title: Option.getOrUndefined(flags.title),
        date: Option.getOrUndefined(flags.date),
        agency: Option.getOrUndefined(flags.agency)
      }
      if (Object.values(correction).every((value) => value === undefined)) {
        return yield* new CliError.UserError({ cause: "Nothing is corrected: give --title, --date or --agency." })
      }
      const { changed, after } = yield* (yield* MeetingCorrections).correct(id, correction)
      yield* Console.log(changed ? `It is corrected, at ${after.address}.` : "It was like this already.")
    })
).pipe(Command.withDescription("Correct a meeting's title, day or body. Its old addresses lead to it"))

export const meeting = Command.make("meeting").pipe(
  Command.withDescription("Correct meetings"),
  Command.withSubcommands([correct]),
  Command.provide(MeetingCorrections.layer),
  Command.provide(CommandDb)
)
