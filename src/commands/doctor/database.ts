import { Effect, Option, Queue } from "effect"
import type { SqlError } from "effect/sql"
import { Environment } from "../../../layers/config/config.ts"
import { Db } from "../../../layers/db/db.ts"
import { newestMigration, schemaFit, unknownSchema, upgradeFrom } from "../../../layers/db/migrate.ts"
import { refusePooler } from "../../../layers/db/pooler.ts"
import { UnmigratedDb } from "../../../layers/live.ts"
import { lookAtReplica, lookAtServer, lookAtWork } from "../../services/operators/database-checkup.ts"
import { drillRole } from "../../services/operators/drills.ts"
import { lookAtIndex } from "../../services/search/index/line.ts"
import { probe, whyNot } from "./connection.ts"
import { check, type Finding, type Found, fail, ok, warn } from "./finding.ts"

/**
 * How far the two clocks may differ, in seconds: sign-ins and signatures expire by this machine's, tasks by the
 * database's.
 */
const clocks = { most: 30, few: 2 }

const clock = (seconds: number): Found => {
  const apart = Math.abs(seconds)
  const found = `the database's clock is ${apart.toFixed(1)} s ${seconds < 0 ? "behind" : "ahead of"} ours`
  const todo = "Let both machines set their clocks by NTP."
  if (apart > clocks.most) return fail(found, todo)
  return apart > clocks.few ? warn(found, todo) : ok(found)
}

const migrations = Effect.fnUntraced(function* (
  had: ReadonlyArray<number>
): Effect.fn.Return<Found, SqlError.SqlError, Db> {
  const last = had.at(-1) ?? 0
  const newest = newestMigration()
  const todo = "Run: civic-record migrate. A start does it too."
  switch (upgradeFrom(had)) {
    case "none":
      return ok(`the schema is this build's (${newest})`)
    case "migrate":
      return warn(`migrations are pending (${last}, this build has ${newest})`, todo)
    case "carry over":
      return warn(`the schema is of an older build (${last}) and can be carried over`, todo)
    case "newer": {
      const found = `the schema is of a newer build (${last}, this one has ${newest})`
      const schema = yield* schemaFit
      return schema.fit === "too old"
        ? fail(`${found}, which builds before ${schema.oldest} cannot use`, "Update this installation.")
        : warn(`${found}, and this one can use it`, "Update this installation.")
    }
    case "unknown": {
      const { found, todo } = unknownSchema(had)
      return fail(found, todo)
    }
  }
})

const replica = Effect.gen(function* () {
  const { databaseReplicaUrl } = yield* Environment
  if (Option.isNone(databaseReplicaUrl)) return ok("none is configured")
  const away = yield* probe(databaseReplicaUrl.value, "DATABASE_REPLICA_URL")
  if (away !== undefined) return warn(`${away.found}: reads go to the primary`, away.todo)
  return Option.match(yield* lookAtReplica(), {
    onNone: () => ok("none is configured"),
    onSome: ({ standing, behind, replays, isPaused, isConnected }) => {
      if (standing === "away") return warn("does not answer: reads go to the primary", "Check DATABASE_REPLICA_URL.")
      if (!replays) {
        return fail("answers, and is no replica", "Check DATABASE_REPLICA_URL, or let the server follow the primary.")
      }
      const found = standing === "ok" ? "has everything" : `at least ${behind.toFixed(1)} s behind`
      if (isPaused) return warn(`${found}; its replay is paused`, "On the replica, run: select pg_wal_replay_resume()")
      if (!isConnected) {
        return warn(
          `${found}; it is not connected to the primary`,
          "Check its primary_conninfo, its log and its network."
        )
      }
      return standing === "ok"
        ? ok(`${found}, connected to the primary`)
        : warn(found, "Reads go to the primary: look at its load and its network.")
    }
  })
})

/** Has a notice go the whole way, and looks at the limit that a pooler's sessions have. */
const pooler = Effect.gen(function* () {
  yield* refusePooler
  const { databaseDirectUrl } = yield* Environment
  if (Option.isNone(databaseDirectUrl)) return ok("none in transaction mode")
  const db = yield* Db
  const notices = yield* db.listen("doctor")
  yield* db`select pg_notify('doctor', '')`
  yield* Queue.take(notices)
  const [row] = yield* db<{ isLimited: boolean }>`select current_setting('statement_timeout') <> '0' as "isLimited"`
  return row?.isLimited === true
    ? ok("notices pass it by, and its sessions limit a statement")
    : warn(
        "notices pass it by; its sessions do not limit a statement",
        "In pgbouncer.ini, give the database: connect_query = 'set statement_timeout = 30000'"
      )
}).pipe(
  Effect.catchTag("InvalidSetting", ({ message }) => Effect.succeed(fail("loses what it should keep", message))),
  Effect.scoped
)

const drills = Effect.map(Effect.flatMap(Db, drillRole), ({ name, may }) =>
  may
    ? ok(`the role "${name}" may create the databases that they work in`)
    : warn(
        `the role "${name}" may not create the databases that they work in`,
        `Before civic-record drill start, run: ALTER ROLE "${name}" CREATEDB`
      )
)

const work = Effect.gen(function* () {
  const { meetings, unindexed, tasks, workers } = yield* lookAtWork()
  const state = `${tasks.waiting} tasks wait, and ${tasks.failed} failed within a day`
  const late = Math.round(tasks.overdue / 60)
  return {
    record:
      unindexed === 0
        ? ok(`${meetings} meetings, all of which can be found`)
        : fail(`${meetings} meetings, ${unindexed} of which search does not find`, "Import them again."),
    tasks:
      tasks.failed > 0 || tasks.overdue > 3600
        ? warn(`${state}; the oldest has been due for ${late} min`, "task.failure and pipeline_log say why.")
        : ok(state),
    workers:
      workers.silent > 0
        ? warn(`${workers.alive} alive, ${workers.silent} silent`, "Look at the machines of those that are silent.")
        : tasks.waiting > 0 && workers.alive === 0
          ? warn("none, and tasks wait", "Start the service or a worker.")
          : ok(`${workers.alive} alive`)
  }
})

const searchIndex = Effect.map(lookAtIndex(), (base) =>
  Option.match(base, {
    onNone: () => ok("none of this database in DATA_DIR; the service builds it, and SQL answers meanwhile"),
    onSome: ({ hours, changed, damage }) => {
      const found = `its base was built ${hours} h ago; ${changed} meetings have changed since`
      return damage === undefined
        ? ok(found)
        : fail(
            `${found}; ${damage}`,
            "The service builds it anew when it reads that, and SQL answers meanwhile. Check the disk."
          )
    }
  })
)

const unusable = (found: string, todo = "Check DATABASE_URL and that the server runs."): ReadonlyArray<Finding> => [
  { check: "database", ...fail(found, todo) }
]

/** Checks the database and its contents without migrating anything. */
export const databaseChecks = Effect.gen(function* () {
  const { version, bytes, hasExtensions, tookMs, aheadSeconds, tooOld, migrations: had } = yield* lookAtServer()
  if (tooOld !== undefined) return unusable(tooOld.found, tooOld.todo)
  const schema = yield* migrations(had)
  const server = `PostgreSQL ${version} answered in ${tookMs} ms and holds ${(bytes / 1e6).toFixed(0)} MB`
  const findings: Array<Finding> = [
    { check: "database", ...ok(server) },
    { check: "clock", ...clock(aheadSeconds) },
    { check: "migrations", ...schema },
    ...(yield* check("pooler", pooler)),
    ...(yield* check("replica", replica)),
    ...(yield* check("drills", drills))
  ]
  if (upgradeFrom(had) !== "none" && !(upgradeFrom(had) === "newer" && schema.state === "warn")) return findings
  const { record, tasks, workers } = yield* work
  return [
    ...findings,
    hasExtensions
      ? { check: "extensions", ...ok("unaccent, pg_trgm and fuzzystrmatch are installed") }
      : {
          check: "extensions",
          ...fail(
            "unaccent, pg_trgm or fuzzystrmatch is missing",
            "create extension unaccent; create extension pg_trgm; create extension fuzzystrmatch"
          )
        },
    { check: "record", ...record },
    ...(yield* check("search index", searchIndex)),
    { check: "tasks", ...tasks },
    { check: "workers", ...workers }
  ]
}).pipe(
  Effect.provide(UnmigratedDb),
  Effect.timeoutOrElse({ duration: "70 seconds", orElse: () => Effect.succeed(unusable("no answer")) }),
  Effect.catchTags({
    EmbeddedPostgresError: ({ message }) => Effect.succeed(unusable(message)),
    InvalidSetting: ({ message }) => Effect.succeed(unusable("cannot be used", message)),
    SqlError: (error) => {
      const { found, todo } = whyNot(error, "DATABASE_URL")
      return Effect.succeed(unusable(found, todo))
    }
  })
)
