import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Db } from "../../../layers/db/db.ts"
import type { BundleBriefing } from "../../../schema/bundle.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { announceStale } from "../../../src/services/feed/stale-meetings.ts"
import { Settings } from "../../../src/services/settings/settings.ts"
import { agency, claimId, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"

const springfield = place("springfield", { county: "Sangamon County" })
const council = agency("council", ["springfield"], { name: "Town Council" })
const board = agency("board", ["springfield"], { name: "Water Board" })

/** The events that an effect writes, by name and meeting. */
const eventsOf = Effect.fnUntraced(function* <E, R>(effect: Effect.Effect<unknown, E, R>) {
  const db = yield* Db
  const [newest] = yield* db<{ id: number }>`select coalesce(max(id), 0)::int as id from feed_event`
  yield* effect
  const rows = yield* db<{ event: string; meeting_id: string; data: MeetingCard }>`
    select event, meeting_id, data from feed_event where id > ${newest?.id ?? 0} order by id`
  return {
    cards: rows.flatMap(({ event, data }) => (event === "meeting.updated" ? [data] : [])),
    names: rows.map(({ event, meeting_id }) => `${event} ${meeting_id}`).toSorted()
  }
})

const updated = (...names: ReadonlyArray<string>) =>
  names.map((name) => `meeting.updated ${meetingId(name)}`).toSorted()

/** Meetings that search finds by these words. */
const found = Effect.fnUntraced(function* (words: string) {
  const db = yield* Db
  const rows = yield* db<{ id: string }>`
    select meeting_id as id from meeting_search
    where document @@ plainto_tsquery('public.civic', ${words}) order by meeting_id`
  return rows.map(({ id }) => id)
})

layer(Layer.mergeAll(AgencyMerge.layer, Settings.layer).pipe(Layer.provideMerge(TestDb)))("a meeting changes", (it) => {
  it.effect("with the name of its body and of a place, and with nothing that its card does not show", () =>
    Effect.gen(function* () {
      yield* putOnRecord(springfield, council, board, meeting("a", "council"), meeting("b", "council"))
      yield* putOnRecord(meeting("c", "board", { status: "upcoming", date: "2027-01-01" }))
      const renamed = yield* eventsOf(putOnRecord({ ...council, name: "Village Trustees" }))
      assert.deepStrictEqual(renamed.names, updated("a", "b"))
      assert.deepStrictEqual(
        renamed.cards.map(({ body }) => body.name),
        ["Village Trustees", "Village Trustees"]
      )
      assert.deepStrictEqual(yield* found("trustees"), [meetingId("a"), meetingId("b")].toSorted())
      const moved = yield* eventsOf(putOnRecord({ ...springfield, county: "Menard County" }))
      assert.deepStrictEqual(moved.names, updated("a", "b", "c"))
      const unseen = yield* eventsOf(
        putOnRecord(
          { ...springfield, county: "Menard County", zips: ["62701"] },
          { ...council, name: "Village Trustees", website: "https://council.example.gov" }
        )
      )
      assert.deepStrictEqual(unseen.names, [])
      yield* putOnRecord(springfield, council)
    })
  )

  it.effect("with the claim check, if its briefing waits for that", () =>
    Effect.gen(function* () {
      const settings = yield* Settings
      const briefing = (name: string): BundleBriefing => ({
        type: "briefing",
        meeting_id: meetingId(name),
        headline: `Aqueduct ${name}`,
        worth_watching: [],
        topics: [],
        published_at: "2026-03-11T00:00:00Z"
      })
      const checked = {
        type: "claims" as const,
        meeting_id: meetingId("a"),
        claims: [
          {
            id: claimId("one"),
            topic: "Aqueduct",
            text: "It leaks.",
            evidence: [],
            verdict: "supported" as const,
            checked_at: "2026-03-11T00:00:00Z"
          }
        ]
      }
      const awaited = {
        type: "claims" as const,
        meeting_id: meetingId("b"),
        claims: [{ id: claimId("two"), topic: "Aqueduct", text: "It is dry.", evidence: [] }]
      }
      yield* putOnRecord(briefing("a"), checked, briefing("b"), awaited)
      assert.deepStrictEqual(yield* found("aqueduct"), [meetingId("a")])
      const off = yield* eventsOf(settings.set("pipeline.ClaimCheck", false))
      assert.deepStrictEqual(off.names, [`briefing.verified ${meetingId("b")}`, ...updated("b")])
      assert.strictEqual(off.cards[0]?.headline, "Aqueduct b")
      assert.strictEqual((yield* found("aqueduct")).length, 2)
      assert.deepStrictEqual((yield* eventsOf(settings.set("pipeline.ClaimCheck", false))).names, [])
      const on = yield* eventsOf(settings.set("pipeline.ClaimCheck", true))
      assert.deepStrictEqual(on.names, [`briefing.pending ${meetingId("b")}`, ...updated("b")])
      assert.notProperty(on.cards[0], "headline")
      assert.deepStrictEqual(yield* found("aqueduct"), [meetingId("a")])
    })
  )

  it.effect("in batches with the claim check, which another process finishes when the first is killed", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const settings = yield* Settings
      const waiting = db<{ count: number }>`select count(*)::int as count from stale_meeting`
      yield* putOnRecord(agency("many", ["springfield"]))
      yield* db`
        with made as (
          insert into meeting (id, body_id, title, date, timezone, status, updated_at, content_hash)
          select gen_random_uuid(), id, 'Regular', '2026-03-10', 'UTC', 'held', now(), ''
          from body, generate_series(1, 501) where slug = 'many' returning id
        ), told as (
          insert into briefing (meeting_id, written, published_at, content_hash)
          select id, '{"headline": "Weir", "worth_watching": [], "topics": []}', now(), '''' from made returning meeting_id
        ), listed as (insert into claims (meeting_id, content_hash) select meeting_id, '' from told returning meeting_id)
        insert into claim (id, meeting_id, position, topic, text, evidence)
        select gen_random_uuid(), meeting_id, 1, 'Weir', 'It holds.', '[]' from listed`
      // The second batch fails, as if the process had been killed between the two.
      yield* db`create sequence statements`
      yield* db`
        create function die_at_second() returns trigger language plpgsql as $$
        begin
          if nextval('statements') > 1 then raise exception 'killed'; end if;
          return null;
        end $$`
      yield* db`
        create trigger die_at_second after delete on stale_meeting
        for each statement execute function die_at_second()`
      assert.isTrue(Exit.isFailure(yield* Effect.exit(settings.set("pipeline.ClaimCheck", false))))
      assert.isFalse(yield* settings.get("pipeline.ClaimCheck"))
      // Meeting b waits too, and may be in either batch.
      assert.deepStrictEqual(yield* waiting, [{ count: 2 }])
      assert.isAtLeast((yield* found("weir")).length, 499)
      yield* db`drop trigger die_at_second on stale_meeting`
      yield* announceStale
      assert.strictEqual((yield* found("weir")).length, 501)
      assert.deepStrictEqual(yield* waiting, [{ count: 0 }])
      yield* settings.set("pipeline.ClaimCheck", true)
      assert.lengthOf(yield* found("weir"), 0)
    })
  )

  it.effect(
    "when its body is merged into another: each moved meeting is announced, dated and found under the new one",
    () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("1 hour")
        const merged = yield* eventsOf(AgencyMerge.use((service) => service.merge("council", "board")))
        assert.deepStrictEqual(merged.names, updated("a", "b"))
        for (const card of merged.cards) {
          assert.strictEqual(card.body.slug, "board")
          assert.strictEqual(card.updated_at, "1970-01-01T01:00:00.000Z")
        }
        assert.deepStrictEqual(yield* found("water board"), [meetingId("a"), meetingId("b")].toSorted())
        assert.deepStrictEqual(yield* found("town council"), [])
      })
  )
})
