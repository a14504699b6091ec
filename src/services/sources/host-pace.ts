import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"

/** Seconds between two requests to one host, from all machines together. */
const defaultGap = 1
/** How many seconds a turn is waited for; a host that is busy for longer is not queued for. */
const longestWait = 30

/** How often other people's servers are asked. */
export class HostPace extends Context.Service<
  HostPace,
  {
    /**
     * Waits for the next turn at a host, counted over all machines, and returns 0. Where that would take more than half
     * a minute it takes no turn, and returns the seconds after which to try again.
     */
    readonly turn: (host: string) => Effect.Effect<number, SqlError.SqlError>
    /** Keeps everyone from asking a host for so many seconds. */
    readonly hold: (host: string, seconds: number) => Effect.Effect<void, SqlError.SqlError>
    /** Notes that a host has answered otherwise than that it wants to be left alone. */
    readonly answered: (host: string) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/HostPace") {
  /** With another gap between requests, in seconds. */
  static readonly layerEvery = (gap: number) =>
    Layer.effect(
      HostPace,
      Effect.gen(function* () {
        const db = yield* Db

        const turn = Effect.fn("HostPace.turn")(function* (host: string) {
          const [mine] = yield* db<{ wait: number }>`
            insert into host_pace as h (host, next_at)
            values (${host}, clock_timestamp() + ${gap}::float8 * interval '1 second')
            on conflict (host) do update
              set next_at = greatest(h.next_at, clock_timestamp()) + ${gap}::float8 * interval '1 second'
              where h.next_at < clock_timestamp() + ${longestWait}::int * interval '1 second'
            returning extract(epoch from h.next_at - clock_timestamp())::float8 - ${gap}::float8 as wait`
          if (mine !== undefined) {
            if (mine.wait > 0) yield* Effect.sleep(mine.wait * 1000)
            return 0
          }
          const [held] = yield* db<{ wait: number }>`
            select extract(epoch from next_at - clock_timestamp())::float8 as wait from host_pace where host = ${host}`
          return Math.max(1, Math.ceil(held?.wait ?? 0))
        })

        const hold = Effect.fn("HostPace.hold")(function* (host: string, seconds: number) {
          yield* db`
            insert into host_pace as h (host, next_at, held_since)
            values (${host}, clock_timestamp() + ${seconds}::float8 * interval '1 second', clock_timestamp())
            on conflict (host) do update set next_at = greatest(h.next_at, excluded.next_at),
              held_since = coalesce(h.held_since, excluded.held_since)`
        })

        const answered = Effect.fn("HostPace.answered")(
          (host: string) => db`update host_pace set held_since = null where host = ${host} and held_since is not null`,
          Effect.asVoid
        )

        return { turn, hold, answered }
      })
    )

  static readonly layer = HostPace.layerEvery(defaultGap)
}
