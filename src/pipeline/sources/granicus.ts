import type { CheerioAPI } from "cheerio/slim"
import { Effect } from "effect"
import { tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { fold } from "../../text/fold.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import { plainTitle } from "./body-of-title.ts"
import { type CalendarReader, isWithin, longestCalendar, NoCalendar } from "./calendar.ts"
import { htmlPage, parsedHtml, parsedXml } from "./html-page.ts"
import { bodyIn, clockIn, itemList, listedItem, listedMeeting, usDate } from "./vendor.ts"

type Source = Parameters<typeof listedMeeting>[0]

/** A row of the publisher's page, or an entry of its feed. */
interface Row {
  readonly title: string
  /** The heading over it, where one names the body. */
  readonly heading: string
  readonly date: string
  readonly time: string | undefined
  readonly links: ReadonlyArray<string>
}

const tenant = /^(?!www\.|support\.|archive)[a-z0-9-]+\.granicus\.com$/i

const paramOf = (links: ReadonlyArray<string>, name: string) =>
  links.map((link) => new RegExp(`[?&]${name}=(\\d+)`).exec(link)?.[1]).find((id) => id !== undefined)

/** The clip of a recording; the address of its player has it in the path too. */
const clipOf = (links: ReadonlyArray<string>) =>
  paramOf(links, "clip_id") ?? links.map((link) => /\/player\/clip\/(\d+)/.exec(link)?.[1]).find(Boolean)

const meetingOf = (row: Row, key: string, source: Source): SourceMeeting | undefined => {
  const { title, heading, date, time, links } = row
  const body = bodyIn(title) ?? bodyIn(heading)
  if (body === undefined) return undefined
  const linkTo = (page: RegExp) => links.find((link) => page.test(link))
  const clip = clipOf(links)
  const view = paramOf([source.url, ...links], "view_id")
  const player =
    linkTo(/MediaPlayer\.php|\/player\/clip\//i) ??
    (clip === undefined ? undefined : `/player/clip/${clip}?view_id=${view ?? ""}&redirect=true`)
  const agenda = linkTo(/AgendaViewer\.php|GeneratedAgendaViewer/i)
  return listedMeeting(source, {
    ...{ key, body, title, date, time },
    page: clip === undefined ? agenda : player,
    agenda: agenda ?? linkTo(/agenda[^/]*\.pdf/i),
    minutes: linkTo(/MinutesViewer\.php/i),
    // A file before a page that plays it.
    video: clip === undefined ? undefined : (linkTo(/DownloadFile\.php|\.mp4(\?|$)/i) ?? player),
    captions: clip === undefined ? undefined : `/videos/${clip}/captions.vtt`,
    items: clip === undefined ? undefined : `/player/clip/${clip}?view_id=${view ?? ""}&redirect=true#items`,
    documents: [{ title: "Agenda packet", url: linkTo(/packet[^/]*\.pdf|\.pdf(\?|$)/i) }]
  })
}

/**
 * A meeting is an event until it was recorded, and a clip from then on, with another id: it is known by its day and
 * title, and by its place among those of the day that have the same.
 */
const meetingsOf = (rows: ReadonlyArray<Row>, source: Source): ReadonlyArray<SourceMeeting> => {
  const seen = new Map<string, Set<string>>()
  return rows.flatMap((row) => {
    const name = `${row.date} ${fold(plainTitle(row.title) || row.heading)}`
    const id = clipOf(row.links) ?? paramOf(row.links, "event_id") ?? row.time ?? ""
    const ids = seen.get(name) ?? new Set<string>()
    seen.set(name, ids)
    // Views list what is new twice, in a part of its own and among the rest.
    if (ids.has(id)) return []
    ids.add(id)
    const meeting = meetingOf(row, ids.size === 1 ? name : `${name} ${ids.size}`, source)
    return meeting === undefined ? [] : [meeting]
  })
}

const linksOf = ($: CheerioAPI, row: ReturnType<CheerioAPI>): ReadonlyArray<string> =>
  row
    .find("a, option")
    .toArray()
    .flatMap((link) => {
      const written = $(link).attr("href") ?? $(link).attr("value") ?? ""
      const script = /window\.open\('([^']+)'/.exec($(link).attr("onclick") ?? "")?.[1]
      return [script ?? "", /^javascript:|^#/i.test(written) ? "" : written].filter((address) => address !== "")
    })

const headingOf = (row: ReturnType<CheerioAPI>): string => {
  const panel = row.closest(".CollapsiblePanelContent").prevAll(".CollapsiblePanelTab").first()
  if (panel.length > 0) return tidy(panel.text())
  return tidy(row.closest("table").prevAll("h1, h2, h3, h4").first().text())
}

const rowsOf = ($: CheerioAPI): ReadonlyArray<Row> =>
  $("tr")
    .toArray()
    .flatMap((element) => {
      const row = $(element)
      const cells = row.children("td.listItem, td.listedItem").clone()
      // Hidden seconds, for sorting, are of the server's zone.
      cells.find('span[style*="none"], script').remove()
      const texts = cells.toArray().map((cell) => tidy($(cell).text()))
      const at = texts.findIndex((text) => usDate(text) !== undefined && text.length < 60)
      const when = texts[at]
      const date = when === undefined ? undefined : usDate(when)
      if (when === undefined || date === undefined) return []
      const headed = tidy(cells.filter('[headers="Name"], [headers="EventName"]').first().text())
      const title = (headed || texts.find((text, other) => other < at && text !== "") || "").replace(
        /^(play|watch)\s+/i,
        ""
      )
      return [{ title, heading: headingOf(row), date, time: clockIn(when), links: linksOf($, row) }]
    })

/** A feed's day and hour are those of the title: `pubDate` is when it was published, by a twelve-hour clock. */
const entriesOf = ($: CheerioAPI): ReadonlyArray<Row> =>
  $("item")
    .toArray()
    .flatMap((element) => {
      const entry = $(element)
      const text = (name: string) => tidy(entry.children(name).first().text())
      const title = text("title")
      const date = usDate(title)
      if (date === undefined) return []
      const name = title.split(/\s+-\s+(?:agenda|minutes)\b|\s+-\s+(?=[a-z]{3,9}\.? \d{1,2}, \d{4})/i)[0] ?? title
      const file = entry.children("enclosure").attr("url") ?? entry.find("media\\:content").attr("url") ?? ""
      const links = [text("link"), file].filter((link) => link !== "")
      return [{ title: name, heading: "", date, time: clockIn(title), links }]
    })

/** The feeds of a view: a hundred entries of each kind at most. */
const feedRows = Effect.fnUntraced(function* (web: PoliteWeb["Service"], source: Source) {
  const rows: Array<Row> = []
  for (const mode of ["agendas", "vpodcast"]) {
    const address = new URL("/ViewPublisherRSS.php", source.url)
    address.searchParams.set("view_id", new URL(source.url).searchParams.get("view_id") ?? "1")
    address.searchParams.set("mode", mode)
    const page = yield* web.page(address.href, {
      accept: "application/rss+xml, text/xml;q=0.8",
      types: /^(application|text)\/([\w.-]+\+)?(xml|html)\b/i,
      bytes: longestCalendar
    })
    rows.push(...entriesOf(yield* parsedXml(page?.body ?? Buffer.alloc(0))))
  }
  return rows
})

/**
 * A view of Granicus (`https://{customer}.granicus.com/ViewPublisher.php?view_id=N`): its page, or its feeds where the
 * page has no list. Titles name the bodies, so an operator confirms them.
 */
export const granicusCalendar: CalendarReader = {
  // One page has all that it has.
  pastDays: 36_500,
  calendarAt: (address) => {
    if (!tenant.test(address.hostname)) return undefined
    const view = address.searchParams.get("view_id")
    return view !== null && /^\d+$/.test(view) ? `${address.origin}/ViewPublisher.php?view_id=${view}` : undefined
  },
  manners: { domains: ["granicus.com"], gap: 10 },
  read: Effect.fn("GranicusCalendar.read")(function* (source, days, web) {
    const { $ } = yield* htmlPage(web, source.url)
    const listed = rowsOf($)
    const rows = listed.length > 0 ? listed : yield* feedRows(web, source)
    if (rows.length === 0)
      return yield* new NoCalendar({ message: "The page has no list of Granicus, nor have its feeds." })
    return {
      meetings: meetingsOf(rows, source).filter(({ date }) => isWithin(days, date)),
      isWhole: false,
      namesBodies: false,
      validators: {}
    }
  }),
  items: {
    isAt: ({ pathname, hash }) => /^\/player\/clip\/\d+$/.test(pathname) && hash === "#items",
    read: Effect.fn("GranicusCalendar.items")(function* (web, address) {
      const page = yield* web.page(address.replace(/#.*/, ""), {
        accept: "text/html",
        types: /^text\/html\b/i,
        bytes: longestCalendar
      })
      const $ = yield* parsedHtml(page?.body ?? Buffer.alloc(0))
      const { host, pathname } = new URL(address)
      return {
        items: itemList(
          $("[time].index-point, .index-point [time], a.index-point[data-time]")
            .toArray()
            .map((point, at) => {
              const text = tidy($(point).text())
              const [, number, title = text] = /^(\d+[a-z]?(?:\.[0-9a-z]+)*)[.)]?\s+(.+)$/i.exec(text) ?? []
              const start = Number($(point).attr("time") ?? $(point).attr("data-time"))
              return listedItem(["granicus", host, `${pathname} ${$(point).attr("id") ?? at}`], {
                ...{ number, title },
                start: Number.isFinite(start) ? start : undefined
              })
            })
        ),
        validators: {}
      }
    })
  }
}
