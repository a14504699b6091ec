/**
 * How fast workers get their work: 100,000 tasks wait in one lane; one, four and eight workers, each on connections of
 * its own, claim four tasks at a time and, in a second run, finish each of them without having done anything. Beside
 * it, in the same run, a queue of one bare statement (`update ... for update skip locked`) on a copy of the tasks,
 * which knows no lanes, workers or events. The tables are not analyzed, so PostgreSQL plans by what it guesses. About
 * two minutes.
 *
 *     node bench/claims.ts [tasks]
 */

import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Console, Effect, Layer } from "effect"
import { Environment, readEnvironment } from "../layers/config/config.ts"
import { lockData } from "../layers/data-folder/data-lock.ts"
import { Db } from "../layers/db/db.ts"
import { startEmbeddedPostgres } from "../layers/db/embedded-postgres/embedded-postgres.ts"
import { migrate } from "../layers/db/migrate.ts"
import { stageNames } from "../src/services/queue/stages.ts"
import { type ClaimedTask, Tasks } from "../src/services/queue/tasks.ts"

const tasks = Number(process.argv[2] ?? 100_000)
const seconds = 5
const atOnce = 4

/** Fills the queue with waiting tasks of flows of their own. */
const fill = Effect.gen(function* () {
  const db = yield* Db
  yield* db`delete from flow`
  yield* db`delete from worker`
  yield* db`
    insert into flow (kind, created_at)
    select 'probe', clock_timestamp() - n * interval '1 second' from generate_series(1, ${tasks}::int) n`
  yield* db`
    insert into task (flow_id, stage, lane, state, due_at) select id, 'publish', 'local', 'waiting', created_at from flow`
  yield* db`drop table if exists bare_task`
  yield* db`create table bare_task as select id, due_at, false as taken from task`
  yield* db`create index on bare_task (due_at) where not taken`
  yield* db`update lane set at_once = 1000000 where name = 'local'`
})

/** Rounds of `each` by so many workers beside each other for some seconds; how many tasks they got a second. */
const rate = (workers: number, round: (worker: number) => Effect.Effect<number, unknown>) =>
  Effect.gen(function* () {
    let done = 0
    const from = performance.now()
    const until = from + seconds * 1000
    yield* Effect.forEach(
      Array.from({ length: workers }, (_, worker) => worker),
      (worker) =>
        Effect.gen(function* () {
          while (performance.now() < until) {
            const got = yield* round(worker)
            done += got
            // Somebody else holds the lane: a worker is notified of the next task, or looks again.
            if (got === 0) yield* Effect.sleep(1)
          }
        }),
      { concurrency: "unbounded", discard: true }
    )
    return done / ((performance.now() - from) / 1000)
  })

const measure = Effect.gen(function* () {
  const db = yield* Db
  const queue = yield* Tasks
  yield* Console.log(`${tasks} tasks wait; tasks a second\n`)
  yield* Console.log("workers   claimed   claimed and finished   bare statement   claimed : bare")
  for (const workers of [1, 4, 8]) {
    yield* fill
    const ids = yield* db<{ id: string }>`
      insert into worker (id, host, pid, build, stages, jobs)
      select uuidv7(), 'bench', n, 'bench', ${stageNames}::text[], ${atOnce} from generate_series(1, ${workers}::int) n
      returning id`
    const claim = (worker: number) =>
      queue.claim({
        worker: ids[worker]?.id ?? "",
        stages: stageNames,
        free: atOnce,
        lanes: new Map([["local", atOnce]])
      })
    const seen = new Set<string>()
    const noted = (claimed: ReadonlyArray<ClaimedTask>) => {
      for (const { id } of claimed) {
        if (seen.has(id)) throw new Error("A task was claimed twice.")
        seen.add(id)
      }
      return claimed.length
    }
    const claimed = yield* rate(workers, (worker) => Effect.map(claim(worker), noted))
    const finished = yield* rate(workers, (worker) =>
      Effect.gen(function* () {
        const held = yield* claim(worker)
        noted(held)
        yield* Effect.forEach(held, (task) => queue.finish(task, Effect.void), { concurrency: atOnce, discard: true })
        return held.length
      })
    )
    const bare = yield* rate(workers, () =>
      Effect.map(
        db`
          update bare_task set taken = true where id in (
            select id from bare_task where not taken order by due_at limit ${atOnce}::int for update skip locked)
          returning id`,
        (rows) => rows.length
      )
    )
    const shown = [claimed, finished, bare].map((value) => value.toFixed(0))
    yield* Console.log(
      [String(workers).padStart(7), shown[0]?.padStart(10), shown[1]?.padStart(23), shown[2]?.padStart(17)].join("") +
        (claimed / bare).toFixed(2).padStart(17)
    )
  }
})

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "civic-record-claims-"))
await Effect.runPromise(
  Effect.gen(function* () {
    yield* lockData(folder, "a benchmark")
    const { url } = yield* startEmbeddedPostgres("own")
    const database = Db.layerUrl(url, undefined, { maxConnections: 40 })
    yield* migrate().pipe(Effect.provide(Db.layerUrl(url)), Effect.scoped)
    yield* measure.pipe(Effect.provide(Tasks.layer.pipe(Layer.provideMerge(database))))
  }).pipe(
    Effect.scoped,
    Effect.provideServiceEffect(Environment, readEnvironment({ PATH: process.env.PATH, DATA_DIR: folder })),
    Effect.ensuring(Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true })))
  )
)
