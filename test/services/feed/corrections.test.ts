import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { anonymous } from "../../../schema/viewer.ts"
import { type Correction, MeetingCorrections } from "../../../src/services/feed/meeting-corrections.ts"
import { Meetings } from "../../../src/services/meetings/meetings.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

const Services = Layer.mergeAll(MeetingCorrections.layer, Browse.layer.pipe(Layer.provide(SearchIndex.none))).pipe(
  Layer.provideMerge(Meetings.layer),
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

const id = meetingId("a")

const record = Effect.gen(function* () {
  yield* putOnRecord(
    place("springfield"),
    agency("council", ["springfield"]),
    agency("board", ["springfield"]),
    // 7 PM in Chicago, in winter and in summer.
    meeting("a", "council", { title: "Regulr Meeting", date: "2026-02-10", starts_at: "2026-02-11T01:00:00Z" })
  )
})

const correct = (correction: Correction, ref: string = id) =>
  MeetingCorrections.use((corrections) => corrections.correct(ref, correction))

describe("a correction of a meeting", () => {
  it.effect("changes title, day and body, keeps its hour and its ids, and the old address leads to it", () =>
    Effect.gen(function* () {
      yield* record
      const meetings = yield* Meetings
      const { changed, before, after } = yield* correct({
        title: " Regular  Meeting ",
        date: "2026-07-10",
        agency: "board"
      })
      const short = id.slice(0, 8)
      assert.isTrue(changed)
      assert.deepStrictEqual(
        [before.address, after.address],
        [`${short}-council-2026-02-10`, `${short}-board-2026-07-10`]
      )
      for (const ref of [before.address, after.address]) {
        const { title, date, starts_at, body } = yield* meetings.open(ref, anonymous)
        assert.deepStrictEqual(
          [title, date, starts_at, body.slug],
          ["Regular Meeting", "2026-07-10", "2026-07-11T00:00:00.000Z", "board"]
        )
      }
    }).pipe(Effect.provide(Services))
  )

  it.effect("is found by search and announced once; repeating it changes nothing", () =>
    Effect.gen(function* () {
      yield* record
      const db = yield* Db
      assert.isTrue((yield* correct({ title: "Aqueduct hearing" })).changed)
      assert.isFalse((yield* correct({ title: "Aqueduct hearing", agency: "council" })).changed)
      const events = yield* db<{ event: string }>`select event from feed_event where meeting_id = ${id} order by id`
      assert.deepStrictEqual(
        events.map(({ event }) => event),
        ["meeting.published", "meeting.updated"]
      )
      assert.strictEqual((yield* Browse.use((browse) => browse.search({ q: "aqueduct" }))).total, 1)
    }).pipe(Effect.provide(Services))
  )

  it.effect("refuses invalid values, and says which are valid", () =>
    Effect.gen(function* () {
      yield* record
      const refused = (correction: Correction, ref?: string) =>
        Effect.map(Effect.flip(correct(correction, ref)), ({ _tag }) => _tag)
      assert.strictEqual(yield* refused({ title: "  " }), "InvalidCorrection")
      assert.strictEqual(yield* refused({ date: "2026-02-30" }), "InvalidCorrection")
      assert.strictEqual(yield* refused({ agency: "nowhere" }), "UnknownAgency")
      assert.strictEqual(yield* refused({ title: "A" }, meetingId("other")), "NotFound")
    }).pipe(Effect.provide(Services))
  )
})
