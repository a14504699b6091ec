import type { CheerioAPI } from "cheerio/slim"
import { DateTime, Effect } from "effect"
import { tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { freshCookies } from "../web/cookies.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { formOf, type HtmlPage, hiddenFields, htmlPage, postBackOf } from "./html-page.ts"
import { bodyIn, clockIn, isPast, listedMeeting, usDate } from "./vendor.ts"

/** The most pages of one range of years: a page has a hundred meetings. */
const mostPages = 20
const daysAround = 60

const years = "ctl00$ContentPlaceHolder1$lstYears"

/** The words of the columns, in order; a sorted one has buttons without words beside them. */
const columnsOf = ($: CheerioAPI): ReadonlyArray<string> =>
  $("table.rgMasterTable th.rgHeader")
    .toArray()
    .map((head) => {
      const words = tidy($(head).text())
      return (words || tidy($(head).find("img").attr("alt")) || tidy($(head).find("input").attr("value"))).toLowerCase()
    })

/** The address of a link: its own, or the one its script opens. */
const opened = (link: ReturnType<CheerioAPI>): string | undefined => {
  const href = link.attr("href")
  if (href !== undefined && !/^javascript:|^#/i.test(href)) return href
  return /(?:radopen|window\.open|OpenTelerikWindow2?)\('([^']+)'/.exec(
    `${link.attr("onclick") ?? ""}${href ?? ""}`
  )?.[1]
}

const meetingsOf = ({ $, url }: HtmlPage, source: Parameters<typeof listedMeeting>[0]): Array<SourceMeeting> => {
  const columns = columnsOf($)
  return $("table.rgMasterTable tr.rgRow, table.rgMasterTable tr.rgAltRow")
    .toArray()
    .flatMap((row) => {
      const cells = $(row).children("td")
      const cell = (name: RegExp) => cells.eq(columns.findIndex((column) => name.test(column)))
      const linkIn = (name: RegExp) => {
        const at = columns.findIndex((column) => name.test(column))
        const address = at < 0 ? undefined : opened(cells.eq(at).find("a").last())
        return address === undefined ? undefined : URL.parse(address, url)?.href
      }
      // Without a heading of its own, the first column is the body.
      const body = tidy(cells.eq(Math.max(0, columns.indexOf("name"))).text()).replace(/^\*\s*/, "")
      const date = usDate(tidy(cell(/date/).text()))
      const calendar = $(row).find('a[href*="M=IC"]').attr("href")
      const details = $(row).find('a[href*="MeetingDetail.aspx"]').attr("href")
      const key = /[?&]GUID=([0-9a-f-]{36})/i.exec(calendar ?? details ?? "")?.[1]?.toLowerCase()
      if (body === "" || date === undefined || key === undefined) return []
      const time = tidy(cell(/time/).text())
      const hall = cell(/location/)
      const note = tidy(hall.find("em").text())
      const department = $(row).find('a[href*="DepartmentDetail.aspx"]').attr("href")
      const named = bodyIn(body)
      return [
        listedMeeting(source, {
          ...{ key, date, note },
          body: named ?? body,
          // A department of its own for each occasion is no body's id.
          bodyId: named === body ? /[?&]ID=(\d+)/.exec(department ?? "")?.[1] : undefined,
          title: note === "" || note.length > 100 ? body : `${body}: ${note}`,
          time: clockIn(time),
          isCancelled: /^(cancel+ed|deferred|postponed)$/i.test(time),
          location: tidy(hall.clone().find("em").remove().end().text()),
          page: details === undefined ? undefined : URL.parse(details, url)?.href,
          agenda: linkIn(/^agenda$/),
          minutes: linkIn(/^minutes$/),
          video: linkIn(/video/),
          documents: [{ title: "Agenda packet", url: linkIn(/packet/) }]
        })
      ]
    })
}

/** Whether a choice of the list of years covers a year: "2026", "This Year", "Session 2026 to 2029". */
const covers = (choice: string, year: number, thisYear: number): boolean => {
  const [first, last = first] = [...choice.matchAll(/\b\d{4}\b/g)].map(([digits]) => Number(digits))
  if (first !== undefined && last !== undefined) return year >= first && year <= last
  const words = { [thisYear - 1]: "last year", [thisYear]: "this year", [thisYear + 1]: "next year" }
  return words[year] === choice.toLowerCase()
}

/**
 * The page of a Legistar calendar (`https://{client}.legistar.com/Calendar.aspx`), for clients without the Web API. It
 * shows what it was last asked for, by a form that hands its own state back.
 */
export const legistarPageCalendar: CalendarReader = {
  calendarAt: ({ origin, hostname, pathname }) =>
    /^(?!www\.|webapi\.|support\.)[a-z0-9-]+\.legistar\.com$/i.test(hostname) ||
    (/\/(Calendar|MeetingDetail|DepartmentDetail|LegislationDetail)\.aspx$/i.test(pathname) &&
      /\blegistar\b/i.test(hostname))
      ? `${origin}/Calendar.aspx`
      : undefined,
  manners: {
    domains: ["legistar.com", "legistar1.com"],
    gap: 2.7,
    isAt: ({ hostname, pathname }) => /\blegistar\b/i.test(hostname) && /\.as[hp]x$/i.test(pathname)
  },
  read: Effect.fn("LegistarPageCalendar.read")(function* (source, days, web) {
    const cookies = freshCookies()
    const meetings = new Map<string, SourceMeeting>()
    const ask = ({ $, url }: HtmlPage, fields: Readonly<Record<string, string>>) =>
      htmlPage(web, url, { cookies, form: formOf({ ...hiddenFields($), ...fields }) })

    /** A range of years from its first page on. */
    const readAll = Effect.fnUntraced(function* (first: HtmlPage) {
      let page = first
      for (let at = 1; at <= mostPages; at++) {
        for (const meeting of meetingsOf(page, source)) meetings.set(meeting.external_id, meeting)
        const next = postBackOf(page.$("a.rgCurrentPage").first().next("a").attr("href"))
        if (next === undefined) return
        page = yield* ask(page, next)
      }
    })

    const first = yield* htmlPage(web, source.url, { cookies })
    if (first.$("table.rgMasterTable").length === 0) {
      return yield* new NoCalendar({ message: "The page has no Legistar calendar." })
    }
    yield* readAll(first)
    const now = yield* DateTime.now
    const thisYear = DateTime.getPartUtc(now, "year")
    const shown = first.$('[id$="lstYears_Input"]').attr("value") ?? "This Year"
    const offered = first
      .$('[id$="lstYears_DropDown"] li')
      .toArray()
      .map((item) => tidy(first.$(item).text()))
    const yearOf = (shift: number) => DateTime.getPartUtc(DateTime.add(now, { days: shift }), "year")
    const isHistory = isPast(days, now) || Number(days.from.slice(0, 4)) < yearOf(-366)
    const from = isHistory ? Number(days.from.slice(0, 4)) : yearOf(-daysAround)
    const to = Math.min(Number(days.to.slice(0, 4)), yearOf(daysAround))
    const chosen = new Set<string>()
    for (let year = from; year <= to; year++) {
      if (covers(shown, year, thisYear)) continue
      const choice = offered.find((one) => covers(one, year, thisYear))
      if (choice !== undefined) chosen.add(choice)
    }
    for (const choice of chosen) {
      const state = { logEntries: [], value: choice, text: choice, enabled: true, checkedIndices: [] }
      const page = yield* ask(first, {
        ...{ __EVENTTARGET: years, __EVENTARGUMENT: "", [years]: choice },
        ctl00_ContentPlaceHolder1_lstYears_ClientState: JSON.stringify(state)
      })
      yield* readAll(page)
    }
    return {
      meetings: [...meetings.values()].filter(({ date }) => isWithin(days, date)),
      // The pages cover this year and what is near, rather than all of the days.
      isWhole: false,
      namesBodies: true,
      validators: {}
    }
  })
}
