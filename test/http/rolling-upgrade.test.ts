import * as fs from "node:fs"
import * as path from "node:path"
import { assert, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { HttpServer } from "effect/http"
import { Db } from "../../layers/db/db.ts"
import { migrate, SchemaFolder } from "../../layers/db/migrate.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { ask } from "../support/asked.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { databaseAt, freshDatabase } from "../support/database.ts"
import { eventually, scratch } from "../support/rendering.ts"
import { serviceOf, TestSetup } from "../support/service.ts"

/** What the next build adds: it expands what this one has. */
const next = `
alter table meeting add column later text check (later <> '');
alter table meeting add column later_count int not null default 0;
create table later (meeting_id uuid primary key references meeting on delete cascade, noted text);
create index meeting_later on meeting (later) where later is not null;
`
const nextFunction = "create or replace function later_of(id uuid) returns text language sql as 'select null::text';\n"

/** The folder of the next build's schema. */
const nextSchema = Effect.gen(function* () {
  const folder = yield* scratch
  fs.cpSync(path.join(import.meta.dirname, "../../layers/db"), folder, { recursive: true })
  fs.writeFileSync(path.join(folder, "migrations/9999_next.sql"), next)
  fs.appendFileSync(path.join(folder, "functions/held_meetings.sql"), `\n${nextFunction}`)
  return folder
})

it.live("a node serves beside one of the next build, whose migration runs under traffic, until that excludes it", () =>
  Effect.gen(function* () {
    const url = yield* freshDatabase
    const nodeOf = Effect.fnUntraced(function* (folder?: string) {
      const building = Layer.build(
        Layer.fresh(serviceOf(TestSetup, fakeIdentity, undefined, undefined, Layer.fresh(databaseAt(url))))
      )
      const node = yield* folder === undefined ? building : Effect.provideService(building, SchemaFolder, folder)
      const { address } = Context.get(node, HttpServer.HttpServer)
      return { db: Context.get(node, Db), base: `http://127.0.0.1:${"port" in address ? address.port : 0}` }
    })
    const folder = yield* nextSchema
    const [before, after] = [yield* nodeOf(), yield* nodeOf(folder)]
    const readiness = Effect.forEach([before, after], ({ base }) => ask(`${base}/health/ready`))
    const statuses = Effect.map(readiness, (answers) => answers.map(({ status }) => status))
    yield* Effect.provideService(putOnRecord(place("springfield"), agency("council", ["springfield"])), Db, before.db)
    assert.deepStrictEqual(yield* statuses, [200, 503])

    const written: Array<string> = []
    const answers: Array<number> = []
    /** A meeting is put on record through one node, and read from both. */
    const round = Effect.suspend(() => {
      const name = `meeting-${written.length}`
      const { db } = written.length % 2 === 0 ? before : after
      return Effect.gen(function* () {
        yield* Effect.provideService(putOnRecord(meeting(name, "council")), Db, db)
        written.push(name)
        for (const { base } of [before, after]) {
          const headers = { authorization: "Bearer whoever-wrote" }
          answers.push((yield* ask(`${base}/api/meetings/${meetingId(name)}`, { headers })).status)
          answers.push((yield* ask(`${base}/api/meetings/browse?q=${written.length}`)).status)
        }
      })
    })
    yield* Effect.repeat(round, { times: 1 })

    // A long transaction, as of a backup, that began before: the migration gives way to it, so that readers can go on.
    const [begun, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    yield* Effect.forkChild(
      before.db.withTransaction(
        before.db`select count(*) from meeting`.pipe(
          Effect.andThen(Deferred.succeed(begun, undefined)),
          Effect.andThen(Deferred.await(over))
        )
      )
    )
    yield* Deferred.await(begun)
    const migrating = yield* Effect.forkChild(
      migrate().pipe(Effect.provideService(SchemaFolder, folder), Effect.provideService(Db, after.db))
    )
    yield* eventually(
      Effect.map(before.db`select from pg_locks where not granted and mode = 'AccessExclusiveLock'`, ({ length }) =>
        length > 0 ? true : undefined
      )
    )
    yield* round
    yield* Deferred.succeed(over, undefined)
    while (migrating.pollUnsafe() === undefined) yield* round
    assert.deepStrictEqual(yield* Fiber.join(migrating), [[9999, "next"]])
    yield* Effect.repeat(round, { times: 1 })

    assert.deepStrictEqual(yield* statuses, [200, 200])
    assert.deepStrictEqual(new Set(answers), new Set([200]))
    for (const { base } of [before, after]) {
      assert.strictEqual((yield* ask(`${base}/api/meetings/browse?agency=council`)).json().total, written.length)
    }
    // An older node that starts leaves the newer one's functions alone.
    assert.deepStrictEqual(yield* Effect.provideService(migrate(), Db, before.db), [])
    assert.lengthOf(yield* after.db`select later_of(null)`, 1)

    yield* after.db`create or replace function oldest_build() returns int language sql immutable as 'select 9999'`
    const [old, current] = yield* readiness
    assert.deepStrictEqual([old?.status, current?.status], [503, 200])
    assert.include(old?.text, "builds before 9999")
    assert.strictEqual((yield* ask(`${before.base}/health`)).status, 200)
  })
)
