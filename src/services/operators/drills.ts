import { Context, Data, Effect, Layer, Redacted, Schema } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, dbDies, type Sql } from "../../../layers/db/db.ts"
import { ObjectStore, type ObjectStoreError } from "../../../layers/object-store/object-store.ts"
import { Signer } from "../../../layers/signer/signer.ts"
import type { AgentDrills, DrillReport } from "../../../schema/agent/drill.ts"
import { CalendarMeeting, CalendarSchedule } from "../../../schema/calendar.ts"
import { drillNotFound, type NotFound } from "../failures.ts"
import { sent } from "../wire.ts"

/** After this many seconds without a heartbeat a drill counts as killed. */
const silentAfter = 30
/** The interval between a drill's heartbeats. */
export const drillBeat = "3 seconds"

/** The calendar that a drill serves while it runs. */
const DrillCalendar = Schema.Struct({ schedule: CalendarSchedule, meeting: CalendarMeeting })
export type DrillCalendar = typeof DrillCalendar.Type

/** The database role may not create the database that a drill needs. */
export class NoDrillDatabase extends Data.TaggedError("NoDrillDatabase")<{ readonly role: string }> {
  override get message() {
    return `A drill works in a database of its own, and the role "${this.role}" may not create one. Run: ALTER ROLE "${this.role}" CREATEDB`
  }
}

/** The role that this service connects as, and whether it may create databases for drills. */
export const drillRole = (db: Sql) =>
  Effect.map(
    db<{ name: string; may: boolean }>`
      select rolname as name, rolcreatedb or rolsuper as may from pg_roles where rolname = current_user`,
    ([role]) => role ?? { name: "", may: false }
  )

interface DrillRow {
  readonly id: string
  readonly state: "running" | "passed" | "failed"
  readonly started_by: string
  readonly started_at: Date
  readonly ended_at: Date | null
  readonly origin: string | null
  readonly report: DrillReport | null
}

/** The paths at which a drill's schedule and meeting are served. */
export const drillPaths = (token: string) => ({
  schedule: `/api/drills/${token}/schedule`,
  meeting: `/api/drills/${token}/meeting`
})

/** The object-store prefix of a drill's recording and agenda: its own id, which no meeting has. */
const drillMedia = (id: string): string => `meetings/${id}/`

const databaseOf = (id: string): string => `civic_record_drill_${id.replaceAll("-", "")}`

/**
 * Rehearsals of the pipeline. The record's own database has one row per drill, with the calendar that it serves and its
 * report; everything else is in a database of the drill's own, dropped when the drill ends.
 */
export class Drills extends Context.Service<
  Drills,
  {
    /** Adds a drill, which runs as long as `beat` keeps it alive; returns its id and its token. */
    readonly start: (by: string) => Effect.Effect<{ readonly id: string; readonly token: string }>
    /** Serves a drill's calendar under an origin such as `http://localhost:8787`, until the drill ends. */
    readonly serve: (id: string, origin: string, calendar: DrillCalendar) => Effect.Effect<void>
    readonly beat: (id: string) => Effect.Effect<void>
    /** Ends a drill with its report; an ended drill keeps the report that it has. */
    readonly end: (id: string, state: "passed" | "failed", report: DrillReport) => Effect.Effect<void>
    /** The calendar served under a token; fails unless the token's drill is running. */
    readonly calendar: (token: string) => Effect.Effect<DrillCalendar, NotFound>
    /** Creates a drill's own database; returns its address. */
    readonly makeDatabase: (id: string) => Effect.Effect<Redacted.Redacted, NoDrillDatabase>
    /** This deployment's settings, except those of lanes, for a drill's own database. */
    readonly settings: Effect.Effect<ReadonlyArray<{ readonly name: string; readonly value: unknown }>>
    /** Removes a drill's database and objects; its row stays. */
    readonly clear: (id: string) => Effect.Effect<void, ObjectStoreError>
    /** Ends drills whose process was killed, and clears what they left behind; returns their ids. */
    readonly sweep: Effect.Effect<ReadonlyArray<string>, ObjectStoreError>
    /** The newest hundred. */
    readonly list: Effect.Effect<AgentDrills>
  }
>()("civic-record/Drills") {
  static readonly layer = Layer.effect(
    Drills,
    Effect.gen(function* () {
      const db = yield* Db
      const signer = yield* Signer
      const store = yield* ObjectStore
      const { baseUrl } = yield* Environment

      const start = Effect.fn("Drills.start")(function* (by: string) {
        const [row] = yield* db<{ id: string }>`insert into drill (started_by) values (${by}) returning id`
        if (row === undefined) return yield* Effect.die(new Error("A drill was added without an id."))
        return { id: row.id, token: yield* signer.signDrill(row.id) }
      }, dbDies)

      const serve = Effect.fn("Drills.serve")(
        (id: string, origin: string, calendar: DrillCalendar) => db`
          update drill set origin = ${origin}, calendar = ${JSON.stringify(calendar)}::jsonb
          where id = ${id} and state = 'running'`,
        dbDies,
        Effect.asVoid
      )

      const beat = (id: string) =>
        db`update drill set seen_at = clock_timestamp() where id = ${id} and state = 'running'`.pipe(
          dbDies,
          Effect.asVoid
        )

      const end = Effect.fn("Drills.end")(
        (id: string, state: "passed" | "failed", report: DrillReport) => db`
          update drill set state = ${state}, ended_at = clock_timestamp(), calendar = null,
            report = ${JSON.stringify(report)}::jsonb
          where id = ${id} and state = 'running'`,
        dbDies,
        Effect.asVoid
      )

      const calendar = Effect.fn("Drills.calendar")(function* (token: string) {
        const id = yield* Effect.mapError(signer.verifyDrill(token), () => drillNotFound(token))
        const [row] = yield* db<{ calendar: unknown }>`
          select calendar from drill where id = ${id} and state = 'running' and calendar is not null
            and seen_at > clock_timestamp() - ${silentAfter}::int * interval '1 second'`.pipe(dbDies)
        if (row === undefined) return yield* drillNotFound(token)
        return yield* Effect.orDie(Schema.decodeUnknownEffect(DrillCalendar)(row.calendar))
      })

      const makeDatabase = Effect.fn("Drills.makeDatabase")(function* (id: string) {
        const { name, may } = yield* dbDies(drillRole(db))
        if (!may) return yield* new NoDrillDatabase({ role: name })
        // template0, because nobody can be connected to it, and template1 may have local additions.
        yield* dbDies(db.unsafe(`create database ${databaseOf(id)} template template0`))
        const address = new URL(Redacted.value(db.server()))
        address.pathname = `/${databaseOf(id)}`
        return Redacted.make(address.href)
      })

      const settings = db<{ name: string; value: unknown }>`
        select name, value from setting where name not like 'lanes.%' order by name limit 1000`.pipe(dbDies)

      const clear = Effect.fn("Drills.clear")(function* (id: string) {
        yield* dbDies(db.unsafe(`drop database if exists ${databaseOf(id)} with (force)`))
        yield* store.deletePrefix(drillMedia(id))
      })

      const sweep = Effect.gen(function* () {
        const dead = yield* dbDies(db<{ id: string; seconds: number }>`
          select id, extract(epoch from seen_at - started_at)::float8 as seconds from drill
          where state = 'running' and seen_at < clock_timestamp() - ${silentAfter}::int * interval '1 second'
          order by id limit 100`)
        for (const { id, seconds } of dead) {
          yield* clear(id)
          yield* end(id, "failed", { stages: [], broken_off: "The process that ran the drill was killed.", seconds })
        }
        return dead.map(({ id }) => id)
      }).pipe(Effect.withSpan("Drills.sweep"))

      const list = Effect.gen(function* () {
        const rows = yield* dbDies(db<DrillRow>`
          select id, state, started_by, started_at, ended_at, origin, report
          from drill order by started_at desc, id desc limit 100`)
        const drills = yield* Effect.forEach(rows, ({ origin, ...row }) =>
          Effect.map(signer.signDrill(row.id), (token) => {
            const { schedule, meeting } = drillPaths(token)
            const at = origin ?? baseUrl
            const urls = row.state === "running" ? { schedule_url: at + schedule, meeting_url: at + meeting } : {}
            return { ...sent(row), ...urls }
          })
        )
        return { drills }
      }).pipe(Effect.withSpan("Drills.list"))

      return { start, serve, beat, end, calendar, makeDatabase, settings, clear, sweep, list }
    })
  )
}
