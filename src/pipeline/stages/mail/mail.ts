import { Effect } from "effect"
import { recapReady } from "../../../services/mail/owed-recaps.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { making, meetingOf } from "../../making.ts"
import type { StageHandler } from "../../stage.ts"

/** Marks a published meeting's recap as due to all its followers; digests mail it at the time each has chosen. */
export const mailStage = Effect.gen(function* () {
  const { db, skipped } = yield* making

  const work = Effect.fn("MailStage.work")(function* (task: ClaimedTask) {
    const meeting = yield* meetingOf(task)
    return Effect.gen(function* () {
      if (!(yield* recapReady(db, meeting)))
        yield* skipped(task, "there is nothing to mail: no recap that is published, or it was mailed before")
    })
  })

  return { work } satisfies StageHandler
})
