import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import type { BundleBriefing } from "../../../schema/bundle.ts"
import { verifyStage } from "../../../src/pipeline/stages/verify/verify.ts"
import { ClaimChecks } from "../../../src/services/making/claim-checks.ts"
import { MeetingMaterials } from "../../../src/services/making/meeting-materials.ts"
import { ModelBudget } from "../../../src/services/making/model-budget.ts"
import { Briefings } from "../../../src/services/meetings/briefings.ts"
import { StagePieces } from "../../../src/services/queue/stage-pieces.ts"
import type { ClaimedTask } from "../../../src/services/queue/tasks.ts"
import { Settings } from "../../../src/services/settings/settings.ts"
import { agency, claimId, meeting, meetingId, place, putOnRecord, said, transcript } from "../../support/builders.ts"

export const id = meetingId("council")

export const task: ClaimedTask = {
  id: "00000000-0000-4000-8000-000000000001",
  claim: "00000000-0000-4000-8000-000000000002",
  worker: "00000000-0000-4000-8000-000000000003",
  flow: "00000000-0000-4000-8000-000000000004",
  stage: "verify",
  attempts: 1,
  meetingId: id,
  userClipId: null,
  clipId: null,
  sourceId: null,
  traceparent: null,
  ...{ modelAway: 0, modelUnusable: 0, modelWaited: 0 }
}

const cites = (text: string, start: number) => ({ text, citations: [{ start, end: start + 5 }] })

export const briefing: BundleBriefing = {
  type: "briefing",
  meeting_id: id,
  headline: "The bridge",
  worth_watching: [
    { text: "The bridge is safe for trucks.", start: 0 },
    { text: "The clinic may close in 2031.", start: 10 },
    { text: "The bridge will cost four million dollars.", start: 5 }
  ],
  topics: [
    {
      title: "Bridge",
      figures: [],
      sentences: [cites("The bridge is safe for trucks.", 0), cites("It costs $3 million.", 5)]
    },
    {
      title: "Clinic",
      figures: [],
      sentences: [cites("The clinic is to stay.", 10), { text: "All were glad.", citations: [] }]
    }
  ],
  published_at: "2026-03-11T00:00:00Z"
}

export const written = Effect.gen(function* () {
  yield* putOnRecord(
    place("larkmoor"),
    agency("council", ["larkmoor"]),
    meeting("council", "council"),
    transcript(
      "council",
      said(["The bridge is safe for trucks.", "It costs two million dollars.", "We would rather keep the clinic."])
    ),
    briefing,
    // A briefing as it waits for the check: with a claim that has no verdict.
    {
      type: "claims",
      meeting_id: id,
      claims: [{ id: claimId("waiting"), topic: "Bridge", text: "Waits.", evidence: [] }]
    }
  )
  const db = yield* Db
  yield* db`insert into flow (id, kind, meeting_id) values (${task.flow}, 'meeting', ${id})`
  yield* db`
    insert into task (id, flow_id, stage, lane, state)
    values (${task.id}, ${task.flow}, 'verify', 'model', 'waiting')`
})

/** What the stage needs besides the database and a model. */
export const VerifyServices = Layer.mergeAll(
  ...[ClaimChecks.layer, MeetingMaterials.layer, StagePieces.layer],
  ModelBudget.layer.pipe(Layer.provide(Settings.layer))
)

export const verify = Effect.scoped(
  Effect.gen(function* () {
    const db = yield* Db
    const { work } = yield* verifyStage
    const put = yield* work(task, () => Effect.void)
    yield* db.withTransaction(put)
  })
).pipe(Effect.provide(VerifyServices))

export const served = Briefings.use((briefings) => Effect.all([briefings.newsletter(id), briefings.claims(id)])).pipe(
  Effect.provide(Briefings.layer)
)
