import * as http from "node:http"
import * as path from "node:path"
import { Effect, type Scope, Semaphore } from "effect"
import { wayTo } from "../../../test/support/way.ts"
import { becomeReplica, database, initialised, postgresServer, type Server } from "./postgres.ts"
import { ownFolder, until } from "./program.ts"

/** A primary and a streaming replica, and what promotes the replica when the primary is lost. */
export interface Cluster {
  readonly servers: readonly [Server, Server]
  readonly primary: () => Server
  readonly replica: () => Server
  /** Where finished segments of the log are archived. */
  readonly archive: string
  readonly password: string
  /**
   * Ends the primary for good and promotes the replica: with SIGKILL as a lost one is fenced, with SIGINT after it has
   * sent its replica everything.
   */
  readonly failOver: (signal: "SIGKILL" | "SIGINT") => Effect.Effect<void>
  /** Makes the server that is not the primary a replica of it, from its files. */
  readonly rejoin: Effect.Effect<void>
  /** Cuts the replica off from the primary, or lets it follow again. */
  readonly cutReplication: Effect.Effect<void>
  readonly mendReplication: Effect.Effect<void>
  /** Waits until the replica has all that the primary has. */
  readonly caughtUp: Effect.Effect<void>
  /** Whether a lost primary is replaced by itself; faults that end and start it again switch it off. */
  readonly setAutomatic: (on: boolean) => void
  readonly isAutomatic: () => boolean
}

/** How long a primary may not answer before its replica is promoted, in milliseconds. */
const patience = 3000

/** The ports of a cluster: each server's, and where each is asked whether it is the primary. */
interface Ports {
  readonly a: number
  readonly b: number
  readonly aState: number
  readonly bState: number
}

const roleOf = (server: Server) =>
  Effect.match(Effect.timeout(server.ask("select pg_is_in_recovery()::text"), "1800 millis"), {
    onSuccess: (recovers) => (recovers === "true" ? ("replica" as const) : ("primary" as const)),
    onFailure: () => undefined
  })

/** Answers `GET /primary` and `GET /replica` with 200 or 503, as Patroni does beside its server. */
const stateOf = (server: Server, port: number, isPrimary: () => boolean): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<http.Server>((resume) => {
      const listener = http.createServer((request, response) => {
        Effect.runPromise(roleOf(server)).then((role) => {
          const is = role === "primary" && !isPrimary() ? undefined : role
          response.writeHead(request.url === `/${is}` ? 200 : 503).end(`${is}\n`)
        })
      })
      listener.listen(port, "127.0.0.1", () => resume(Effect.succeed(listener)))
    }),
    (listener) =>
      Effect.sync(() => {
        listener.close()
        listener.closeAllConnections()
      })
  ).pipe(Effect.asVoid)

/** Starts both servers with an empty database. */
export const cluster = Effect.fnUntraced(function* (
  folder: string,
  logs: string,
  ports: Ports,
  password: string
): Effect.fn.Return<Cluster, never, Scope.Scope> {
  const archive = ownFolder(folder, "archive")
  const way = yield* wayTo("127.0.0.1", ports.a)
  const at = (name: "a" | "b") =>
    postgresServer({
      name,
      folder: path.join(folder, name),
      port: ports[name],
      logs,
      password,
      archive,
      follows: () => way.port
    })
  const servers = [yield* at("a"), yield* at("b")] as const
  let primary: Server = servers[0]
  let automatic = true
  const replica = () => (primary === servers[0] ? servers[1] : servers[0])
  yield* initialised(primary, password)
  yield* primary.program.start
  yield* Effect.orDie(primary.ask(`create database ${database}`, "postgres"))
  yield* becomeReplica(replica(), primary)
  yield* stateOf(servers[0], ports.aState, () => primary === servers[0])
  yield* stateOf(servers[1], ports.bState, () => primary === servers[1])

  // A planned one is not taken for a loss meanwhile.
  const one = yield* Semaphore.make(1)
  const replaced = Effect.fnUntraced(function* (lost: Server, signal: "SIGKILL" | "SIGINT") {
    if (lost !== primary) return
    const next = replica()
    yield* lost.program.end(signal)
    yield* Effect.orDie(next.ask("select pg_promote(true, 30)::text"))
    primary = next
    yield* way.leadTo(next.port)
  }, one.withPermit)
  const failOver = (signal: "SIGKILL" | "SIGINT") => Effect.suspend(() => replaced(primary, signal))
  const rejoin = Effect.gen(function* () {
    yield* replica().program.end("SIGKILL")
    yield* becomeReplica(replica(), primary)
  })
  const caughtUp = until(
    "the replica to have all that the primary has",
    Effect.gen(function* () {
      const position = yield* primary.ask("select pg_current_wal_lsn()::text")
      const reached = yield* replica().ask(`select (pg_last_wal_replay_lsn() >= '${position}')::text`)
      return reached === "true"
    }).pipe(Effect.orElseSucceed(() => false))
  )

  let silentSince: number | undefined
  const watch = Effect.gen(function* () {
    yield* Effect.sleep("250 millis")
    const asked = primary
    const answered = (yield* roleOf(asked)) !== undefined || asked !== primary
    silentSince = answered || !automatic ? undefined : (silentSince ?? performance.now())
    if (silentSince === undefined || performance.now() - silentSince < patience) return
    silentSince = undefined
    yield* replaced(asked, "SIGKILL")
  })
  yield* Effect.forkScoped(Effect.forever(watch))
  return {
    servers,
    primary: () => primary,
    replica,
    archive,
    password,
    failOver,
    rejoin,
    cutReplication: way.cut,
    mendReplication: Effect.asVoid(way.open),
    caughtUp,
    setAutomatic: (on) => {
      automatic = on
    },
    isAutomatic: () => automatic
  }
})
