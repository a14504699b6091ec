import { Context, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import { type Sent, sent } from "../wire.ts"

/** One thing that an operator did. */
export interface OperatorAction {
  /** The operator's e-mail address, or where the action came from: `the command line`. */
  readonly operator: string
  /** What was done: `meeting.correct`. */
  readonly action: string
  /** What it was done to: an id, a slug or a name. */
  readonly subject: string
  /** What a reader of the history needs besides; never a secret. */
  readonly detail?: Readonly<Record<string, unknown>>
}

interface HistoryRow {
  readonly at: Date
  readonly operator: string
  readonly action: string
  readonly subject: string
  readonly detail: Readonly<Record<string, unknown>>
}

/** The name that actions on the command line have in the history. */
export const commandLine = "the command line"

/** Lines of history per page. */
export const historyPage = 100

/** The history of what operators did: by hand, by program under a run, and to settings. */
export class OperatorActions extends Context.Service<
  OperatorActions,
  {
    /** Writes an action down, in the caller's transaction if there is one. */
    readonly note: (action: OperatorAction) => Effect.Effect<void>
    /** Does something and writes it down in the same transaction; `action` is made of what it returned. */
    readonly during: <A, E, R>(
      act: Effect.Effect<A, E, R>,
      action: (done: A) => OperatorAction
    ) => Effect.Effect<A, E, R>
    /** Everything that operators did, newest first: one page of 100, from page 1. */
    readonly history: (page: number) => Effect.Effect<ReadonlyArray<Sent<HistoryRow>>>
  }
>()("civic-record/OperatorActions") {
  static readonly layer = Layer.effect(
    OperatorActions,
    Effect.gen(function* () {
      const db = yield* Db

      const note = Effect.fn("OperatorActions.note")(function* ({
        operator,
        action,
        subject,
        detail = {}
      }: OperatorAction) {
        yield* db`
          insert into operator_action (operator, action, subject, detail)
          values (${operator}, ${action}, ${subject}, ${JSON.stringify(detail)}::jsonb)`
      }, dbDies)

      const during = <A, E, R>(act: Effect.Effect<A, E, R>, action: (done: A) => OperatorAction) =>
        dbDies(db.withTransaction(Effect.tap(act, (done) => note(action(done))))).pipe(
          Effect.withSpan("OperatorActions.during")
        )

      const history = Effect.fn("OperatorActions.history")(function* (page: number) {
        const rows = yield* db<HistoryRow>`
          select at, operator, action, subject, detail from (
            select at, id, operator, action, subject, detail from operator_action
            union all
            select at, id, changed_by, 'setting.set', name, jsonb_build_object('before', before, 'after', after)
            from setting_change
            union all
            select at, id, machine, 'run.' || operation, subject,
              jsonb_build_object('run', run_id, 'changed', changed) || detail
            from completion_audit) everything
          order by at desc, id desc limit ${historyPage} offset ${(page - 1) * historyPage}`
        return rows.map(sent)
      }, dbDies)

      return { note, during, history }
    })
  )
}
