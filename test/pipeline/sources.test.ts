import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Web } from "../../layers/web.ts"
import { icalCalendar } from "../../src/pipeline/sources/ical.ts"
import { jsonCalendar } from "../../src/pipeline/sources/json.ts"
import { rssCalendar } from "../../src/pipeline/sources/rss.ts"
import { PoliteWeb } from "../../src/pipeline/web/polite-web.ts"
import { Robots } from "../../src/pipeline/web/robots.ts"
import { HostPace } from "../../src/services/sources/host-pace.ts"
import { cityServer, says } from "../support/city-server.ts"
import { TestDb } from "../support/database.ts"

const LocalWeb = PoliteWeb.layerNoDeps.pipe(
  Layer.provide([
    Web.layerWith({ isAllowed: () => true, resolve: async () => [], userAgent: "test" }),
    HostPace.layerEvery(0.001),
    Robots.layerUnasked
  ]),
  Layer.provideMerge(TestDb)
)

const readers = { ical: icalCalendar, json: jsonCalendar, rss: rssCalendar }
const days = { from: "2026-10-01", to: "2026-12-31" }

/** A reader's result for a source at an address of this machine. */
const read = (kind: keyof typeof readers, url: string) =>
  PoliteWeb.use((web) =>
    readers[kind].read(
      {
        id: "1",
        kind,
        url,
        place: { id: 1, slug: "springfield", name: "Springfield", kind: "city", state: "IL", county: null },
        etag: null,
        last_modified: null,
        timezone: "America/Chicago"
      },
      days,
      web
    )
  )

const ical = (...lines: ReadonlyArray<string>) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//city//EN", ...lines, "END:VCALENDAR"].join("\r\n")
const entry = (...lines: ReadonlyArray<string>) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"]

layer(LocalWeb, { excludeTestServices: true })("a source", (it) => {
  it.effect("in iCalendar lists the meetings of bodies, each occurrence by itself, and no holiday", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const calendar = ical(
        ...entry(
          "UID:council@city",
          "SUMMARY:City Council - Regular Meeting",
          "DTSTART;TZID=America/Chicago:20261103T183000",
          "RRULE:FREQ=WEEKLY;COUNT=3",
          "EXDATE;TZID=America/Chicago:20261110T183000",
          "LOCATION:City Hall",
          "ATTACH:https://city.example/agenda.pdf"
        ),
        ...entry(
          "UID:council@city",
          "RECURRENCE-ID;TZID=America/Chicago:20261117T183000",
          "SUMMARY:City Council - Special Session",
          "DTSTART;TZID=America/Chicago:20261118T120000"
        ),
        // A rule that never comes to a day must not keep the crawl for ever.
        ...entry("UID:never", "DTSTART:20200230T010000Z", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"),
        ...entry("UID:plan", "SUMMARY:CANCELLED: Planning Commission Meeting", "DTSTART;VALUE=DATE:20261105"),
        ...entry("UID:parks", "SUMMARY:Park Board", "STATUS:CANCELLED", "DTSTART:20261106T010000Z"),
        ...entry("UID:closed", "SUMMARY:City offices closed", "DTSTART;VALUE=DATE:20261126"),
        ...entry("UID:old", "SUMMARY:City Council", "DTSTART:20250106T010000Z")
      )
      city.answers.set("/calendar.ics", says(calendar, "text/calendar; charset=utf-8", { etag: '"3"' }))
      const list = yield* read("ical", `${city.url}/calendar.ics`)
      assert.deepStrictEqual(
        list?.meetings.map(({ source_body, title, date, starts_at, is_cancelled }) => ({
          source_body,
          title,
          date,
          starts_at,
          is_cancelled
        })),
        [
          {
            source_body: "City Council",
            title: "City Council - Regular Meeting",
            date: "2026-11-03",
            starts_at: "2026-11-04T00:30:00Z",
            is_cancelled: false
          },
          {
            source_body: "City Council",
            title: "City Council - Special Session",
            date: "2026-11-18",
            starts_at: "2026-11-18T18:00:00Z",
            is_cancelled: false
          },
          {
            source_body: "Planning Commission",
            title: "Planning Commission Meeting",
            date: "2026-11-05",
            starts_at: undefined,
            is_cancelled: true
          },
          {
            source_body: "Park Board",
            title: "Park Board",
            date: "2026-11-05",
            starts_at: "2026-11-06T01:00:00Z",
            is_cancelled: true
          }
        ]
      )
      assert.deepInclude(list?.meetings[0], { location: "City Hall", agenda_url: "https://city.example/agenda.pdf" })
      assert.strictEqual(new Set(list?.meetings.map(({ id }) => id)).size, 4)
      assert.deepInclude(list, {
        isWhole: true,
        namesBodies: false,
        validators: { etag: '"3"', lastModified: undefined }
      })
      city.answers.set("/calendar.ics", says("<html>", "text/calendar"))
      assert.deepInclude(yield* Effect.flip(read("ical", `${city.url}/calendar.ics`)), { _tag: "NoCalendar" })
    })
  )

  it.effect("in iCalendar keeps its own zone, times without one, single occurrences, and the addresses in HTML", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      // Wrong on purpose: Central time as it never was, without summer.
      const wrong = ["BEGIN:VTIMEZONE", "TZID:Central Standard Time", "BEGIN:STANDARD", "DTSTART:16010101T000000"]
      const calendar = ical(
        "X-WR-CALNAME:Planning & Zoning Commission",
        ...wrong,
        ...["TZOFFSETFROM:-0300", "TZOFFSETTO:-0300", "END:STANDARD", "END:VTIMEZONE"],
        ...entry(
          "UID:1",
          "SUMMARY:Regular Meeting",
          "DTSTART;TZID=Central Standard Time:20261103T183000",
          'DESCRIPTION:<p>Join <a href="https://city.example/agenda?id=1&amp;v=2">Agenda</a>\\, ' +
            '<a href="https://city.example/doc/9">Minutes</a> or <a href="https://youtu.be/abcdefghijk">watch</a></p>',
          "URL:https://city.example/event"
        ),
        ...entry(
          "UID:2",
          "SUMMARY:ZBA Hearing (RESCHEDULED to 12/9/2026)",
          "DTSTART:20261104T190000",
          "ATTACH;FILENAME=Minutes.pdf:https://city.example/m.pdf",
          "ATTACH;FILENAME=Packet.pdf:https://city.example/p.pdf"
        ),
        ...entry("UID:3", "RECURRENCE-ID:20261110T190000", "SUMMARY:City Council", "DTSTART:20261111T190000"),
        // An exception of another series at the same hour is none of this one's.
        ...entry("UID:5", "SUMMARY:Park Board", "DTSTART:20261110T190000", "RRULE:FREQ=WEEKLY;COUNT=2"),
        ...entry("UID:4", "SUMMARY:Library closed for board training", "DTSTART;VALUE=DATE:20261105")
      )
      city.answers.set("/calendar.ics", says(calendar, "text/calendar; charset=utf-8"))
      const list = yield* read("ical", `${city.url}/calendar.ics`)
      assert.deepStrictEqual(
        list?.meetings.map(({ source_body, starts_at, is_cancelled }) => [source_body, starts_at, is_cancelled]),
        [
          ["Planning and Zoning Commission", "2026-11-04T00:30:00Z", false],
          ["Zoning Board of Appeals", "2026-11-05T01:00:00Z", true],
          ["City Council", "2026-11-12T01:00:00Z", false],
          ["Park Board", "2026-11-11T01:00:00Z", false],
          ["Park Board", "2026-11-18T01:00:00Z", false]
        ]
      )
      assert.deepInclude(list?.meetings[0], {
        title: "Regular Meeting",
        agenda_url: "https://city.example/agenda?id=1&v=2",
        minutes_url: "https://city.example/doc/9",
        source_url: "https://youtu.be/abcdefghijk"
      })
      assert.deepInclude(list?.meetings[1], {
        title: "ZBA Hearing",
        agenda_url: "https://city.example/p.pdf",
        minutes_url: "https://city.example/m.pdf"
      })
    })
  )

  it.effect("in RSS or Atom lists recordings by the day in their titles, and does not take a page for a file", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const rss = `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
        <title>Springfield TV</title><link>https://city.example/</link><description>d</description>
        <item><title>Planning Commission, November 3, 2026</title><guid isPermaLink="false">a</guid>
          <link>https://city.example/a</link><pubDate>Fri, 06 Nov 2026 20:00:00 GMT</pubDate>
          <media:group><media:content url="https://city.example/a.mp4" type="video/mp4"/></media:group></item>
        <item><title>ZBA 11-16-26</title><guid isPermaLink="false">z</guid>
          <description>&lt;a href="https://city.example/z.pdf"&gt;Agenda&lt;/a&gt;</description>
          <pubDate>Wed, 18 Nov 2026 20:00:00 GMT</pubDate></item>
        <item><title>City Council Meeting December 2nd</title><guid isPermaLink="false">d</guid>
          <pubDate>Thu, 03 Dec 2026 20:00:00 GMT</pubDate></item>
        <item><title>Tree lighting</title><guid>b</guid><pubDate>Fri, 06 Nov 2026 20:00:00 GMT</pubDate></item>
      </channel></rss>`
      const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"
        xmlns:media="http://search.yahoo.com/mrss/"><title>City</title>
        <entry><id>yt:video:c</id><title>City Council Meeting</title><published>2026-11-04T02:30:00+00:00</published>
          <link rel="alternate" href="https://video.example/watch?v=c"/>
          <media:group><media:content url="https://video.example/v/c" type="application/x-shockwave-flash"/></media:group>
        </entry></feed>`
      city.answers.set("/rss", says(rss, "application/rss+xml"))
      city.answers.set("/atom", says(atom, "text/xml"))
      const [film, ...rest] = (yield* read("rss", `${city.url}/rss`))?.meetings ?? []
      assert.deepInclude(film, {
        source_body: "Planning Commission",
        date: "2026-11-03",
        video_url: "https://city.example/a.mp4"
      })
      assert.deepStrictEqual(
        rest.map(({ source_body, date, agenda_url }) => [source_body, date, agenda_url]),
        [
          ["Zoning Board of Appeals", "2026-11-16", "https://city.example/z.pdf"],
          ["City Council", "2026-12-02", undefined]
        ]
      )
      const listed = yield* read("rss", `${city.url}/atom`)
      assert.deepInclude(listed?.meetings[0], {
        source_body: "City Council",
        date: "2026-11-03",
        source_url: "https://video.example/watch?v=c",
        video_url: undefined
      })
      assert.isFalse(listed?.isWhole)
    })
  )

  it.effect("in our own format lists the meetings of its schedule, with the fields that their details add", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const scheduled = { id: "1", body: "Board", body_id: "b", title: "Board Meeting", date: "2026-11-20" }
      const schedule = {
        timezone: "America/Denver",
        meetings: [
          { ...scheduled, details_url: `${city.url}/meeting` },
          { ...scheduled, id: "2", title: "Other", cancelled: true, details_url: `${city.url}/none` },
          { ...scheduled, id: "3", date: "2031-01-01" }
        ]
      }
      city.answers.set("/schedule", says(JSON.stringify(schedule)))
      city.answers.set("/meeting", says(JSON.stringify({ ...scheduled, video_url: "https://city.example/1.mp4" })))
      city.answers.set("/none", says(JSON.stringify({ id: "2" })))
      const list = yield* read("json", `${city.url}/schedule`)
      assert.deepStrictEqual(
        list?.meetings.map(({ external_id, title, timezone, is_cancelled, video_url, body_external_id }) => ({
          external_id,
          title,
          timezone,
          is_cancelled,
          video_url,
          body_external_id
        })),
        [
          {
            external_id: "1",
            title: "Board Meeting",
            timezone: "America/Denver",
            is_cancelled: false,
            video_url: "https://city.example/1.mp4",
            body_external_id: "b"
          },
          {
            external_id: "2",
            title: "Other",
            timezone: "America/Denver",
            is_cancelled: true,
            video_url: undefined,
            body_external_id: "b"
          }
        ]
      )
      city.answers.set("/schedule", says('{"meetings":[{"id":"1"}]}'))
      assert.deepInclude(yield* Effect.flip(read("json", `${city.url}/schedule`)), {
        _tag: "NoCalendar",
        message: "The calendar is not one: meetings.0.body is missing."
      })
    })
  )
})
