import { randomUUID } from "node:crypto"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { type Lane, laneNames, type Stage, stageNames } from "../../src/services/queue/stages.ts"
import { type ClaimedTask, Tasks } from "../../src/services/queue/tasks.ts"
import { Workers } from "../../src/services/queue/workers.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "./builders.ts"
import { TestDb } from "./database.ts"
import { Engine } from "./tiny-pipeline.ts"

export const EngineOnDb = Layer.provideMerge(Engine, TestDb)

/** A registered worker without a loop: it claims and settles tasks only when a test says so. */
export const worker = Effect.gen(function* () {
  const me = { id: randomUUID(), host: "here", pid: 1, build: "test", stages: stageNames, jobs: 100 }
  const workers = yield* Workers
  const tasks = yield* Tasks
  yield* workers.beat(me, new Map())
  const claim = (most = 100, lanes: ReadonlyArray<Lane> = laneNames) =>
    tasks.claim({ worker: me.id, stages: me.stages, free: most, lanes: new Map(lanes.map((lane) => [lane, most])) })
  return { id: me.id, beat: workers.beat(me, new Map()), progress: workers.beat.bind(undefined, me), claim }
})

/** A stage that writes nothing. */
export const put = Effect.void

/** Runs all flows up to some stages, and returns the tasks claimed then. */
export const until = Effect.fnUntraced(function* (
  claim: Effect.Effect<ReadonlyArray<ClaimedTask>, unknown>,
  ...wanted: ReadonlyArray<Stage>
) {
  const tasks = yield* Tasks
  const found: Array<ClaimedTask> = []
  while (found.length < wanted.length) {
    for (const task of yield* claim) {
      if (wanted.includes(task.stage)) found.push(task)
      else yield* tasks.finish(task, put)
    }
  }
  return found
})

/** The state of each task of a flow, by its stage. */
export const statesOf = (flow: string) =>
  Effect.gen(function* () {
    const db = yield* Db
    const rows = yield* db<{ stage: Stage; state: string }>`select stage, state from task where flow_id = ${flow}`
    return Object.fromEntries(rows.map(({ stage, state }) => [stage, state]))
  })

export const flowState = (flow: string) =>
  Effect.gen(function* () {
    const db = yield* Db
    const [row] = yield* db<{ state: string }>`select state from flow where id = ${flow}`
    return row?.state
  })

/** A meeting on record, and flows for it. */
export const council = putOnRecord(place("springfield"), agency("council", ["springfield"]), meeting("one", "council"))
export const subject = { meeting_id: meetingId("one") }

export const oneFlow = Effect.gen(function* () {
  const [flow] = yield* addFlows(yield* Db, "meeting", [{}])
  return flow ?? assert.fail("a flow is added")
})
