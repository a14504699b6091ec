import { Effect } from "effect"
import type { ClaimedTask } from "../services/operations/tasks.ts"
import { making, meetingOf } from "./making.ts"
import type { StageHandler } from "./stage.ts"

/**
 * Publishes a meeting whose parts are made: from upcoming it becomes held, and with that it stands in lists, counts, search
 * and feeds with everything that it has. One that was held before only has its new parts.
 */
export const publishStage = Effect.gen(function* () {
  const { materials, skipped } = yield* making

  const work = Effect.fn("PublishStage.work")(function* (task: ClaimedTask) {
    const meeting = yield* meetingOf(task)
    return Effect.gen(function* () {
      if (!(yield* materials.publish(meeting))) yield* skipped(task, "the meeting has not taken place")
    })
  })

  return { work } satisfies StageHandler
})
