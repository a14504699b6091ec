import { Effect } from "effect"
import { CheckModel } from "../../../../layers/cloud-model/check-model.ts"
import { Db } from "../../../../layers/db/db.ts"
import { roundSeconds } from "../../../../schema/primitives.ts"
import type { Segment } from "../../../../schema/transcript.ts"
import { type CheckedClaim, ClaimChecks, type ClaimToCheck } from "../../../services/making/claim-checks.ts"
import { MeetingMaterials } from "../../../services/making/meeting-materials.ts"
import { StagePieces } from "../../../services/queue/stage-pieces.ts"
import { recordTaskEvents } from "../../../services/queue/task-events.ts"
import { headlineOfRecord } from "../../../text/plain-words/plain-words.ts"
import type { SpokenVote } from "../../../text/roll-calls/roll-calls.ts"
import { quoted } from "../../../text/verify/quotes.ts"
import { rulesVersion } from "../../../text/verify/rules.ts"
import { type RelyingTask, relying } from "../../relying.ts"
import { StageFailed, type StageHandler } from "../../stage.ts"
import { evidenceIn } from "./cited.ts"
import { claimJudge, noChecker } from "./claim-judge.ts"
import { promptVersion } from "./model-judge.ts"

/** The most claims checked concurrently; most of them wait for the model. */
const atOnce = 4

/** How a checker is told of that supported everything; it needs to have done so for this many claims. */
export const notBelieved = "supports claims and their opposites alike"
const leastCredulous = 3

/** A headline that code makes of the record is supported by the vote that it tells of. */
const ofRecord = (claim: ClaimToCheck, vote: SpokenVote | undefined, segments: ReadonlyArray<Segment>) => ({
  ...claim,
  verdict: "supported" as const,
  by: "code" as const,
  isCredulous: false,
  evidence: (vote?.quote ?? []).flatMap(({ segment, from, to }) => {
    const { start, end, text } = segments[segment] ?? { start: 0, end: 0, text: "" }
    return [{ start: roundSeconds(start), end: roundSeconds(end), quote: text.slice(from, to) }]
  })
})

/**
 * Checks every sentence of a briefing, its headline and its "worth watching" lines against what they cite, and records
 * the verdicts. The checker sees the sentence and what was said, but not how the sentence was written. A claim that
 * code cannot decide stays unchecked if there is no model but the writer, or none that answers, and is not supported if
 * the checker cannot either; nor is a sentence that cites nothing.
 */
export const verifyStage = Effect.gen(function* () {
  const db = yield* Db
  const checks = yield* ClaimChecks
  const checker = yield* CheckModel
  const materials = yield* MeetingMaterials
  const judged = yield* claimJudge
  const pieces = yield* StagePieces
  const rely = yield* relying

  const checked = Effect.fnUntraced(function* (
    task: RelyingTask,
    claim: ClaimToCheck,
    evidenceOf: ReturnType<typeof evidenceIn>
  ) {
    const { cited, context } = evidenceOf(claim.citations)
    const { verdict, quotes, by, isCredulous = false } = yield* judged(task, claim.text, cited, context)
    return {
      ...claim,
      verdict,
      by,
      isCredulous,
      evidence: quotes.flatMap((quote) => {
        const segment = cited[quote.utterance]
        return segment === undefined
          ? []
          : [{ start: roundSeconds(segment.start), end: roundSeconds(segment.end), quote: quoted(cited, quote) }]
      })
    }
  })

  const work = Effect.fn("VerifyStage.work")(function* (
    task: RelyingTask,
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
    if (checker === undefined && (yield* checks.areSettled(briefing))) {
      const reason = "the claims were imported with their verdicts, and no model checks them"
      return recordTaskEvents(db, "skipped", [task], { worker: task.worker, detail: `skipped: ${reason}` })
    }
    let done = 0
    const evidenceOf = evidenceIn(briefing)
    const plain = headlineOfRecord(yield* materials.agenda(briefing.meetingId), briefing.segments)
    const judgements = yield* Effect.forEach(
      briefing.claims,
      (claim) =>
        Effect.tap(
          claim.topic === "Headline" && claim.text === plain?.text
            ? Effect.succeed(ofRecord(claim, plain.vote, briefing.segments))
            : checked(task, claim, evidenceOf),
          () => onProgress(++done / briefing.claims.length)
        ),
      { concurrency: atOnce }
    )
    if (checker === undefined && judgements.some(({ verdict }) => verdict === "unknown")) {
      yield* task.models.without(noChecker)
    }
    const isDecided = task.models.hasAnswered("checker")
    const isSilent = judgements.some(({ verdict, by }) => verdict === "unknown" && by === "model")
    const credulous = judgements.filter(({ isCredulous }) => isCredulous).length
    if (!isDecided && (isSilent || credulous >= leastCredulous)) {
      const why = isSilent ? "gave no verdict that can be used" : notBelieved
      const reason = `The model that checks ${why}.`
      yield* task.models.without({ role: "checker", model: checker?.place ?? "", kind: "unusable", reason })
    }
    const claims = judgements.map(
      ({ by, verdict, isCredulous, ...claim }): CheckedClaim => ({
        ...claim,
        verdict: verdict !== "unknown" ? verdict : by === "model" && isDecided ? "unsupported" : "unchecked"
      })
    )
    if (credulous > 0) {
      const times = `${credulous} of ${claims.length} claims`
      yield* Effect.logWarning(
        `The model that checks supported ${times} and their opposites alike, and is not believed there`
      )
    }
    const checkedBy = isDecided ? `${rulesVersion} ${promptVersion}` : rulesVersion
    return Effect.gen(function* () {
      const kept = yield* checks.keep(briefing, claims, checkedBy)
      if (!kept)
        return yield* new StageFailed({
          message: "The briefing or its transcript was replaced meanwhile.",
          final: false
        })
      if (task.models.lacks().length === 0) yield* pieces.clear(task)
    })
  })

  return { work: rely(work) } satisfies StageHandler
})
