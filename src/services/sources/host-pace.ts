import { Context, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Db } from "../../../layers/db/db.ts"

/** Seconds between two requests to one vendor or host, from all machines together. */
const defaultGap = 1
/** The same where nobody is to be spared; the gaps of vendors shrink or grow with it. */
export const UsualGap = Context.Reference<number>("civic-record/UsualGap", { defaultValue: () => defaultGap })
/** How many seconds a turn is waited for; a host that is busy for longer is not queued for. */
const longestWait = 30

/** A host, and what it shares with others. */
export interface PacedHost {
  readonly host: string
  /** The registrable domain, whose customers' hosts are one vendor's servers; the host itself where it has none. */
  readonly vendor: string
  /** Seconds between two requests to the vendor; one unless its file says otherwise. */
  readonly gap?: number | undefined
}

/** How often other people's servers are asked. */
export class HostPace extends Context.Service<
  HostPace,
  {
    /**
     * Waits for the next turn at a vendor, counted over all machines, and returns 0. Where that would take more than
     * half a minute, or the host asked to be left alone, it takes no turn, and returns the seconds after which to try
     * again.
     */
    readonly turn: (host: PacedHost) => Effect.Effect<number, SqlError.SqlError>
    /**
     * Keeps everyone from asking a host for so many seconds; and the whole vendor, if another of its hosts asked the
     * same and still holds.
     */
    readonly hold: (host: PacedHost, seconds: number) => Effect.Effect<void, SqlError.SqlError>
    /** Notes that a host has answered otherwise than that it wants to be left alone. */
    readonly answered: (host: PacedHost) => Effect.Effect<void, SqlError.SqlError>
  }
>()("civic-record/HostPace") {
  static readonly layer = Layer.effect(
    HostPace,
    Effect.gen(function* () {
      const db = yield* Db
      const usual = yield* UsualGap

      const turn = Effect.fn("HostPace.turn")(function* ({ host, vendor, gap: own = defaultGap }: PacedHost) {
        const gap = (own * usual) / defaultGap
        if (host !== vendor) {
          const [held] = yield* db<{ wait: number }>`
              select extract(epoch from next_at - clock_timestamp())::float8 as wait from host_pace
              where host = ${host} and next_at > clock_timestamp()`
          if (held !== undefined) return Math.max(1, Math.ceil(held.wait))
        }
        const [mine] = yield* db<{ wait: number }>`
            insert into host_pace as h (host, next_at)
            values (${vendor}, clock_timestamp() + ${gap}::float8 * interval '1 second')
            on conflict (host) do update
              set next_at = greatest(h.next_at, clock_timestamp()) + ${gap}::float8 * interval '1 second'
              where h.next_at < clock_timestamp() + ${longestWait}::int * interval '1 second'
            returning extract(epoch from h.next_at - clock_timestamp())::float8 - ${gap}::float8 as wait`
        if (mine !== undefined) {
          if (mine.wait > 0) yield* Effect.sleep(mine.wait * 1000)
          return 0
        }
        const [held] = yield* db<{ wait: number }>`
            select extract(epoch from next_at - clock_timestamp())::float8 as wait from host_pace where host = ${vendor}`
        return Math.max(1, Math.ceil(held?.wait ?? 0))
      })

      const hold = Effect.fn("HostPace.hold")(function* ({ host, vendor }: PacedHost, seconds: number) {
        const others =
          host === vendor
            ? []
            : yield* db`
                select from host_pace where vendor = ${vendor} and host <> ${host} and next_at > clock_timestamp() limit 1`
        const shared = host === vendor ? null : vendor
        const held = others.length === 0 ? [host] : [host, vendor]
        yield* db`
            insert into host_pace as h (host, vendor, next_at, held_since)
            select one, case when one = ${host} then ${shared}::text end,
              clock_timestamp() + ${seconds}::float8 * interval '1 second', clock_timestamp()
            from unnest(${held}::text[]) one order by one
            on conflict (host) do update set next_at = greatest(h.next_at, excluded.next_at),
              vendor = coalesce(excluded.vendor, h.vendor), held_since = coalesce(h.held_since, excluded.held_since)`
      })

      const answered = Effect.fn("HostPace.answered")(
        ({ host, vendor }: PacedHost) =>
          db`update host_pace set held_since = null
              where host = any(${[host, vendor]}::text[]) and held_since is not null`,
        Effect.asVoid
      )

      return { turn, hold, answered }
    })
  )

  /** With another usual gap, in seconds. */
  static readonly layerEvery = (usual: number) => HostPace.layer.pipe(Layer.provide(Layer.succeed(UsualGap, usual)))
}
