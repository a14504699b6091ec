import { globSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { assert, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { Feed } from "../../src/services/feed/feed.ts"
import { recordFeed } from "../../src/services/feed/record.ts"
import { putOutgoing } from "../../src/services/mail/outgoing.ts"
import { Costs } from "../../src/services/making/costs.ts"
import { MeetingMaterials } from "../../src/services/making/meeting-materials.ts"
import { DrillRecord } from "../../src/services/operators/drill-record.ts"
import { Issues } from "../../src/services/operators/issues.ts"
import { MeetingList } from "../../src/services/operators/meeting-list.ts"
import { Observations } from "../../src/services/operators/observations.ts"
import { Retention } from "../../src/services/operators/retention.ts"
import { Settings } from "../../src/services/settings/settings.ts"
import { Discoveries } from "../../src/services/sources/discoveries.ts"
import { reader } from "../support/actors.ts"
import { at } from "../support/at.ts"
import { agency, claimId, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { TestDb } from "../support/database.ts"
import { source } from "../support/operators.ts"
import { TestSetup } from "../support/service.ts"
import { textsOf } from "../support/texts.ts"

const store = Layer.mock(ObjectStore)({ head: () => Effect.succeed(Option.none()) })

const Services = Layer.mergeAll(
  Costs.layer,
  Discoveries.layer,
  DrillRecord.layer,
  Feed.layer,
  Issues.layer.pipe(Layer.provide(store)),
  MeetingList.layer,
  MeetingMaterials.layer,
  Observations.layer,
  Retention.layer,
  Sessions.layer
).pipe(Layer.provideMerge(Settings.layer), Layer.provideMerge(TestSetup), Layer.provideMerge(TestDb))

/** Far from the database's own time, which may decide nothing here. */
const now = "2039-06-05T12:00:00Z"
const ago = (minutes: number) => DateTime.formatIso(DateTime.subtract(DateTime.makeUnsafe(now), { minutes }))
const day = 24 * 60

layer(Services, { excludeTestServices: true })("by Effect's clock", (it) => {
  it.effect("a meeting whose day is past is published as held", () =>
    Effect.gen(function* () {
      yield* putOnRecord(
        place("springfield"),
        agency("council", ["springfield"]),
        meeting("past", "council", { date: "2039-06-04", status: "upcoming" }),
        meeting("next", "council", { date: "2039-06-06", status: "upcoming" })
      )
      const { publish } = yield* MeetingMaterials
      assert.isTrue(yield* publish(meetingId("past")))
      assert.isFalse(yield* publish(meetingId("next")))
    }).pipe(at(now))
  )

  it.effect("a meeting that a source lists is put on record, is upcoming, and then held", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const discoveries = yield* Discoveries
      const from = yield* source("springfield")
      const [of] = yield* db<{ id: number }>`select place_id as id from source where id = ${from}`
      yield* db`
        insert into source_body (source_id, source_body, body_id) select ${from}, 'Council', id from body where slug = 'council'`
      const listed = (name: string, date: string) => ({
        ...{ id: meetingId(name), external_id: name, source_body: "Council", title: "Listed", date },
        ...{ timezone: "America/Chicago", is_cancelled: false }
      })
      yield* db.withTransaction(
        discoveries.note(
          { id: from, place: { id: of?.id ?? 0 } },
          { meetings: [listed("was", "2039-05-20"), listed("will be", "2039-06-20"), listed("far", "2039-09-01")] }
        )
      )
      const statuses = db`select title, status, updated_at from meeting where title = 'Listed' order by date`
      const updated_at = new Date(now)
      assert.deepStrictEqual(yield* statuses, [
        { title: "Listed", status: "held", updated_at },
        { title: "Listed", status: "upcoming", updated_at }
      ])
      assert.strictEqual(yield* discoveries.upcoming(from), 1)
      const standing = yield* discoveries.standing(meetingId("will be"))
      assert.strictEqual(standing?.seconds_to_come, (Date.parse("2039-06-21T05:00:00Z") - Date.parse(now)) / 1000)
      assert.strictEqual(standing?.days_past, -15)
      yield* discoveries.held(meetingId("will be"))
      assert.strictEqual((yield* discoveries.standing(meetingId("will be")))?.status, "upcoming")
      const later = at("2039-06-21T06:00:00Z")
      assert.strictEqual(yield* later(discoveries.upcoming(from)), 0)
      yield* later(discoveries.held(meetingId("will be")))
      assert.strictEqual((yield* discoveries.standing(meetingId("will be")))?.status, "held")
    }).pipe(at(now))
  )

  it.effect("operators list past meetings", () =>
    Effect.gen(function* () {
      const titled = { title: "Of the list" }
      yield* putOnRecord(
        meeting("list past", "council", { ...titled, date: "2039-06-04" }),
        meeting("list next", "council", { ...titled, date: "2039-06-06" })
      )
      const { list } = yield* MeetingList
      const found = yield* list({ q: titled.title, past: true, include_bare: true })
      assert.deepStrictEqual(
        found.meetings.map((row) => row.meeting.id),
        [meetingId("list past")]
      )
    }).pipe(at(now))
  )

  it.effect("calls of models, mails and events have an age", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* Effect.forEach(
        [1000, 100, 2, 0.5],
        (age) =>
          db`insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms, cost)
          values (${ago(age * day)}, 'a-model', 'briefing', 'rate_limited', 1, 1, 1, 1)`
      )
      const costs = yield* Costs.use(({ costs }) => costs("model"))
      assert.strictEqual(costs.total.calls, 2)
      assert.strictEqual(costs.since, ago(90 * day))
      yield* Retention.use(({ prune }) => prune)
      assert.lengthOf(yield* db`select from model_usage`, 3)
      const { accountId } = yield* reader()
      yield* at(ago(day))(putOutgoing(db, [{ accountId, content: { list: "recaps", meetings: [] } }]))
      const readings = yield* Observations.use(({ read }) => read)
      const seen = new Map(readings.map(({ name, value }) => [name, value]))
      assert.strictEqual(seen.get("civic_record_model_calls_last_day"), 1)
      assert.strictEqual(seen.get("civic_record_mail_overdue_seconds"), 86_400)
      const feed = yield* Feed
      // Inside the transaction, so that the feed cannot pass the event on before its age is read.
      const lag = yield* recordFeed(db, [{ event: "video.ready", data: { meeting_id: meetingId("past") } }]).pipe(
        Effect.andThen(at(ago(-60))(feed.lag)),
        db.withTransaction
      )
      assert.strictEqual(lag, 3600)
    }).pipe(at(now))
  )

  it.effect("issues are noticed", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const kinds = Issues.use(({ issues }) =>
        Effect.map(issues, ({ issues }) => issues.map(({ kind, since }) => ({ kind, since })))
      )
      const ofKind = (wanted: string) => Effect.map(kinds, (found) => found.filter(({ kind }) => kind === wanted))
      yield* db`delete from model_usage`
      const call = (at: string) =>
        db`insert into model_usage (at, model, purpose, outcome, input_tokens, output_tokens, duration_ms)
          values (${at}, 'a-model', 'briefing', 'rate_limited', 1, 1, 1)`
      yield* call(ago(90))
      yield* call(ago(1))
      assert.deepStrictEqual(yield* ofKind("model_busy"), [{ kind: "model_busy", since: ago(90) }])
      yield* putOnRecord(
        {
          ...{ type: "briefing", meeting_id: meetingId("past"), headline: "In brief", worth_watching: [] },
          ...{ topics: [], published_at: ago(3 * day) }
        },
        {
          ...{ type: "claims", meeting_id: meetingId("past") },
          claims: [{ id: claimId("claim"), topic: "x", text: "x", evidence: [] }]
        }
      )
      assert.lengthOf(yield* ofKind("briefing_pending"), 1)
      assert.lengthOf(yield* at(ago(3 * day))(ofKind("briefing_pending")), 0)
    }).pipe(at(now))
  )
})

/**
 * Files whose statements may read the database's clock: for times that processes compare with each other, and to
 * monitor those.
 */
const databaseTime = [
  ...["flows", "pipeline-log", "task-view", "tasks", "work", "workers"].map((name) => `queue/${name}`),
  ...[
    "candidates",
    "channel-recordings",
    "crawls",
    "discovered-meetings",
    "fetched-parts",
    "host-pace",
    "source-changes"
  ].map((name) => `sources/${name}`),
  ...["site-permissions", "sources", "twins"].map((name) => `sources/${name}`),
  ...["agent-tokens", "drill-record", "drills", "retention", "runs/completion"].map((name) => `operators/${name}`),
  ...["database-checkup", "issues-sql", "observations"].map((name) => `operators/${name}`),
  ...["making/made-again", "making/received-recordings", "search/changes", "search/corrections/neighbors"],
  ...["found/listing", "meaning/embeddings"].map((name) => `search/${name}`),
  "settings/settings"
]
  .map((name) => `src/services/${name}.ts`)
  .concat(["claim_tasks", "timeline"].map((name) => `layers/db/functions/${name}.sql`))

it("the database's clock is read by the files that compare times among processes, and by no others", () => {
  const root = path.join(import.meta.dirname, "../..")
  const clock =
    /\b(now|(clock|statement|transaction)_timestamp)\s*\(\s*\)|\b(current_(date|time|timestamp)|localtime)\b/i
  const asks = (file: string) => {
    const code = readFileSync(path.join(root, file), "utf8")
    return clock.test(code) && (file.endsWith(".sql") || textsOf(file, code).some((text) => clock.test(text)))
  }
  const files = globSync(["{src,layers}/**/*.ts", "layers/db/functions/*.sql"], { cwd: root })
  assert.deepStrictEqual(files.filter(asks).toSorted(), databaseTime.toSorted())
})
