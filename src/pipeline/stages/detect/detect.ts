import { Effect } from "effect"
import { Flows } from "../../../services/queue/flows.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { Discoveries } from "../../../services/sources/discoveries.ts"
import { StageFailed, type StageHandler, StageWaits } from "../../stage.ts"

/** The number of days after a meeting on which to keep looking for its recording. */
export const daysForRecording = 14
/** Seconds before looking for a recording again. A crawl that finds one wakes the task sooner. */
export const lookAgain = 6 * 3600

/**
 * Waits until a meeting has been held and has a recording to fetch. A crawl that finds a change wakes the task. If
 * there is still no recording after two weeks, the flow continues with the agenda alone, or ends if there is none.
 */
export const detectStage = Effect.gen(function* () {
  const discoveries = yield* Discoveries
  const flows = yield* Flows

  const work = Effect.fn("DetectStage.work")(function* (task: ClaimedTask) {
    const { meetingId } = task
    const standing = meetingId === null ? undefined : yield* discoveries.standing(meetingId)
    if (meetingId === null || standing === undefined) {
      return yield* new StageFailed({ message: "The flow has no meeting.", final: true })
    }
    const cancel = Effect.catchTag(flows.cancel(task.flow), "UnknownFlow", Effect.die)
    if (standing.has_source) return Effect.void
    if (standing.status === "cancelled") return cancel
    if (standing.seconds_to_come > 0) {
      return yield* new StageWaits({ message: "The meeting is still to come.", seconds: standing.seconds_to_come + 1 })
    }
    yield* discoveries.held(meetingId)
    if (standing.video_url !== null) return Effect.void
    if (standing.days_past <= daysForRecording) {
      return yield* new StageWaits({ message: "Its recording is not published yet.", seconds: lookAgain })
    }
    return standing.agenda_url === null ? cancel : Effect.void
  })

  return { work } satisfies StageHandler
})
