import { Duration, Effect } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Drain } from "../../../layers/drain.ts"
import { makeChannel } from "../../../layers/processes/channel.ts"
import { type ChildAnswers, type ParentAnswers, Siblings } from "../../../layers/processes/siblings.ts"
import { runReaders, runService } from "./service.ts"

/** One of the processes of `serve --processes`: which of them, its parent says. */
export const runChild = Effect.fnUntraced(function* (jobs: number) {
  const { drainSeconds } = yield* Environment
  const { begin } = yield* Drain
  let metrics: ChildAnswers["metrics"] = () => Promise.resolve("")
  const answers: ChildAnswers = {
    metrics: () => metrics(),
    retire: () => {
      begin(Duration.seconds(drainSeconds), true)
      process.kill(process.pid, "SIGTERM")
    }
  }
  const port = {
    get connected() {
      return process.connected
    },
    send: (message: object) => process.send?.(message),
    on: process.on.bind(process)
  }
  const { ask } = makeChannel<ParentAnswers>(port, answers)
  const role = yield* Effect.promise(() => ask("role"))
  const run =
    role.number === 1
      ? runService(jobs)
      : runReaders((read) => {
          metrics = read
        })
  return yield* Effect.provideService(run, Siblings, { ...role, ask })
})
