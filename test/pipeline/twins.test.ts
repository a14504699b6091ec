import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import type { MeetingId } from "../../schema/primitives.ts"
import { Sessions } from "../../src/services/accounts/sessions.ts"
import { recapReady } from "../../src/services/mail/owed-recaps.ts"
import { Meetings } from "../../src/services/meetings/meetings.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { reader } from "../support/actors.ts"
import { agency, place, putOnRecord } from "../support/builders.ts"
import { cityServer, says } from "../support/city-server.ts"
import { Crawling, crawled, crawlingWorker } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { day } from "../support/legistar-city.ts"
import { scratch } from "../support/rendering.ts"

const TestStore = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Deployment = Layer.mergeAll(Sessions.layer, Meetings.fromPrimary).pipe(
  Layer.provideMerge(Crawling),
  Layer.provideMerge(Layer.mergeAll(TestDb, TestStore))
)

interface Entry {
  readonly id: string
  readonly title?: string
  readonly body?: string
  readonly days?: number
  /** The hour of the day, in UTC; none unless given. */
  readonly hour?: number
  readonly video_url?: string
  readonly agenda_url?: string
  readonly location?: string
  readonly cancelled?: boolean
}

/** A city with a council and a board, and a calendar of the given entries. */
const cityOf = Effect.fnUntraced(function* (slug: string) {
  const db = yield* Db
  const sources = yield* Sources
  const city = yield* cityServer()
  yield* putOnRecord(
    place(slug),
    agency(`${slug}-council`, [slug], { name: `${slug} Council` }),
    agency(`${slug}-board`, [slug], { name: `${slug} School Board`, segment: "board" })
  )
  const source = yield* sources.add({ kind: "json", url: `${city.url}/c`, place: slug, everySeconds: 3600 })
  const lists = Effect.fnUntraced(function* (...entries: ReadonlyArray<Entry>) {
    const meetings = entries.map(({ days = 5, hour, body = "Council", title = "Regular", ...entry }) => ({
      ...{ ...entry, body: `${slug} ${body}`, title, date: day(days) },
      ...(hour === undefined ? {} : { starts_at: `${day(days)}T${hour}:00:00Z` })
    }))
    city.answers.set("/c", says(JSON.stringify({ timezone: "UTC", meetings })))
    assert.deepStrictEqual(yield* crawled(source), { outcome: "ok", failure: null })
    return yield* db<{
      id: MeetingId
      title: string
      status: string
      agenda_url: string | null
      location: string | null
    }>`
      select m.id, m.title, m.status, m.agenda_url, m.location from meeting m join body b on b.id = m.body_id
      where b.slug like ${`${slug}-%`} order by m.date, m.title, m.id`
  })
  return { source, lists }
})

const nobody = { _tag: "Anonymous", grantRefused: false } as const

const agendaAt = "https://city.example/agenda.pdf"

layer(Deployment, { excludeTestServices: true })("a meeting that a calendar lists twice", (it) => {
  it.effect("is on record once, with the parts of both entries and one flow, whatever is listed again", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { lists } = yield* cityOf("once")
      yield* crawlingWorker
      const first: Entry = { id: "1", hour: 18, location: "Room 1" }
      const second: Entry = { id: "2", hour: 18, agenda_url: agendaAt }
      for (let round = 0; round < 3; round++) {
        const found = yield* lists(...(round === 1 ? [second, first] : [first, second]))
        assert.lengthOf(found, 1)
        assert.deepInclude(found[0], { agenda_url: agendaAt, location: "Room 1" })
      }
      assert.deepStrictEqual(yield* db`select count(*)::int as flows from flow where kind = 'meeting'`, [{ flows: 1 }])
      // The one that is cancelled is another word for the one that is not.
      const [live] = yield* lists({ ...first, cancelled: true }, second)
      assert.deepInclude(live, { status: "upcoming" })
      // Moved apart they are two, and one again when the city sees that it was right.
      const apart = yield* lists(first, { ...second, hour: 20 })
      assert.lengthOf(apart, 2)
      assert.lengthOf(yield* lists(first, second), 1)
    })
  )

  it.effect("is two where bodies, instants or recordings tell so", () =>
    Effect.gen(function* () {
      const { lists } = yield* cityOf("apart")
      yield* crawlingWorker
      const [film, channel] = ["https://city.example/film.mp4", "https://city.example/channel"]
      const entries: ReadonlyArray<Entry> = [
        { id: "1", title: "Work Session", hour: 17 },
        { id: "2", title: "Regular Meeting", hour: 18 },
        { id: "3", title: "Joint Session", hour: 18, body: "School Board" },
        { id: "4", title: "No hour" },
        { id: "5", title: "No hour either" },
        // A joint recording.
        { id: "6", title: "Joint", days: -3, video_url: film },
        { id: "7", title: "Joint", days: -3, video_url: film, body: "School Board" },
        // A page of a channel is the address of every meeting.
        { id: "8", title: "Morning", days: -4, hour: 9, video_url: channel },
        { id: "9", title: "Evening", days: -4, hour: 19, video_url: channel },
        { id: "10", title: "Another day", days: -5, video_url: channel }
      ]
      assert.lengthOf(yield* lists(...entries), entries.length)
      // The same recording under two hours is one meeting.
      const same: ReadonlyArray<Entry> = [
        { id: "11", days: -6, hour: 17, video_url: "https://city.example/one.mp4" },
        { id: "12", days: -6, hour: 18, video_url: "https://city.example/one.mp4" }
      ]
      assert.lengthOf(yield* lists(...entries, ...same), entries.length + 1)
    })
  )

  it.effect(
    "and is found to be one later is merged: the lesser address leads to the other, and nobody is mailed again",
    () =>
      Effect.gen(function* () {
        const db = yield* Db
        const { lists } = yield* cityOf("later")
        yield* crawlingWorker
        const held = { days: -2 }
        const before = yield* lists(
          { id: "1", hour: 17, ...held },
          { id: "2", hour: 18, agenda_url: agendaAt, ...held }
        )
        const [one, two] = [before[0]?.id ?? assert.fail(), before[1]?.id ?? assert.fail()]
        // The second was mailed to a follower, and a reader's link leads to it.
        const { accountId } = yield* reader("follower@example.org")
        yield* db`insert into followed_body (account_id, body_id) select ${accountId}, body_id from meeting where id = ${two}`
        yield* db`insert into email_pref (account_id, recaps) values (${accountId}, 'each')
        on conflict (account_id) do update set recaps = 'each'`
        const recap = (id: MeetingId) => db`
        insert into recap (meeting_id, headline, summary, decisions, content_hash) values (${id}, 'A', 'B', '[]', 'c')`
        yield* db`update meeting set status = 'held' where id in (${one}, ${two})`
        yield* recap(two)
        assert.isTrue(yield* db.withTransaction(recapReady(db, two)))
        yield* db`
        insert into agenda_item (id, meeting_id, position, title) values (gen_random_uuid(), ${one}, 1, 'Budget')`
        const slug = yield* Meetings.use(({ open }) => open(one, nobody))

        const after = yield* lists({ id: "1", hour: 18, ...held }, { id: "2", hour: 18, agenda_url: agendaAt, ...held })
        assert.deepStrictEqual(
          after.map(({ id }) => id),
          [two]
        )
        for (const ref of [one, slug.slug, slug.slug.slice(0, 10)]) {
          assert.deepInclude(yield* Meetings.use(({ open }) => open(ref, nobody)), { id: two })
        }
        assert.deepStrictEqual(yield* db`select title from agenda_item where meeting_id = ${two}`, [
          { title: "Budget" }
        ])
        assert.isFalse(yield* db.withTransaction(recapReady(db, two)))
        assert.deepStrictEqual(yield* db`select meeting_id from recap_owed where account_id = ${accountId}`, [
          { meeting_id: two }
        ])
        const told = yield* db`
        select event from feed_event where meeting_id = ${one} and channel = 'meetings' order by id`
        assert.deepStrictEqual(told, [{ event: "meeting.removed" }])
        assert.deepStrictEqual(
          yield* db`select operator, action, subject, detail from operator_action where action = 'meeting.merge' and subject = ${two}`,
          [{ operator: "the crawl", action: "meeting.merge", subject: two, detail: { from: slug.slug } }]
        )
        // It stays so.
        assert.lengthOf(yield* lists({ id: "1", hour: 18, ...held }, { id: "2", hour: 18, ...held }), 1)
      })
  )
})

layer(Deployment, { excludeTestServices: true })("two meetings with transcripts", (it) => {
  it.effect("are merged only if both are of one recording", () =>
    Effect.gen(function* () {
      const { lists } = yield* cityOf("spoken")
      yield* crawlingWorker
      const entry = (id: string, hour: number, film: string): Entry => ({
        ...{ id, hour, days: -2, video_url: `https://city.example/${film}.mp4` }
      })
      const [one, two] = yield* lists(entry("1", 17, "a"), entry("2", 18, "b"))
      for (const { id } of [one, two].filter((found) => found !== undefined)) {
        yield* putOnRecord({
          ...{ type: "transcript", meeting_id: id, version: "refined", language: "en" },
          segments: [{ start: 0, end: 1, text: "Good evening." }]
        })
      }
      assert.lengthOf(yield* lists(entry("1", 18, "a"), entry("2", 18, "b")), 2)
      assert.lengthOf(yield* lists(entry("1", 18, "a"), entry("2", 18, "a")), 1)
    })
  )
})

layer(Deployment, { excludeTestServices: true })("a body that a calendar lists", (it) => {
  it.effect("under a name like another's waits, and comes on record once an operator says that it is new", () =>
    Effect.gen(function* () {
      const db = yield* Db
      const { source, lists } = yield* cityOf("quarry")
      yield* crawlingWorker
      const found = yield* lists({ id: "1", body: "City Council" })
      assert.deepStrictEqual(found, [])
      const sources = yield* Sources
      const [body] = (yield* sources.source(source)).bodies
      assert.deepInclude(body?.like, { slug: "quarry-council" })
      assert.isTrue(yield* sources.found(source, "quarry City Council"))
      assert.lengthOf(yield* lists({ id: "1", body: "City Council" }), 1)
      const [founded] = yield* db<{ slug: string }>`select slug from body where name = 'quarry City Council'`
      assert.strictEqual(founded?.slug, "quarry-city-council")
    })
  )
})
