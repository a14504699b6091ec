import { spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Db } from "../../layers/db/db.ts"
import { addFlows } from "../../src/services/queue/add-flows.ts"
import { flowKinds } from "../../src/services/queue/stages.ts"
import { databaseAt, freshDatabase } from "../support/database.ts"
import { compiled } from "../support/program.ts"
import { eventually } from "../support/rendering.ts"
import { tinyTables } from "../support/tiny-pipeline.ts"

const program = path.join(import.meta.dirname, "..", "support", "tiny-worker.ts")
const flowCount = 12
const kills = 3

const worker = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [program], {
        env: { PATH: process.env.PATH, DATABASE_URL: Redacted.value(url), ...compiled },
        stdio: ["ignore", "ignore", "inherit"]
      })
      return { child, ended: new Promise<number | null>((resolve) => child.on("exit", resolve)) }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )

describe("three workers, of which one is killed again and again", () => {
  it.live(
    "do every task, put each result on record once, and never run more of a lane than it allows",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        yield* Effect.gen(function* () {
          const db = yield* Db
          yield* tinyTables
          yield* db`update lane set at_once = 3 where name in ('speech', 'model')`
          yield* db.withTransaction(
            addFlows(
              db,
              "meeting",
              Array.from({ length: flowCount }, () => ({}))
            )
          )
          const workers = [yield* worker(url), yield* worker(url), yield* worker(url)]
          const held = (pid: number | undefined) => db`
            select from task t join worker w on w.id = t.held_by where w.pid = ${pid ?? 0} limit 1`
          for (let at = 0; at < kills; at++) {
            const victim = workers[at % 3] ?? assert.fail("there are three")
            // It is in the middle of a task.
            yield* eventually(Effect.map(held(victim.child.pid), (rows) => rows.length > 0 || undefined))
            yield* Effect.sleep(randomInt(0, 200))
            victim.child.kill("SIGKILL")
            yield* Effect.promise(() => victim.ended)
            workers[at % 3] = yield* worker(url)
          }
          yield* eventually(
            Effect.map(db`select from flow where state = 'open' limit 1`, (open) => open.length === 0 || undefined)
          )
          const flows = yield* db`select state, count(*)::int as count from flow group by state`
          assert.deepStrictEqual(flows, [{ state: "done", count: flowCount }])
          const results = yield* db`
            select count(*)::int as results, count(distinct (flow, stage))::int as tasks from result`
          const expected = flowCount * flowKinds.meeting.stages.length
          assert.deepStrictEqual(results, [{ results: expected, tasks: expected }])
          const ended = yield* db`select count(*)::int as count from task_event where kind = 'done'`
          assert.deepStrictEqual(ended, [{ count: expected }])
          const most = yield* db`
            select lane, max(running) as running from lane_seen where lane in ('speech', 'model') group by lane order by lane`
          assert.deepStrictEqual(most, [
            { lane: "model", running: 3 },
            { lane: "speech", running: 3 }
          ])
          // Nobody misses a worker killed between two tasks until its lease is checked.
          yield* eventually(
            Effect.map(
              db`select count(*)::int as count from worker where ended_how = 'silent'`,
              ([silent]) => silent?.count === kills || undefined
            )
          )
          for (const { child, ended } of workers) {
            child.kill("SIGTERM")
            assert.strictEqual(yield* Effect.promise(() => ended), 130)
          }
          const stopped = yield* db`select count(*)::int as count from worker where ended_how = 'stopped'`
          assert.deepStrictEqual(stopped, [{ count: 3 }])
        }).pipe(Effect.provide(databaseAt(url)))
      }),
    180_000
  )
})
