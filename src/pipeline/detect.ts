import { Effect } from "effect"
import { Discoveries } from "../services/completion/discoveries.ts"
import { Flows } from "../services/operations/flows.ts"
import type { ClaimedTask } from "../services/operations/tasks.ts"
import { StageFailed, type StageHandler, StageWaits } from "./stage.ts"

/** Days after a meeting in which its recording may be published. */
export const daysForRecording = 14
/** Seconds until a recording is looked for again. A crawl that finds it wakes the task before that. */
export const lookAgain = 6 * 3600

/**
 * Waits until a meeting was held and there is a recording to fetch. The crawl wakes the task when it finds that something
 * has changed. Without a recording two weeks later, its flow goes on with the agenda alone, or ends where there is none.
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
