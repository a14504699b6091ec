import { spawn } from "node:child_process"
import * as path from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgClient } from "@effect/sql-pg"
import { assert } from "@effect/vitest"
import { Effect, Redacted, Schedule } from "effect"
import { Reactivity } from "effect/reactivity"
import type { Place } from "../../src/record/backup/place.ts"
import { restore } from "../../src/record/backup/restore.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { reader, readyClip } from "../support/actors.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { deployment } from "./importing.ts"

export const silently = () => Effect.void

/** A deployment with a record, and an empty one; their databases and stores. */
export const twoDeployments = Effect.gen(function* () {
  const [here, there] = [yield* deployment, yield* deployment]
  yield* here.on(
    Effect.gen(function* () {
      yield* fullRecord
      const { accountId } = yield* reader()
      yield* readyClip(accountId, meetingId("full"))
    }).pipe(Effect.provide(Sessions.layer), Effect.orDie)
  )
  return { here, there }
})

export const restored = (backup: Place, replace = false) =>
  restore(backup, { replace, onProgress: silently }).pipe(Effect.provide(NodeServices.layer))

/** Holds a lock on a table, as another program would, while `use` runs. */
export const locked = <A, E, R>(
  url: Redacted.Redacted,
  mode: string,
  use: Effect.Effect<A, E, R>,
  applicationName = "another program"
) =>
  Effect.gen(function* () {
    const other = yield* PgClient.make({ url, applicationName, maxConnections: 1 })
    return yield* other.withTransaction(Effect.andThen(other.unsafe(`lock table meeting in ${mode} mode`), use))
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

/** Runs a command until `until` is true, and then kills it. */
export const killed = <E, R>(
  url: Redacted.Redacted,
  folder: string,
  args: ReadonlyArray<string>,
  until: Effect.Effect<boolean, E, R>,
  env: NodeJS.ProcessEnv = {}
) =>
  Effect.gen(function* () {
    const child = spawn(process.execPath, ["src/main.ts", ...args], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: Redacted.value(url),
        DATA_DIR: path.join(folder, "data"),
        MEDIA_URL: `file://${path.join(folder, "media")}`,
        ...env
      }
    })
    const signal = new Promise((resolve) => child.on("exit", (_, by) => resolve(by)))
    yield* Effect.repeat(until, { until: (reached) => reached, schedule: Schedule.spaced("20 millis") })
    child.kill("SIGKILL")
    assert.strictEqual(yield* Effect.promise(() => signal), "SIGKILL")
  })
