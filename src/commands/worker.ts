import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { stopInTime } from "../../layers/drain.ts"
import { CommandDb } from "../../layers/live.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { logFfmpeg } from "../../layers/renderer/tools.ts"
import { logSpeechFile } from "../../layers/speech-model/about.ts"
import { runPipeline } from "../pipeline/pipeline.ts"
import { RemovedMedia } from "../services/clips/removed-media.ts"
import { laneNames } from "../services/queue/stages.ts"
import { jobsFlag } from "./jobs.ts"

const jobs = jobsFlag(1, 1, "How many tasks are done at the same time; one that runs ffmpeg takes two threads")

const lanes = Flag.String("lanes").pipe(
  Flag.withDescription(
    `The lanes it takes tasks from, joined by commas, of: ${laneNames.join(", ")}. All of them unless given`
  ),
  Flag.filterMap(
    (list) => {
      const names = list.split(",").map((name) => name.trim())
      const known = laneNames.filter((lane) => names.includes(lane))
      return names.every((name) => laneNames.some((lane) => lane === name)) ? Option.some(known) : Option.none()
    },
    (list) => `must be of ${laneNames.join(", ")}, joined by commas, and not ${list}`
  ),
  Flag.withDefault(laneNames)
)

export const worker = Command.make("worker", { jobs, lanes }, ({ jobs, lanes }) =>
  Effect.gen(function* () {
    yield* stopInTime
    yield* Console.log("Waiting for tasks. Press Ctrl-C to stop; tasks in progress are given back.")
    // In the background, so that no task waits for it.
    yield* Effect.forkChild(Effect.andThen(logFfmpeg, logSpeechFile))
    yield* runPipeline({ jobs, lanes: new Map(lanes.map((lane) => [lane, jobs])) })
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription("Do the pipeline's tasks beside the service, in any number of processes"),
  Command.provide(RemovedMedia.layer),
  Command.provide(Renderer.layer),
  Command.provide(ObjectStore.layer),
  Command.provide(CommandDb)
)
