import * as fs from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type SourceKind, sourceKinds } from "../../schema/agent/directory.ts"
import { readers } from "../../src/pipeline/sources/readers.ts"
import { PoliteWeb } from "../../src/pipeline/web/polite-web.ts"
import { type CityServer, cityServer, says, status } from "../support/city-server.ts"
import { day } from "../support/legistar-city.ts"
import { agendaCenterSite } from "../support/vendors/agendacenter.ts"
import { boardDocsSite } from "../support/vendors/boarddocs.ts"
import { civicClerkSite } from "../support/vendors/civicclerk.ts"
import { escribeSite } from "../support/vendors/escribe.ts"
import { granicusSite } from "../support/vendors/granicus.ts"
import { internetArchiveSite } from "../support/vendors/internet-archive.ts"
import { iqm2Site } from "../support/vendors/iqm2.ts"
import { legistarPageSite } from "../support/vendors/legistar-page.ts"
import { municodeSite } from "../support/vendors/municode.ts"
import { novusAgendaSite } from "../support/vendors/novusagenda.ts"
import { primeGovSite } from "../support/vendors/primegov.ts"
import { brief, days, itemsOf, LocalWeb, listOf, read, timezone } from "../support/vendors/reading.ts"
import { swagitSite } from "../support/vendors/swagit.ts"
import { usDay, youTubeFeed } from "../support/vendors/youtube.ts"

layer(LocalWeb, { excludeTestServices: true })("a vendor's calendar", (it) => {
  it.effect("of CivicClerk is read page by page, and its Z is local time", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const list = yield* read("civicclerk", civicClerkSite(city))
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Commission | Commission Meeting | ${day(-9)}T18:00`,
        `Planning Commission | Planning Commission Meeting | ${day(-2)}T11:00 | cancelled`,
        `City Commission | Work Session | ${day(12)}`
      ])
      const [held, relative] = list?.meetings ?? []
      assert.deepInclude(held, {
        agenda_url: `${city.url}/v1/Meetings/GetMeetingFileStream(fileId=1620,plainText=false)`,
        minutes_url: `${city.url}/v1/Meetings/GetMeetingFileStream(fileId=1635,plainText=false)`,
        video_url: "https://cpmedia.azureedge.net/emporiaks/ab8f5fbb5f.mp4",
        captions_url: "https://cpmedia.azureedge.net/emporiaks/ClosedCaption/07222026172024531-585.srt",
        body_external_id: "26",
        location: "518 Mechanic Street, Emporia"
      })
      assert.deepStrictEqual(held?.attachments, [
        { title: "Agenda packet", url: `${city.url}/v1/Meetings/GetMeetingFileStream(fileId=1621,plainText=false)` }
      ])
      assert.isUndefined(relative?.video_url)
      // One entry was in no shape, and may be a meeting that is known.
      assert.deepInclude(list, { isWhole: false, namesBodies: true })
      assert.deepStrictEqual(yield* itemsOf(held), [
        { number: "1", title: "CALL MEETING TO ORDER" },
        { number: "4", title: "CONSENT AGENDA", outcome: "Pass (5:0)" },
        { number: "4.a", title: "Minutes" },
        {
          number: "5.a",
          title: "Resolution 3795 Adopting a Large Volume Water Service Policy",
          outcome: "Pass (4:1)",
          start: 95
        },
        { number: "5.b", title: "Resolution 3796 Adopting a Large Volume Wastewater Service Policy", start: 1260 }
      ])
      city.answers.set("/v1/Events", status(404))
      assert.deepInclude(yield* Effect.flip(read("civicclerk", `${city.url}/v1/Events`)), { reason: "gone" })
    })
  )

  it.effect("of CivicPlus's AgendaCenter is read by body and year, and the day of posting is no meeting's", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, asked, key } = agendaCenterSite(city)
      const list = yield* read("agendacenter", source)
      assert.deepStrictEqual(list?.meetings.map(brief).slice(0, 2), [
        `City Council | City Council Meeting | ${day(-10)}`,
        `Housing PRC | Housing PRC Meeting | ${day(20)} | cancelled`
      ])
      const [council] = list?.meetings ?? []
      assert.deepInclude(council, {
        agenda_url: `${city.url}/AgendaCenter/ViewFile/Agenda/${key}`,
        minutes_url: `${city.url}/AgendaCenter/ViewFile/Minutes/${key}`,
        video_url: "https://city.granicus.com/player/clip/7",
        starts_at: undefined
      })
      assert.deepStrictEqual(council?.attachments, [
        { title: "Agenda packet", url: `${city.url}/AgendaCenter/ViewFile/Agenda/${key}?packet=true` }
      ])
      assert.deepStrictEqual(yield* itemsOf(council), [
        { number: "9.A", title: "Consent A", description: "Minutes of May 3" },
        { number: "9.B", title: "Award of bid 12-7" },
        { number: "10", title: "Adjourn" }
      ])
      // Lists of years that change no more are not asked for, except in a year's first weeks.
      const isYoung = day(-60).slice(0, 4) !== day(0).slice(0, 4)
      assert.lengthOf(asked, isYoung ? 2 : 0)
    })
  )

  it.effect("of AgendaCenter asks for a former year by a form with its cookie, and takes no other body's rows", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, asked } = agendaCenterSite(city)
      const list = yield* PoliteWeb.use((web) =>
        readers.agendacenter.read(
          {
            ...{ id: "1", kind: "agendacenter" as const, url: source, etag: null, last_modified: null, timezone },
            place: { id: 1, slug: "springfield", name: "Springfield", kind: "city", state: "IL", county: null }
          },
          { from: day(-800), to: day(365) },
          web
        )
      )
      const before = Number(day(-10).slice(0, 4)) - 1
      assert.deepStrictEqual(asked, [
        `year=${before}&catID=7 ASP.NET_SessionId=abc`,
        `year=${before}&catID=21 ASP.NET_SessionId=abc`
      ])
      assert.deepStrictEqual(list?.meetings.slice(2).map(brief), [
        `City Council | City Council Meeting | ${before}-03-01`
      ])
    })
  )

  it.effect("of Granicus is read from the view's page, and an event that became a clip is one meeting", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const source = granicusSite(city)
      const list = yield* read("granicus", source)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Council | Regular City Council Meeting | ${day(0)}T09:00`,
        `City Council | Regular City Council Meeting | ${day(-7)}`,
        `Planning and Zoning Commission | Work Session | ${day(-14)}`,
        `Planning and Zoning Commission | Caf\u00e9 with the Mayor | ${day(-15)}`
      ])
      const [event, council, work] = list?.meetings ?? []
      assert.deepInclude(council, {
        agenda_url: "http://bhamal.granicus.com/AgendaViewer.php?view_id=2&clip_id=1980",
        minutes_url: "http://bhamal.granicus.com/MinutesViewer.php?view_id=2&clip_id=1980&doc_id=aaa",
        video_url: "http://bhamal.granicus.com/MediaPlayer.php?view_id=2&clip_id=1980",
        captions_url: `${city.url}/videos/1980/captions.vtt`
      })
      assert.strictEqual(work?.video_url, `${city.url}/DownloadFile.php?view_id=2&clip_id=1970`)
      assert.deepStrictEqual(yield* itemsOf(council), [
        { number: "1", title: "Call to Order", start: 95 },
        { number: "7.A", title: "Quarry Road bridge contract", start: 1260 }
      ])
      granicusSite(city, { isRecorded: true })
      const [clip] = (yield* read("granicus", source))?.meetings ?? []
      assert.strictEqual(clip?.id, event?.id)
      assert.strictEqual(clip?.video_url, "http://bhamal.granicus.com/MediaPlayer.php?view_id=2&clip_id=1999")
    })
  )

  it.effect("of Granicus whose page has no list is read from its feeds, whose hours are those of the titles", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      granicusSite(city)
      const list = yield* read("granicus", `${city.url}/ViewPublisher.php?view_id=3`)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Council | City Council | ${day(-30)}T17:00`,
        `Study Commission | Study Commission | ${day(5)}`
      ])
      assert.strictEqual(list?.meetings[0]?.agenda_url, "https://x.granicus.com/AgendaViewer.php?view_id=3&clip_id=12")
    })
  )

  it.effect("of Legistar without its Web API is read from the page, which is asked on with its own state", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, asked, guid } = legistarPageSite(city)
      const list = yield* read("legistar_page", source)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Council | City Council Regular Meeting | ${day(-5)}T18:00`,
        `Planning Commission | Planning Commission | ${day(3)} | cancelled`,
        `Parks Board | Parks Board: Joint with the School Board | ${day(9)}`
      ])
      const [council, planning] = list?.meetings ?? []
      assert.deepInclude(council, {
        agenda_url: `${city.url}/View.ashx?M=A&ID=1&GUID=${guid(1)}`,
        minutes_url: `${city.url}/View.ashx?M=M&ID=1&GUID=${guid(1)}`,
        video_url: `${city.url}/Video.aspx?Mode=Granicus&ID1=2840&Mode2=Video`,
        location: "Council Chambers",
        body_external_id: undefined
      })
      assert.deepStrictEqual(
        [planning?.minutes_url, planning?.video_url, planning?.body_external_id],
        [undefined, undefined, "15667"]
      )
      assert.deepInclude(asked[0], {
        __VIEWSTATE: "one",
        __EVENTTARGET: "ctl00$ContentPlaceHolder1$gridCalendar$ctl00$ctl02$ctl04"
      })
      city.answers.set("/Calendar.aspx", says("<html><body>Moved</body></html>", "text/html"))
      assert.deepInclude(yield* Effect.flip(read("legistar_page", source)), { _tag: "NoCalendar" })
    })
  )

  it.effect("of PrimeGov is read from its lists, without twins, and a notice cancels", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const list = yield* read("primegov", primeGovSite(city))
      assert.sameMembers(list?.meetings.map(brief) ?? [], [
        `City Council | City Council Meeting | ${day(-8)}T10:00`,
        `Planning and Transportation Commission | PTC | ${day(-5)}T18:30 | cancelled`,
        `City Council | City Council Meeting | ${day(6)}T18:00`
      ])
      const held = list?.meetings.find(({ external_id }) => external_id === "16238")
      const compiled = `${city.url}/Public/CompiledDocument?meetingTemplateId=`
      assert.deepInclude(held, {
        agenda_url: `${compiled}136038&compileOutputType=1`,
        minutes_url: `${compiled}136040&compileOutputType=1`,
        video_url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
        source_url: `${city.url}/Portal/Meeting?meetingTemplateId=136037`
      })
      assert.deepStrictEqual(held?.attachments, [
        { title: "Agenda packet", url: `${compiled}136039&compileOutputType=1` }
      ])
      assert.deepStrictEqual(yield* itemsOf(held), [
        { number: "1", title: "Commendatory resolutions" },
        { number: "2", title: "Street vending" }
      ])
    })
  )

  it.effect("of eScribe is read by the method of its page, and items begin when they are first taken up", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, asked } = escribeSite(city)
      const list = yield* read("escribe", source)
      assert.deepStrictEqual(asked, [JSON.stringify({ calendarStartDate: days.from, calendarEndDate: days.to })])
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Council | City Council Meeting 330 | ${day(-6)}T18:00`,
        `Planning Board | Planning Board | ${day(4)}T19:00 | cancelled`
      ])
      const [council] = list?.meetings ?? []
      const file = "https://video.isilive.ca/bakersfield/Encoder%20760_CCM330.mp4"
      assert.deepInclude(council, {
        agenda_url: `${city.url}/FileStream.ashx?DocumentId=1`,
        minutes_url: `${city.url}/FileStream.ashx?DocumentId=3`,
        video_url: file,
        captions_url: `${file}.vtt`
      })
      assert.deepStrictEqual(council?.attachments, [
        { title: "Agenda packet", url: `${city.url}/FileStream.ashx?DocumentId=2` }
      ])
      assert.deepStrictEqual(yield* itemsOf(council), [
        { number: "7.1", title: "Agenda item statements", start: 1754 },
        { number: "8", title: "APPOINTMENTS", start: 4117 }
      ])
    })
  )

  it.effect("of BoardDocs is read committee by committee, with the hour that a meeting's own page says", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, base, asked } = boardDocsSite(city)
      const list = yield* read("boarddocs", source)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `Board of Education | REGULAR BOARD BUSINESS MEETING | ${day(-7)}T18:00`,
        `Board of Education | REGULAR BOARD BUSINESS MEETING | ${day(-14)} | cancelled`,
        `Board of Education | SPECIAL BOARD MEETING | ${day(-200)}`,
        `Finance Committee | Work Session | ${day(5)} | cancelled`
      ])
      assert.deepInclude(list, { isWhole: true, namesBodies: true })
      const [regular] = list?.meetings ?? []
      assert.deepInclude(regular, {
        body_external_id: "A9QN5Z5E5509",
        source_url: `${base}/goto?open&id=DQ3VPX80F260`,
        minutes_url: `${base}/goto?open&id=DQ3VPX80F260`,
        video_url: "https://www.youtube.com/watch?v=dQw4w9WgXcQ"
      })
      assert.isUndefined(regular?.agenda_url)
      assert.lengthOf(
        asked.filter((one) => one.startsWith("BD-GetMeeting ")),
        2
      )
      assert.deepStrictEqual(yield* itemsOf(regular), [
        { number: "A.1", title: "Call to Order & Roll Call" },
        { number: "B", title: "Board Legislation" },
        { number: "C.1", title: "Budget Amendment", outcome: "Motion Fails (1:3)" },
        { number: "C.2", title: "Budget Amendment" }
      ])
      city.answers.set("/oh/springfield/Board.nsf/Public", says("<html><body>Sign in</body></html>", "text/html"))
      assert.deepInclude(yield* Effect.flip(read("boarddocs", source)), { _tag: "NoCalendar" })
    })
  )

  it.effect("of NovusAgenda is read for its days page by page, and the minutes are at the agenda's address", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, asked, from } = novusAgendaSite(city)
      const list = yield* read("novusagenda", source)
      assert.deepStrictEqual(list?.meetings.map(brief), [
        `City Council | City Council Regular Meeting | ${day(-9)}`,
        `Planning Commission | Planning Commission | ${day(3)} | cancelled`,
        `Special Meeting | Special Meeting | ${day(-40)}`
      ])
      // The second page belongs to what was searched for.
      assert.deepStrictEqual(asked, [`page-1 cus ${from}`])
      assert.deepInclude(list, { isWhole: false, namesBodies: false })
      const [council, planning] = list?.meetings ?? []
      const online = `${city.url}/agendapublic/MeetingView.aspx?MeetingID=652&MinutesMeetingID=-1&doctype=Agenda`
      assert.deepInclude(council, {
        source_url: online,
        agenda_url: `${city.url}/agendapublic/DisplayAgendaPDF.ashx?MeetingID=652`,
        minutes_url: `${city.url}/agendapublic/DisplayAgendaPDF.ashx?MinutesMeetingID=700`,
        location: "City Hall, 100 W Center St"
      })
      assert.isUndefined(planning?.minutes_url)
      assert.deepStrictEqual(yield* itemsOf(council), [
        { number: "A", title: "Quarry Road bridge contract" },
        { number: "7.2", title: "Fence permit, 12 Elm St." }
      ])
      city.answers.set("/agendapublic/meetingsgeneral.aspx", says("<html>An http error occurred</html>", "text/html"))
      assert.deepInclude(yield* Effect.flip(read("novusagenda", source)), { _tag: "NoCalendar" })
    })
  )

  it.effect("of a YouTube channel counts the day in the title, never the one of publishing", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const source = youTubeFeed(city, [
        { id: "aaaaaaaaaaa", title: `LIVE: City Council Meeting ${usDay(-9)}`, days: -3 },
        { id: "bbbbbbbbbbb", title: `Planning Commission ${usDay(3)}`, days: -1 },
        { id: "ccccccccccc", title: "City Council Meeting", days: -30 },
        { id: "ddddddddddd", title: `City Council Meeting ${usDay(-40)} Part 2`, days: -39 },
        { id: "eeeeeeeeeee", title: `City Council Meeting ${usDay(-50)} CANCELLED`, days: -50 },
        { id: "fffffffffff", title: "Leaf collection", days: -51 }
      ])
      const list = yield* read("youtube", source)
      assert.deepStrictEqual(
        list?.meetings.map(({ source_body, date, video_url, doubt }) => [
          source_body,
          date,
          video_url?.slice(-3),
          doubt
        ]),
        [
          ["Planning Commission", day(3), "bbb", undefined],
          ["City Council", day(-9), "aaa", undefined],
          ["City Council", day(-30), "ccc", "Its title does not say the day of the meeting."],
          ["City Council", day(-40), "ddd", "Its title says that it is a part of a recording."]
        ]
      )
      assert.deepInclude(list, { isWhole: false, namesBodies: false })
      city.answers.set("/feeds/videos.xml", says("<feed xmlns='http://www.w3.org/2005/Atom'/>", "text/xml"))
      assert.deepInclude(yield* Effect.flip(read("youtube", source)), { _tag: "NoCalendar" })
    })
  )

  it.effect("of a collection at the Internet Archive is read page by page, and an item's date is a hint", () =>
    Effect.gen(function* () {
      const city = yield* cityServer()
      const { source, asked } = internetArchiveSite(city)
      const archived = (item: string) => `https://archive.org/details/springfield-${item}`
      const list = yield* read("internet_archive", source)
      assert.deepStrictEqual(
        list?.meetings.map(({ source_body, date, video_url, doubt }) => [source_body, date, video_url, doubt]),
        [
          ["City Council", day(-3), archived("council-1"), "Its title does not say the day of the meeting."],
          ["City Council", day(-9), archived("council-2"), undefined],
          ["Planning Board", day(-16), archived("board-3"), "Its title does not say the day of the meeting."]
        ]
      )
      assert.strictEqual(asked.length, 2)
      assert.include(asked[0]?.get("q"), "mediatype:(movies)")
      const item = yield* Effect.flip(read("internet_archive", `${city.url}/details/one-item`))
      assert.deepInclude(item, { _tag: "NoCalendar" })
    })
  )

  it.effect("gives what docs/sources.md says it gives", () =>
    Effect.gen(function* () {
      const sites: Partial<
        Record<SourceKind, (city: CityServer) => string | { readonly source: string; readonly other?: string }>
      > = {
        ...{ civicclerk: civicClerkSite, agendacenter: agendaCenterSite, granicus: granicusSite },
        ...{ legistar_page: legistarPageSite, primegov: primeGovSite, escribe: escribeSite },
        ...{ boarddocs: boardDocsSite, novusagenda: novusAgendaSite },
        ...{ swagit: swagitSite, iqm2: iqm2Site, municode: municodeSite }
      }
      const [, closing = ""] = fs.readFileSync("docs/sources.md", "utf8").split("## What a mid-size city can expect")
      for (const kind of sourceKinds) {
        const site = sites[kind]
        if (site === undefined) continue
        const at = site(yield* cityServer())
        const addresses = typeof at === "string" ? [at] : [at.source, at.other].filter((one) => one !== undefined)
        const meetings = (yield* Effect.forEach(addresses, (one) => read(kind, one))).flatMap(
          (list) => list?.meetings ?? []
        )
        const asked = meetings.filter(({ items_url }) => items_url !== undefined)
        // Not every meeting of a site has its agenda there.
        const lists = yield* Effect.forEach(asked, (one) => Effect.orElseSucceed(listOf(one), () => undefined))
        const items = lists.flatMap((one) => one?.items ?? [])
        const row = closing.split("\n").find((line) => line.startsWith(`| \`${kind}\` |`)) ?? ""
        const cells = row.split(" | ").slice(2)
        assert.deepStrictEqual(
          cells.slice(0, 7).map((cell) => cell !== "–"),
          [
            items.length > 0,
            items.some(({ start }) => start !== undefined),
            meetings.some(({ video_url }) => video_url !== undefined),
            cells[3] === "of its player" || meetings.some(({ captions_url }) => captions_url !== undefined),
            meetings.some(({ agenda_url }) => agenda_url !== undefined),
            meetings.some(({ attachments }) => attachments?.some(({ title }) => /packet/i.test(title))),
            meetings.some(({ minutes_url }) => minutes_url !== undefined)
          ],
          row
        )
        assert.strictEqual(
          /by name/.test(cells[7] ?? ""),
          lists.some((one) => one !== undefined && one.votes.length > 0),
          row
        )
      }
    })
  )
})
