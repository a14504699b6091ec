import { Effect } from "effect"
import { CheckModel } from "../../../../layers/cloud-model/check-model.ts"
import { Db } from "../../../../layers/db/db.ts"
import { roundSeconds } from "../../../../schema/primitives.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { type CheckedClaim, ClaimChecks, type ClaimToCheck } from "../../../services/making/claim-checks.ts"
import { MeetingMaterials } from "../../../services/making/meeting-materials.ts"
import { ModelBudget } from "../../../services/making/model-budget.ts"
import { recordTaskEvents } from "../../../services/queue/task-events.ts"
import type { ClaimedTask } from "../../../services/queue/tasks.ts"
import { headlineOfRecord } from "../../../text/plain-words/plain-words.ts"
import type { SpokenVote } from "../../../text/roll-calls/roll-calls.ts"
import { quoted } from "../../../text/verify/quotes.ts"
import { rulesVersion } from "../../../text/verify/rules.ts"
import { StageFailed, type StageHandler, StageWaits } from "../../stage.ts"
import { check } from "./check.ts"
import { evidenceIn } from "./cited.ts"
import { promptVersion } from "./model-judge.ts"

/** The most claims checked concurrently; most of them wait for the model. */
const atOnce = 4

/** A headline that code makes of the record is supported by the vote that it tells of. */
const ofRecord = (
  claim: ClaimToCheck,
  vote: SpokenVote | undefined,
  segments: ReadonlyArray<Segment>
): CheckedClaim => ({
  ...claim,
  verdict: "supported",
  evidence: (vote?.quote ?? []).flatMap(({ segment, from, to }) => {
    const { start, end, text } = segments[segment] ?? { start: 0, end: 0, text: "" }
    return [{ start: roundSeconds(start), end: roundSeconds(end), quote: text.slice(from, to) }]
  })
})

/**
 * Checks every sentence of a briefing, its headline and its "worth watching" lines against what they cite, and records
 * the verdicts. The checker sees the sentence and what was said, but not how the sentence was written. A claim that
 * code cannot decide stays unchecked if there is no model but the writer, and is not supported if the checker cannot
 * either; nor is a sentence that cites nothing.
 */
export const verifyStage = Effect.gen(function* () {
  const db = yield* Db
  const checks = yield* ClaimChecks
  const budget = yield* ModelBudget
  const checker = yield* CheckModel
  const materials = yield* MeetingMaterials

  const checked = Effect.fnUntraced(function* (claim: ClaimToCheck, evidenceOf: ReturnType<typeof evidenceIn>) {
    const { cited, context } = evidenceOf(claim.citations)
    const {
      verdict,
      quotes,
      isCredulous = false
    } = yield* check(claim.text, cited, budget.check, context).pipe(
      Effect.provideService(CheckModel, checker),
      Effect.catchTags({
        CloudModelUnavailable: (cause) => Effect.fail(new StageFailed({ message: cause.message, final: false, cause })),
        BudgetSpent: ({ message, seconds }) => Effect.fail(new StageWaits({ message, seconds }))
      })
    )
    return {
      isCredulous,
      claim: {
        ...claim,
        verdict: verdict !== "unknown" ? verdict : checker === undefined ? "unchecked" : "unsupported",
        evidence: quotes.flatMap((quote) => {
          const segment = cited[quote.utterance]
          return segment === undefined
            ? []
            : [{ start: roundSeconds(segment.start), end: roundSeconds(segment.end), quote: quoted(cited, quote) }]
        })
      } satisfies CheckedClaim
    }
  })

  const work = Effect.fn("VerifyStage.work")(function* (
    task: ClaimedTask,
    onProgress: (share: number) => Effect.Effect<void>
  ) {
    const { meetingId } = task
    const briefing = meetingId === null ? undefined : yield* checks.wanted(meetingId)
    if (briefing === undefined) {
      return recordTaskEvents(db, "skipped", [task], {
        worker: task.worker,
        detail: "skipped: the meeting has no briefing"
      })
    }
    let done = 0
    const evidenceOf = evidenceIn(briefing)
    const plain = headlineOfRecord(yield* materials.agenda(briefing.meetingId), briefing.segments)
    const judged = yield* Effect.forEach(
      briefing.claims,
      (claim) =>
        Effect.tap(
          claim.topic === "Headline" && claim.text === plain?.text
            ? Effect.succeed({ claim: ofRecord(claim, plain.vote, briefing.segments), isCredulous: false })
            : checked(claim, evidenceOf),
          () => onProgress(++done / briefing.claims.length)
        ),
      { concurrency: atOnce }
    )
    const claims = judged.map(({ claim }) => claim)
    const credulous = judged.filter(({ isCredulous }) => isCredulous).length
    if (credulous > 0) {
      yield* Effect.logWarning(
        `The checking model supported ${credulous} of ${claims.length} claims and the opposite alike: its word does not count for them`
      )
    }
    const checkedBy = checker === undefined ? rulesVersion : `${rulesVersion} ${promptVersion}`
    return Effect.gen(function* () {
      const kept = yield* checks.keep(briefing, claims, checkedBy)
      if (!kept)
        return yield* new StageFailed({
          message: "The briefing or its transcript was replaced meanwhile.",
          final: false
        })
    })
  })

  return { work } satisfies StageHandler
})
