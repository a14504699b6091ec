import * as fs from "node:fs"
import * as path from "node:path"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { Renderer } from "../../layers/renderer/renderer.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { agency, place, putOnRecord } from "../support/builders.ts"
import { cityServer, file, says, status } from "../support/city-server.ts"
import { Crawling, crawled, crawlingWorker, settled } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { eventually, scratch } from "../support/rendering.ts"

const TestStore = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Deployment = Crawling.pipe(Layer.provideMerge(Layer.mergeAll(TestDb, TestStore)))

/** A day from today on, as Legistar writes it; the time of day is a separate field. */
const day = (days: number) => DateTime.formatIsoDate(DateTime.add(DateTime.nowUnsafe(), { days }))

/** An event of the Web API, with its field names. */
const event = (id: number, body: readonly [number, string], days: number, over: object = {}) => ({
  EventId: id,
  EventGuid: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
  EventBodyId: body[0],
  EventBodyName: body[1],
  EventDate: `${day(days)}T00:00:00`,
  EventTime: "6:30 PM",
  EventAgendaStatusName: "Final",
  EventMinutesStatusName: "Draft",
  EventLocation: "Council Chambers",
  ...over
})

const council = [1, "City Council"] as const
const parks = [2, "Parks Board"] as const

const recordingOf = (seconds: number) =>
  Effect.gen(function* () {
    const folder = yield* scratch
    const renderer = yield* Renderer
    const at = path.join(folder, "recording.mp4")
    yield* renderer.synthesize(at, { title: "Council", subtitle: "Regular", duration: seconds, captions: [] })
    return fs.readFileSync(at)
  })

const onRecord = Effect.flatMap(
  Db,
  (db) => db<{ title: string; body: string; status: string; day: string }>`
    select m.title, b.name as body, m.status, m.date::text as day from meeting m join body b on b.id = m.body_id
    order by m.date, m.title`
)

layer(Deployment, { excludeTestServices: true })("a calendar", (it) => {
  it.effect(
    "comes on record, and changes there as the city changes it",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const db = yield* Db
        const store = yield* ObjectStore
        yield* putOnRecord(place("springfield"))
        const film = yield* recordingOf(2)
        const paper = Buffer.from("%PDF-1.7\nnothing")
        city.answers.set("/council.mp4", file(film, "video/mp4"))
        city.answers.set("/council.pdf", file(paper, "application/pdf"))
        city.answers.set("/parks.pdf", says("<html>gone</html>", "text/html"))
        const sources = yield* Sources
        const id = yield* sources.add({
          kind: "legistar",
          url: `${city.url}/v1/springfield/events`,
          place: "springfield",
          everySeconds: 3600
        })
        const lists = (...events: ReadonlyArray<object>) =>
          city.answers.set("/v1/springfield/events", says(JSON.stringify(events)))
        yield* crawlingWorker

        // The first round: one that was held, one without a recording, three upcoming, one too far away, one odd.
        const held = event(1, council, -3, {
          EventVideoPath: `${city.url}/council.mp4`,
          EventAgendaFile: `${city.url}/council.pdf`
        })
        const silent = event(2, parks, -2, { EventAgendaFile: `${city.url}/parks.pdf` })
        lists(
          held,
          silent,
          event(3, council, 5),
          event(4, parks, 6),
          event(5, council, 7),
          event(6, council, 90),
          event(7, council, 0, { EventDate: "0001-01-01T00:00:00" })
        )
        assert.deepStrictEqual(yield* crawled(id), { outcome: "ok", failure: null })
        yield* settled
        assert.deepStrictEqual(yield* onRecord, [
          { title: "City Council Meeting", body: "Springfield City Council", status: "held", day: day(-3) },
          { title: "Parks Board Meeting", body: "Parks Board", status: "held", day: day(-2) },
          { title: "City Council Meeting", body: "Springfield City Council", status: "upcoming", day: day(5) },
          { title: "Parks Board Meeting", body: "Parks Board", status: "upcoming", day: day(6) },
          { title: "City Council Meeting", body: "Springfield City Council", status: "upcoming", day: day(7) }
        ])
        // The recording and the agenda are in the store as they were sent.
        const media = yield* db<{ key: string; role: string; media_type: string; duration: number | null }>`
          select key, role, media_type, round(duration)::float8 as duration from media order by role`
        assert.deepStrictEqual(
          media.map(({ role, media_type, duration }) => [role, media_type, duration]),
          [
            ["agenda", "application/pdf", null],
            ["source", "video/mp4", 2]
          ]
        )
        const folder = yield* scratch
        const kept = yield* store.file(media[1]?.key ?? "", folder)
        assert.isTrue(fs.readFileSync(kept).equals(film))
        // The meeting with the recording proceeds, the other waits for one, and the rest for their day.
        const waiting = yield* db`
          select t.stage, t.state, t.failure, count(*)::int as meetings from task t
          where t.stage in ('detect', 'fetch', 'render') and t.state in ('waiting', 'running')
          group by 1, 2, 3 order by 1, 3`
        assert.deepStrictEqual(waiting, [
          { stage: "detect", state: "waiting", failure: "Its recording is not published yet.", meetings: 1 },
          { stage: "detect", state: "waiting", failure: "The meeting is still to come.", meetings: 3 },
          { stage: "render", state: "waiting", failure: null, meetings: 1 }
        ])

        // The second round: one moved, one cancelled in words, one withdrawn, the silent one published, the board
        // renamed.
        const renamed = [2, "Parks and Recreation Board"] as const
        city.answers.set("/parks.mp4", file(film, "video/mp4"))
        lists(
          held,
          event(2, parks, -2, { EventVideoPath: `${city.url}/parks.mp4`, EventAgendaFile: `${city.url}/parks.pdf` }),
          event(3, council, 9, { EventLocation: "Library" }),
          event(4, renamed, 6, { EventComment: "CANCELLED DUE TO SNOW" })
        )
        yield* crawled(id)
        yield* settled
        assert.deepStrictEqual(yield* onRecord, [
          { title: "City Council Meeting", body: "Springfield City Council", status: "held", day: day(-3) },
          { title: "Parks Board Meeting", body: "Parks and Recreation Board", status: "held", day: day(-2) },
          {
            title: "Parks and Recreation Board: Cancelled Due To Snow",
            body: "Parks and Recreation Board",
            status: "cancelled",
            day: day(6)
          },
          { title: "City Council Meeting", body: "Springfield City Council", status: "cancelled", day: day(7) },
          { title: "City Council Meeting", body: "Springfield City Council", status: "upcoming", day: day(9) }
        ])
        assert.deepStrictEqual(yield* db`select location from meeting where date = ${day(9)}`, [
          { location: "Library" }
        ])
        assert.deepStrictEqual(yield* db`select slug from body where name like 'Parks%'`, [
          { slug: "springfield-parks-board" }
        ])
        // Its agenda is a web page, which does not prevent its recording from being fetched.
        yield* eventually(
          Effect.map(db`select from media where role = 'source'`, (rows) => (rows.length === 2 ? true : undefined))
        )
        assert.deepStrictEqual(yield* db`select count(*)::int as flows from flow where state = 'cancelled'`, [
          { flows: 2 }
        ])

        // The third round: the withdrawn meeting is listed again, and nothing else changes.
        const before = yield* db`select id, updated_at from meeting where date <> ${day(7)} order by id`
        lists(
          held,
          event(2, parks, -2, { EventVideoPath: `${city.url}/parks.mp4`, EventAgendaFile: `${city.url}/parks.pdf` }),
          event(3, council, 9, { EventLocation: "Library" }),
          event(4, renamed, 6, { EventComment: "CANCELLED DUE TO SNOW" }),
          event(5, council, 7)
        )
        yield* crawled(id)
        yield* settled
        assert.deepStrictEqual(yield* db`select status from meeting where date = ${day(7)}`, [{ status: "upcoming" }])
        assert.deepStrictEqual(
          yield* db`select id, updated_at from meeting where date <> ${day(7)} order by id`,
          before
        )
      }),
    300_000
  )

  it.effect(
    "that cannot be read is an issue, and leaves the record unchanged",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const db = yield* Db
        yield* putOnRecord(place("shelbyville"))
        const sources = yield* Sources
        const id = yield* sources.add({
          kind: "legistar",
          url: `${city.url}/events`,
          place: "shelbyville",
          everySeconds: 3600
        })
        yield* crawlingWorker
        const meetings = db`
          select m.status from meeting m join discovered d on d.id = m.id where d.source_id = ${id} order by m.id`
        city.answers.set("/events", says(JSON.stringify([event(91, [9, "Shelbyville Council"], 4)])))
        yield* crawled(id)
        for (const [answer, failure] of [
          [says("[]"), "The calendar is empty, although 1 of its meetings are still to come."],
          [says("<html>", "text/html"), "The server did not answer with application/json."],
          [says("{"), "The calendar is not JSON."],
          [status(403), "The server answered with HTTP 403."]
        ] as const) {
          city.answers.set("/events", answer)
          assert.deepStrictEqual(yield* crawled(id), { outcome: "failed", failure })
          assert.deepStrictEqual(yield* meetings, [{ status: "upcoming" }])
        }
        const failing = yield* db`select failing_since is not null as failing from source where id = ${id}`
        assert.deepStrictEqual(failing, [{ failing: true }])
      }),
    300_000
  )

  it.effect(
    "and a channel of recordings list the same meetings, which are on record once",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const db = yield* Db
        yield* putOnRecord(place("ogden"), agency("ogden-council", ["ogden"], { name: "Ogden City Council" }))
        const sources = yield* Sources
        const add = (kind: "json" | "rss", path: string) =>
          sources.add({ kind, url: city.url + path, place: "ogden", everySeconds: 3600 })
        const [calendar, channel] = [yield* add("json", "/calendar"), yield* add("rss", "/channel")]
        const scheduled = { id: "1", body: "Ogden City Council", title: "Regular Meeting", date: day(-4) }
        city.answers.set("/calendar", says(JSON.stringify({ meetings: [scheduled] })))
        const film = `<item><title>Ogden City Council - Regular Meeting ${day(-4)}</title><guid>a</guid>
          <enclosure url="${city.url}/film.mp4" length="1" type="video/mp4"/></item>`
        const other = `<item><title>Ogden City Council - Work&#x202E; Session ${day(-5)}</title><guid>b</guid></item>`
        const feed = `<rss version="2.0"><channel><title>TV</title><link>x</link><description>d</description>
          ${film}${other}</channel></rss>`
        city.answers.set("/channel", says(feed, "application/rss+xml"))
        yield* crawlingWorker
        assert.deepStrictEqual(yield* crawled(calendar), { outcome: "ok", failure: null })
        assert.deepStrictEqual(yield* crawled(channel), { outcome: "ok", failure: null })
        const meetings = yield* db`
          select m.date::text as date, m.title, m.video_url from meeting m join body b on b.id = m.body_id
          where b.slug = 'ogden-council' order by m.date`
        assert.deepStrictEqual(meetings, [
          { date: day(-5), title: `Ogden City Council - Work Session ${day(-5)}`, video_url: null },
          { date: day(-4), title: "Regular Meeting", video_url: `${city.url}/film.mp4` }
        ])
      }),
    300_000
  )

  it.effect(
    "that is crawled after the channel of its recordings finds their meetings, each on record once under the same id",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const db = yield* Db
        yield* putOnRecord(place("provo"), agency("provo-council", ["provo"], { name: "Provo City Council" }))
        const sources = yield* Sources
        const add = (kind: "json" | "rss", path: string) =>
          sources.add({ kind, url: city.url + path, place: "provo", everySeconds: 3600 })
        const [calendar, channel] = [yield* add("json", "/calendar"), yield* add("rss", "/channel")]
        const item = (title: string, name: string) =>
          `<item><title>${title}</title><guid>${name}</guid>
            <enclosure url="${city.url}/${name}.mp4" length="1" type="video/mp4"/></item>`
        const feed = `<rss version="2.0"><channel><title>TV</title><link>x</link><description>d</description>
          ${item(`Provo City Council ${day(-4)}`, "one")}
          ${item(`Provo City Council - Study Session ${day(-5)}`, "study")}
          ${item(`Provo City Council - Regular Meeting ${day(-5)}`, "regular")}</channel></rss>`
        city.answers.set("/channel", says(feed, "application/rss+xml"))
        const listed = (id: string, title: string, days: number) => ({
          ...{ id, body: "Provo City Council", title, date: day(days), starts_at: `${day(days)}T23:00:00Z` },
          ...{ location: "Room 1", video_url: `${city.url}/player/${id}` }
        })
        const meetings = [listed("1", "Regular Meeting", -4), listed("2", "Joint Session with the Planners", -5)]
        city.answers.set("/calendar", says(JSON.stringify({ meetings })))
        yield* crawlingWorker
        assert.deepStrictEqual(yield* crawled(channel), { outcome: "ok", failure: null })
        const onRecord = db<{ id: string; date: string; title: string; location: string | null; video_url: string }>`
          select m.id, m.date::text as date, m.title, m.location, m.video_url from meeting m join body b on b.id = m.body_id
          where b.slug = 'provo-council' order by m.date desc, m.title`
        const before = yield* onRecord
        assert.lengthOf(before, 3)
        // Both are crawled again: each recognizes its own meetings.
        for (const source of [calendar, channel, calendar]) {
          assert.deepStrictEqual(yield* crawled(source), { outcome: "ok", failure: null })
          const after = yield* onRecord
          // The only one of its day is the calendar's, under the public id and with the channel's file.
          assert.deepStrictEqual(after[0], {
            ...{ id: before[0]?.id ?? "", date: day(-4), title: "Regular Meeting", location: "Room 1" },
            video_url: `${city.url}/one.mp4`
          })
          // Of two meetings on a day, nobody can tell which is meant.
          assert.deepStrictEqual(
            after.slice(1).map(({ title, video_url }) => [title, video_url]),
            [
              ["Joint Session with the Planners", `${city.url}/player/2`],
              [`Provo City Council - Regular Meeting ${day(-5)}`, `${city.url}/regular.mp4`],
              [`Provo City Council - Study Session ${day(-5)}`, `${city.url}/study.mp4`]
            ]
          )
        }
      }),
    300_000
  )

  it.effect(
    "that moves a meeting to another day keeps its former instant only if the calendar says so",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const db = yield* Db
        yield* putOnRecord(place("logan"))
        const sources = yield* Sources
        const url = `${city.url}/calendar`
        const id = yield* sources.add({ kind: "json", url, place: "logan", everySeconds: 3600 })
        const lists = (date: string, starts_at?: string) =>
          city.answers.set(
            "/calendar",
            says(
              JSON.stringify({ meetings: [{ id: "1", body: "Logan City Council", title: "Regular", date, starts_at }] })
            )
          )
        const crawl = Effect.gen(function* () {
          assert.deepStrictEqual(yield* crawled(id), { outcome: "ok", failure: null })
          return (yield* db<{ date: string; starts_at: Date | null }>`
            select m.date::text as date, m.starts_at from meeting m join body b on b.id = m.body_id
            where b.slug = 'logan-city-council'`)[0]
        })
        const at = (days: number) => `${day(days)}T21:00:00Z`
        yield* crawlingWorker
        lists(day(3), at(3))
        assert.deepStrictEqual((yield* crawl)?.starts_at?.toISOString(), `${day(3)}T21:00:00.000Z`)
        lists(day(10))
        assert.deepStrictEqual(yield* crawl, { date: day(10), starts_at: null })
        lists(day(10), at(10))
        assert.deepStrictEqual((yield* crawl)?.starts_at?.toISOString(), `${day(10)}T21:00:00.000Z`)
        lists(day(12), at(10))
        assert.deepStrictEqual(yield* crawl, { date: day(12), starts_at: null })
      }),
    300_000
  )

  it.effect(
    "is read with the credentials in its address, which are shown to nobody and leave for no other server",
    () =>
      Effect.gen(function* () {
        const city = yield* cityServer()
        const other = yield* cityServer("127.0.0.3")
        yield* putOnRecord(place("springfield"))
        const sources = yield* Sources
        const address = new URL(`${city.url}/v1/springfield/events?token=s3cr3t-token`)
        address.username = "clerk"
        address.password = "s3cr3t-word"
        const add = sources.add({ kind: "legistar", url: address.href, place: "springfield", everySeconds: 3600 })
        const id = yield* add
        city.answers.set("/v1/springfield/events", status(302, { location: "/moved?token=again" }))
        city.answers.set("/moved", status(302, { location: `${other.url}/events` }))
        other.answers.set("/events", says("[]"))
        yield* crawlingWorker
        yield* crawled(id)
        const basic = `Basic ${Buffer.from("clerk:s3cr3t-word").toString("base64")}`
        assert.deepStrictEqual(
          city.asked.map(({ headers }) => headers.authorization),
          [basic, basic]
        )
        assert.include(city.asked[0]?.path, "token=s3cr3t-token")
        assert.lengthOf(other.asked, 1)
        assert.isUndefined(other.asked[0]?.headers.authorization)
        assert.strictEqual(yield* add, id)
        const { url } = yield* sources.source(id)
        assert.strictEqual(url, `${city.url}/v1/springfield/events`)
        const db = yield* Db
        for (const table of ["operator_action", "pipeline_log", "task", "task_event", "discovered", "meeting"]) {
          const rows = yield* db<{ row: string }>`select t::text as row from ${db(table)} t`
          assert.notInclude(rows.map(({ row }) => row).join(), "s3cr3t", table)
        }
        assert.notInclude(JSON.stringify(yield* sources.list({})), "s3cr3t")
      }),
    60_000
  )
})
