import { Effect } from "effect"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { making, meetingOf } from "../../making.ts"
import type { StageHandler } from "../../stage.ts"

/**
 * Publishes a meeting once its parts are made: its status changes from upcoming to held, so that it appears in lists,
 * counts, search and feeds with everything it has. A meeting that was already held only gains its new parts.
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
