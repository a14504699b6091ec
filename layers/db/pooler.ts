import { Effect, Option, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { Environment, InvalidSetting } from "../config/config.ts"
import { clientWith, openPool } from "./pool.ts"

/** How often two sessions are compared: while a pooler is busy, they may be served by two backends for a moment. */
const looks = 20

interface Server {
  readonly pid: number
  readonly name: string
  /** A copy of another cluster has the name of the database, and not the same system. */
  readonly system: string
}

const sessionAt = Effect.fnUntraced(function* (url: Redacted.Redacted) {
  const pool = yield* openPool(url, { maxConnections: 1, isPooled: true })
  const connection = yield* pool.reserve
  const db = yield* clientWith(pool, Effect.succeed(connection))
  return Effect.map(
    db<Server>`
      select pg_backend_pid() as pid, current_database() as name, system_identifier::text as system
      from pg_control_system()`,
    ([row]) => row
  )
})

/** What a session says of its server, and whether a pooler in transaction mode lends one backend to two sessions. */
const lookAt = Effect.fn("Db.lookAtSessions")(function* (url: Redacted.Redacted) {
  const [one, other] = [yield* sessionAt(url), yield* sessionAt(url)]
  const look = Effect.all({ server: one, other })
  const { server, other: last } = yield* Effect.repeat(look, {
    times: looks - 1,
    until: ({ server, other }) => server?.pid === other?.pid
  })
  return { server, isShared: server?.pid === last?.pid }
}, Effect.scoped)

const invalid = (setting: string, message: string) => new InvalidSetting({ setting, message: `${setting} ${message}` })

/**
 * Fails with `InvalidSetting` if what has to be kept from one transaction to the next would be lost in a pooler:
 * notices, prepared statements and the limits of statements. A pooler in session mode keeps them.
 */
export const refusePooler = Effect.gen(function* () {
  const { databaseUrl, databaseDirectUrl } = yield* Environment
  if (Option.isNone(databaseUrl)) return
  const setting = Option.isSome(databaseDirectUrl) ? "DATABASE_DIRECT_URL" : "DATABASE_URL"
  const { server, isShared } = yield* lookAt(Option.getOrElse(databaseDirectUrl, () => databaseUrl.value))
  if (isShared) {
    const todo = "Set DATABASE_DIRECT_URL to the server itself, past the pooler."
    return yield* invalid(setting, `leads to a pooler in transaction mode, which loses notices. ${todo}`)
  }
  if (Option.isNone(databaseDirectUrl)) return
  const pooled = yield* Effect.scoped(Effect.flatten(sessionAt(databaseUrl.value)))
  if (pooled?.system === server?.system && pooled?.name === server?.name) return
  return yield* invalid(setting, "leads to another database than DATABASE_URL. Name the server that the pooler names.")
}).pipe(Effect.provide(Reactivity.layer))
