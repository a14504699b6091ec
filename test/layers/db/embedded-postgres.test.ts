import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger, Option } from "effect"
import { Environment, readEnvironment } from "../../../layers/config/config.ts"
import { DbHealth } from "../../../layers/db/db.ts"
import { ServiceDb } from "../../../layers/live.ts"
import { Health } from "../../../src/services/operators/health.ts"
import { ask } from "../../support/asked.ts"
import { eventually } from "../../support/rendering.ts"
import { fakeRecord, served } from "../../support/served.ts"

/** A data folder that is removed with the scope, and the service's database on it. */
const ownDatabase = Effect.gen(function* () {
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-own-"))),
    (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
  )
  const environment = Layer.effect(Environment, readEnvironment({ PATH: process.env.PATH, DATA_DIR: dataDir }))
  const lines: Array<string> = []
  const log = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
  const db = yield* Layer.build(ServiceDb.pipe(Layer.provide(environment), Layer.provide(log)))
  const postgres = path.join(dataDir, "postgres", "data")
  const kill = Effect.sync(() => {
    const [pid] = fs.readFileSync(path.join(postgres, "postmaster.pid"), "utf8").split("\n")
    process.kill(Number(pid), "SIGKILL")
  })
  return { db, lines, postgres, kill }
})

describe("the embedded PostgreSQL", () => {
  it.live("is restarted when it is killed: the service answers 503, then 200, and reports it", () =>
    Effect.gen(function* () {
      const { db, lines, kill } = yield* ownDatabase
      const health = Layer.provide(Health.layer, Layer.succeedContext(db))
      const { base } = yield* served({ record: Layer.merge(fakeRecord, health) })
      const answers = (status: number) =>
        eventually(Effect.map(ask(`${base}/health`), (answer) => (answer.status === status ? answer : undefined)))

      assert.deepStrictEqual((yield* answers(200)).json(), { status: "ok", database: "ok" })
      yield* kill
      const away = yield* answers(503)
      assert.strictEqual(away.json().error, "unavailable")
      assert.strictEqual(away.headers.get("retry-after"), "5")
      // It accepts connections a moment before the restart is noted.
      yield* eventually(
        Effect.map(ask(`${base}/health`), (answer) =>
          answer.status === 200 && "database_restarted_at" in answer.json() ? answer : undefined
        )
      )
      assert.include(lines, "PostgreSQL stopped by itself; restarting it")
      assert.include(lines, "PostgreSQL is running again")
    })
  )

  it.live("ends the service if it cannot be restarted, in one line", () =>
    Effect.gen(function* () {
      const { db, postgres, kill } = yield* ownDatabase
      fs.renameSync(path.join(postgres, "PG_VERSION"), path.join(postgres, "moved"))
      yield* kill
      const exit = yield* Effect.exit(DbHealth.use(({ lost }) => lost).pipe(Effect.provide(db)))
      const failure = Exit.isFailure(exit) ? Option.getOrUndefined(Cause.findErrorOption(exit.cause)) : undefined
      assert.match(failure?.message ?? "", /^The database stopped and cannot be brought back\. .*postgres\.log\.$/)
    })
  )
})
