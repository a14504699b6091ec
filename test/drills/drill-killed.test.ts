import { spawn } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted } from "effect"
import { Environment, readEnvironment } from "../../layers/config/config.ts"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Drills } from "../../src/services/operators/drills.ts"
import { databaseAt, freshDatabase } from "../support/database.ts"
import { eventually, scratch } from "../support/rendering.ts"
import { TestSigner } from "../support/service.ts"

const program = path.join(import.meta.dirname, "../../src/main.ts")

/** `drill start` as a separate process. */
const drillIn = (env: Readonly<Record<string, string | undefined>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [program, "drill", "start"], { env, stdio: "ignore" })
      return { child, ended: new Promise<number | null>((resolve) => child.on("exit", resolve)) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )

/** The drills that have a database, and those recorded as running. */
const standing = Effect.gen(function* () {
  const db = yield* Db
  return yield* db<{ id: string; state: string; has_database: boolean; why: string | null }>`
    select id, state, report ->> 'broken_off' as why, exists (
      select from pg_database where datname = 'civic_record_drill_' || replace(id::text, '-', '')) as has_database
    from drill order by started_at, id`
})

describe("two drills at once, of which one is stopped and the other killed", () => {
  it.live(
    "leave nothing: the first removes itself, the second is removed once it shows no sign of life",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        const folder = yield* scratch
        const env = { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: Redacted.value(url) }
        const Here = Layer.provideMerge(
          Drills.layer,
          Layer.mergeAll(
            databaseAt(url),
            TestSigner,
            ObjectStore.layerFolder(path.join(folder, "media")),
            Layer.effect(Environment, readEnvironment(env))
          )
        )
        yield* Effect.gen(function* () {
          const db = yield* Db
          const stopped = yield* drillIn(env)
          const atWork = (count: number) =>
            eventually(
              Effect.map(standing, (rows) =>
                rows.filter(({ has_database }) => has_database).length === count ? rows : undefined
              )
            )
          const [first] = yield* atWork(1)
          const killed = yield* drillIn(env)
          yield* atWork(2)
          stopped.child.kill("SIGINT")
          assert.strictEqual(yield* Effect.promise(() => stopped.ended), 130)
          const own = (yield* standing).find(({ id }) => id === first?.id)
          assert.deepStrictEqual(own, {
            ...{ id: first?.id ?? "", state: "failed", has_database: false, why: "The drill was stopped." }
          })
          killed.child.kill("SIGKILL")
          yield* Effect.promise(() => killed.ended)
          const drills = yield* Drills
          // It is left alone while it may only be slow.
          assert.deepStrictEqual(yield* drills.sweep, [])
          yield* db`update drill set seen_at = seen_at - interval '31 seconds' where state = 'running'`
          assert.strictEqual((yield* drills.sweep).length, 1)
          const left = yield* standing
          assert.deepStrictEqual(
            left.map(({ state, has_database }) => [state, has_database]),
            [
              ["failed", false],
              ["failed", false]
            ]
          )
          assert.isFalse(fs.existsSync(path.join(folder, "drills", first?.id ?? "")))
          assert.deepStrictEqual(yield* db`select from meeting`, [])
        }).pipe(Effect.provide(Here))
      }).pipe(Effect.provide(Logger.layer([]))),
    600_000
  )
})
