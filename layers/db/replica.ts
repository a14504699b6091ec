import { Clock, Context, Duration, Effect, Result } from "effect"
import type { SqlConnection } from "effect/sql"
import { isNoneFree, type Sql } from "./pool.ts"

/** The lag in seconds above which reads leave a replica, and the lower one at which they return. */
export const ReplicaBounds = Context.Reference("civic-record/ReplicaBounds", {
  // PostgreSQL lets a query on a replica delay replay by half a minute (max_standby_streaming_delay).
  defaultValue: () => ({ most: 30, back: 5, every: Duration.seconds(1) })
})

export interface ReplicaState {
  /** Reads go to the replica while this is `ok`, and to the primary otherwise. */
  readonly standing: "ok" | "behind" | "away"
  /** An upper bound on its lag, in seconds. */
  readonly behind: number
  /** Whether it replays the primary's WAL, as a replica should. */
  readonly replays: boolean
  /** Whether replay was paused manually. */
  readonly isPaused: boolean
  /** Whether it is receiving the primary's WAL over a connection. */
  readonly isConnected: boolean
}

const unseen: ReplicaState = { standing: "away", behind: 0, replays: false, isPaused: false, isConnected: false }

/** A position in the primary's WAL, in bytes, and a time by our clock before which nothing was written beyond it. */
interface Mark {
  readonly position: number
  readonly at: number
}

/** The most marks; at the limit every other one is dropped, so they grow sparser for a replica that is far behind. */
const mostMarks = 600

/**
 * Connections of a replica or, while it is unreachable or lags too far, of the primary; each switch is logged. Lag is
 * measured from outside, by WAL positions seen on the primary: a replica's own timestamps stop with its replay, and
 * seem to lag while nothing is written.
 */
export const replicaOrPrimary = Effect.fnUntraced(function* (
  primary: Sql,
  replica: Sql,
  fromReplica: SqlConnection.Acquirer,
  fromPrimary: SqlConnection.Acquirer
) {
  const { most, back, every } = yield* ReplicaBounds
  let state = unseen
  let switches = 0
  /** The first mark is the newest that the replica has reached, or the oldest there is. */
  let marks: Array<Mark> = []

  const become = (next: ReplicaState, why: string) =>
    Effect.suspend(() => {
      const before = state
      state = next
      if (next.standing === before.standing) return Effect.void
      if (next.standing === "ok" || before.standing === "ok") switches++
      if (next.standing === "ok") return before === unseen ? Effect.void : Effect.logInfo("The replica is back")
      const trouble = next.standing === "away" ? "cannot be reached" : "is too far behind"
      return Effect.logWarning(`The replica ${trouble}: reads go to the primary`).pipe(
        Effect.annotateLogs({ reason: why, seconds: next.behind })
      )
    })
  const away = (why: string) => become({ ...state, standing: "away" }, why)

  const lookAtPrimary = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const [row] = yield* primary<{ position: number }>`
      select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as position`
    if (marks.length >= mostMarks) marks = marks.filter((_, index) => index % 2 === 0)
    if (row !== undefined) marks.push({ position: row.position, at })
  })

  const lookAtReplica = replica<Omit<ReplicaState, "standing" | "behind"> & { readonly position: number | null }>`
    select pg_is_in_recovery() as replays, exists (select from pg_stat_wal_receiver) as "isConnected",
      case when pg_is_in_recovery() then pg_is_wal_replay_paused() else false end as "isPaused",
      pg_wal_lsn_diff(
        case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0'
      )::float8 as position`

  const look = Effect.gen(function* () {
    // While the primary is unreachable, the last position known from it stands.
    yield* Effect.ignore(Effect.timeout(lookAtPrimary, "3 seconds"))
    const seen = yield* Effect.result(Effect.timeout(lookAtReplica, "3 seconds"))
    if (Result.isFailure(seen)) return yield* away(seen.failure.message)
    const [row] = seen.success
    if (row === undefined) return
    const { position, ...facts } = row
    const reached = position ?? 0
    while (marks[1] !== undefined && marks[1].position <= reached) marks.shift()
    const [first, last] = [marks[0], marks.at(-1)]
    const behind = first === undefined || last === undefined ? 0 : (last.at - first.at) / 1000
    const isNear = first !== undefined && first.position <= reached && behind <= (state.standing === "ok" ? most : back)
    const why = facts.isPaused ? "its replay is paused" : facts.isConnected ? "its replay is slow" : "it is cut off"
    yield* become({ ...facts, behind, standing: isNear ? "ok" : "behind" }, why)
  }).pipe(Effect.withTracerEnabled(false))

  yield* look
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(every), look)))

  const acquirer: SqlConnection.Acquirer = Effect.suspend(() =>
    state.standing === "ok"
      ? Effect.catch(fromReplica, (error) =>
          isNoneFree(error) ? Effect.fail(error) : Effect.andThen(away(error.message), fromPrimary)
        )
      : fromPrimary
  )
  return { acquirer, state: Effect.sync(() => state), switches: () => switches }
})
