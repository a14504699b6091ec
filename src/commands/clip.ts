import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { CuratedClips } from "../services/clips/curated-clips.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The clip's id, a UUID"))

const publish = Command.make("publish", { id }, ({ id }) =>
  Effect.gen(function* () {
    const { title, was, rendering } = yield* CuratedClips.use((clips) => clips.publish(id))
    const since = was === "published" ? "was published already" : `was ${was}, and is published`
    yield* Console.log(
      `"${title}" ${since}.${rendering ? " It can be watched as soon as a worker has rendered it." : ""}`
    )
  })
).pipe(Command.withDescription("Publish a highlight clip: only published ones are ever shown"))

const dismiss = Command.make("dismiss", { id }, ({ id }) =>
  Effect.gen(function* () {
    const { title, was } = yield* CuratedClips.use((clips) => clips.dismiss(id))
    const since = was === "dismissed" ? "was dismissed already" : `was ${was}, and is dismissed`
    yield* Console.log(`"${title}" ${since}. Addresses that were signed for it live for six hours at most.`)
  })
).pipe(Command.withDescription("Dismiss a highlight clip: it is shown no more, and kept"))

export const clip = Command.make("clip").pipe(
  Command.withDescription("The highlight clips on record"),
  Command.withSubcommands([publish, dismiss]),
  Command.provide(CuratedClips.layer),
  Command.provide(CommandDb)
)
