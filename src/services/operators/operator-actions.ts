import { Context, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { type Sent, sent } from "../wire.ts"

interface HistoryRow {
  readonly at: Date
  readonly operator: string
  readonly action: string
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** Lines of history per page. */
export const historyPage = 100

/** The history of operators' actions: by hand, by machines under a run, and on settings. */
export class OperatorActions extends Context.Service<
  OperatorActions,
  {
    /** All actions, newest first: one page of 100, from page 1. */
    readonly history: (page: number) => Effect.Effect<ReadonlyArray<Sent<HistoryRow>>>
  }
>()("civic-record/OperatorActions") {
  static readonly layer = Layer.effect(
    OperatorActions,
    Effect.gen(function* () {
      const db = yield* Db

      const history = Effect.fn("OperatorActions.history")(function* (page: number) {
        const rows = yield* db<HistoryRow>`
          select at, operator, action, subject,
            detail || case when run_id is null then '{}' else jsonb_build_object('run', run_id) end as detail
          from operator_action
          order by at desc, id desc limit ${historyPage} offset ${(page - 1) * historyPage}`
        return rows.map(sent)
      }, dbDies)

      return { history }
    })
  )
}
