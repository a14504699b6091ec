import { Context, DateTime, Effect, Layer } from "effect"
import { Db, dbDies } from "../../../layers/db/db.ts"
import type { EmailKey } from "../../../schema/email.ts"
import { newToken, tokenHash } from "../accounts/sessions.ts"
import { recordAction } from "../history.ts"
import { type Sent, sent } from "../wire.ts"

/** How long an operator stays signed in. */
const sessionHours = 12

interface SessionRow {
  readonly email: string
  readonly created_at: Date
  readonly expires_at: Date
}

/** Sessions of operators signed in to a console outside of loopback. The cookie names a row, which every node reads. */
export class OperatorSessions extends Context.Service<
  OperatorSessions,
  {
    /** Begins a session of twelve hours and returns its token; the token itself is never stored. */
    readonly begin: (email: EmailKey) => Effect.Effect<{ readonly session: string; readonly expiresAt: DateTime.Utc }>
    /** The holder of a live session, as an e-mail key. */
    readonly holder: (session: string) => Effect.Effect<string | undefined>
    readonly end: (session: string) => Effect.Effect<void>
    /** Live sessions without their tokens, newest first; at most 1,000. */
    readonly list: Effect.Effect<ReadonlyArray<Sent<SessionRow>>>
    /** Ends every session of an address; returns how many there were. */
    readonly endAll: (email: EmailKey) => Effect.Effect<number>
  }
>()("civic-record/OperatorSessions") {
  static readonly layer = Layer.effect(
    OperatorSessions,
    Effect.gen(function* () {
      const db = yield* Db
      const now = Effect.map(DateTime.now, DateTime.formatIso)
      return {
        begin: Effect.fn("OperatorSessions.begin")(function* (email: EmailKey) {
          const session = newToken()
          const expiresAt = DateTime.add(yield* DateTime.now, { hours: sessionHours })
          yield* db`delete from operator_session where expires_at <= ${yield* now}`
          yield* db`
            insert into operator_session (token_hash, email, created_at, expires_at)
            values (${tokenHash(session)}, ${email}, ${yield* now}, ${DateTime.formatIso(expiresAt)})`
          return { session, expiresAt }
        }, dbDies),
        holder: Effect.fn("OperatorSessions.holder")(function* (session: string) {
          const [row] = yield* db<{ email: string }>`
            select email from operator_session
            where token_hash = ${tokenHash(session)} and expires_at > ${yield* now}`
          return row?.email
        }, dbDies),
        end: Effect.fn("OperatorSessions.end")(function* (session: string) {
          yield* db`delete from operator_session where token_hash = ${tokenHash(session)}`
        }, dbDies),
        list: Effect.gen(function* () {
          const rows = yield* db<SessionRow>`
            select email, created_at, expires_at from operator_session
            where expires_at > ${yield* now} order by created_at desc, token_hash limit 1000`
          return rows.map(sent)
        }).pipe(dbDies, Effect.withSpan("OperatorSessions.list")),
        endAll: Effect.fn("OperatorSessions.endAll")(
          function* (email: EmailKey) {
            const ended = yield* db`delete from operator_session where email = ${email} returning 1`
            if (ended.length > 0) yield* recordAction(db, "operator.sign_out", email, { sessions: ended.length })
            return ended.length
          },
          (ended) => dbDies(db.withTransaction(ended))
        )
      }
    })
  )
}
