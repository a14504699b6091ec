import type { CheerioAPI } from "cheerio/slim"
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { tidy, webAddress } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import { type CalendarReader, type Days, isWithin, NoCalendar } from "./calendar.ts"
import { type HtmlPage, htmlPage } from "./html-page.ts"
import { jsonPage, text } from "./json-page.ts"
import { youTubePage } from "./links.ts"
import {
  bodyIn,
  clockIn,
  isPast,
  itemList,
  listedItem,
  listedMeeting,
  lookedAtFrom,
  numbersUnder,
  titleKeys,
  usDate
} from "./vendor.ts"

type Source = Parameters<typeof listedMeeting>[0]

/** The most pages of one list; a page has 25 meetings. */
const mostPages = 40
/** The most meetings whose page is asked for its recording, and the days back that they are: those to be fetched. */
const mostDetails = 20
const daysOfDetails = 31

/** By which every paper of a meeting is named. */
const keyIn = (address: string | undefined) => /(?:MEET-[A-Za-z ]+-|[?&]me=)([0-9a-f]{32})/i.exec(address ?? "")?.[1]

const decodeList = Schema.decodeUnknownResult(Schema.Struct({ Meetings: Schema.Array(Schema.Unknown) }))
const decodeEntry = Schema.decodeUnknownOption(Schema.Struct({ OriginMeetingID: text, GroupName: text }))

/**
 * The bodies' names by the papers of their meetings, from the list that some sites have besides. Its hours are UTC
 * without saying so, and are not used.
 */
const groupsAt = Effect.fnUntraced(function* (web: PoliteWeb["Service"], site: string, { from, to }: Days) {
  const address = new URL("/api/v1/public/meeting/list.json", site)
  address.search = new URLSearchParams({ datefrom: from, dateto: to }).toString()
  const answer = yield* jsonPage(web, address.href)
  const list = decodeList(answer?.value)
  const entries = Result.isSuccess(list) ? list.success.Meetings.flatMap((one) => Option.toArray(decodeEntry(one))) : []
  return new Map(
    entries.flatMap(({ OriginMeetingID, GroupName }) => {
      const name = tidy(GroupName)
      return name === "" ? [] : [[(OriginMeetingID ?? "").replaceAll("-", "").toLowerCase(), name] as const]
    })
  )
})

/** A row of a site's table: its columns say what they are. */
interface Row {
  /** The address of the meeting's page, and the part of it that all meetings of a body share. */
  readonly page: string
  readonly group: string
  readonly key: string | undefined
  readonly title: string
  readonly date: string
  readonly time: string | undefined
  readonly agenda: string | undefined
  readonly html: string | undefined
  readonly packet: string | undefined
  readonly minutes: string | undefined
  readonly video: string | undefined
}

const rowsOf = ({ $, url }: HtmlPage): ReadonlyArray<Row> =>
  $("table.views-table tbody tr")
    .toArray()
    .flatMap((element) => {
      const row = $(element)
      const cell = (name: string) => row.children(`td[data-th^="${name}"]`).first()
      const links = (name: string) =>
        cell(name)
          .find("a[href]")
          .toArray()
          .flatMap((link) => webAddress(URL.parse($(link).attr("href") ?? "", url)?.href) ?? [])
      const file = (name: string) => links(name).find((link) => /\.pdf$/i.test(URL.parse(link)?.pathname ?? ""))
      const page = links("View")[0]
      const title = tidy(cell("Meeting").text())
      const when = cell("Date")
      // The hour is the city's own, whatever follows it.
      const [date = usDate(tidy(when.text())), time = clockIn(tidy(when.text()))] = (
        when.find("[content]").first().attr("content") ?? ""
      )
        .split(/T|(?=[+-]\d{2}:\d{2}$)/)
        .filter((part) => part !== "")
      if (page === undefined || title === "" || date === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return []
      const { pathname } = new URL(page)
      return [
        {
          ...{ page, title, date, time, group: pathname.split("/")[1] ?? "" },
          key: [...links("Agenda"), ...links("Minutes")].map(keyIn).find((key) => key !== undefined),
          agenda: file("Agenda"),
          html: links("Agenda").find((link) => /adaHtmlDocument/i.test(link)),
          packet: file("Agenda Packet") ?? file("Packet"),
          minutes: file("Minutes"),
          video: links("Video")[0]
        }
      ]
    })

/** A recording by the address that people open; some links lead to where one signs in. */
const filmAt = (address: string | undefined): string | undefined => {
  const [, video] = /\byoutube(?:-nocookie)?\.com\/embed\/([\w-]{11})/i.exec(address ?? "") ?? []
  if (video !== undefined) return youTubePage(video)
  return /(^|\.)google\.com$/i.test(URL.parse(address ?? "")?.hostname ?? "") ? undefined : address
}

/** Cities' sites: a table of meetings, newest first, which shows 25 at a time. */
const readSite = Effect.fnUntraced(function* (web: PoliteWeb["Service"], source: Source, days: Days) {
  const rows: Array<Row> = []
  let page = yield* htmlPage(web, source.url)
  for (let at = 1; ; at++) {
    const found = rowsOf(page)
    rows.push(...found)
    const more = page.$(".pager__item a[href], .pager-next a[href]").last().attr("href") ?? ""
    const next = /[?&]page=\d+/.test(more) ? URL.parse(more, page.url) : null
    if (next === null || at >= mostPages || found.every(({ date }) => date < days.from)) break
    page = yield* htmlPage(web, next.href)
  }
  if (rows.length === 0) return []
  const named = Option.getOrElse(yield* Effect.option(groupsAt(web, page.url, days)), () => new Map<string, string>())
  const groups = new Map(rows.flatMap(({ group, key }) => (key && named.has(key) ? [[group, named.get(key)]] : [])))
  const now = yield* DateTime.now
  const today = DateTime.formatIsoDate(now)
  const oldest = lookedAtFrom(now, days, daysOfDetails)
  const most = isPast(days, now) ? rows.length : mostDetails
  let asked = 0
  const meetings: Array<{ readonly meeting: SourceMeeting; readonly isNamed: boolean }> = []
  for (const row of rows.filter(({ date }) => isWithin(days, date))) {
    const { page: at, group, title, date, time, html, agenda, minutes, packet } = row
    const isOwn = row.video !== undefined && new URL(row.video).host === new URL(at).host
    const isLooked = isOwn && date >= oldest && date <= today && asked++ < most
    const detail = isLooked ? yield* Effect.option(htmlPage(web, row.video ?? at)) : Option.none()
    const frame = Option.isNone(detail) ? undefined : detail.value.$("iframe#mcc_agenda_video[src]").attr("src")
    const video = isOwn ? webAddress(URL.parse(frame ?? "about:", at)?.href) : row.video
    const body = groups.get(group)
    meetings.push({
      isNamed: body !== undefined,
      meeting: listedMeeting(source, {
        ...{ key: new URL(at).pathname, title, date, time, page: at, agenda, minutes, items: html },
        body: body ?? bodyIn(title) ?? title,
        bodyId: body === undefined ? undefined : group,
        video: filmAt(video),
        documents: [{ title: "Agenda packet", url: packet }]
      })
    })
  }
  return meetings
})

/** `Agenda-City Council Regular Meeting-July 22, 2026 6.00 PM.pdf`: a paper says what it is, and of whom and when. */
const namedIn = (name: string) => {
  const [, paper = "", title = "", day = "", hour = ""] =
    /^(.+?)-(.+)-([A-Z][a-z]+ \d{1,2}, \d{4})\s*(\d{1,2}\.\d{2} ?[AP]M)?/i.exec(name) ?? []
  return { paper, title: tidy(title), date: usDate(day), time: hour.replace(".", ":") || undefined }
}

/** The pages of `meetings.municode.com`: links to papers, by whose names the meetings are told. */
const readPublished = Effect.fnUntraced(function* (web: PoliteWeb["Service"], source: Source, days: Days) {
  const meetings = new Map<string, Map<string, string>>()
  const about = new Map<string, ReturnType<typeof namedIn>>()
  for (let at = 0; at < mostPages; at++) {
    const address = new URL(source.url)
    address.searchParams.set("p", String(at))
    const { $ } = yield* htmlPage(web, address.href)
    const before = meetings.size
    const dates: Array<string> = []
    for (const link of $('a[href*="/d/f?"], a[href*="/adaHtmlDocument/"]').toArray()) {
      const href = URL.parse($(link).attr("href") ?? "", source.url)
      const file = href?.searchParams.get("u") ?? href?.href
      const key = keyIn(file)
      if (href === null || file === undefined || key === undefined) continue
      const papers = meetings.get(key) ?? new Map<string, string>()
      meetings.set(key, papers)
      const said = namedIn(href.searchParams.get("n") ?? "")
      const html = href.searchParams.get("ip")?.toLowerCase() === "false" ? "html" : undefined
      const paper = html ?? tidy(said.paper).toLowerCase()
      if (paper !== "") papers.set(paper, file)
      if (said.date !== undefined) {
        about.set(key, said)
        dates.push(said.date)
      }
    }
    if (meetings.size === before || (dates.length > 0 && dates.every((date) => date < days.from))) break
  }
  return [...meetings].flatMap(([key, papers]) => {
    const { title, date, time } = about.get(key) ?? namedIn("")
    if (title === "" || date === undefined || !isWithin(days, date)) return []
    const meeting = listedMeeting(source, {
      ...{ key, title, date, time, page: source.url },
      body: bodyIn(title) ?? title,
      agenda: papers.get("agenda"),
      minutes: papers.get("minutes") ?? papers.get("minutes packet"),
      items: papers.get("html"),
      documents: [{ title: "Agenda packet", url: papers.get("agenda packet") ?? papers.get("packet") }]
    })
    return [{ meeting, isNamed: false }]
  })
})

const portal = "https://meetings.municode.com/PublishPage/index"

/**
 * Municode Meetings: a city's site (`https://{city-st}.municodemeetings.com/`, or the same under a name of its own), or
 * its pages at `meetings.municode.com/PublishPage/index?cid=CITY`.
 */
export const municodeCalendar: CalendarReader = {
  calendarAt: ({ hostname, origin, searchParams }) => {
    if (/^(?!www\.)[a-z0-9-]+\.municodemeetings\.com$/i.test(hostname)) return `${origin}/`
    const city = searchParams.get("cid") ?? searchParams.get("cc")
    return hostname === "meetings.municode.com" && city !== null && /^[a-z0-9]+$/i.test(city)
      ? `${portal}?cid=${city.toUpperCase()}&ppid=${searchParams.get("ppid") ?? "0"}`
      : undefined
  },
  calendarIn: ($, url) =>
    $("table.views-table td[data-th] a").is('[href*="/adaHtmlDocument/"], [href*="/MEET-Agenda-"]') ? url : undefined,
  manners: { domains: ["municodemeetings.com", "municode.com"], gap: 2.7 },
  read: Effect.fn("MunicodeCalendar.read")(function* (source, days, web) {
    const isPublished = /\/PublishPage\//i.test(new URL(source.url).pathname)
    const listed = yield* isPublished ? readPublished(web, source, days) : readSite(web, source, days)
    if (listed.length === 0) {
      return yield* new NoCalendar({
        message: "The page has no list of Municode Meetings with a meeting of these days."
      })
    }
    return {
      meetings: listed.map(({ meeting }) => meeting),
      // It shows what is about a month ahead.
      isWhole: false,
      namesBodies: listed.every(({ isNamed }) => isNamed),
      validators: {}
    }
  }),
  items: {
    isAt: ({ pathname, searchParams }) => /\/adaHtmlDocument\/index$/i.test(pathname) && searchParams.has("me"),
    read: Effect.fn("MunicodeCalendar.items")(function* (web, address) {
      const { $ } = yield* htmlPage(web, address)
      const { host, searchParams } = new URL(address)
      const said = (part: ReturnType<CheerioAPI>) => {
        const words = part.clone()
        words.find("num, ul, ol").remove()
        return { number: tidy(part.find("num").first().text()), title: tidy(words.text()) }
      }
      const rows = $("section.agenda-section")
        .toArray()
        .flatMap((section) => {
          const heading = said($(section).find(".section-header").first())
          const items = $(section)
            .find(".agenda-items li")
            .toArray()
            .filter((item) => $(item).closest(".agenda_item_attachments").length === 0)
            .map((item) => ({ ...said($(item)), heading: heading.number }))
          // A heading is an item where nothing is under it.
          return items.length > 0 ? items : [{ ...heading, heading: "" }]
        })
      const numbers = numbersUnder(rows)
      const keys = titleKeys(rows.map(({ title }) => title))
      const items = rows.map(({ title }, at) =>
        listedItem(["municode", host, `${searchParams.get("me")} ${keys[at]}`], { number: numbers[at], title })
      )
      return { items: itemList(items), validators: {} }
    })
  }
}
