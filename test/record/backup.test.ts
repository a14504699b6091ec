import * as fs from "node:fs"
import * as path from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { MeetingId } from "../../schema/primitives.ts"
import { backUp } from "../../src/record/backup/backup.ts"
import { inFolder } from "../../src/record/backup/place.ts"
import { posterKey } from "../../src/services/meetings/media-tier.ts"
import { meetingId, place, putOnRecord } from "../support/builders.ts"
import { killed, locked, restored, silently, twoDeployments } from "./backing-up.ts"
import { everything, exported } from "./importing.ts"

/** The parts of the schema that protect its data, besides the tables. */
const guards = Effect.flatMap(
  Db,
  (db) => db`
    select conrelid::regclass::text as "on", conname::text as name, pg_get_constraintdef(oid) as what from pg_constraint
    where connamespace = 'public'::regnamespace
    union all
    select tgrelid::regclass::text, tgname::text, tgenabled::text from pg_trigger where not tgisinternal
    union all
    select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    order by 1, 2, 3`
)

/** The same, with where its backup is to be. */
const withBackup = Effect.gen(function* () {
  const { here, there } = yield* twoDeployments
  const backup = path.join(here.folder, "backup")
  return { here, there, backup, write: here.on(backUp(inFolder(backup), silently)) }
})

const restoredFrom = (backup: string, replace = false) => restored(inFolder(backup), replace)

describe("a backup", () => {
  it.live("is the whole database and all media, and restores to the same state", () =>
    Effect.gen(function* () {
      const { here, there, backup, write } = yield* withBackup
      const { media } = yield* write
      assert.isAbove(media.objects, 6)
      const before = yield* here.on(everything)
      assert.isNotEmpty(before.session)
      yield* there.on(restoredFrom(backup))
      assert.deepStrictEqual(yield* there.on(everything), before)
      assert.deepStrictEqual(yield* there.on(exported), yield* here.on(exported))
      assert.deepStrictEqual(yield* there.on(guards), yield* here.on(guards))
      const files = fs.readdirSync(here.store, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
      for (const file of files) {
        const name = path.relative(here.store, path.join(file.parentPath, file.name))
        assert.deepStrictEqual(
          fs.readFileSync(path.join(there.store, name)),
          fs.readFileSync(path.join(here.store, name))
        )
      }
      // Sequences continue from their values.
      yield* there.on(putOnRecord(place("elsewhere")))
    })
  )

  it.live("may be read by its owner alone", () =>
    Effect.gen(function* () {
      const { backup, write } = yield* withBackup
      yield* write
      for (const name of ["", ...fs.readdirSync(backup, { recursive: true }).map(String)]) {
        assert.strictEqual(fs.statSync(path.join(backup, name)).mode & 0o077, 0, name)
      }
    })
  )

  it.live("names media that were missing from the store, and has the rest", () =>
    Effect.gen(function* () {
      const { here, write } = yield* withBackup
      const poster = posterKey(meetingId("full"))
      yield* here.on(ObjectStore.use((store) => store.delete(poster)))
      const { missing_media } = yield* write
      assert.deepStrictEqual(missing_media, [poster])
    })
  )
})

describe("restoring", () => {
  it.live("leaves a database that contains anything alone, unless told to replace it", () =>
    Effect.gen(function* () {
      const { here, there, backup, write } = yield* withBackup
      yield* write
      yield* there.on(putOnRecord(place("elsewhere")))
      const before = yield* there.on(everything)
      const refused = yield* Effect.flip(there.on(restoredFrom(backup)))
      assert.match(refused.message, /not empty.*--replace/)
      assert.deepStrictEqual(yield* there.on(everything), before)
      yield* there.on(restoredFrom(backup, true))
      assert.deepStrictEqual(yield* there.on(everything), yield* here.on(everything))
    })
  )

  it.live("changes nothing if a file of the backup has been altered", () =>
    Effect.gen(function* () {
      const { there, backup, write } = yield* withBackup
      yield* write
      const before = yield* there.on(everything)
      const poster = path.join(backup, "media", posterKey(meetingId("full")))
      fs.writeFileSync(poster, "something else")
      const refused = yield* Effect.flip(there.on(restoredFrom(backup)))
      assert.match(refused.message, /poster\.jpg is not what was backed up: nothing was restored/)
      assert.deepStrictEqual(yield* there.on(everything), before)
    })
  )

  it.live("keeps the database unchanged if the rows do not fit together", () =>
    Effect.gen(function* () {
      const { here, there, backup } = yield* withBackup
      // A row whose meeting is missing, as in a damaged database.
      yield* here.on(
        Effect.flatMap(Db, (db) =>
          Effect.gen(function* () {
            yield* db`alter table chapter drop constraint chapter_meeting_id_fkey`
            yield* db`insert into chapter (meeting_id, position, title, start, "end")
              values (${MeetingId.make("00000000-0000-4000-8000-000000000000")}, 0, 'Lost', 0, 1)`
          })
        )
      )
      yield* here.on(backUp(inFolder(backup), silently))
      yield* there.on(putOnRecord(place("elsewhere")))
      const before = yield* there.on(everything)
      yield* Effect.flip(there.on(restoredFrom(backup, true)))
      assert.deepStrictEqual(yield* there.on(everything), before)
    })
  )

  it.live("refuses a database that a service or a worker uses, and names it", () =>
    Effect.gen(function* () {
      const { there, backup, write } = yield* withBackup
      yield* write
      const refused = yield* Effect.flip(
        locked(there.url, "access share", there.on(restoredFrom(backup)), "civic-record 7@hall")
      )
      assert.match(refused instanceof Error ? refused.message : "", /in use by civic-record 7@hall\. Stop the service/)
    })
  )

  it.live("refuses the backup of a newer build, one from before the baseline, and anything else", () =>
    Effect.gen(function* () {
      const { there, backup, write } = yield* withBackup
      yield* write
      const file = path.join(backup, "manifest.json")
      const written = fs.readFileSync(file, "utf8")
      for (const [migration, refusal] of [
        [9999, /newer build/],
        [43, /older build, at migration 43.*Restore it with that build, and start this one on its database/]
      ] as const) {
        fs.writeFileSync(file, written.replace(/"migration": \d+/, `"migration": ${migration}`))
        assert.match((yield* Effect.flip(there.on(restoredFrom(backup)))).message, refusal)
      }
      assert.match((yield* Effect.flip(there.on(restoredFrom(there.folder)))).message, /is not a backup/)
    })
  )
})

/** In milliseconds: every kill needs a process that has started. */
const patience = 180_000

describe("killed in the middle", () => {
  it.live("a backup leaves only a folder marked as partial, and the next one replaces it", () =>
    Effect.gen(function* () {
      const { here, there, backup, write } = yield* withBackup
      const reached = Effect.sync(() => fs.existsSync(path.join(`${backup}.partial`, "database", "lane.ndjson.gz")))
      yield* locked(here.url, "access exclusive", killed(here.url, here.folder, ["backup", backup], reached))
      assert.isFalse(fs.existsSync(backup))
      assert.match((yield* Effect.flip(there.on(restoredFrom(`${backup}.partial`)))).message, /was interrupted/)
      yield* write
      assert.isFalse(fs.existsSync(`${backup}.partial`))
      yield* there.on(restoredFrom(backup))
      assert.deepStrictEqual(yield* there.on(everything), yield* here.on(everything))
    })
  )

  it.live(
    "a restore leaves the database as it was, and can be run again",
    () =>
      Effect.gen(function* () {
        const { here, there, backup, write } = yield* withBackup
        yield* write
        yield* there.on(putOnRecord(place("elsewhere")))
        const before = yield* there.on(everything)
        // Under another name than the service, because a restore refuses to run beside the service's connections.
        const watcher = yield* PgClient.make({ url: there.url, applicationName: "another program", maxConnections: 1 })
        const blocked = watcher<{ there: boolean }>`
          select exists (select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()) as there`.pipe(
          Effect.map(([found]) => found?.there === true),
          Effect.orDie
        )
        yield* locked(
          there.url,
          "access share",
          killed(there.url, there.folder, ["restore", backup, "--replace"], blocked)
        )
        assert.deepStrictEqual(yield* there.on(everything), before)
        yield* there.on(restoredFrom(backup, true))
        assert.deepStrictEqual(yield* there.on(everything), yield* here.on(everything))
      }).pipe(Effect.provide(Reactivity.layer)),
    patience
  )
})
