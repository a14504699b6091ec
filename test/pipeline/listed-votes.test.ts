import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import type { MeetingId } from "../../schema/primitives.ts"
import { Votes } from "../../src/services/people/votes.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { agency, place, putOnRecord } from "../support/builders.ts"
import { cityServer, says } from "../support/city-server.ts"
import { Crawling, crawled, crawlingWorker, settled } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { apiEvent, ballotRows, eventsAnswer } from "../support/legistar-city.ts"
import { scratch } from "../support/rendering.ts"
import { smallRecording } from "../support/small-recording.ts"
import { boardDocsSite } from "../support/vendors/boarddocs.ts"

const Deployment = Layer.mergeAll(Crawling, Votes.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(TestDb, Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))))
)

layer(Deployment, { excludeTestServices: true })("the votes on the items of a Legistar event", (it) => {
  it.effect(
    "come with the items, with who moved and who was there, each to its item and its matter",
    () =>
      Effect.gen(function* () {
        const db = yield* Db
        const city = yield* cityServer()
        yield* putOnRecord(place("voted"), agency("voted-council", ["voted"], { name: "Voted Council" }), {
          ...{ type: "matter", slug: "voted-ord-26-7", place: "voted", identifier: "Ordinance 26-7" },
          ...{ title: "Greenway", kind: "ordinance", status: "passed" },
          history: [{ date: "2026-03-01", action: "Approved", event: "7", item: "2" }]
        })
        const film = yield* smallRecording(2)
        city.answers.set("/film.mp4", says(film, "video/mp4", { "content-length": film.length }))
        const event = apiEvent(7, [1, "Voted Council"], -2, { EventVideoPath: `${city.url}/film.mp4` })
        city.answers.set(
          "/v1/voted/events",
          eventsAnswer(() => [event])
        )
        const item = (id: number, title: string, over: object = {}) => ({
          ...{ EventItemId: id, EventItemEventId: 7, EventItemAgendaSequence: id, EventItemTitle: title, ...over }
        })
        const approved = { EventItemActionName: "Approved", EventItemPassedFlagName: "Pass" }
        const moved = { EventItemMover: "Ada Marsh", EventItemSeconder: "Ben Ruiz", EventItemMatterFile: "Ord. 26-7" }
        const items = [
          item(1, "Roll call", { EventItemRollCallFlag: 1 }),
          item(2, "Greenway", { ...approved, ...moved }),
          // A tally alone, and a result alone: its list of votes is not there.
          item(3, "Fence", { EventItemPassedFlagName: "Fail", EventItemTally: "1:2" }),
          item(4, "Minutes", approved),
          item(5, "Comments")
        ]
        city.answers.set("/v1/voted/events/7/eventitems", says(JSON.stringify(items)))
        city.answers.set(
          "/v1/voted/eventitems/1/rollcalls",
          ballotRows("RollCall", 1, { "Ada Marsh": "Present", "Ben Ruiz": "Present", "Cho Lee": "Medical" })
        )
        city.answers.set(
          "/v1/voted/eventitems/2/votes",
          ballotRows("Vote", 2, { "Ada Marsh": "Affirmative", "Ben Ruiz": "Negative", "Cho Lee": "Medical" })
        )
        city.answers.set("/v1/voted/eventitems/4/votes", says("[]"))
        const source = yield* Sources.use(({ add }) =>
          add({ kind: "legistar", url: `${city.url}/v1/voted/events`, place: "voted", everySeconds: 3600 })
        )
        yield* crawlingWorker
        assert.deepStrictEqual(yield* crawled(source), { outcome: "ok", failure: null })
        yield* settled
        const [meeting] = yield* db<{ id: MeetingId; identifier: string }>`select id, identifier from meeting`
        assert.strictEqual(meeting?.identifier, "7")
        const { votes } = yield* Votes.use(({ ofMeeting }) => ofMeeting(meeting?.id ?? assert.fail()))
        assert.deepStrictEqual(
          votes.map(({ kind, from, meeting, result, counts, moved_by, seconded_by }) => ({
            ...{ kind, from, item: meeting?.item?.title, result, moved_by, seconded_by },
            counts: Object.fromEntries(counts.map(({ option, value }) => [option, value]))
          })),
          [
            {
              ...{ kind: "roll_call", from: "source", item: "Roll call", result: undefined },
              ...{ moved_by: undefined, seconded_by: undefined, counts: { present: 2, excused: 1 } }
            },
            {
              ...{ kind: "vote", from: "source", item: "Greenway", result: "pass" },
              ...{ moved_by: "Ada Marsh", seconded_by: "Ben Ruiz", counts: { yes: 1, no: 1, excused: 1 } }
            },
            {
              ...{ kind: "vote", from: "source", item: "Fence", result: "fail" },
              ...{ moved_by: undefined, seconded_by: undefined, counts: { yes: 1, no: 2 } }
            }
          ]
        )
        assert.strictEqual(votes[1]?.matter?.slug, "voted-ord-26-7")
        assert.deepStrictEqual(
          votes[1]?.ballots.map(({ person, option, note }) => [person?.slug, option, note]),
          [
            ["voted-ada-marsh", "yes", undefined],
            ["voted-ben-ruiz", "no", undefined],
            ["voted-cho-lee", "excused", undefined]
          ]
        )
        // What named the event by its number has found it.
        assert.deepStrictEqual(yield* db`select meeting_id from matter_step`, [{ meeting_id: meeting?.id }])
        // Items without a vote are not asked about.
        assert.isFalse(city.asked.some(({ path }) => path.includes("eventitems/5")))
      }),
    60_000
  )

  it.effect(
    "come with the items of a board at BoardDocs, by the motions of its printed agenda",
    () =>
      Effect.gen(function* () {
        const db = yield* Db
        const city = yield* cityServer()
        yield* putOnRecord(place("boarded"), agency("boarded-board", ["boarded"], { name: "Board of Education" }))
        const { source: url } = boardDocsSite(city)
        const source = yield* Sources.use(({ add }) =>
          add({ kind: "boarddocs", url, place: "boarded", everySeconds: 3600 })
        )
        yield* crawlingWorker
        yield* crawled(source)
        yield* settled
        // Its recording stays at its player, so the agenda is followed while the meeting waits.
        yield* crawled(source)
        yield* settled
        const [meeting] = yield* db<{ id: MeetingId }>`
          select m.id from meeting m join agenda_item i on i.meeting_id = m.id join discovered d on d.id = m.id
          where d.external_id = 'DQ3VPX80F260' limit 1`
        const { votes } = yield* Votes.use(({ ofMeeting }) => ofMeeting(meeting?.id ?? assert.fail()))
        assert.deepStrictEqual(
          votes.map(({ from, meeting, motion, result, moved_by, seconded_by, ballots }) => ({
            ...{ from, item: meeting?.item?.title, motion, result, moved_by, seconded_by },
            ballots: ballots.map(({ name, option }) => `${name} ${option}`)
          })),
          [
            {
              ...{ from: "source", item: "Budget Amendment", motion: "Approve the amendment as presented." },
              ...{ result: "fail", moved_by: "Ilse Moon", seconded_by: "Sema Dix" },
              ballots: ["Ilse Moon yes", "Robin Lane no", "Sema Dix no", "Ed Dutra, Jr. no", "Cho Lee absent"]
            }
          ]
        )
      }),
    60_000
  )
})
