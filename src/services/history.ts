import { Context, Effect } from "effect"
import type { Sql } from "../../layers/db/db.ts"

/** The name in the history of operators who act on the command line. */
export const commandLine = "the command line"

/**
 * Who acts as an operator in this fiber: an e-mail address, `the console` or `the command line`. Each door provides it
 * once. Undefined for everybody else, such as the pipeline and imports, which do the same without a line of history.
 */
export const Operator = Context.Reference<string | undefined>("civic-record/Operator", {
  defaultValue: () => undefined
})

/** A line of the history. */
interface Action {
  /** `meeting.correct`. */
  readonly action: string
  /** An id, slug or name. */
  readonly subject: string
  /** What a reader of the history needs besides; never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
  /** The completion run that it was done under, with the machine's token and the task that follows from it. */
  readonly run?: { readonly id: string; readonly token: string | undefined; readonly task: string }
}

/** Writes a line of the history, in the caller's transaction, which is the one that changes something. */
export const writeAction = (db: Sql, operator: string, { action, subject, detail = {}, run }: Action) => db`
  insert into operator_action (operator, action, subject, detail, run_id, token_id, task_id)
  values (${operator}, ${action}, ${subject}, ${JSON.stringify(detail)}::jsonb, ${run?.id ?? null},
    ${run?.token ?? null}, ${run?.task ?? null})`

/** Writes what the operator of this fiber changed into the history; nothing if there is none. */
export const recordAction = Effect.fnUntraced(function* (
  db: Sql,
  action: string,
  subject: string,
  detail: Readonly<Record<string, unknown>> = {}
) {
  const operator = yield* Operator
  if (operator !== undefined) yield* writeAction(db, operator, { action, subject, detail })
})
