import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { Effect, Layer, Logger } from "effect"
import { Environment } from "../../layers/config/config.ts"
import type { Word } from "../../schema/transcript.ts"
import { type DrillParts, runDrill, type Watcher } from "../../src/drills/drill.ts"
import { type DrillTruth, makeDrillFiles } from "../../src/drills/files.ts"
import { drillAgenda, plantedClaims } from "../../src/drills/script.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { ableModel, claimOf, linesOf } from "./able-model.ts"
import { freePort } from "./free-port.ts"
import { serviceOf, setupOf } from "./service.ts"
import { sparingRenderer } from "./sparing-renderer.ts"

let made: Promise<DrillTruth> | undefined
const folder = mkdtempSync(path.join(tmpdir(), "civic-record-drill-"))
// Several files of a process share it, so it goes with the process.
process.once("exit", () => rmSync(folder, { recursive: true, force: true }))

const SparingRenderer = sparingRenderer(folder)

/** The audio of a drill: spoken once for all tests of a file. */
export const drillTruth = Effect.promise(() => {
  made ??= Effect.runPromise(
    makeDrillFiles(folder).pipe(Effect.provide(SparingRenderer), Effect.provide(Logger.layer([])))
  )
  return made
})

/**
 * A whole service with real ffmpeg (which reuses results of earlier drills), at its own address, with the models named
 * in the environment.
 */
export const drilledService = (env: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(
    Effect.map(freePort, (port) => {
      const setup = setupOf({
        ...{ BASE_URL: `http://127.0.0.1:${port}`, PORT: String(port), PATH: process.env.PATH },
        ...env
      })
      return Layer.merge(serviceOf(setup, fakeIdentity), SparingRenderer)
    })
  )

const nobody: Watcher = { onPrepared: () => Effect.void, onProgress: () => Effect.void }

/** Runs a drill with that audio. */
export const drilled = (watcher: Partial<Watcher> = {}, parts: Partial<DrillParts> = {}) =>
  runDrill("a test", { ...nobody, ...watcher }, { files: () => drillTruth, ...parts }).pipe(
    Effect.provide(Logger.layer([]))
  )

/** The words of the drill as they were spoken. */
export const spokenWords = Effect.map(
  drillTruth,
  ({ spoken }): ReadonlyArray<Word> => spoken.segments.flatMap(({ words }) => words)
)

/**
 * A model that follows its instructions, for the meeting of a drill; it believes every claim except those in `denied`.
 */
export const drillModel = (denied: ReadonlyArray<string> = [plantedClaims.neverSaid]) => ({
  ...ableModel,
  agenda: () => ({ items: drillAgenda.map(({ number, title }) => ({ number, title, summary: `${title}.` })) }),
  refine: (prompt: string) => ({ lines: linesOf(prompt).map(({ line, text }) => ({ line, text })) }),
  verdict: (prompt: string) =>
    denied.includes(claimOf(prompt)) ? { verdict: "unsupported", quotes: [] } : ableModel.verdict(prompt)
})

/** The base address of the service under test. */
export const baseAddress = Effect.map(Environment, ({ baseUrl }) => baseUrl)
