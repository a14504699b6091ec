import { Context, Effect } from "effect"
import type { Sql } from "../../layers/db/db.ts"

/** The name in the history of operators who act on the command line. */
export const commandLine = "the command line"

/**
 * The operator acting in this fiber: an e-mail address, `the console` or `the command line`. Each door provides it
 * once. It is undefined for the pipeline and imports, which make the same changes without a line of history.
 */
export const Operator = Context.Reference<string | undefined>("civic-record/Operator", {
  defaultValue: () => undefined
})

/** A line of the history. */
interface Action {
  /** Such as `meeting.correct`. */
  readonly action: string
  /** An id, slug or name. */
  readonly subject: string
  /** Further facts for readers of the history; never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
  /** The completion run it was done under, with the machine's token and the resulting task. */
  readonly run?: { readonly id: string; readonly token: string | undefined; readonly task: string }
}

/** Writes a line of the history, in the caller's transaction, which makes the change. */
export const writeAction = (db: Sql, operator: string, { action, subject, detail = {}, run }: Action) => db`
  insert into operator_action (operator, action, subject, detail, run_id, token_id, task_id)
  values (${operator}, ${action}, ${subject}, ${JSON.stringify(detail)}::jsonb, ${run?.id ?? null},
    ${run?.token ?? null}, ${run?.task ?? null})`

/** Writes a change by this fiber's operator into the history; does nothing if there is none. */
export const recordAction = Effect.fnUntraced(function* (
  db: Sql,
  action: string,
  subject: string,
  detail: Readonly<Record<string, unknown>> = {}
) {
  const operator = yield* Operator
  if (operator !== undefined) yield* writeAction(db, operator, { action, subject, detail })
})
