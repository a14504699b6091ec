import { randomUUID } from "node:crypto"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { Db, type Sql } from "../../layers/db/db.ts"
import { deployment } from "../record/importing.ts"
import { ran, ranHere } from "../support/program.ts"
import { smtpServer } from "../support/smtp.ts"

const Report = Schema.fromJsonString(
  Schema.Struct({
    findings: Schema.NonEmptyArray(
      Schema.Struct({
        check: Schema.String,
        state: Schema.Literals(["ok", "warn", "fail"]),
        found: Schema.NonEmptyString,
        todo: Schema.optionalKey(Schema.NonEmptyString)
      })
    )
  })
)

/** Runs the command with exactly these settings: its exit code, its output, and its findings. */
const doctor = Effect.fnUntraced(function* (env: Readonly<Record<string, string>>, run: typeof ran = ranHere) {
  const { code, out, err } = yield* run({ PATH: process.env.PATH, ...env }, "doctor", "--json")
  const { findings } = yield* Schema.decodeUnknownEffect(Report)(out)
  return {
    code,
    printed: out + err,
    findings,
    stateOf: (name: string) => findings.find(({ check }) => check === name)?.state
  }
})

describe("civic-record doctor", () => {
  it.live("finds everything in order where it is, with the finding on each line", () =>
    Effect.gen(function* () {
      const { url, folder } = yield* deployment
      const { port } = yield* smtpServer()
      const { code, findings } = yield* doctor({
        DATABASE_URL: Redacted.value(url),
        DATA_DIR: path.join(folder, "data"),
        SMTP_URL: `smtp://127.0.0.1:${port}`
      })
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(
        findings.filter(({ check, state }) => state !== "ok" && check !== "ffmpeg" && check !== "disk"),
        []
      )
      assert.includeMembers(
        findings.map(({ check }) => check),
        [
          "node",
          "disk",
          "ffmpeg",
          "ffprobe",
          "tesseract",
          "signing keys",
          "database",
          "clock",
          "migrations",
          "replica",
          "drills",
          "extensions"
        ].concat([
          "record",
          "tasks",
          "workers",
          "media store",
          "sign-in",
          "mail",
          "contact",
          "cloud model",
          "speech model",
          "redis",
          "traces"
        ])
      )
    })
  )

  it.live("names each thing that cannot be reached and what to do, exits with 1, and prints no secret", () =>
    Effect.gen(function* () {
      const { folder } = yield* deployment
      const secret = "s3cr3t-of-the-deployment"
      const nowhere = "127.0.0.1:1"
      const env = {
        DATA_DIR: path.join(folder, "data"),
        DATABASE_URL: `postgres://civic:${secret}@${nowhere}/record`,
        MEDIA_URL: `s3://key:${secret}@${nowhere}/bucket?tls=false`,
        SMTP_URL: `smtp://civic:${secret}@${nowhere}`,
        REDIS_URL: `redis://:${secret}@${nowhere}`,
        OIDC_CITY_ISSUER: `http://${nowhere}/`,
        OIDC_CITY_CLIENT_ID: "record",
        OIDC_CITY_CLIENT_SECRET: secret,
        CLOUD_MODEL_URL: `http://${nowhere}/v1`,
        CLOUD_MODEL_NAME: "m",
        CLOUD_MODEL_KEY: secret,
        SIGNING_KEYS: secret
      }
      // Everything that a process prints, from any code in it.
      const { code, printed, findings, stateOf } = yield* doctor(env, ran)
      assert.strictEqual(code, 1)
      for (const name of ["database", "media store", "mail", "redis", "sign-in", "cloud model", "signing keys"]) {
        assert.strictEqual(stateOf(name), "fail", name)
      }
      for (const { check, state, todo } of findings) assert.strictEqual(todo === undefined, state === "ok", check)
      assert.notInclude(printed, secret)
    })
  )

  it.live("warns before the first drill that the role may not create databases, and says how to allow it", () =>
    Effect.gen(function* () {
      const { url, folder, on } = yield* deployment
      const role = `plain_${randomUUID().slice(0, 8)}`
      const onServer = (statement: string) => Effect.orDie(on(Effect.flatMap(Db, (db) => db.unsafe(statement))))
      yield* Effect.acquireRelease(
        onServer(`create role ${role} login password 'plain' in role pg_read_all_data`),
        () => onServer(`drop role ${role}`)
      )
      const address = new URL(Redacted.value(url))
      address.username = role
      address.password = "plain"
      const { code, findings } = yield* doctor({ DATABASE_URL: address.href, DATA_DIR: path.join(folder, "data") })
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(
        findings.filter(({ check }) => check === "drills"),
        [
          {
            check: "drills",
            state: "warn",
            found: `the role "${role}" may not create the databases that they work in`,
            todo: `Before civic-record drill start, run: ALTER ROLE "${role}" CREATEDB`
          }
        ]
      )
    })
  )

  it.live("reports pending migrations without running them", () =>
    Effect.gen(function* () {
      const { url, folder, on } = yield* deployment
      const newest = on(
        Effect.flatMap(Db, (db) => db<{ id: number }>`select max(migration_id)::int as id from migration`)
      )
      yield* on(
        Effect.flatMap(
          Db,
          (db) => db`delete from migration where migration_id = (select max(migration_id) from migration)`
        )
      )
      const before = yield* newest
      const { code, stateOf } = yield* doctor({
        DATABASE_URL: Redacted.value(url),
        DATA_DIR: path.join(folder, "data")
      })
      assert.deepStrictEqual([code, stateOf("migrations")], [0, "warn"])
      assert.deepStrictEqual(yield* newest, before)
    })
  )

  it.live("distinguishes a wrong password, a wrong database, an unreachable host and a replica that is none", () =>
    Effect.gen(function* () {
      const { url, folder, on } = yield* deployment
      const role = `locked_${randomUUID().slice(0, 8)}`
      const onServer = (statement: string) => Effect.orDie(on(Effect.flatMap(Db, (db) => db.unsafe(statement))))
      yield* Effect.acquireRelease(onServer(`create role ${role} login password 'right'`), () =>
        onServer(`drop role ${role}`)
      )
      const as = (change: (address: URL) => void) => {
        const address = new URL(Redacted.value(url))
        change(address)
        return address.href
      }
      const DATA_DIR = path.join(folder, "data")
      const found = (env: Readonly<Record<string, string>>, name: string) =>
        Effect.map(doctor({ DATA_DIR, ...env }), ({ findings }) => {
          const one = findings.find(({ check }) => check === name)
          return [one?.state, one?.found]
        })
      const wrong = {
        password: as((address) => Object.assign(address, { username: role, password: "wrong" })),
        database: as((address) => Object.assign(address, { pathname: "/nowhere" })),
        port: as((address) => Object.assign(address, { port: "1" })),
        host: as((address) => Object.assign(address, { hostname: "nowhere.invalid" }))
      }
      const says = {
        password: "refuses our password",
        database: "has no database of that name",
        port: "is not there: its host refuses the port",
        host: "has a host name that is not known"
      }
      for (const name of ["password", "database", "port", "host"] as const) {
        assert.deepStrictEqual(yield* found({ DATABASE_URL: wrong[name] }, "database"), ["fail", says[name]])
      }
      const DATABASE_URL = Redacted.value(url)
      assert.deepStrictEqual(yield* found({ DATABASE_URL, DATABASE_REPLICA_URL: wrong.password }, "replica"), [
        "warn",
        "refuses our password: reads go to the primary"
      ])
      assert.deepStrictEqual(yield* found({ DATABASE_URL, DATABASE_REPLICA_URL: DATABASE_URL }, "replica"), [
        "fail",
        "answers, and is no replica"
      ])
    })
  )

  it.live("names the required version of PostgreSQL, as a start does, before anything is changed", () =>
    Effect.gen(function* () {
      const { url, folder, on } = yield* deployment
      const inDatabase = <A>(run: (db: Sql) => Effect.Effect<A, unknown>) =>
        Effect.orDie(on(Effect.flatMap(Db, (db) => run(db))))
      // No server of another version is available here, but a function of ours can shadow the one that reports it.
      const name = new URL(Redacted.value(url)).pathname.slice(1)
      yield* inDatabase(
        (db) => db`delete from migration where migration_id = (select max(migration_id) from migration)`
      )
      yield* inDatabase(
        (db) => db`
          create function current_setting(name text) returns text language sql as $$
            select case name when 'server_version' then '17.6' when 'server_version_num' then '170006'
              else pg_catalog.current_setting(name) end $$`
      )
      yield* inDatabase((db) => db.unsafe(`alter database ${name} set search_path = public, pg_catalog`))
      const before = yield* inDatabase((db) => db`select * from migration`)
      const env = { DATABASE_URL: Redacted.value(url), DATA_DIR: path.join(folder, "data") }
      const { code, findings } = yield* doctor(env)
      assert.strictEqual(code, 1)
      assert.strictEqual(
        findings.find(({ check }) => check === "database")?.found,
        "the server is PostgreSQL 17.6, and this needs 18 or later"
      )
      const { code: started, err } = yield* ranHere({ PATH: process.env.PATH, ...env }, "serve")
      assert.deepStrictEqual(
        [started, err],
        [
          1,
          "civic-record: The database cannot be used: the server is PostgreSQL 17.6, and this needs 18 or later. Upgrade the server, or name another one in DATABASE_URL. Nothing was changed.\n"
        ]
      )
      assert.deepStrictEqual(yield* inDatabase((db) => db`select * from migration`), before)
    })
  )
})
