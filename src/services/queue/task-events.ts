import { Effect } from "effect"
import type { Sql } from "../../../layers/db/db.ts"

/**
 * The events of a task, in order. `taken_over`: its worker fell silent; `given_back`: its worker stopped; `skipped`: it
 * is done because there was nothing to do, or nothing to do it with; `without_model`: it is done with what code alone
 * makes, because its model failed it for good.
 */
export type TaskEventKind =
  | "added"
  | "ready"
  | "started"
  | "retried"
  | "waits"
  | "given_back"
  | "taken_over"
  | "done"
  | "skipped"
  | "without_model"
  | "failed"
  | "cancelled"
  | "rerun"

export interface TaskEvent {
  readonly id: number
  readonly at: Date
  readonly kind: TaskEventKind
  readonly worker_id: string | null
  readonly detail: string | null
}

/** The first line of a reason, clamped to the length that is stored with a task. */
export const firstLine = (reason: string): string => reason.split("\n", 1).join("").slice(0, 500)

/** Records an event for each of these tasks, in the caller's transaction. */
export const recordTaskEvents = Effect.fnUntraced(function* (
  db: Sql,
  kind: TaskEventKind,
  tasks: ReadonlyArray<{ readonly id: string }>,
  { worker, detail }: { readonly worker?: string; readonly detail?: string } = {}
) {
  if (tasks.length === 0) return
  yield* db`
    insert into task_event (task_id, kind, worker_id, detail)
    select id, ${kind}, ${worker ?? null}::uuid, ${detail ?? null}::text
    from unnest(${tasks.map((task) => task.id)}::uuid[]) as happened (id)`
})
