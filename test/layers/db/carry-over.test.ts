import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { migrate, migrationsOf, schemaFit, shippedMigrations } from "../../../layers/db/migrate.ts"
import {
  type ServedBriefing,
  servedBriefing,
  type Verdicts,
  type WrittenBriefing
} from "../../../src/text/served-briefing.ts"
import { deployment } from "../../record/importing.ts"
import { reader } from "../../support/actors.ts"
import { meetingId, meeting as meetingOf, putOnRecord } from "../../support/builders.ts"
import { call } from "../../support/call.ts"
import { catalog } from "../../support/catalog.ts"
import { databaseAt, freshDatabase, TestDb } from "../../support/database.ts"
import { ranHere } from "../../support/program.ts"
import { serviceOf, TestSetup } from "../../support/service.ts"
import { fakeIdentity } from "../fake-identity.ts"

const schema = fs.readFileSync(path.join(import.meta.dirname, "../../support/schema-43.sql"), "utf8")
const meeting = "11111111-0000-4000-8000-000000000001"

/** Makes the database like one that the last build before the baseline left, with a few rows. */
const leave = Effect.gen(function* () {
  const db = yield* Db
  yield* db`drop schema public cascade`
  yield* db`create schema public`
  yield* db.unsafe(`do $run$ begin execute $schema$${schema}$schema$; end $run$`)
})

describe("a database of the builds before the baseline", () => {
  it.effect("is carried over to the schema of a new one, once", () =>
    Effect.gen(function* () {
      const made = yield* catalog
      assert.isAbove(made.length, 1000)
      yield* leave
      const before = yield* migrationsOf(yield* Db)
      assert.notDeepEqual(yield* catalog, made)
      // Migrations after the baseline follow.
      const run = (yield* migrate()).map(([id]) => id)
      assert.deepStrictEqual(
        run,
        shippedMigrations().filter((id) => id > 110)
      )
      assert.deepStrictEqual(yield* catalog, made)
      assert.deepStrictEqual(yield* migrationsOf(yield* Db), [...before, ...shippedMigrations()])
      assert.strictEqual((yield* schemaFit).fit, "serves")
      assert.deepStrictEqual(yield* migrate(), [])
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("serves the same briefings as before, and again has the headline that a check overwrote", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* leave
      const id = (at: number) => `00000000-0000-4000-8000-00000000000${at}`
      const claim = (meeting: number, at: number) => `00000000-0000-4000-8000-0000000000${meeting}${at}`
      const cites = [{ start: 0, end: 5 }]
      const said = (text: string, claim?: string) => ({
        text,
        citations: cites,
        ...(claim === undefined ? {} : { claim })
      })
      const briefing = Effect.fnUntraced(function* (
        at: number,
        headline: string,
        topics: ReadonlyArray<ReadonlyArray<object>>,
        verdicts: ReadonlyArray<readonly [topic: string, text: string, verdict: string | null]>,
        checkedBy: string | null = null
      ) {
        yield* db`
          insert into meeting (id, body_id, title, date, timezone, status, updated_at, content_hash)
          select ${id(at)}::uuid, id, 'Regular', '2026-03-10', 'UTC', 'held', now(), '' from body`
        const content = {
          worth_watching: [{ text: "Watch", start: 0 }],
          topics: topics.map((sentences, turn) => ({ title: `Topic ${turn}`, sentences, figures: [] }))
        }
        yield* db`
          insert into briefing (meeting_id, headline, content, published_at, content_hash)
          values (${id(at)}, ${headline}, ${JSON.stringify(content)}::jsonb, now(), '')`
        if (verdicts.length === 0) return
        yield* db`insert into claims (meeting_id, content_hash, checked_by) values (${id(at)}, '', ${checkedBy})`
        for (const [position, [topic, text, verdict]] of verdicts.entries()) {
          yield* db`
            insert into claim (id, meeting_id, position, topic, text, verdict, evidence, checked_at)
            values (${claim(at, position + 1)}, ${id(at)}, ${position + 1}, ${topic}, ${text}, ${verdict}, '[]',
              case when ${verdict}::text is not null then now() end)`
        }
      })
      const checked = [said("It passed.", claim(1, 1)), said("It burned.", claim(1, 2))]
      yield* briefing(
        1,
        "It passed.",
        [checked, [said("It rained.", claim(1, 3))]],
        [
          ["Topic 0", "It passed.", "supported"],
          ["Topic 0", "It burned.", "unsupported"],
          ["Topic 1", "It rained.", "contradicted"],
          ["Headline", "A great day", "unsupported"],
          ["Worth watching", "Watch", "supported"]
        ],
        "rules-2"
      )
      yield* briefing(2, "Pending", [[said("It waits.", claim(2, 1))]], [["Headline", "It waits.", null]])
      yield* briefing(3, "Unchecked", [[said("Nobody knows.", claim(3, 1))], []], [])
      yield* briefing(
        4,
        "Partly",
        [[said("Unknown.", claim(4, 9)), said("Known.", claim(4, 1))]],
        [["", "", "supported"]]
      )
      yield* migrate()
      const rows = yield* db<{
        written: WrittenBriefing
        served: ServedBriefing | null
        follows_setting: boolean
        headline: string | null
        verdicts: Verdicts
      }>`
        select written, served, follows_setting, headline, coalesce((select json_object_agg(c.id, c.verdict) from claim c
          where c.meeting_id = b.meeting_id), '{}') as verdicts from briefing b order by meeting_id`
      for (const { written, served, follows_setting, headline, verdicts } of rows) {
        assert.deepStrictEqual(
          served ?? undefined,
          servedBriefing(written, verdicts, { isChecked: true, servesUnchecked: false })
        )
        assert.strictEqual(headline, served?.headline ?? null)
        const otherwise = JSON.stringify(
          servedBriefing(written, verdicts, { isChecked: false, servesUnchecked: false })
        )
        assert.strictEqual(
          follows_setting,
          otherwise !== JSON.stringify(servedBriefing(written, verdicts, { isChecked: true, servesUnchecked: false }))
        )
      }
      assert.deepStrictEqual(
        rows.map(({ written, headline, follows_setting }) => [written.headline, headline, follows_setting]),
        [
          ["A great day", "It passed.", false],
          ["Pending", null, true],
          ["Unchecked", "Unchecked", false],
          ["Partly", "Partly", true],
          ["Greenway approved", "Greenway approved", false]
        ]
      )
      assert.lengthOf(yield* db`select from published_briefing`, 4)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("stays as it is if the carry-over fails", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* leave
      yield* db`create table function_file (mine int)`
      const before = yield* catalog
      const { message } = yield* Effect.flip(migrate())
      assert.strictEqual(message, 'layers/db/carry-over.sql failed: relation "function_file" already exists')
      assert.deepStrictEqual(yield* catalog, before)
      assert.strictEqual((yield* migrationsOf(db)).at(-1), 43)
    }).pipe(Effect.provide(TestDb))
  )

  it.effect("is refused in one line that says what to do, if it is another one", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* leave
      const refused = Effect.fnUntraced(function* (is: string, at: number) {
        const before = yield* catalog
        const { message } = yield* Effect.flip(migrate())
        assert.include(message, `at migration ${at} of another build`, is)
        assert.match(message, /civic-record export/, is)
        assert.notInclude(message, "\n", is)
        assert.deepStrictEqual(yield* catalog, before, is)
      })
      yield* db`insert into migration (migration_id, name) values (44, 'x')`
      yield* refused("unknown", 44)
      yield* db`delete from migration where migration_id in (44, 12)`
      yield* refused("short of a migration", 43)
      yield* db`insert into migration (migration_id, name) values (12, 'x')`
      yield* db`delete from migration where migration_id = 43`
      yield* refused("older than the last", 42)
    }).pipe(Effect.provide(TestDb))
  )

  it.live("is reported by the doctor, which changes nothing", () =>
    Effect.gen(function* () {
      const { on, env } = yield* deployment
      const migrations = Effect.map(ranHere(env, "doctor"), ({ code, out }) => [
        code,
        out.split("\n").flatMap((line) => (line.includes("  migrations  ") ? [line.trim()] : []))
      ])
      yield* on(leave)
      assert.deepStrictEqual(yield* migrations, [
        0,
        ["warn  migrations    the schema is of an older build (43) and can be carried over"]
      ])
      yield* on(Effect.flatMap(Db, (db) => db`delete from migration where migration_id = 43`))
      assert.deepStrictEqual(yield* migrations, [
        1,
        ["fail  migrations    the database is at migration 42 of another build, and only one at 43 can be carried over"]
      ])
    })
  )
})

const CarriedOver = Layer.unwrap(
  Effect.gen(function* () {
    const database = databaseAt(yield* freshDatabase)
    yield* Effect.andThen(leave, migrate()).pipe(Effect.provide(database), Effect.orDie)
    return database
  })
)

layer(serviceOf(TestSetup, fakeIdentity, undefined, undefined, CarriedOver), { excludeTestServices: true })(
  "the record of a database that was carried over",
  (it) => {
    const found = (query: string) =>
      Effect.map(call("GET", `/api/meetings/browse?${query}`), ({ json }) =>
        (json().meetings as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
      )

    it.effect("is browsed, and searched by what was said, who said it and what was decided", () =>
      Effect.gen(function* () {
        for (const query of ["", "q=creek", "q=24-117", "q=speaker:byron", "q=greenwya", "place=springfield"]) {
          assert.deepStrictEqual(yield* found(query), [meeting], query)
        }
      })
    )

    it.effect("is shown to readers, who have their accounts", () =>
      Effect.gen(function* () {
        const { credentials } = yield* reader("ada@example.org")
        const get = (part: string) => call("GET", `/api/meetings/${meeting}${part}`, credentials)
        const card = (yield* get("")).json()
        assert.strictEqual((yield* call("GET", String(card.path), credentials)).status, 200)
        assert.include((yield* get("/transcript?format=vtt")).text, "Five ayes and two nays.")
        assert.deepInclude((yield* get("/newsletter")).json(), { headline: "Greenway approved", removed_sentences: 1 })
        assert.strictEqual((yield* get("/recap")).json().summary, "Approved.")
        assert.lengthOf((yield* get("/clips")).json().clips as ReadonlyArray<unknown>, 1)
        const searches = (yield* call("GET", "/api/me/saved-searches", credentials)).json()
        assert.lengthOf(searches.saved_searches as ReadonlyArray<unknown>, 1)
      })
    )

    it.effect("is indexed, counted and announced when it changes", () =>
      Effect.gen(function* () {
        yield* putOnRecord(meetingOf("next", "council", { title: "Hearing on the ferry" }))
        assert.deepStrictEqual(yield* found("q=ferry"), [meetingId("next")])
        assert.strictEqual((yield* call("GET", "/api/agencies/council")).json().meetings_held, 2)
      })
    )
  }
)
