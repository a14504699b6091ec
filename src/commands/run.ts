import { Console, Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { TypedPlacesLive } from "../record/typed-places.ts"
import { AgencyMerge } from "../services/directory/agency-merge.ts"
import { Completion } from "../services/operators/runs/completion.ts"
import { Flows } from "../services/queue/flows.ts"
import { placeOnRecord } from "./find-source.ts"

const start = Command.make(
  "start",
  {
    place: Argument.String("place").pipe(
      Argument.withDescription('The place to make whole: its slug, or its name and state such as "Emporia, KS"')
    )
  },
  ({ place: typed }) =>
    Effect.gen(function* () {
      const place = yield* placeOnRecord(typed)
      const { id, started } = yield* (yield* Completion).start(place)
      yield* Console.error(started ? `A run of ${place} has started:` : `A run of ${place} is open already:`)
      yield* Console.log(id)
    })
).pipe(Command.withDescription("Start a completion run of a place and crawl its sources. Prints its id"))

export const run = Command.make("run").pipe(
  Command.withDescription("Make the record of a place whole"),
  Command.withSubcommands([start]),
  Command.provide(Completion.layer.pipe(Layer.provide([AgencyMerge.layer, Flows.layer]))),
  Command.provide(TypedPlacesLive),
  Command.provide(CommandDb)
)
