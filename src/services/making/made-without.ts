import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"
import type { LackKind, ModelRole } from "../queue/model-patience.ts"
import { firstLine, recordTaskEvents } from "../queue/task-events.ts"
import type { ClaimedTask } from "../queue/tasks.ts"

/** What a stage had to do without, and why. */
export interface Lack {
  readonly kind: LackKind
  readonly role: ModelRole
  /** The model with its host; empty if none is configured. */
  readonly model: string
  readonly reason: string
  /** Whether the model did some of what it was asked, so that the stage is not made again for the rest. */
  readonly isPartial: boolean
}

/**
 * Notes, in the transaction that ends a task, that it had to do without its models, or that it no longer has to. A
 * deployment without a model is told in a `skipped` event, because nothing has failed.
 */
export const recordEnd = Effect.fnUntraced(function* (db: Sql, task: ClaimedTask, lacks: ReadonlyArray<Lack>) {
  const failed = lacks.filter(({ kind }) => kind !== "none")
  const reason = firstLine([...new Set((failed.length > 0 ? failed : lacks).map((lack) => lack.reason))].join(" "))
  if (failed.length > 0) {
    const detail = `${failed.every(({ isPartial }) => isPartial) ? "in part " : ""}without a model: ${reason}`
    yield* recordTaskEvents(db, "without_model", [task], { worker: task.worker, detail })
    yield* db`update task set without_model = ${`Done, ${detail}`} where id = ${task.id}`
  } else if (lacks.length > 0) {
    yield* recordTaskEvents(db, "skipped", [task], { worker: task.worker, detail: `skipped: ${reason}` })
  }
  const whole = lacks.find(({ isPartial }) => !isPartial)
  if (whole === undefined || task.meetingId === null) {
    yield* db`delete from made_without where meeting_id = ${task.meetingId} and stage = ${task.stage}`
  } else {
    yield* db`
      insert into made_without as before (meeting_id, stage, role, model, kind, reason)
      values (${task.meetingId}, ${task.stage}, ${whole.role}, ${whole.model}, ${whole.kind}, ${whole.reason})
      on conflict (meeting_id, stage) do update set role = excluded.role, model = excluded.model, kind = excluded.kind,
        reason = excluded.reason, tried_at = excluded.tried_at,
        tries = case when before.model = excluded.model then before.tries + 1 else 1 end`
  }
})
