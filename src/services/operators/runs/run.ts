import { Effect } from "effect"
import type { Sql } from "../../../../layers/db/db.ts"
import type { CompletionAccepted } from "../../../../schema/agent/completion.ts"
import { completionRunNotFound } from "../../failures.ts"
import { Operator, writeAction } from "../../history.ts"
import { idOf } from "../../meetings/sql.ts"
import { addFlows, type FlowSubject } from "../../queue/add-flows.ts"
import type { FlowKind } from "../../queue/stages.ts"
import { taskWithId } from "../../queue/task-view.ts"
import type { Agent } from "../agent-tokens.ts"
import { type Run, type RunOperation, reach } from "./authority.ts"

/** The outcome of an operation: whether anything changed, and the task that follows from it. */
export interface Done {
  readonly changed: boolean
  readonly task: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** An open run by its id; a run that has ended changes nothing. */
const openRun = Effect.fnUntraced(function* (db: Sql, ref: string) {
  const [run] = yield* db<Run>`
    select r.id, p.id as "placeId", p.uuid as "placeUuid" from completion_run r join place p on p.id = r.place_id
    where r.id = ${idOf(ref)} and r.ended_at is null for key share of r`
  return run === undefined ? yield* completionRunNotFound(ref) : run
})

/**
 * Runs an operation in one transaction and writes its line of history, even if it changes nothing. `authority.ts`
 * decides whether the operation may reach the subject. `act` locks the rows that it decides by, so that of two callers
 * who request the same, one makes the change and the other learns that nothing changed.
 */
export const underRun = <E, R>(
  db: Sql,
  {
    agent,
    run,
    operation,
    subject,
    stage
  }: {
    readonly agent: Agent
    readonly run: string
    readonly operation: RunOperation
    readonly subject: string
    readonly stage?: string
  },
  act: (run: Run) => Effect.Effect<Done, E, R>
) =>
  db.withTransaction(
    Effect.gen(function* () {
      const open = yield* openRun(db, run)
      yield* reach(db, open, operation, subject)
      // No operator, because the run writes the line of history itself.
      const { changed, task, detail = {} } = yield* Effect.provideService(act(open), Operator, undefined)
      yield* writeAction(db, agent.machine, {
        action: `run.${operation}`,
        subject: stage === undefined ? subject : `${subject}/${stage}`,
        detail: { changed, ...detail },
        run: { id: open.id, token: agent.tokenId, task }
      })
      const shown = yield* taskWithId(db, task)
      if (shown === undefined) return yield* Effect.die(new Error(`The task ${task} was deleted by its own operation.`))
      return { run_id: open.id, operation, changed, task: shown } satisfies CompletionAccepted
    })
  )

/**
 * The only task of the subject's newest flow of this kind. Adds a flow if something changed or there is none yet,
 * unless one is under way.
 */
export const taskOf = Effect.fnUntraced(function* (db: Sql, kind: FlowKind, subject: FlowSubject, changed: boolean) {
  const [id = null] = Object.values(subject)
  const newest = db<{ id: string }>`
    select t.id from task t join flow f on f.id = t.flow_id
    where f.kind = ${kind} and f.subject = ${id} order by f.created_at desc, t.id limit 1`
  const before = yield* newest
  if (changed || before.length === 0) yield* addFlows(db, kind, [subject])
  const [task] = yield* newest
  return task?.id ?? (yield* Effect.die(new Error(`A flow ${kind} was added without a task.`)))
})
