import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store.ts"
import { logFfmpeg } from "../../layers/renderer/tools.ts"
import { Renderer } from "../../layers/renderer.ts"
import { workOnClips } from "../pipeline/clip-worker.ts"
import { RemovedClips } from "../services/clips/removed-clips.ts"
import { RenderQueue } from "../services/clips/render-queue.ts"

const jobs = Flag.Int("jobs").pipe(
  Flag.withDescription("How many clips are rendered at the same time; each takes two threads"),
  Flag.filter(
    (count) => count >= 1 && count <= 64,
    () => "must be from 1 to 64"
  ),
  Flag.withDefault(1)
)

export const worker = Command.make("worker", { jobs }, ({ jobs }) =>
  Effect.gen(function* () {
    yield* Console.log("Waiting for clips to render. Ctrl-C stops it; what it is at goes back into the queue.")
    // In the background, so that no clip waits for it.
    yield* Effect.forkChild(logFfmpeg)
    yield* workOnClips(jobs)
  })
).pipe(
  Command.withDescription("Render clips beside the service, in any number of processes"),
  Command.provide(RemovedClips.layer),
  Command.provide(RenderQueue.layer),
  Command.provide(Renderer.layer),
  Command.provide(ObjectStore.layer),
  Command.provide(CommandDb)
)
