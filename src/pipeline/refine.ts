import { Effect } from "effect"
import { Refinements } from "../services/operations/refinements.ts"
import type { ClaimedTask } from "../services/operations/tasks.ts"
import { agendaAddresses, redact } from "./redact/redact.ts"
import { StageFailed, type StageHandler } from "./stage.ts"

/**
 * Makes the refined transcript of the raw one: without the home addresses that people say. Where there were any, readers
 * no longer see the raw one. A refined transcript that was imported stays as it is.
 */
export const refineStage = Effect.gen(function* () {
  const refinements = yield* Refinements

  const work = Effect.fn("RefineStage.work")(function* ({ meetingId }: ClaimedTask) {
    const raw = meetingId === null ? undefined : yield* refinements.wanted(meetingId)
    if (raw === undefined) return Effect.void
    const refined = redact(raw.segments, agendaAddresses(raw.agenda))
    return Effect.gen(function* () {
      const kept = yield* refinements.keep(raw, refined)
      if (!kept) return yield* new StageFailed({ message: "The transcript was replaced meanwhile.", final: false })
    })
  })

  return { work } satisfies StageHandler
})
