import { randomInt } from "node:crypto"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { StageHandlers } from "../../src/pipeline/stage.ts"
import { Retention } from "../../src/services/operators/retention.ts"
import { Flows } from "../../src/services/queue/flows.ts"
import { PipelineLog } from "../../src/services/queue/pipeline-log.ts"
import { flowKinds } from "../../src/services/queue/stages.ts"
import { Tasks } from "../../src/services/queue/tasks.ts"
import { Workers } from "../../src/services/queue/workers.ts"

/** The services of a worker; needs the database. */
export const Engine = Layer.mergeAll(Flows.layer, PipelineLog.layer, Retention.layer, Tasks.layer, Workers.layer)

/** Records the highest number of tasks that ever ran in each lane, counted under its lock. */
export const seeLanes = Effect.gen(function* () {
  const db = yield* Db
  yield* db`create table lane_seen (lane text not null, running int not null)`
  yield* db`
    create function see_lane() returns trigger language plpgsql as $$
    begin
      insert into lane_seen select new.lane, count(*)::int from task where lane = new.lane and state = 'running';
      return null;
    end $$`
  yield* db`
    create trigger lane_seen after update of state on task for each row when (new.state = 'running')
      execute function see_lane()`
})

/** Where tiny stages put their results, and the highest number that ever ran in each lane. */
export const tinyTables = Effect.gen(function* () {
  const db = yield* Db
  yield* db`create table result (flow uuid not null, stage text not null)`
  yield* seeLanes
})

/** Every stage of a meeting: a few milliseconds of waiting and one row of result each. */
export const tinyHandlers = Effect.map(
  Db,
  (db) =>
    Object.fromEntries(
      flowKinds.meeting.stages.map((stage) => [
        stage,
        {
          work: (task) =>
            Effect.as(
              Effect.sleep(randomInt(5, 60)),
              Effect.asVoid(db`insert into result (flow, stage) values (${task.flow}, ${task.stage})`)
            )
        }
      ])
    ) satisfies StageHandlers
)
