import { Context, Effect } from "effect"
import type { Sql } from "../../layers/db/db.ts"

/** The name in the history of operators who act on the command line. */
export const commandLine = "the command line"

/**
 * Who acts as an operator in this fiber: an e-mail address, `the console` or `the command line`. Each door provides it once.
 * Undefined for everybody else, such as the pipeline and imports, which do the same without a line of history.
 */
export const Operator = Context.Reference<string | undefined>("civic-record/Operator", {
  defaultValue: () => undefined
})

/**
 * Writes what an operator changed into the history, in the caller's transaction, which is the one that changes it. `action`
 * is `meeting.correct`, `subject` an id, slug or name; `detail` never holds a secret.
 */
export const recordAction = Effect.fnUntraced(function* (
  db: Sql,
  action: string,
  subject: string,
  detail: Readonly<Record<string, unknown>> = {}
) {
  const operator = yield* Operator
  if (operator === undefined) return
  yield* db`
    insert into operator_action (operator, action, subject, detail)
    values (${operator}, ${action}, ${subject}, ${JSON.stringify(detail)}::jsonb)`
})
