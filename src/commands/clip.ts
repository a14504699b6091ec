import { Console, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { CuratedClips, waitsFor } from "../services/clips/curated-clips.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The clip's id, a UUID"))

const decide = Effect.fnUntraced(function* (decision: "publish" | "dismiss", id: string) {
  const clips = yield* CuratedClips
  return yield* clips[decision](id)
})

const publish = Command.make("publish", { id }, ({ id }) =>
  Effect.gen(function* () {
    const decided = yield* decide("publish", id)
    const { title, was } = decided
    const since = was === "published" ? "was already published" : `was ${was} and is now published`
    yield* Console.log(`"${title}" ${since}.${waitsFor(decided)}`)
  })
).pipe(Command.withDescription("Publish a highlight clip. Only published clips are shown"))

const dismiss = Command.make("dismiss", { id }, ({ id }) =>
  Effect.gen(function* () {
    const { title, was } = yield* decide("dismiss", id)
    const since = was === "dismissed" ? "was already dismissed" : `was ${was} and is now dismissed`
    yield* Console.log(`"${title}" ${since}. Links already handed out stop working within six hours.`)
  })
).pipe(Command.withDescription("Dismiss a highlight clip. It is no longer shown, but kept"))

export const clip = Command.make("clip").pipe(
  Command.withDescription("Publish or dismiss highlight clips"),
  Command.withSubcommands([publish, dismiss]),
  Command.provide(CuratedClips.layer),
  Command.provide(CommandDb)
)
