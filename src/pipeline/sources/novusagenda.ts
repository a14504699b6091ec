import type { CheerioAPI } from "cheerio/slim"
import { Effect } from "effect"
import { tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { freshCookies } from "../web/cookies.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { formOf, type HtmlPage, hiddenFields, htmlPage, postBackOf } from "./html-page.ts"
import { bodyIn, clockIn, itemList, listedItem, listedMeeting, usDate } from "./vendor.ts"

/** The most pages of one search; a page has fifteen meetings. */
const mostPages = 60

const page = "/agendapublic/meetingsgeneral.aspx"
const grid = '[id*="radGridMeetings"] '

/** `MM/DD/YYYY`, as the search takes it. */
const usDay = (date: string): string => date.replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$2/$3/$1")

/** What a browser would send of the search: without what was searched for, the next page is one of another search. */
const filledIn = ($: CheerioAPI): Readonly<Record<string, string>> => ({
  ...hiddenFields($),
  ...Object.fromEntries([
    ...$('form input[type="text"][name]')
      .toArray()
      .map((input) => [$(input).attr("name") ?? "", $(input).attr("value") ?? ""] as const),
    ...$("form select[name]")
      .toArray()
      .map((list) => [$(list).attr("name") ?? "", $(list).find("option[selected]").attr("value") ?? ""] as const)
  ])
})

/** The addresses of a row: its links', and those that its scripts open. */
const linksIn = ($: CheerioAPI, row: ReturnType<CheerioAPI>): ReadonlyArray<string> =>
  row
    .find("a")
    .toArray()
    .flatMap((element) => {
      const script = /'([^']*\.as[hp]x\?[^']*)'/i.exec($(element).attr("onclick") ?? "")?.[1]
      const href = $(element).attr("href") ?? ""
      return [script ?? "", /^javascript:|^#/i.test(href) ? "" : href].filter((url) => url !== "")
    })

const meetingsOf = ({ $ }: HtmlPage, source: Parameters<typeof listedMeeting>[0]): ReadonlyArray<SourceMeeting> => {
  const columns = $(`${grid}th`)
    .toArray()
    .map((head) => tidy($(head).text()).toLowerCase())
  return $(`${grid}tr.rgRow, ${grid}tr.rgAltRow`)
    .toArray()
    .flatMap((element) => {
      const row = $(element)
      const cells = row
        .children("td")
        .toArray()
        .map((cell) => tidy($(cell).text()))
      // Some sites have a column before it.
      const at = cells.findIndex((cell) => /^\d{1,2}\/\d{1,2}\/(\d{4}|\d{2})$/.test(cell))
      const [date, title = ""] = [usDate(cells[at] ?? ""), cells[at + 1]]
      const links = linksIn($, row)
      const linkTo = (address: RegExp) => links.find((link) => address.test(link))
      const whole = (url: string | undefined) => (url === undefined ? undefined : URL.parse(url, `${source.url}`)?.href)
      // The agenda's viewer names the minutes, too: -1 as long as there are none.
      const key = /[?&]MeetingID=(\d+)/i.exec(linkTo(/[?&]MeetingID=\d+/i) ?? "")?.[1]
      if (date === undefined || title === "" || key === undefined) return []
      const online = whole(linkTo(/MeetingView\.aspx\?.*doctype=agenda/i))
      return [
        listedMeeting(source, {
          ...{ key, title, date, page: online },
          body: bodyIn(title) ?? title,
          time: cells
            .slice(at + 2)
            .map(clockIn)
            .find(Boolean),
          location: cells[columns.findIndex((column) => /location/.test(column))],
          agenda: whole(linkTo(/DisplayAgendaPDF\.ashx\?MeetingID=/i)),
          minutes: whole(
            linkTo(/Display(?:Agenda|Minutes)PDF\.ashx\?MinutesMeetingID=\d/i) ??
              linkTo(/DisplayMinutesPDF\.ashx/i) ??
              linkTo(/MeetingView\.aspx\?.*doctype=minutes/i)
          ),
          items: online
        })
      ]
    })
}

const nextOf = ($: CheerioAPI): Readonly<Record<string, string>> | undefined =>
  [$(`${grid}a[title="Next Page"]`).first(), $(`${grid}a.rgCurrentPage`).first().next("a")]
    .map((link) => postBackOf(link.attr("href")))
    .find(Boolean)

/** A number before a title ("5.", "IV.", "C.2"), and the rest. */
const numbered = (title: string) => /^((?:\d+|[ivxl]+|[a-z])(?:\.(?:\d+|[a-z]))*)[.)]\s+(\S.*)$/i.exec(title) ?? []

/**
 * NovusAgenda's search (`https://{customer}.novusagenda.com/agendapublic/meetingsgeneral.aspx`), which takes days in
 * its address and hands its state back from page to page. A meeting is listed once it has an agenda.
 */
export const novusAgendaCalendar: CalendarReader = {
  calendarAt: ({ hostname, origin }) =>
    /^(?!www\.)[a-z0-9-]+\.novusagenda\.com$/i.test(hostname) ? `${origin}${page}` : undefined,
  manners: { domains: ["novusagenda.com"], gap: 2.7 },
  read: Effect.fn("NovusAgendaCalendar.read")(function* (source, days, web) {
    const cookies = freshCookies()
    const search = new URL(source.url)
    for (const [name, value] of Object.entries({ Date: "cus", From: usDay(days.from), To: usDay(days.to) })) {
      search.searchParams.set(name, value)
    }
    const meetings = new Map<string, SourceMeeting>()
    let shown = yield* htmlPage(web, search.href, { cookies })
    if (shown.$(grid.trim()).length === 0) return yield* new NoCalendar({ message: "The page is not NovusAgenda's." })
    for (let at = 1; at <= mostPages; at++) {
      const before = meetings.size
      for (const meeting of meetingsOf(shown, source)) meetings.set(meeting.external_id, meeting)
      const next = nextOf(shown.$)
      // A pager that goes round shows nothing new.
      if (next === undefined || meetings.size === before) break
      shown = yield* htmlPage(web, shown.url, { cookies, form: formOf({ ...filledIn(shown.$), ...next }) })
    }
    return {
      meetings: [...meetings.values()].filter(({ date }) => isWithin(days, date)),
      isWhole: false,
      // Its types of meetings name bodies and occasions, so an operator confirms them.
      namesBodies: false,
      validators: {}
    }
  }),
  items: {
    isAt: ({ pathname, searchParams }) =>
      /\/agendapublic\/MeetingView\.aspx$/i.test(pathname) && searchParams.has("MeetingID"),
    read: Effect.fn("NovusAgendaCalendar.items")(function* (web, address) {
      const { $ } = yield* htmlPage(web, address)
      const { host, searchParams } = new URL(address)
      const items = $('a[href*="overSheet.aspx" i]')
        .toArray()
        .map((element) => {
          const link = $(element)
          const id = /[?&]ItemID=(\d+)/i.exec(link.attr("href") ?? "")?.[1]
          const whole = tidy(link.text()) || tidy(link.closest("td").text())
          const [, own, title = whole] = numbered(whole)
          const beside = link
            .closest("td")
            .prevAll("td")
            .toArray()
            .map((cell) => tidy($(cell).text()))
            .find((cell) => /^\(?[0-9a-z]{1,5}(?:\.[0-9a-z]{1,3})*[.)]?$/i.test(cell))
          return id === undefined
            ? undefined
            : listedItem(["novusagenda", host, `${searchParams.get("MeetingID")} ${id}`], {
                number: own ?? beside,
                title
              })
        })
      return { items: itemList(items), validators: {} }
    })
  }
}
