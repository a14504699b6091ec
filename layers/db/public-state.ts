import { Clock, Context, Effect, Semaphore } from "effect"
import { SqlError } from "effect/sql"
import type { ReadSql } from "./pool.ts"

/** How long a state that other processes may have changed is believed, in milliseconds. */
const believed = 100

/**
 * A time in milliseconds by Effect's clock: all that was committed before it is in what is read here. Set for callers
 * who may have written through another process; everyone else may miss what others committed in the last tenth of a
 * second.
 */
export const ReadsSince = Context.Reference<number | undefined>("civic-record/ReadsSince", {
  defaultValue: () => undefined
})

/** The state of what is public, as the primary has it. */
export interface PublicState {
  /**
   * A number on a timeline, and how often reads have switched databases. Every transaction that changes something
   * public raises the number.
   */
  readonly revision: string
  readonly timeline: string
  /** Which server said so: when it was started. */
  readonly server: string
  /** A position in its WAL, in bytes: a replica that has replayed up to here has all of this revision. */
  readonly written: number
  /** The position in its WAL when it was asked, in bytes, and the time by Effect's clock, in milliseconds. */
  readonly position: number
  readonly at: number
}

interface Answer extends Omit<PublicState, "revision"> {
  readonly number: string
  readonly count: number
  readonly switches: number
}

const readOnly = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({
    cause: Object.assign(new Error("the server takes no writes"), { code: "25006" }),
    message: "The database is not the primary",
    operation: "execute"
  })
})

/**
 * The state of what is public, asked of the primary only if it may have changed: this process has used the primary
 * since (`use`), or the last answer is a tenth of a second old, or older than `ReadsSince`.
 */
export const makePublicState = Effect.fnUntraced(function* (
  primary: ReadSql,
  use: () => { readonly count: number; readonly switches: number }
) {
  const one = yield* Semaphore.make(1)
  let last: Answer | undefined

  const ask = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const used = use()
    // What can be seen was flushed before, except where commits do not wait for that.
    const [row] = yield* primary<Pick<Answer, "number" | "timeline" | "server"> & { readonly position: number | null }>`
      select (select coalesce(sum(raised), 0)::text from record_revision) as number, current_timeline() as timeline,
        extract(epoch from pg_postmaster_start_time())::text as server,
        case when pg_is_in_recovery() then null else pg_wal_lsn_diff(
          case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
            else pg_current_wal_flush_lsn() end, '0/0')::float8 end as position`
    if (row === undefined || row.position === null) return yield* Effect.fail(readOnly)
    const { number, position, server, timeline } = row
    const isSame = last?.number === number && last.timeline === timeline && last.server === server
    const written = isSame && last !== undefined ? last.written : position
    last = { number, timeline, server, position, written, at, ...used }
    return last
  }).pipe(Effect.withSpan("Db.publicState"))

  /** The switches are those of now: a caller has to see one that happened meanwhile. */
  const stated = ({ number, ...answer }: Answer): PublicState => ({
    ...answer,
    revision: `${number} ${answer.timeline} ${use().switches}`
  })

  const current = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const since = yield* ReadsSince
    const { count, switches } = use()
    const known = Effect.sync(() =>
      last !== undefined &&
      last.count >= count &&
      last.switches === switches &&
      now - last.at < believed &&
      (since === undefined || last.at > since)
        ? last
        : undefined
    )
    const found = yield* known
    if (found !== undefined) return stated(found)
    // Whoever waits while another asks takes that answer, if it was asked late enough.
    const asked = Effect.flatMap(known, (answer) => (answer === undefined ? ask : Effect.succeed(answer)))
    return stated(yield* one.withPermit(asked))
  })

  return {
    current,
    /** Asks, whatever is known. */
    ask: Effect.map(one.withPermit(ask), stated),
    /** The last answer, if there was one. */
    last: () => (last === undefined ? undefined : stated(last))
  }
})
