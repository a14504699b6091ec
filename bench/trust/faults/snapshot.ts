import { PgConnection } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { migrate } from "../../../layers/db/migrate.ts"
import { stageNames } from "../../../src/services/queue/stages.ts"
import { Tasks } from "../../../src/services/queue/tasks.ts"
import type { Fault } from "./fault.ts"

const tasks = 60_000
const atOnce = 4

const fill = Effect.gen(function* () {
  const db = yield* Db
  yield* db`
    insert into flow (kind, created_at)
    select 'probe', clock_timestamp() - n * interval '1 second' from generate_series(1, ${tasks}::int) n`
  yield* db`
    insert into task (flow_id, stage, lane, state, due_at) select id, 'publish', 'local', 'waiting', created_at from flow`
  yield* db`update lane set at_once = 1000000 where name = 'local'`
  const [worker] = yield* db<{ id: string }>`
    insert into worker (id, host, pid, build, stages, jobs)
    select uuidv7(), 'stand', 1, 'stand', ${stageNames}::text[], ${atOnce} returning id`
  return worker?.id ?? ""
})

/** Tasks that are claimed and finished a second, over so many seconds. */
const rate = Effect.fnUntraced(function* (worker: string, seconds: number) {
  const queue = yield* Tasks
  const from = performance.now()
  let done = 0
  while (performance.now() - from < seconds * 1000) {
    const held = yield* queue.claim({ worker, stages: stageNames, free: atOnce, lanes: new Map([["local", atOnce]]) })
    yield* Effect.forEach(held, (task) => queue.finish(task, Effect.void), { discard: true })
    done += held.length
  }
  return done / ((performance.now() - from) / 1000)
})

/**
 * A queue of its own on the same server, emptied as fast as one worker can, before and beside a transaction that has
 * an old snapshot, as a backup or the building of an index has: dead rows stay until it ends.
 */
export const snapshot = (seconds: number): Fault => ({
  name: `a busy queue beside a snapshot of ${seconds} s`,
  lasts: seconds + 30,
  run: ({ stand }) =>
    Effect.gen(function* () {
      const primary = stand.databases.primary()
      yield* primary.ask("create database queue", "postgres")
      const db = Db.layerUrl(Redacted.make(primary.url("queue")))
      return yield* Effect.gen(function* () {
        yield* migrate()
        const worker = yield* fill
        const alone = yield* rate(worker, 8)
        const connection = yield* PgConnection.make({ url: Redacted.make(primary.url("queue")) })
        yield* connection.query("begin isolation level repeatable read")
        yield* connection.query("select count(*) from task")
        const first = yield* rate(worker, 8)
        yield* rate(worker, Math.max(0, seconds - 16))
        const last = yield* rate(worker, 8)
        const shown = [alone, first, last].map((each) => each.toFixed(0)).join(", ")
        return `tasks a second before, at its begin, at its end: ${shown} (${((last / alone) * 100).toFixed(0)}% of before)`
      }).pipe(Effect.provide(Tasks.layer.pipe(Layer.provideMerge(db))))
    }).pipe(Effect.scoped, Effect.orDie)
})
