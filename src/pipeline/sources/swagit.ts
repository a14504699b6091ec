import type { CheerioAPI } from "cheerio/slim"
import { Effect, Option, Schema } from "effect"
import type { Segment } from "../../../schema/transcript.ts"
import { segmentOf } from "../../record/formats/segments.ts"
import { tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { isMeeting } from "../../text/body-name/body-name.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { type HtmlPage, htmlPage } from "./html-page.ts"
import { text } from "./json-page.ts"
import { bodyIn, itemList, listedItem, listedMeeting, titleKeys, usDate } from "./vendor.ts"

type Source = Parameters<typeof listedMeeting>[0]

/** The most pages of one reading, and the most lists of a view: one for each body. */
const mostPages = 60
const mostLists = 20

const tenant = /^(?!www\.|media\.|stream\.|archive)[a-z0-9-]+(?:\.new|\.v3)?\.swagit\.com$/i
const viewIn = (pathname: string) => /^\/views\/(?:\d+|default\/[\w-]+)/i.exec(pathname)?.[0]

/** The body that a list is of: the name of its tab, or of the part of the page that it stands in. */
const listName = ($: CheerioAPI, row: ReturnType<CheerioAPI>): string => {
  const part = (row.closest(".tab-pane").attr("id") ?? "").replace(/[-_]+/g, " ").replace(/\b(19|20)\d{2}\b/g, "")
  return tidy(part) || tidy($(".nav-tabs .active a[href*='/views/']").first().text())
}

const rowOf = ($: CheerioAPI, row: ReturnType<CheerioAPI>, source: Source): SourceMeeting | undefined => {
  const link = row.find('a[href*="/videos/"]').first()
  const id = /\/videos\/(\d+)\/?$/.exec(link.attr("href") ?? "")?.[1]
  const date = row
    .children("td")
    .toArray()
    .map((cell) => usDate(tidy($(cell).text())))
    .find((one) => one !== undefined)
  const title = tidy(link.text())
  // A title that says only that somebody meets waits for an operator under that name.
  const body = bodyIn(title) ?? bodyIn(listName($, row)) ?? (isMeeting(title) ? title : undefined)
  if (id === undefined || date === undefined || body === undefined) return undefined
  // Some cities hide the column of links, whose addresses are good all the same.
  const html = row.html() ?? ""
  const linkTo = (paper: string) => (html.includes(`/videos/${id}/${paper}"`) ? `/videos/${id}/${paper}` : undefined)
  const page = `/videos/${id}`
  return listedMeeting(source, {
    ...{ key: id, body, title, date, page, video: page },
    agenda: linkTo("agenda"),
    minutes: linkTo("minutes"),
    items: `${page}#items`
  })
}

/** The other lists of a view; one of them is the live stream. */
const listsOf = ({ $, url }: HtmlPage): ReadonlyArray<string> => {
  const view = viewIn(new URL(url).pathname)
  const links = $('.nav-tabs a[href*="/views/"]')
    .toArray()
    .flatMap((link) => URL.parse($(link).attr("href") ?? "", url) ?? [])
    .filter(({ origin, pathname }) => origin === new URL(url).origin && viewIn(pathname) === view)
  return links.map(({ href }) => href).filter((href) => !/\/live\/?$/i.test(href))
}

/**
 * A view of Swagit (`https://{customer}.new.swagit.com/views/N`): recordings by body, newest first, ten to a page or
 * all on one. It has their days and no hours, and nothing that is to come.
 */
export const swagitCalendar: CalendarReader = {
  calendarAt: ({ hostname, pathname, origin }) => {
    const view = tenant.test(hostname) ? viewIn(pathname) : undefined
    return view === undefined ? undefined : `${origin}${view}`
  },
  manners: { domains: ["swagit.com"], gap: 2.7 },
  // Its lists are read from the newest entry on, as far back as is asked for.
  pastDays: 36_500,
  read: Effect.fn("SwagitCalendar.read")(function* (source, days, web) {
    const meetings = new Map<string, SourceMeeting>()
    let pages = 0
    /** A list from its first page on, as far back as is asked for. */
    const readList = Effect.fnUntraced(function* (first: HtmlPage) {
      let page = first
      let rows = 0
      for (;;) {
        const { $, url } = page
        const listed = $("table.videos tr, table#video-table tr").toArray()
        const found = listed.flatMap((row) => rowOf($, $(row), source) ?? [])
        // Some lists repeat what others have.
        for (const meeting of found) if (!meetings.has(meeting.external_id)) meetings.set(meeting.external_id, meeting)
        rows += listed.length
        const next = URL.parse($('a[rel="next"]').last().attr("href") ?? "#", url)
        const isPast = found.length > 0 && found.every(({ date }) => date < days.from)
        const isLast = next === null || next.href.replace(/#$/, "") === url || next.origin !== new URL(url).origin
        if (isLast || isPast || ++pages >= mostPages) return rows
        page = yield* htmlPage(web, next.href)
      }
    })

    const first = yield* htmlPage(web, source.url)
    let rows = yield* readList(first)
    const read = new Set([first.url.replace(/\/$/, "")])
    for (const list of listsOf(first).slice(0, mostLists)) {
      if (read.has(list.replace(/\/$/, "")) || pages >= mostPages) continue
      read.add(list.replace(/\/$/, ""))
      pages++
      rows += yield* readList(yield* htmlPage(web, list))
    }
    if (rows === 0) return yield* new NoCalendar({ message: "The page has no list of Swagit's." })
    return {
      meetings: [...meetings.values()].filter(({ date }) => isWithin(days, date)),
      isWhole: false,
      namesBodies: false,
      validators: {}
    }
  }),
  items: {
    isAt: ({ pathname, hash }) => /^\/videos\/\d+$/.test(pathname) && hash === "#items",
    read: Effect.fn("SwagitCalendar.items")(function* (web, address) {
      const { $ } = yield* htmlPage(web, address.replace(/#.*/, ""))
      const { host, pathname } = new URL(address)
      // Each stands in the page twice; one that was not recorded has no second.
      const marks = new Map<string, { readonly start: number | undefined; readonly text: string }>()
      for (const mark of $("a.playerControl[data-title]").toArray()) {
        const [text, second] = [tidy($(mark).attr("data-title")), $(mark).attr("data-ts") ?? ""]
        const start = /^\d+(\.\d+)?$/.test(second) ? Number(second) : undefined
        marks.set(`${second} ${text}`, { start, text })
      }
      const listed = [...marks.values()]
      const keys = titleKeys(listed.map(({ text }) => text))
      return {
        items: itemList(
          listed.map(({ start, text }, at) => {
            const [, number, title = text] =
              /^([0-9]{1,3}(?:\.?[a-z0-9]{1,2})*|[a-z]|[ivx]+)[.)]\s+(.+)$/i.exec(text) ?? []
            return listedItem(["swagit", host, `${pathname} ${keys[at]}`], { number, title, start })
          })
        ),
        validators: {}
      }
    })
  }
}

const decodeEntry = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      seq: Schema.optionalKey(Schema.Finite),
      dfile: text,
      file: text
    })
  )
)

/** The files of a recording, or else their streams, in the order in which the player plays them. */
export const swagitRecording = (scripts: string): ReadonlyArray<string> =>
  [...scripts.matchAll(/\{[^{}]{0,4000}"d?file"\s*:[^{}]{0,4000}\}/g)]
    .flatMap(([entry]) => Option.toArray(decodeEntry(entry)))
    .toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
    .flatMap(({ dfile, file }) => dfile || file || [])

/** The longest line of words, in seconds, and the silence that ends one. */
const longestLine = 6
const silence = 2

/** What a page says was said: its words, each with its second, as lines. Words of several clocks are left out. */
export const swagitWords = ($: CheerioAPI): ReadonlyArray<Segment> => {
  const words = $("#transcript-fragments a[data-ts]")
    .toArray()
    .map((word) => ({ start: Number($(word).attr("data-ts")), text: tidy($(word).text()) }))
    .filter(({ start, text }) => Number.isFinite(start) && text !== "")
  if (words.some(({ start }, at) => start + longestLine < (words[at - 1]?.start ?? 0))) return []
  const lines: Array<Array<(typeof words)[number]>> = []
  for (const word of words) {
    const line = lines.at(-1)
    const [first, last] = [line?.[0], line?.at(-1)]
    const goesOn =
      first !== undefined &&
      last !== undefined &&
      word.start - first.start < longestLine &&
      word.start - last.start < silence &&
      !/[.?!]$/.test(last.text)
    if (goesOn) line?.push(word)
    else lines.push([word])
  }
  return lines.flatMap((line, at) => {
    const [start, last] = [line[0]?.start ?? 0, line.at(-1)?.start ?? 0]
    const end = Math.min(lines[at + 1]?.[0]?.start ?? last + silence, last + silence)
    return segmentOf(start, end, line.map(({ text }) => text).join(" "))
  })
}
