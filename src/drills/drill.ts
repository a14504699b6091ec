import * as fs from "node:fs"
import * as path from "node:path"
import { Cause, Clock, Effect, Exit, Schedule } from "effect"
import { Environment } from "../../layers/config/config.ts"
import type { DrilledStage, DrillReport } from "../../schema/agent/drill.ts"
import type { DrilledTask } from "../services/operators/drill-record.ts"
import { Drills, drillBeat, drillPaths } from "../services/operators/drills.ts"
import { makeDrillFiles, publishDrillFiles } from "./files.ts"
import { findings } from "./found.ts"
import { judged } from "./judge/judge.ts"
import { drillOrigin } from "./origin.ts"
import { rehearse } from "./rehearsal.ts"
import { drillStages } from "./stages.ts"

/** Progress reports for a person who watches a drill. */
export interface Watcher {
  readonly onPrepared: (drill: { readonly id: string; readonly scheduleUrl: string }) => Effect.Effect<void>
  readonly onProgress: (tasks: ReadonlyArray<DrilledTask>) => Effect.Effect<void>
}

const hasFailed = (stages: ReadonlyArray<DrilledStage>): boolean => stages.some(({ verdict }) => verdict === "failed")

/** Where a drill keeps its files on this machine. */
const folderOf = (dataDir: string, id: string): string => path.join(dataDir, "drills", id)

const removeFolder = (folder: string) => Effect.promise(() => fs.promises.rm(folder, { recursive: true, force: true }))

/** Ends drills whose process was killed, and removes what they left in the database, the store and this machine. */
const sweep = Effect.gen(function* () {
  const drills = yield* Drills
  const { dataDir } = yield* Environment
  for (const id of yield* drills.sweep) yield* removeFolder(folderOf(dataDir, id))
})

/** The parts of a drill: what makes its files, which stages it runs, and what looks at the result. */
const ownParts = { files: makeDrillFiles, stages: drillStages, look: findings }
export type DrillParts = typeof ownParts

/**
 * Runs a drill from beginning to end: makes a meeting, serves its calendar, has this process carry it through every
 * stage, judges the results, and removes everything. Its row records the end in every case. The next drill, or a
 * worker, removes what a killed process left. Returns the report.
 */
export const runDrill = Effect.fn("Drill.run")(function* (
  by: string,
  { onPrepared, onProgress }: Watcher,
  parts: Partial<DrillParts> = {}
) {
  const { files, stages, look } = { ...ownParts, ...parts }
  const drills = yield* Drills
  const { dataDir } = yield* Environment
  yield* sweep
  const startedAt = yield* Clock.currentTimeMillis
  const drill = yield* Effect.acquireRelease(drills.start(by), ({ id }, exit) =>
    Effect.gen(function* () {
      yield* Effect.ignore(drills.clear(id))
      yield* removeFolder(folderOf(dataDir, id))
      if (Exit.isSuccess(exit)) return
      const broken_off = Cause.hasInterruptsOnly(exit.cause)
        ? "The drill was stopped."
        : "The drill failed for a reason of ours, which it printed."
      const seconds = ((yield* Clock.currentTimeMillis) - startedAt) / 1000
      yield* drills.end(id, "failed", { stages: [], broken_off, seconds })
    })
  )
  yield* Effect.forkScoped(Effect.repeat(drills.beat(drill.id), Schedule.spaced(drillBeat)))
  const folder = folderOf(dataDir, drill.id)
  yield* Effect.promise(() => fs.promises.mkdir(folder, { recursive: true }))
  const database = yield* drills.makeDatabase(drill.id)
  const truth = yield* files(folder)
  const origin = yield* drillOrigin(drill, yield* publishDrillFiles(drill.id, drill.token, truth))
  const scheduleUrl = origin + drillPaths(drill.token).schedule
  yield* onPrepared({ id: drill.id, scheduleUrl })
  const settings = yield* drills.settings
  const rehearsal = { database, origin, scheduleUrl, folder, truth, settings, onProgress, stages }
  const found = yield* rehearse(rehearsal, look(folder))
  const seconds = Math.round((yield* Clock.currentTimeMillis) - startedAt) / 1000
  const report: DrillReport = { ...judged(found, truth), seconds }
  const state = hasFailed(report.stages) ? "failed" : "passed"
  yield* drills.end(drill.id, state, report)
  return { id: drill.id, state, report } as const
}, Effect.scoped)
