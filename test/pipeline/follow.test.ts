import * as fs from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import type { MeetingId } from "../../schema/primitives.ts"
import { MeetingCorrections } from "../../src/services/feed/meeting-corrections.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { agency, place, putOnRecord } from "../support/builders.ts"
import { type Answer, type CityServer, cityServer, says } from "../support/city-server.ts"
import { Crawling, crawled, crawlingWorker, settled } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { apiEvent, day, eventsAnswer } from "../support/legistar-city.ts"
import { pdfOf } from "../support/pdf.ts"
import { scratch } from "../support/rendering.ts"
import { smallRecording } from "../support/small-recording.ts"

const TestStore = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Deployment = Crawling.pipe(Layer.provideMerge(Layer.mergeAll(TestDb, TestStore)))

const pdf = (...lines: ReadonlyArray<string>) => Effect.promise(() => pdfOf(lines))

const vtt = (words: string) => says(`WEBVTT\n\n00:01.000 --> 00:04.000\n${words}\n`, "text/vtt")

/** A file without an ETag or a date, as most servers of agendas send it. */
const bare = (bytes: Buffer, type: string): Answer => says(bytes, type, { "content-length": bytes.length })

/** A city with a source of its own, and one meeting of its council. */
const cityOf = Effect.fnUntraced(function* (slug: string, kind: "json" | "legistar", path: string) {
  const db = yield* Db
  const city = yield* cityServer()
  const sources = yield* Sources
  yield* putOnRecord(place(slug), agency(`${slug}-council`, [slug], { name: `${slug} Council` }))
  const source = yield* sources.add({ kind, url: city.url + path, place: slug, everySeconds: 3600 })
  /** Crawls it until everything that follows from it is fetched. */
  const crawl = Effect.gen(function* () {
    assert.deepStrictEqual(yield* crawled(source), { outcome: "ok", failure: null })
    yield* settled
    const [meeting] = yield* db<{ id: MeetingId }>`
      select m.id from meeting m join body b on b.id = m.body_id where b.slug = ${`${slug}-council`}`
    return meeting?.id ?? assert.fail("no meeting")
  })
  return { city, source, crawl }
})

const lists = (city: CityServer, slug: string, over: object) => {
  const meeting = { id: "1", body: `${slug} Council`, title: "Regular", date: day(-3), ...over }
  city.answers.set("/calendar", says(JSON.stringify({ meetings: [meeting] })))
}

/** Ends the making of a meeting, as if every stage had been done. */
const made = Effect.fnUntraced(function* (meeting: MeetingId) {
  const db = yield* Db
  yield* db`
    update task t set state = 'done', ended_at = now() from flow f
    where f.id = t.flow_id and f.meeting_id = ${meeting} and f.kind = 'meeting'`
  yield* db`update flow set state = 'done', ended_at = now() where meeting_id = ${meeting} and kind = 'meeting'`
})

/** Four days pass since the source's server was asked for the parts of a meeting. */
const later = (meeting: MeetingId) =>
  Effect.flatMap(
    Db,
    (db) => db`update fetched_part set checked_at = checked_at - interval '4 days' where meeting_id = ${meeting}`
  )

/** The stages of a meeting that are to be done again. */
const toMake = (meeting: MeetingId) =>
  Effect.flatMap(Db, (db) =>
    Effect.map(
      db<{ stage: string }>`
        select t.stage from task t join flow f on f.id = t.flow_id
        where f.meeting_id = ${meeting} and f.kind = 'meeting' and f.state = 'open' order by t.stage`,
      (rows) => rows.map(({ stage }) => stage)
    )
  )

const versions = (meeting: MeetingId) =>
  Effect.flatMap(
    Db,
    (db) => db<{ part: string; address: string; key: string | null; changes: object | null }>`
      select part, address, key, changes from part_version where meeting_id = ${meeting} order by replaced_at, part`
  )

const changedAt = (meeting: MeetingId) =>
  Effect.flatMap(Db, (db) =>
    Effect.map(
      db<{ at: Date | null }>`select agenda_changed_at as at from meeting where id = ${meeting}`,
      ([row]) => row?.at ?? null
    )
  )

const afterAgenda = [
  "agenda",
  "briefing",
  "chapters",
  "clips",
  "figures",
  "mail",
  "publish",
  "recap",
  "refine",
  "verify"
]

layer(Deployment, { excludeTestServices: true })("what was fetched of a meeting", (it) => {
  it.effect(
    "is fetched again once its agenda is amended, at the same address or another, and only then",
    () =>
      Effect.gen(function* () {
        const { city, crawl } = yield* cityOf("amended", "json", "/calendar")
        const store = yield* ObjectStore
        city.answers.set("/film.mp4", bare(yield* smallRecording(2), "video/mp4"))
        const film = { video_url: `${city.url}/film.mp4` }
        const first = yield* pdf("1. Call to order", "2. Budget")
        city.answers.set("/agenda.pdf", bare(first, "application/pdf"))
        lists(city, "amended", { ...film, agenda_url: `${city.url}/agenda.pdf` })
        yield* crawlingWorker
        const id = yield* crawl
        yield* made(id)
        const copy = Effect.flatMap(store.file(`meetings/${id}/agenda.pdf`, "/nowhere"), (at) =>
          Effect.sync(() => fs.readFileSync(at))
        )
        assert.isTrue((yield* copy).equals(first))
        assert.isNull(yield* changedAt(id))

        // Within a day nobody asks; after it, the same file changes nothing, whoever made it anew.
        const asked = city.asked.length
        yield* crawl
        assert.deepStrictEqual(
          city.asked.slice(asked).map(({ path }) => path),
          ["/calendar"]
        )
        yield* later(id)
        yield* crawl
        city.answers.set("/agenda.pdf", bare(Buffer.concat([first, Buffer.from("\n% 2\n")]), "application/pdf"))
        yield* later(id)
        yield* crawl
        assert.lengthOf(
          city.asked.filter(({ path }) => path === "/agenda.pdf"),
          3
        )
        assert.deepStrictEqual([yield* toMake(id), yield* versions(id), yield* changedAt(id)], [[], [], null])

        // Amended in place.
        const second = yield* pdf("1. Call to order", "2. Budget", "3. Fence")
        city.answers.set("/agenda.pdf", bare(second, "application/pdf"))
        yield* later(id)
        yield* crawl
        assert.isTrue((yield* copy).equals(second))
        assert.deepStrictEqual(yield* toMake(id), afterAgenda)
        assert.isNotNull(yield* changedAt(id))
        const [kept] = yield* versions(id)
        assert.deepInclude(kept, { part: "agenda", address: `${city.url}/agenda.pdf` })
        const former = yield* store.file(kept?.key ?? "", "/nowhere")
        assert.isTrue(fs.readFileSync(former).equals(first))

        // Moved: at once.
        yield* made(id)
        city.answers.set("/amended.pdf", bare(yield* pdf("1. Call to order"), "application/pdf"))
        lists(city, "amended", { ...film, agenda_url: `${city.url}/amended.pdf` })
        yield* crawl
        assert.lengthOf(yield* versions(id), 2)
        assert.deepStrictEqual(yield* toMake(id), afterAgenda)

        // An address that leads nowhere any more changes nothing.
        yield* made(id)
        city.answers.delete("/amended.pdf")
        yield* later(id)
        yield* crawl
        assert.deepStrictEqual([yield* toMake(id), (yield* versions(id)).length], [[], 2])
      }),
    60_000
  )

  it.effect(
    "gains captions that come later and takes a recording that replaces another, each with what depends on it",
    () =>
      Effect.gen(function* () {
        const { city, crawl } = yield* cityOf("late", "json", "/calendar")
        const db = yield* Db
        const film = yield* smallRecording(2)
        city.answers.set("/film.mp4", bare(film, "video/mp4"))
        lists(city, "late", { video_url: `${city.url}/film.mp4` })
        yield* crawlingWorker
        const id = yield* crawl
        yield* made(id)

        city.answers.set("/captions.vtt", vtt("Good evening."))
        const captioned = { video_url: `${city.url}/film.mp4`, captions_url: `${city.url}/captions.vtt` }
        lists(city, "late", captioned)
        yield* crawl
        const raw = db<{ hash: string }>`
          select content_hash as hash from transcript where meeting_id = ${id} and version = 'raw' and withheld`
        const [first] = yield* raw
        assert.include(yield* toMake(id), "refine")
        assert.notInclude(yield* toMake(id), "transcribe")
        assert.deepStrictEqual(yield* versions(id), [])

        // The recording has the same length, and is not downloaded; then it is another.
        yield* made(id)
        yield* later(id)
        yield* crawl
        assert.deepStrictEqual(yield* toMake(id), [])
        city.answers.set("/film.mp4", bare(yield* smallRecording(3), "video/mp4"))
        city.answers.set("/captions.vtt", vtt("Good evening, all."))
        yield* later(id)
        yield* crawl
        assert.includeMembers(yield* toMake(id), ["render", "transcribe", "refine", "briefing", "clips"])
        assert.notInclude(yield* toMake(id), "agenda")
        assert.deepStrictEqual(
          (yield* versions(id)).map(({ part, key }) => [part, key]),
          [
            ["captions", null],
            ["recording", null]
          ]
        )
        assert.notDeepEqual((yield* raw)[0], first)
        const [source] = yield* db`
          select round(duration)::int as duration from media where meeting_id = ${id} and role = 'source'`
        assert.deepStrictEqual(source, { duration: 3 })
        assert.isNull(yield* changedAt(id))
      }),
    60_000
  )

  it.effect(
    "follows the list of its items, of which outcomes are no change of the agenda; what was imported stands",
    () =>
      Effect.gen(function* () {
        const { city, crawl } = yield* cityOf("listed", "legistar", "/v1/listed/events")
        const db = yield* Db
        city.answers.set("/film.mp4", bare(yield* smallRecording(2), "video/mp4"))
        const event = apiEvent(7, [1, "Listed Council"], -2, { EventVideoPath: `${city.url}/film.mp4` })
        city.answers.set(
          "/v1/listed/events",
          eventsAnswer(() => [event])
        )
        const item = (id: number, title: string, over: object = {}) => ({
          ...{ EventItemId: id, EventItemEventId: 7, EventItemAgendaSequence: id, EventItemTitle: title },
          ...{ EventItemAgendaNumber: `${id}.`, ...over }
        })
        const items = (...all: ReadonlyArray<object>) =>
          city.answers.set("/v1/listed/events/7/eventitems", says(JSON.stringify(all)))
        items(item(1, "Budget"), item(2, "Fence"))
        yield* crawlingWorker
        const id = yield* crawl
        yield* made(id)
        const again = Effect.andThen(later(id), crawl)
        const titles = Effect.map(
          db<{ title: string }>`select title from agenda_item where meeting_id = ${id} order by position`,
          (rows) => rows.map(({ title }) => title)
        )
        yield* db`update agenda_item set start = 12 where meeting_id = ${id} and title = 'Fence'`
        items(item(1, "Budget", { EventItemActionName: "approved" }), item(2, "Fence"))
        yield* again
        const outcomes = db`select outcome, start::int as start from agenda_item where meeting_id = ${id} order by position`
        assert.deepStrictEqual(yield* outcomes, [
          { outcome: "approved", start: null },
          { outcome: null, start: 12 }
        ])
        assert.deepStrictEqual([yield* toMake(id), yield* changedAt(id)], [[], null])

        items(item(1, "Budget of 2027"), item(3, "Bridge"))
        yield* again
        assert.deepStrictEqual(yield* titles, ["Budget of 2027", "Bridge"])
        assert.deepStrictEqual(yield* toMake(id), afterAgenda)
        assert.deepStrictEqual(
          (yield* versions(id)).map(({ changes }) => changes),
          [
            { added: 0, removed: 0, renamed: 0 },
            { added: 1, removed: 1, renamed: 1 }
          ]
        )
        const at = yield* changedAt(id)
        assert.isNotNull(at)

        // Corrected by hand, whatever the city lists.
        yield* made(id)
        yield* db`update agenda_item set title = 'Budget for 2027' where meeting_id = ${id} and title like 'Budget%'`
        items(item(4, "Nothing else"))
        yield* again
        assert.deepStrictEqual(yield* titles, ["Budget for 2027", "Bridge"])
        assert.deepStrictEqual([yield* toMake(id), yield* changedAt(id)], [[], at])
      }),
    60_000
  )

  it.effect(
    "before it is held is its agenda alone, which the public may follow",
    () =>
      Effect.gen(function* () {
        const { city, crawl } = yield* cityOf("ahead", "json", "/calendar")
        const db = yield* Db
        city.answers.set("/agenda.pdf", bare(yield* pdf("1. Call to order"), "application/pdf"))
        const ahead = { date: day(5), agenda_url: `${city.url}/agenda.pdf`, video_url: `${city.url}/live` }
        lists(city, "ahead", ahead)
        yield* crawlingWorker
        const id = yield* crawl
        assert.deepStrictEqual(yield* db`select role from media where meeting_id = ${id}`, [{ role: "agenda" }])
        city.answers.set("/agenda.pdf", bare(yield* pdf("1. Call to order", "2. Bridge"), "application/pdf"))
        yield* later(id)
        yield* crawl
        assert.isNotNull(yield* changedAt(id))
        assert.lengthOf(yield* versions(id), 1)
        assert.isFalse(city.asked.some(({ path }) => path === "/live"))
      }),
    60_000
  )

  it.effect(
    "is one thing, and what an operator corrected another: the calendar changes the rest",
    () =>
      Effect.gen(function* () {
        const { city, crawl } = yield* cityOf("corrected", "json", "/calendar")
        const db = yield* Db
        lists(city, "corrected", { location: "Room 1" })
        yield* crawlingWorker
        const id = yield* crawl
        yield* MeetingCorrections.use(({ correct }) => correct(id, { title: "Budget hearing", date: day(-4) }))
        lists(city, "corrected", { location: "Room 2", title: "Regular Meeting" })
        yield* crawl
        assert.deepStrictEqual(yield* db`select title, date::text as date, location from meeting where id = ${id}`, [
          { title: "Budget hearing", date: day(-4), location: "Room 2" }
        ])
      }).pipe(Effect.provide(MeetingCorrections.layer)),
    60_000
  )
})
