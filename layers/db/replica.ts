import { Clock, Context, Duration, Effect, Option, Result, Schedule, Semaphore } from "effect"
import type { SqlConnection } from "effect/sql"
import { isNoneFree, type Sql } from "./pool.ts"
import { makePublicState, type PublicState, ReadsSince } from "./public-state.ts"

/** The bounds of a replica that serves public reads. */
export const ReplicaBounds = Context.Reference("civic-record/ReplicaBounds", {
  defaultValue: () => ({
    /**
     * The lag in seconds above which reads leave it, and for how long it serves alone while the primary is away.
     * PostgreSQL lets a query on a replica delay replay by half a minute (max_standby_streaming_delay).
     */
    most: 30,
    /** The lag in seconds at which they return. */
    back: 5,
    /** How long a read waits for it to replay what was published last, before it goes to the primary. */
    patience: Duration.millis(250),
    every: Duration.seconds(1)
  })
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

/** What the replica said when it was last asked. */
interface Seen extends Omit<ReplicaState, "standing" | "behind"> {
  /** Up to where it has replayed the primary's WAL, in bytes. */
  readonly position: number
  readonly timeline: string | null
  /** Which server it is: when it was started. */
  readonly server: string
}

/** A position in the primary's WAL, in bytes, and a time by our clock before which nothing was written beyond it. */
type Mark = Pick<PublicState, "position" | "at">

/** The most marks; at the limit every other one is dropped, so they grow sparser for a replica that is far behind. */
const mostMarks = 600

/**
 * Whether a database has what is public. One that replays has it once it has replayed up to there, on the primary's
 * timeline: positions of two timelines cannot be compared. One that takes writes has it only if it is the primary.
 */
const reaches = (seen: Seen, { server, timeline, written }: PublicState): boolean =>
  seen.replays ? seen.position >= written && seen.timeline === timeline : seen.server === server

const troubleOf = ({ isConnected, isPaused, replays }: Seen): string => {
  if (!replays) return "it takes writes and is not the primary"
  if (isPaused) return "its replay is paused"
  return isConnected ? "its replay is slow" : "it receives nothing"
}

/**
 * The door of public reads: connections of a replica that has all that was published, or of the primary. A read goes to
 * the primary while the replica is unreachable, receives nothing or lags too far, and once it has waited too long for
 * the replica to replay what the primary published last; each switch is logged. While the primary is away, the replica
 * serves with what was known last until that is too old. Lag is measured from outside, by WAL positions seen on the
 * primary: a replica's own timestamps stop with its replay, and seem to lag while nothing is written.
 */
export const replicaOrPrimary = Effect.fnUntraced(function* (
  primary: Sql,
  replica: Sql,
  fromReplica: SqlConnection.Acquirer,
  fromPrimary: SqlConnection.Acquirer,
  /** How often this process has used the primary, and renewed its connections. */
  use: () => { readonly count: number; readonly switches: number }
) {
  const { most, back, every, patience } = yield* ReplicaBounds
  let state = unseen
  let switches = 0
  let seen: Seen | undefined
  let isHeard = true
  /** The first mark is the newest that the replica has reached, or the oldest there is. */
  let marks: Array<Mark> = []

  const become = (next: ReplicaState, why: string) =>
    Effect.suspend(() => {
      const before = state
      state = next
      if (next.standing === before.standing) return Effect.void
      if (next.standing === "ok" || before.standing === "ok") switches++
      if (next.standing === "ok") return before === unseen ? Effect.void : Effect.logInfo("The replica is back")
      return Effect.logWarning("The replica serves no reads: they go to the primary").pipe(
        Effect.annotateLogs({ reason: why, seconds: next.behind })
      )
    })
  const away = (why: string) => become({ ...state, standing: "away" }, why)

  const publicState = yield* makePublicState(primary, () => {
    const { count, switches: renewals } = use()
    return { count, switches: switches + renewals }
  })
  /** What the primary says, else what it said last; none if that is too old for this caller. */
  const heard = <A, E>(asked: Effect.Effect<A, E>) =>
    asked.pipe(
      Effect.timeoutOption("3 seconds"),
      Effect.catch(() => Effect.succeedNone),
      Effect.tap((answer) =>
        Effect.sync(() => {
          isHeard = Option.isSome(answer)
        })
      )
    )
  const wanted = Effect.gen(function* () {
    const answer = isHeard ? yield* heard(publicState.current) : Option.none()
    if (Option.isSome(answer)) return answer.value
    return (yield* ReadsSince) === undefined && state.standing === "ok" ? publicState.last() : undefined
  })

  const lookAtReplica = replica<Omit<Seen, "position"> & { readonly position: number | null }>`
    select pg_is_in_recovery() as replays, exists (select from pg_stat_wal_receiver) as "isConnected",
      case when pg_is_in_recovery() then pg_is_wal_replay_paused() else false end as "isPaused",
      pg_wal_lsn_diff(
        case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, '0/0'
      )::float8 as position, extract(epoch from pg_postmaster_start_time())::text as server,
      (select name from timeline) as timeline`.pipe(
    Effect.map(([row]) => {
      if (row !== undefined) seen = { ...row, position: row.position ?? 0 }
      return seen
    })
  )

  const one = yield* Semaphore.make(1)
  /** The last wait in vain: when it ended, and what for. */
  let missed = { at: 0, written: 0 }
  /** Whether the replica has it, or has it soon. Whoever waits while another asks goes by what that one found. */
  const hasSoon = Effect.fnUntraced(function* (published: PublicState) {
    const has = () => seen !== undefined && reaches(seen, published)
    if (has()) return true
    const began = yield* Clock.currentTimeMillis
    const ask = Effect.gen(function* () {
      if (has()) return true
      if (missed.at >= began && missed.written <= published.written) return false
      yield* lookAtReplica.pipe(
        Effect.repeat({ until: has, schedule: Schedule.exponential("2 millis") }),
        Effect.timeoutOption(patience),
        Effect.ignore
      )
      if (!has()) missed = { at: yield* Clock.currentTimeMillis, written: published.written }
      return has()
    })
    return yield* one.withPermit(ask)
  })

  const look = Effect.gen(function* () {
    const answer = yield* heard(publicState.ask)
    if (Option.isSome(answer)) {
      if (marks.length >= mostMarks) marks = marks.filter((_, index) => index % 2 === 0)
      marks.push(answer.value)
    }
    const looked = yield* Effect.result(Effect.timeout(lookAtReplica, "3 seconds"))
    if (Result.isFailure(looked)) return yield* away(looked.failure.message)
    if (looked.success === undefined) return
    const { isConnected, isPaused, position, replays } = looked.success
    while (marks[1] !== undefined && marks[1].position <= position) marks.shift()
    const [first, last] = [marks[0], marks.at(-1)]
    const until = Option.isSome(answer) ? last?.at : yield* Clock.currentTimeMillis
    const behind = first === undefined || until === undefined ? 0 : (until - first.at) / 1000
    const facts = { isConnected, isPaused, replays, behind }
    const published = publicState.last()
    const wasOk = state.standing === "ok"
    const isNear =
      published !== undefined &&
      first !== undefined &&
      (replays ? first.position <= position : reaches(looked.success, published)) &&
      behind <= (wasOk ? most : back) &&
      // With the primary away nothing is sent, and nothing is missed as far as is known.
      (isConnected || !replays || Option.isNone(answer))
    const isOk = isNear && (wasOk || (yield* hasSoon(published)))
    const trouble = Option.isSome(answer) ? troubleOf(looked.success) : "the primary is away for too long"
    yield* become({ ...facts, standing: isOk ? "ok" : "behind" }, trouble)
  }).pipe(Effect.withTracerEnabled(false))

  yield* look
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(every), look)))

  const acquirer: SqlConnection.Acquirer = Effect.gen(function* () {
    const published = state.standing === "ok" ? yield* wanted : undefined
    if (published === undefined) return yield* fromPrimary
    if (!(yield* hasSoon(published))) {
      if (state.standing === "ok") yield* become({ ...state, standing: "behind" }, "it lacks what was published last")
      return yield* fromPrimary
    }
    return yield* Effect.catch(fromReplica, (error) =>
      isNoneFree(error) ? Effect.fail(error) : Effect.andThen(away(error.message), fromPrimary)
    )
  })
  return {
    acquirer,
    state: Effect.sync(() => state),
    switches: () => switches,
    /** The state of what is public; while the primary is away and the replica serves, the last that was known. */
    publicState: Effect.flatMap(wanted, (known) => (known === undefined ? publicState.current : Effect.succeed(known)))
  }
})
