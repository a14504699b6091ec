import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { ChannelRecordings, type WaitingRecording } from "../../src/services/sources/channel-recordings.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { agency, place, putOnRecord } from "../support/builders.ts"
import { cityServer, says } from "../support/city-server.ts"
import { Crawling, crawled, crawlingWorker } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { day } from "../support/legistar-city.ts"
import { scratch } from "../support/rendering.ts"
import { usDay, type Video, youTubeFeed } from "../support/vendors/youtube.ts"

const Deployment = ChannelRecordings.layer.pipe(
  Layer.provideMerge(Crawling),
  Layer.provideMerge(Layer.mergeAll(TestDb, Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))))
)

const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`
const video = (name: string, title: string, days: number): Video => ({ id: name.padEnd(11, "_"), title, days })

const byDay = (one: WaitingRecording, other: WaitingRecording) =>
  other.date === one.date ? (one.address < other.address ? -1 : 1) : other.date < one.date ? -1 : 1

const recordings = (slug: string) =>
  Effect.flatMap(
    Db,
    (db) => db`
      select m.date::text as date, m.video_url from meeting m join body b on b.id = m.body_id
      where b.slug like ${`${slug}-%`} and m.video_url is not null order by m.date`
  )

layer(Deployment, { excludeTestServices: true })("a channel of recordings", (it) => {
  it.effect(
    "gives the meetings of its bodies what is certain, and leaves the rest to an operator",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        yield* putOnRecord(
          place("paired", { name: "Paired" }),
          agency("paired-council", ["paired"], { name: "Paired City Council" }),
          agency("paired-planning", ["paired"], { name: "Planning Commission", segment: "planning" })
        )
        const meeting = (id: string, body: string, days: number, over: object = {}) => ({
          ...{ id, body, title: "Regular Meeting", date: day(days), ...over }
        })
        const [council, planning] = ["Paired City Council", "Planning Commission"]
        const meetings = [
          ...[meeting("1", council, -4), meeting("2", council, -8), meeting("3", council, -20)],
          ...[meeting("4", planning, -6, { cancelled: true }), meeting("5", planning, -4)]
        ]
        city.answers.set("/calendar", says(JSON.stringify({ timezone: "UTC", meetings })))
        const url = youTubeFeed(city, [
          // It came online two days after the meeting.
          video("late", `City Council Meeting - ${usDay(-4)}`, -2),
          video("undated", "Paired City Council Regular Meeting", -7),
          video("off", `Planning Commission ${usDay(-6)}`, -6),
          video("one", `City Council ${usDay(-20)}`, -20),
          video("two", `City Council Work Session ${usDay(-20)}`, -19),
          video("unknown", `City Council Meeting ${usDay(-15)}`, -14),
          // Of a time that the calendar does not go back to, and of one at which no meeting lacks its recording.
          video("early", `City Council Meeting ${usDay(-300)}`, -299),
          video("needless", "Planning Commission Meeting", -15),
          // Neither is a meeting of the channel's bodies.
          video("school", `School Board ${usDay(-4)}`, -3),
          video("parade", `Summer Parade ${usDay(-4)}`, -3)
        ])
        const sources = yield* Sources
        const channels = yield* ChannelRecordings
        const calendar = yield* sources.add({
          ...{ kind: "json" as const, url: `${city.url}/calendar`, place: "paired", everySeconds: 3600 }
        })
        const channel = yield* sources.add({ kind: "youtube", url, place: "paired", everySeconds: 3600 })
        yield* channels.belongsTo(channel, ["paired-council", "paired-planning"])
        yield* crawlingWorker
        for (const source of [calendar, channel, calendar, channel]) {
          assert.deepStrictEqual(yield* crawled(source), { outcome: "ok", failure: null })
        }
        assert.deepStrictEqual(yield* recordings("paired"), [{ date: day(-4), video_url: watch("late_______") }])
        const waiting = yield* channels.waiting(channel)
        assert.deepStrictEqual(
          waiting
            .toSorted(byDay)
            .map(({ address, why, meetings }) => [
              address.replace(/.*v=|_/g, ""),
              why,
              meetings.map(({ date }) => date)
            ]),
          [
            ["off", "The meeting of that day is called off.", []],
            ["undated", "Its title does not say the day of the meeting.", [day(-8)]],
            ["unknown", "No calendar lists a meeting of Paired City Council for that day.", [day(-20)]],
            ["one", "The channel has several recordings of Paired City Council for that day.", [day(-20)]],
            ["two", "The channel has several recordings of Paired City Council for that day.", [day(-20)]]
          ]
        )
        const undated = waiting.find(({ address }) => address === watch("undated____"))
        yield* channels.settle(channel, undated?.address ?? "", undated?.meetings[0]?.id)
        yield* channels.settle(channel, watch("unknown____"), undefined)
        assert.deepStrictEqual(yield* recordings("paired"), [
          { date: day(-8), video_url: watch("undated____") },
          { date: day(-4), video_url: watch("late_______") }
        ])
        // Both stay settled.
        for (const source of [channel, calendar]) yield* crawled(source)
        assert.lengthOf(yield* channels.waiting(channel), 3)
        assert.lengthOf(yield* recordings("paired"), 2)
        const missing = yield* Effect.flip(channels.settle(channel, watch("nowhere"), undefined))
        assert.deepInclude(missing, { _tag: "NotFound", what: "recording" })
      }),
    60_000
  )

  it.effect(
    "whose bodies no calendar lists brings their meetings itself, but none whose day it does not say",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        yield* putOnRecord(
          place("filmed", { name: "Filmed" }),
          agency("filmed-council", ["filmed"], { name: "Filmed City Council" })
        )
        const url = youTubeFeed(city, [
          video("session", `Regular Meeting ${usDay(-5)}`, -4),
          video("undated", "Regular Meeting", -3),
          video("other", `Planning Board ${usDay(-5)}`, -4)
        ])
        const channel = yield* Sources.use(({ add }) =>
          add({ kind: "youtube", url, place: "filmed", everySeconds: 3600 })
        )
        const channels = yield* ChannelRecordings
        // Of one body, a title need not say whose meeting it is.
        yield* channels.belongsTo(channel, ["filmed-council"])
        assert.deepInclude(yield* Effect.flip(channels.belongsTo(channel, ["nobody"])), { _tag: "UnknownAgency" })
        yield* crawlingWorker
        yield* crawled(channel)
        assert.deepStrictEqual(yield* recordings("filmed"), [{ date: day(-5), video_url: watch("session____") }])
        assert.deepStrictEqual(
          (yield* channels.waiting(channel)).map(({ title }) => title),
          ["Regular Meeting"]
        )
      }),
    60_000
  )
})
