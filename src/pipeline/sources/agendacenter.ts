import type { CheerioAPI } from "cheerio/slim"
import { DateTime, Effect } from "effect"
import { tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { freshCookies } from "../web/cookies.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { formOf, htmlPage, parsedHtml } from "./html-page.ts"
import { isPast, itemList, listedItem, listedMeeting, usDate } from "./vendor.ts"

/** The most lists of former years that one reading asks for. */
const mostLists = 60
/** What is older than this changes no more, and is asked for only by who asks for more than a year. */
const daysOfChange = 60

/** Categories that hold no meetings. */
const isNotice = (category: string) =>
  /\b(public notices?|legal notices?|notices? of|press releases?|newsletters?)\b/i.test(category)

/** `_MMDDYYYY-id`, by which every document of a meeting is named. */
const keyIn = (text: string | undefined) => /_(\d{2})(\d{2})(\d{4})-(\d+)/.exec(text ?? "")

interface Category {
  readonly id: string
  readonly name: string
  readonly years: ReadonlyArray<string>
  readonly shown: string | undefined
}

const categoriesOf = ($: CheerioAPI): ReadonlyArray<Category> =>
  $('[id^="cat"].listing')
    .toArray()
    .map((listing) => {
      const years = $(listing).find("ul.years li")
      const title = $(listing).children("h2, h3, h4").first().clone()
      title.find("span").remove()
      return {
        id: ($(listing).attr("id") ?? "").replace(/^cat/, ""),
        name: tidy(title.text()),
        years: years
          .find("a")
          .toArray()
          .flatMap((link) => /changeYear\((\d{4})/.exec($(link).attr("href") ?? "")?.[1] ?? $(link).text().trim())
          .filter((year) => /^\d{4}$/.test(year)),
        shown: tidy(years.filter(".current").text()).slice(0, 4) || undefined
      }
    })
    .filter(({ id, name }) => /^\d+$/.test(id) && name !== "" && !isNotice(name))

const rowsOf = (
  $: CheerioAPI,
  scope: string,
  { id, name }: Category,
  source: Parameters<typeof listedMeeting>[0]
): ReadonlyArray<SourceMeeting> =>
  $(scope)
    .find("tr.catAgendaRow")
    .toArray()
    .flatMap((element) => {
      const row = $(element)
      const links = row.find("a[href]").toArray()
      const linkTo = (path: RegExp, but?: RegExp) =>
        links.map((link) => $(link).attr("href") ?? "").find((href) => path.test(href) && but?.test(href) !== true)
      const named = row.find('a[name^="_"]').attr("name") ?? linkTo(/\/ViewFile\/(?:Agenda|Minutes)\/_/i)
      const [, month, day, year, key] = keyIn(named) ?? []
      // "Posted Nov 16, 2020 11:47 AM" stands beside the day, and is no time of the meeting.
      const date = month === undefined ? usDate(tidy(row.find("strong").first().text())) : `${year}-${month}-${day}`
      if (date === undefined || key === undefined) return []
      const html = linkTo(/\/ViewFile\/Agenda\/.*\bhtml=true/i)
      return [
        listedMeeting(source, {
          ...{ key, body: name, bodyId: id, date },
          title: tidy(row.find("td").first().find("p").first().text()),
          page: html ?? linkTo(/\/ViewFile\/Agenda\//i, /packet=true/i),
          agenda: linkTo(/\/ViewFile\/Agenda\//i, /html=true|packet=true/i),
          minutes: linkTo(/\/ViewFile\/Minutes\//i, /html=true/i),
          video: row.find("td.media a[href]").attr("href"),
          items: html,
          documents: [{ title: "Agenda packet", url: linkTo(/\/ViewFile\/Agenda\/.*packet=true/i) }]
        })
      ]
    })

/**
 * CivicPlus's AgendaCenter (`https://{city}/AgendaCenter`): a list for each body, which shows one year; other years are
 * asked for with a form. It has the meetings' days and no hours.
 */
export const agendaCenterCalendar: CalendarReader = {
  calendarAt: ({ origin, pathname }) =>
    /^\/AgendaCenter(\/|$)/i.test(pathname) ? `${origin}/AgendaCenter` : undefined,
  calendarIn: ($, url) => {
    const maker = `${$('meta[name="generator"]').attr("content") ?? ""} ${$("footer, #footer, .siteFooter").text()}`
    return /\bcivic\s?(plus|engage)\b/i.test(maker) ? new URL("/AgendaCenter", url).href : undefined
  },
  manners: {
    domains: ["civicplus.com"],
    gap: 7,
    // Its feeds come from the same servers.
    isAt: ({ pathname }) => /^\/(AgendaCenter(\/|$)|RSSFeed\.aspx$|common\/modules\/iCalendar\/)/i.test(pathname)
  },
  read: Effect.fn("AgendaCenterCalendar.read")(function* (source, days, web) {
    const cookies = freshCookies()
    const { $ } = yield* htmlPage(web, source.url, { cookies })
    const categories = categoriesOf($)
    if (categories.length === 0 && $("#AgendaCenterContent, tr.catAgendaRow").length === 0) {
      return yield* new NoCalendar({ message: "The page is not an AgendaCenter." })
    }
    const meetings = categories.flatMap((category) => rowsOf($, `#cat${category.id}`, category, source))
    const now = yield* DateTime.now
    const yearAgo = DateTime.formatIsoDate(DateTime.subtract(now, { days: 366 }))
    const settled = DateTime.formatIsoDate(DateTime.subtract(now, { days: daysOfChange }))
    const oldest = (days.from < yearAgo || days.from > settled || isPast(days, now) ? days.from : settled).slice(0, 4)
    const wanted = categories.flatMap((category) =>
      category.years
        .filter((year) => year !== category.shown && year >= oldest && year <= days.to.slice(0, 4))
        .map((year) => ({ category, year }))
    )
    for (const { category, year } of wanted.toSorted((a, b) => Number(b.year) - Number(a.year)).slice(0, mostLists)) {
      const page = yield* web.page(new URL("/AgendaCenter/UpdateCategoryList", source.url).href, {
        accept: "text/html, */*;q=0.8",
        types: /^text\/html\b/i,
        bytes: 8_000_000,
        cookies,
        form: formOf({ year, catID: category.id }),
        headers: { "x-requested-with": "XMLHttpRequest" }
      })
      const part = yield* parsedHtml(page?.body ?? Buffer.alloc(0))
      // A category without an agenda is answered with a whole page, whose rows are of other categories.
      meetings.push(
        ...rowsOf(part, part(`#section${category.id}`).length > 0 ? `#section${category.id}` : "", category, source)
      )
    }
    return {
      meetings: [...new Map(meetings.map((meeting) => [meeting.external_id, meeting])).values()].filter(({ date }) =>
        isWithin(days, date)
      ),
      // It lists documents: what has none yet is no less a meeting.
      isWhole: false,
      namesBodies: true,
      validators: {}
    }
  }),
  items: {
    isAt: ({ pathname, search }) =>
      /^\/AgendaCenter\/ViewFile\/Agenda\//i.test(pathname) && /\bhtml=true/i.test(search),
    read: Effect.fn("AgendaCenterCalendar.items")(function* (web, address) {
      const { $ } = yield* htmlPage(web, address)
      const { host, pathname } = new URL(address)
      const listed = $("#divItems div.item, body > div.item").toArray()
      const levels = listed.map((item) => Number(/\blevel(\d)\b/.exec($(item).attr("class") ?? "")?.[1] ?? 1))
      return {
        items: itemList(
          listed.map((element, at) => {
            const item = $(element)
            const own = (selector: string) => tidy(item.find(selector).first().text())
            const description = own(".desc")
            // A heading is what has something under it and says nothing itself.
            if ((levels[at + 1] ?? 0) > (levels[at] ?? 1) && description === "") return undefined
            return listedItem(["agendacenter", host, `${pathname} ${at}`], {
              number: own(".bullet"),
              title: own(".title") || description,
              description
            })
          })
        ),
        validators: {}
      }
    })
  }
}
