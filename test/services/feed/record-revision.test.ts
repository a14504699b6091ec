import { assert, it, layer } from "@effect/vitest"
import { Clock, Context, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Db, ReadDb } from "../../../layers/db/db.ts"
import { makePublicState, ReadsSince } from "../../../layers/db/public-state.ts"
import { RecordRevision } from "../../../src/services/feed/record-revision.ts"
import { databaseAt, freshDatabase } from "../../support/database.ts"

/** Tables of which no public response shows anything. */
const unseen = [
  "account_visit",
  ...["account", "agent_token", "calendar_address", "candidate", "completion_run", "discovered", "operator_session"],
  ...[
    "drill",
    "embedded_meeting",
    "embedding_cell",
    "email_change",
    "email_pref",
    "feed_event",
    "flow",
    "followed_body",
    "followed_place"
  ],
  ...["fetched_part", "function_file", "given_recording", "host_pace", "part_version"],
  ...[
    "identity",
    "lane",
    "made_part",
    "made_without",
    "mailed",
    "migration",
    "mistake_report",
    "model_usage",
    "neighbor_turn",
    "reader_token",
    "operator_action",
    "outgoing_mail"
  ],
  ...["pipeline_log", "recap_owed", "recap_ready", "record_revision", "recorded_share", "removed_media"],
  ...[
    "removed_user_clip",
    "saved_search",
    "search_change",
    "searched_documents",
    "search_segment",
    "session",
    "share_grant",
    "sign_in",
    "source"
  ],
  ...["reversal", "reversal_follower", "reversal_meeting", "reversal_source"],
  ...["source_body", "stage_piece", "stale_meeting", "task", "task_event", "user_clip_share", "user_clip_visit"],
  ...["visit_salt", "timeline", "withdrawn_line", "word_form", "worker"]
]

const addPlace = (db: Db["Service"], slug: string) =>
  db`insert into place (slug, name, kind, state, content_hash) values (${slug}, ${slug}, 'city', 'IL', '')`

/** How often the record was changed, by its revision. */
const countIn = (revision: string) => Number.parseInt(revision, 10)

const database = Layer.unwrap(Effect.map(freshDatabase, (url) => databaseAt(url)))

layer(Layer.provideMerge(RecordRevision.layer, database))("the record's revision", (it) => {
  const number = RecordRevision.use(({ current }) => Effect.map(current, countIn))

  it.effect("rises once per transaction, however much it changes, and not for one that is rolled back", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const before = yield* number
      yield* db.withTransaction(Effect.andThen(addPlace(db, "one"), addPlace(db, "two")))
      assert.strictEqual(yield* number, before + 1)
      yield* Effect.ignore(db.withTransaction(Effect.andThen(addPlace(db, "three"), Effect.fail("no"))))
      assert.strictEqual(yield* number, before + 1)
      const inside = Effect.ignore(db.withTransaction(Effect.andThen(addPlace(db, "four"), Effect.fail("no"))))
      yield* db.withTransaction(Effect.andThen(inside, addPlace(db, "five")))
      assert.strictEqual(yield* number, before + 2)
    })
  )

  it.effect("is known to the next query after a commit of this process", () =>
    Effect.gen(function* () {
      const db = yield* Db
      for (let round = 0; round < 20; round++) {
        const before = yield* number
        yield* addPlace(db, `round-${round}`)
        assert.strictEqual(yield* number, before + 1)
      }
    })
  )

  it.effect("blocks no writer while another has not committed, and counts both", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const before = yield* number
      const committed = yield* Deferred.make<void>()
      const written = yield* Deferred.make<void>()
      const slow = yield* Effect.forkChild(
        db.withTransaction(
          addPlace(db, "slow").pipe(
            Effect.andThen(Deferred.succeed(written, undefined)),
            Effect.andThen(Deferred.await(committed))
          )
        )
      )
      yield* Deferred.await(written)
      yield* addPlace(db, "quick")
      assert.strictEqual(yield* number, before + 1)
      yield* Deferred.succeed(committed, undefined)
      yield* Fiber.join(slow)
      assert.strictEqual(yield* number, before + 2)
    })
  )

  it.effect("rises with every table except those that nothing public shows", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const silent = yield* db<{ name: string }>`
        select c.relname as name from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not exists (
          select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'raises_revision')
        order by 1`
      assert.deepStrictEqual(
        silent.map(({ name }) => name),
        unseen.toSorted()
      )
    })
  )
})

it.effect(
  "the same state read from another database is another revision, since responses may have been computed from both",
  () =>
    Effect.gen(function* () {
      const here = yield* Layer.build(databaseAt(yield* freshDatabase))
      let switches = 0
      const { current } = yield* makePublicState(Context.get(here, ReadDb), () => ({ count: 1, switches }))
      const revision = Effect.map(current, (state) => state.revision)
      const before = yield* revision
      assert.strictEqual(yield* revision, before)
      switches++
      const after = yield* revision
      assert.notStrictEqual(after, before)
      assert.strictEqual(yield* revision, after)
    })
)

it.effect(
  "a commit of another process is in the revision a tenth of a second later, or as late as the caller says",
  () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const here = yield* Layer.build(Layer.provideMerge(RecordRevision.layer, databaseAt(url)))
      const elsewhere = yield* Layer.build(Layer.fresh(databaseAt(url)))
      const { current } = Context.get(here, RecordRevision)
      const before = countIn(yield* current)
      yield* addPlace(Context.get(elsewhere, Db), "elsewhere")
      assert.strictEqual(countIn(yield* current), before)
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(countIn(yield* current), before + 1)
      yield* addPlace(Context.get(elsewhere, Db), "later")
      const now = yield* Clock.currentTimeMillis
      assert.strictEqual(countIn(yield* Effect.provideService(current, ReadsSince, now)), before + 2)
    })
)
