import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { findSources } from "../../src/pipeline/sources/find-source.ts"
import { PoliteWeb } from "../../src/pipeline/web/polite-web.ts"
import { cityServer, says } from "../support/city-server.ts"
import { day } from "../support/legistar-city.ts"
import { iqm2Site } from "../support/vendors/iqm2.ts"
import { municodePages, municodeSite } from "../support/vendors/municode.ts"
import { brief, days, itemsOf, LocalWeb, read } from "../support/vendors/reading.ts"
import { swagitSite } from "../support/vendors/swagit.ts"

layer(LocalWeb, { excludeTestServices: true })("a vendor's pages", (it) => {
  it.effect("of Swagit is read from the lists behind a view's tabs, as far back as is asked for", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, other } = swagitSite(city)
      const list = yield* read("swagit", source)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Commission | City Commission | ${day(-10)}`,
        `Commission | Special Meeting | ${day(-24)}`,
        `Zoning Board of Adjustment | Zoning Board of Adjustment | ${day(-31)} | cancelled`,
        `Zoning Board | Parade of Lights | ${day(-40)}`
      ])
      assert.deepStrictEqual(
        city.asked.map(({ path }) => path.replace("/views/322", "")),
        ["", "/commission-meetings", "/commission-meetings?page=2", "/zoning-board"]
      )
      const [council] = list?.meetings ?? []
      assert.deepInclude(council, {
        agenda_url: `${city.url}/videos/401170/agenda`,
        video_url: `${city.url}/videos/401170`,
        starts_at: undefined
      })
      assert.deepStrictEqual(yield* itemsOf(council), [
        { number: "1", title: "CALL TO ORDER", start: 51 },
        { number: "7.A", title: "Quarry Road bridge & culvert", start: 491 },
        { number: "9", title: "ADJOURN" }
      ])
      const years = yield* read("swagit", other)
      assert.deepStrictEqual(years?.meetings.map(brief), [
        `City Council | Regular Meeting | ${day(-12)}`,
        `Planning Commission | Special Planning Commission | ${day(-33)}`
      ])
      assert.strictEqual(years?.meetings[0]?.minutes_url, `${city.url}/videos/401121/minutes`)
      city.answers.set("/views/322", says("<html><body>Powered by Swagit</body></html>", "text/html"))
      assert.deepInclude(yield* Effect.flip(read("swagit", source)), { _tag: "NoCalendar" })
    })
  )

  it.effect("of IQM2 are read for the days asked for, with items under their headings and what was decided", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, asked } = iqm2Site(city)
      const list = yield* read("iqm2", source)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Council | City Council - Regular Meeting | ${day(-9)}T18:00`,
        `Planning Commission/Board of Adjustment | Planning Commission/Board of Adjustment - Regular Meeting | ${day(3)}T17:00`,
        `City Council | City Council - Committee of the Whole | ${day(8)}T09:00 | cancelled`
      ])
      assert.deepInclude(list, { isWhole: true, namesBodies: true })
      const { searchParams } = new URL(asked[0] ?? "", source)
      const [year, month, date] = days.from.split("-").map(Number)
      assert.deepStrictEqual([searchParams.get("View"), searchParams.get("From")], ["List", `${month}/${date}/${year}`])
      const [council, planning] = list?.meetings ?? []
      const file = `${city.url}/Citizens/FileOpen.aspx`
      assert.deepInclude(council, {
        agenda_url: `${file}?Type=14&ID=21795&Inline=True`,
        minutes_url: `${file}?Type=12&ID=21617&Inline=True`,
        video_url: `${city.url}/Citizens/SplitView.aspx?Mode=Video&MeetingID=21831&Format=Minutes`,
        source_url: `${city.url}/Citizens/Detail_Meeting.aspx?ID=21831`,
        location: "County Board Room, 326 Laurel Street, Brainerd, MN 56401"
      })
      assert.deepStrictEqual(council?.attachments, [
        { title: "Agenda packet", url: `${file}?Type=1&ID=21795&Inline=True` }
      ])
      assert.deepStrictEqual(
        [planning?.agenda_url, planning?.video_url, planning?.items_url],
        [undefined, undefined, undefined]
      )
      const items = [
        { number: "1", title: "Call to Order" },
        {
          ...{ number: "2.A", title: "COF 2026 #141 : A communication about the bridge", matter: "COF 2026 #141" },
          ...{ outcome: "Order Adopted [9-0-0]", start: 241 }
        },
        { number: "2.B", title: "Contract for road repair", start: 1263 },
        { number: "3.A", title: "Adopt the fees", outcome: "Failed [4 to 5]" },
        { number: "4", title: "Adjournment" }
      ]
      assert.deepStrictEqual(yield* itemsOf(council), items)
      const unrecorded = council && { ...council, items_url: council.items_url?.replace("21831", "21834") }
      assert.deepStrictEqual(
        yield* itemsOf(unrecorded),
        items.map(({ start: _, ...item }) => item)
      )
      city.answers.set("/Citizens/Calendar.aspx", says("<html><body>Sign in</body></html>", "text/html"))
      assert.deepInclude(yield* Effect.flip(read("iqm2", source)), { _tag: "NoCalendar" })
    })
  )

  it.effect("of Municode Meetings are a city's site, whose bodies have names besides, by local hours", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, blob, key } = municodeSite(city)
      const list = yield* read("municode", source)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `Town Council | Town Council Meeting | ${day(9)}T19:00`,
        `Town Council | Town Council Meeting | ${day(-6)}T19:00`,
        `Planning & Zoning Commission | P&Z Workshop - NO SUBMITTAL | ${day(-12)}T18:30 | cancelled`,
        `Town Council | Town Council Meeting | ${day(-40)}T19:00`
      ])
      assert.deepInclude(list, { isWhole: false, namesBodies: true })
      assert.deepStrictEqual(
        city.asked.map(({ path }) => path.replace(/\?datefrom.*/, "")),
        [
          "/",
          "/meetings3?page=1",
          "/meetings3?page=2",
          "/api/v1/public/meeting/list.json",
          "/bc-tc/page/town-council-meeting-8"
        ]
      )
      const [, council, , former] = list?.meetings ?? []
      assert.deepInclude(council, {
        agenda_url: `${blob}/MEET-Agenda-${key(8)}.pdf`,
        minutes_url: `${blob}/MEET-Minutes-${key(8)}.pdf`,
        video_url: "https://www.youtube.com/watch?v=bhpXBnBdpZc",
        source_url: `${city.url}/bc-tc/page/town-council-meeting-8`,
        body_external_id: "bc-tc"
      })
      assert.deepStrictEqual(council?.attachments, [
        { title: "Agenda packet", url: `${blob}/MEET-Packet-${key(8)}.pdf` }
      ])
      // Where one signs in is no recording.
      assert.isUndefined(former?.video_url)
      assert.deepStrictEqual(yield* itemsOf(council), [
        { number: "1", title: "CALL TO ORDER" },
        { number: "7.a", title: "Minutes of May 3" },
        { number: "7.b", title: "Award of bid 12-7" },
        { number: "8", title: "ADJOURNMENT" }
      ])
      const found = yield* PoliteWeb.use((web) => findSources(`${city.url}/#meetings`, web))
      assert.deepStrictEqual(
        found.found.map(({ kind, total }) => `${kind} ${total}`),
        ["municode 4"]
      )
      city.answers.set("/", says("<html><body>Moved</body></html>", "text/html"))
      assert.deepInclude(yield* Effect.flip(read("municode", source)), { _tag: "NoCalendar" })
    })
  )

  it.effect("of Municode's other kind are told by the names of papers, to the last page with any", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const source = municodePages(city)
      const list = yield* read("municode", source)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Council | City Council Regular Meeting | ${day(-3)}T18:00`,
        `Board of Adjustment | Board of Adjustment Meeting | ${day(-20)}T18:00 | cancelled`
      ])
      assert.lengthOf(city.asked, 3)
      const [council] = list?.meetings ?? []
      assert.match(council?.agenda_url ?? "", /MEET-Agenda-[0-9a-f]{32}\.pdf$/)
      assert.match(council?.minutes_url ?? "", /MEET-Minutes-/)
      assert.match(council?.attachments?.[0]?.url ?? "", /MEET-Packet-/)
      assert.match(council?.items_url ?? "", /adaHtmlDocument/)
    })
  )
})
