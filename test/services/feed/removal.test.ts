import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import { Db } from "../../../layers/db/db.ts"
import type { MeetingCard } from "../../../schema/meeting.ts"
import { anonymous } from "../../../schema/viewer.ts"
import { explain } from "../../../src/failures/failures.ts"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { AgencyRemoval } from "../../../src/services/directory/agency-removal.ts"
import { Feed } from "../../../src/services/feed/feed.ts"
import { MeetingRemoval } from "../../../src/services/feed/meeting-removal.ts"
import { posterKey } from "../../../src/services/meetings/media-tier.ts"
import { Meetings } from "../../../src/services/meetings/meetings.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { agency, meeting, meetingId, place, putMedia, putOnRecord, said, transcript } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

const Services = Layer.mergeAll(
  AgencyMerge.layer,
  AgencyRemoval.layer,
  MeetingRemoval.layer,
  Meetings.layer,
  Browse.layer.pipe(Layer.provide(SearchIndex.none)),
  Feed.layer
).pipe(Layer.provideMerge(TestDb), Layer.provide(TestEnvironment))

const directory = [place("springfield"), agency("council", ["springfield"]), agency("board", ["springfield"])]
const [a, b] = [meetingId("a"), meetingId("b")]

const remove = (ref: string, reason?: string) => MeetingRemoval.use((removal) => removal.remove(ref, reason))

/** Every event on record about a meeting. */
const eventsAbout = Effect.fnUntraced(function* (id: string) {
  const db = yield* Db
  const rows = yield* db<{ event: string }>`select event from feed_event where meeting_id = ${id} order by id`
  return rows.map(({ event }) => event)
})

const tombstones = Effect.flatMap(
  Db,
  (db) =>
    db<{ id: string; slug: string; reason: string | null }>`select id, slug, reason from removed_meeting order by id`
)

const found = Effect.fnUntraced(function* (q: string) {
  const { meetings } = yield* Browse.use((browse) => browse.search({ q }))
  return meetings.map(({ id }) => id)
})

describe("a meeting that is removed", () => {
  it.effect("is announced once and leaves a tombstone, and nothing of its words", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(...directory, meeting("a", "council", { title: "Confidential" }), meeting("b", "council"))
      yield* putOnRecord(transcript("a", said(["the aqueduct leaks"])))
      yield* putMedia({ key: posterKey(a), role: "poster" })
      const removed = yield* remove(a.slice(0, 8), "Published by mistake.")
      const slug = `${a.slice(0, 8)}-council-2026-03-10`
      assert.deepStrictEqual(removed, { id: a, slug })
      assert.deepStrictEqual(yield* eventsAbout(a), ["meeting.removed"])
      assert.deepStrictEqual(yield* eventsAbout(b), ["meeting.published"])
      assert.deepStrictEqual(yield* tombstones, [{ id: a, slug, reason: "Published by mistake." }])
      assert.deepStrictEqual(yield* db`select key from removed_media`, [{ key: posterKey(a) }])
      assert.deepStrictEqual(yield* found("aqueduct"), [])
      const left = yield* db`select row_to_json(t)::text as row from (table feed_event) t
        union all select row_to_json(t)::text from (table removed_meeting) t`
      assert.notMatch(JSON.stringify(left), /Confidential|aqueduct/)

      const again = yield* Effect.flip(remove(a, "Again."))
      assert.deepInclude(again, { _tag: "Removed", ref: a, reason: "Published by mistake." })
      assert.strictEqual((yield* Effect.flip(remove(meetingId("nobody"))))._tag, "NotFound")
      assert.deepStrictEqual(yield* eventsAbout(a), ["meeting.removed"])
    }).pipe(Effect.provide(Services))
  )

  it.effect("may hide its reason", () =>
    Effect.gen(function* () {
      yield* putOnRecord(...directory, meeting("a", "council"))
      yield* remove(a)
      assert.strictEqual((yield* tombstones)[0]?.reason, null)
      const gone = yield* Meetings.use((meetings) => Effect.flip(meetings.resolve(a)))
      assert.isTrue(gone._tag === "Removed" && gone.reason === undefined)
    }).pipe(Effect.provide(Services))
  )

  it.effect("is on record again once it is imported again, published or canceled", () =>
    Effect.gen(function* () {
      for (const status of ["held", "cancelled"] as const) {
        const again = meeting("a", "council", { status })
        yield* putOnRecord(...directory, again)
        const before = yield* Meetings.use((meetings) => meetings.open(a, anonymous))
        yield* remove(a, "Published by mistake.")
        yield* putOnRecord(again)
        assert.deepStrictEqual(yield* tombstones, [], status)
        const after = yield* Meetings.use((meetings) => meetings.open(a, anonymous))
        assert.strictEqual(after.slug, before.slug)
        assert.deepStrictEqual(yield* eventsAbout(a), ["meeting.removed", "meeting.published"], status)
        yield* remove(a)
      }
    }).pipe(Effect.provide(Services))
  )

  it.effect("keeps its short id, so that its addresses never open another meeting", () =>
    Effect.gen(function* () {
      const twin = {
        ...meeting("twin", "council"),
        id: meetingId("a").replace(/.$/, (last) => (last === "0" ? "1" : "0"))
      }
      yield* putOnRecord(...directory, meeting("a", "council"))
      yield* remove(a)
      yield* putOnRecord({ ...twin, id: twin.id as typeof a })
      const db = yield* Db
      assert.deepStrictEqual(yield* db`select short_id from meeting`, [{ short_id: a.replace("-", "").slice(0, 9) }])
      const gone = yield* Meetings.use((meetings) => Effect.flip(meetings.resolve(`${a.slice(0, 8)}-council`)))
      assert.strictEqual(gone._tag, "Removed")
    }).pipe(Effect.provide(Services))
  )
})

describe("a transcript that is removed", () => {
  it.effect("is no longer found, and its meeting changed", () =>
    Effect.gen(function* () {
      const removal = yield* MeetingRemoval
      yield* putOnRecord(...directory, meeting("a", "council"), transcript("a", said(["the aqueduct leaks"])))
      yield* putOnRecord(transcript("a", said(["the aquaduct leaks"]), { version: "raw" }))
      assert.deepStrictEqual(yield* found("leaks"), [a])
      assert.strictEqual(yield* removal.removeTranscript(a, undefined), a)
      assert.deepStrictEqual(yield* found("leaks"), [])
      assert.strictEqual((yield* eventsAbout(a)).at(-1), "meeting.updated")
      const open = yield* Meetings.use((meetings) => meetings.open(a, anonymous))
      assert.isFalse(open.has.transcript)
      const missing = yield* Effect.flip(removal.removeTranscript(a, undefined))
      assert.strictEqual(explain(missing), `The meeting ${a} has no transcript on record.`)
    }).pipe(Effect.provide(Services))
  )
})

describe("a body that is removed", () => {
  it.effect("removes its meetings too, and no other body's", () =>
    Effect.gen(function* () {
      const removal = yield* AgencyRemoval
      const db = yield* Db
      yield* putOnRecord(...directory, agency("old", ["springfield"]))
      yield* putOnRecord(meeting("a", "council"), meeting("b", "council"), meeting("c", "board"))
      yield* AgencyMerge.use((service) => service.merge("old", "council"))
      for (const slug of ["nobody", "old"]) {
        assert.strictEqual(
          explain(yield* Effect.flip(removal.remove(slug, "No."))),
          `There is no agency ${slug} on record.`
        )
      }
      assert.deepStrictEqual(yield* removal.remove("council", "It was never a public body."), { meetings: 2 })
      assert.deepStrictEqual(yield* db`select slug from body`, [{ slug: "board" }])
      assert.deepStrictEqual(yield* db`select id from meeting`, [{ id: meetingId("c") }])
      assert.deepStrictEqual(
        (yield* tombstones).map(({ id, reason }) => [id, reason]),
        [a, b].toSorted().map((id) => [id, "It was never a public body."])
      )
    }).pipe(Effect.provide(Services))
  )
})

describe("a mirror that follows the stream", () => {
  /** The state of a mirror after these events: the held meetings, as in browse. */
  const apply = (mirror: Map<string, MeetingCard>, event: string, data: string) => {
    const card = JSON.parse(data) as MeetingCard
    if (event === "meeting.removed") mirror.delete(card.id)
    else mirror.set(card.id, card)
  }

  it.live("ends with the meetings in browse, however often it was away", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      const names = ["a", "b", "c", "d", "e"]
      const steps: ReadonlyArray<Effect.Effect<unknown, unknown, Db | AgencyMerge | AgencyRemoval | MeetingRemoval>> = [
        putOnRecord(...directory, ...names.map((name) => meeting(name, "council"))),
        remove(a, "Published by mistake."),
        putOnRecord(agency("parks", ["springfield"]), meeting("f", "parks"), meeting("g", "board")),
        AgencyMerge.use((service) => service.merge("board", "council")),
        putOnRecord(meeting("a", "council", { title: "Back again" })),
        remove(b),
        AgencyRemoval.use((removal) => removal.remove("parks", "It was never a public body."))
      ]
      const mirrors = steps.map(() => ({ cards: new Map<string, MeetingCard>(), last: 0 }))
      for (const [at, step] of steps.entries()) {
        yield* step
        const newest = yield* feed.position
        // Each mirror is away for a different number of steps at a time.
        for (const [every, mirror] of mirrors.entries()) {
          if (at % (every + 1) !== 0 && at !== steps.length - 1) continue
          yield* feed.subscribe({ channel: "meetings" }, Option.some(mirror.last)).pipe(
            Stream.takeUntil(({ id }) => id === newest),
            Stream.runForEach(({ id, event, data }) =>
              Effect.sync(() => {
                apply(mirror.cards, event, data)
                mirror.last = id
              })
            ),
            Effect.when(Effect.succeed(mirror.last < newest))
          )
        }
      }
      const { meetings } = yield* Browse.use((browse) => browse.search({ page_size: 100 }))
      const onRecord = meetings.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      assert.strictEqual(onRecord.length, 5)
      for (const { cards } of mirrors) {
        assert.deepStrictEqual(
          [...cards.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
          onRecord
        )
      }
    }).pipe(Effect.provide(Services))
  )
})
