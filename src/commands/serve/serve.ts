import cluster from "node:cluster"
import { availableParallelism, totalmem } from "node:os"
import { Duration, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Environment } from "../../../layers/config/config.ts"
import { drainAtSigterm, stopInTime } from "../../../layers/drain.ts"
import { jobsFlag } from "../jobs.ts"

const mostProcesses = 64

/** What one process may need (docs/performance.md), in bytes. */
const memoryOfOne = 700 * 2 ** 20

/** As many processes as there are cores, and as have memory: the machine's, or what its container may use. */
const fitting = () => {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.max(1, Math.min(availableParallelism(), Math.floor(memory / memoryOfOne), mostProcesses))
}

const processes = Flag.String("processes").pipe(
  Flag.withDescription("How many processes answer on the one address; auto is as many as cores and memory allow"),
  Flag.filterMap(
    (text) => {
      const count = text === "auto" ? fitting() : /^\d{1,2}$/.test(text) ? Number(text) : 0
      return count >= 1 && count <= mostProcesses ? Option.some(count) : Option.none()
    },
    (text) => `must be auto, or a number from 1 to ${mostProcesses}, and not ${text}`
  ),
  Flag.withDefault(1)
)

const jobs = jobsFlag(
  0,
  4,
  "How many of the pipeline's tasks it does at a time beside its readers; 0 leaves all to workers"
)

/** Each way is loaded only where it is gone: a parent needs little of what its processes do. */
export const serve = Command.make("serve", { processes, jobs }, ({ processes, jobs }) =>
  Effect.gen(function* () {
    const { drainSeconds } = yield* Environment
    yield* drainAtSigterm(Duration.seconds(drainSeconds))
    // A parent ends its processes, and waits for no database.
    if (cluster.isWorker || processes === 1) yield* stopInTime
    if (cluster.isWorker) return yield* (yield* Effect.promise(() => import("./child.ts"))).runChild(jobs)
    if (processes === 1) return yield* (yield* Effect.promise(() => import("./service.ts"))).runService(jobs)
    return yield* (yield* Effect.promise(() => import("./parent.ts"))).runParent(processes, jobs)
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Run the service"))
