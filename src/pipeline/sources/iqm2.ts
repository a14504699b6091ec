import type { CheerioAPI } from "cheerio/slim"
import { Effect } from "effect"
import { tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import { type CalendarReader, type ItemVote, isWithin, NoCalendar } from "./calendar.ts"
import { htmlPage } from "./html-page.ts"
import { orWithout } from "./json-page.ts"
import { type Motion, motionOf, namesIn, sideIn, votesBy } from "./motion.ts"
import { clockIn, itemList, listedItem, listedMeeting, numbersUnder, titleKeys, usDate } from "./vendor.ts"

type Source = Parameters<typeof listedMeeting>[0]

/** "Board:", "Type:" and "Status:", and then the place, as the tip of a meeting's link has them, line by line. */
const tipOf = (tip: string) => {
  const [, board = "", type = "", status = "", place = ""] =
    /Board:\s*(.*?)\s*Type:\s*(.*?)\s*Status:[^\S\r\n]*([^\r\n\t]*)(.*)$/s.exec(tip) ?? []
  return { board: tidy(board), type: tidy(type), status: tidy(status), place: tidy(place.replace(/[\r\n\t]+/g, " ")) }
}

const meetingOf = ($: CheerioAPI, row: ReturnType<CheerioAPI>, source: Source): SourceMeeting | undefined => {
  const link = row.find('.RowLink a[href*="Detail_Meeting.aspx"]').first()
  const id = /[?&]ID=(\d+)/i.exec(link.attr("href") ?? "")?.[1]
  const when = tidy(link.text())
  const [date, tip] = [usDate(when.replace(/\d{1,2}:\d{2}.*$/, "")), tipOf(link.attr("title") ?? "")]
  const [named = "", kind = ""] = tidy(row.find(".RowDetails").first().text()).split(/\s+-\s+(.*)/s)
  const [board, type] = [tip.board || named, tip.type || kind]
  if (id === undefined || date === undefined || board === "") return undefined
  const files = row
    .find('a[href*="FileOpen.aspx"]')
    .toArray()
    .map((file) => ({ label: tidy($(file).text()), url: $(file).attr("href") ?? "" }))
  // 1 and 12 have every paper of the meeting in one file, 14 and 15 the agenda and the minutes alone.
  const find = (label: RegExp, file: number) =>
    files.find((one) => label.test(one.label) && new RegExp(`[?&]Type=${file}(&|$)`, "i").test(one.url))?.url
  const player = /['"]([^'"]*SplitView\.aspx\?[^'"]*Mode=Video[^'"]*)['"]/i
  const script = row
    .find("a[onclick]")
    .toArray()
    .map((one) => player.exec($(one).attr("onclick") ?? "")?.[1])
  const agenda = find(/./, 14)
  return listedMeeting(source, {
    ...{ key: id, date, body: board },
    title: type === "" ? board : `${board} - ${type}`,
    time: clockIn(when),
    isCancelled: row.find(".MeetingCancelled").length > 0 || /cancel|postpone|defer/i.test(tip.status),
    location: tip.place,
    page: `/Citizens/Detail_Meeting.aspx?ID=${id}`,
    agenda: agenda ?? find(/agenda/i, 1),
    minutes: find(/minutes/i, 15) ?? find(/minutes/i, 12) ?? find(/summary/i, 15),
    video: script.find((address) => address !== undefined),
    items: agenda === undefined ? undefined : `/Citizens/Detail_Meeting.aspx?ID=${id}#items`,
    documents: [{ title: "Agenda packet", url: agenda === undefined ? undefined : find(/./, 1) }]
  })
}

/** A row of an agenda: how deep it stands, and whether it is a heading. */
interface Row {
  readonly depth: number
  readonly number: string
  readonly id: string | undefined
  readonly title: string
  readonly outcome: string
  readonly start: number | undefined
  readonly isHeading: boolean
}

const rowsOf = ($: CheerioAPI): ReadonlyArray<Row> =>
  $("table#MeetingDetail tr, table.MeetingDetail tr")
    .toArray()
    .flatMap((element): ReadonlyArray<Row> => {
      const cells = $(element).children("td")
      const depth = cells.toArray().findIndex((cell) => $(cell).hasClass("Num"))
      const cell = cells.filter(".Title").first()
      const link = cell.find("a[href]").first()
      const href = link.attr("href") ?? ""
      // What lies in files is a paper about the item above.
      if (depth < 0 || /FileOpen\.aspx/i.test(href)) return []
      const outcome = tidy(cell.find(".ItemVoteResult").first().text())
      const words = cell.clone()
      words.find(".ItemVoteResult, script").remove()
      const second = /SetPosition\((\d+(?:\.\d+)?)\)/.exec(link.attr("onclick") ?? "")?.[1]
      return [
        {
          ...{ depth, outcome, title: tidy(words.text()) },
          number: tidy(cells.eq(depth).text()),
          // In an address of a file's page, MeetingID is the meeting.
          id: /[?&]ID=(\d+)/i.exec(href)?.[1],
          start: second === undefined ? undefined : Number(second),
          isHeading: cell.find("strong").length > 0 && !/Detail_LegiFile\.aspx/i.test(href)
        }
      ]
    })
    .filter(({ title }) => title !== "")

/** "COF 2026 #141 : …", "26-R-3021 (1) - …": by what a matter is known, before its title. */
const matterIn = (title: string) =>
  /^([A-Z]{2,6}[ -]\d{2,4}[ -]?# ?\d+|\d{2,4}-[A-Z]{1,3}-\d{3,5})\s*[:(/–-]/.exec(title)?.[1]

/** The items, each with the number of its file; a heading is one where nothing is under it. */
const itemsOf = ($: CheerioAPI, host: string, meeting: string) => {
  const rows = rowsOf($)
  const headings = rows.map((_, at) => rows.slice(0, at + 1).findLast(({ depth }) => depth === 0)?.number ?? "")
  const numbers = numbersUnder(
    rows.map(({ depth, number }, at) => ({ number, heading: depth === 0 ? "" : (headings[at] ?? "") }))
  )
  const keys = titleKeys(rows.map(({ title }) => title))
  return rows.flatMap(({ depth, id, title, outcome, start, isHeading }, at) => {
    const item =
      isHeading && (rows[at + 1]?.depth ?? 0) > depth
        ? undefined
        : listedItem(["iqm2", host, `${meeting} ${id ?? keys[at]}`], {
            ...{ number: numbers[at], title, outcome, start, matter: matterIn(title) }
          })
    return item === undefined ? [] : [{ item, file: id }]
  })
}

/** The most files of one meeting whose pages are asked for. */
const mostFiles = 60

/** The motions of one meeting in the history of a file, which has those of every meeting it was before. */
const motionsIn = ($: CheerioAPI, meeting: string): ReadonlyArray<Motion> => {
  let of: string | undefined
  return $(".MeetingHistory tr.HeaderRow, .MeetingHistory table.VoteRecord")
    .toArray()
    .flatMap((element): ReadonlyArray<Motion> => {
      const one = $(element)
      if (one.is("tr")) of = /[?&]ID=(\d+)/i.exec(one.find('a[href*="Detail_Meeting.aspx"]').attr("href") ?? "")?.[1]
      if (one.is("tr") || of !== meeting) return []
      const lines = one
        .find("tr")
        .toArray()
        .map((row) => $(row).children("td").toArray())
        .map(([label, ...said]) => `${tidy($(label).text()).replace(/:$/, "")}: ${tidy($(said).text())}`)
      const after = (label: RegExp) => lines.find((line) => label.test(line))?.replace(/^[^:]*:\s*/, "") ?? ""
      return [
        motionOf({
          resolution: after(/^result:/i),
          // Their offices stand behind their names.
          ...{ mover: namesIn(after(/^mover:/i))[0], seconder: namesIn(after(/^seconder:/i))[0] },
          sides: lines.map(sideIn).filter((side) => side !== undefined)
        })
      ]
    })
}

/** The votes on items with an outcome, which stand on the page of each one's file. */
const votesOn = Effect.fnUntraced(function* (
  web: PoliteWeb["Service"],
  site: URL,
  meeting: string,
  items: ReturnType<typeof itemsOf>
) {
  const voted = items.filter(({ item, file }) => item.outcome !== undefined && file !== undefined)
  if (voted.length > mostFiles) {
    yield* Effect.logWarning(`The votes on ${voted.length - mostFiles} items are left out: there are too many`)
  }
  const votes: Array<ItemVote> = []
  for (const { item, file } of voted.slice(0, mostFiles)) {
    const address = new URL(`/Citizens/Detail_LegiFile.aspx?ID=${file}&MeetingID=${meeting}`, site)
    const page = yield* orWithout("The votes on an item are", undefined)(htmlPage(web, address.href))
    if (page !== undefined) votes.push(...votesBy(motionsIn(page.$, meeting), item.id))
  }
  return votes
})

/**
 * IQM2's calendar (`https://{customer}.iqm2.com/Citizens/Calendar.aspx`), which lists the meetings of the days that it
 * is asked for on one page.
 */
export const iqm2Calendar: CalendarReader = {
  calendarAt: ({ hostname, origin }) =>
    /^(?!www\.|mediahttp\.)[a-z0-9-]+\.iqm2\.com$/i.test(hostname) ? `${origin}/Citizens/Calendar.aspx` : undefined,
  manners: { domains: ["iqm2.com"], gap: 2.7 },
  read: Effect.fn("Iqm2Calendar.read")(function* (source, days, web) {
    const usual = (date: string) => date.replace(/^(\d+)-0?(\d+)-0?(\d+)$/, "$2/$3/$1")
    const address = new URL("/Citizens/Calendar.aspx", source.url)
    for (const [name, value] of Object.entries({ View: "List", From: usual(days.from), To: usual(days.to) })) {
      address.searchParams.set(name, value)
    }
    const { $ } = yield* htmlPage(web, address.href)
    const rows = $(".MeetingRow").toArray()
    if (rows.length === 0 && $('[id$="pnlMeetings"], #MeetingListCalendar').length === 0) {
      return yield* new NoCalendar({ message: "The page has no calendar of IQM2's." })
    }
    const meetings = rows.flatMap((row) => meetingOf($, $(row), source) ?? [])
    const wanted = meetings.filter(({ date }) => isWithin(days, date))
    return { meetings: wanted, isWhole: meetings.length === rows.length, namesBodies: true, validators: {} }
  }),
  items: {
    isAt: ({ pathname, hash }) => /\/Detail_Meeting\.aspx$/i.test(pathname) && hash === "#items",
    read: Effect.fn("Iqm2Calendar.items")(function* (web, address) {
      const { host, searchParams } = new URL(address)
      const meeting = searchParams.get("ID") ?? ""
      const outline = new URL(address)
      outline.hash = ""
      const view = { Target: "Detail", CssClass: "AgendaOutline", Mode: "Video", Frame: "Nothing", ID: meeting }
      outline.search = new URLSearchParams(view).toString()
      // The outline beside the recording has the seconds; where there is none, the meeting's page has the items.
      const beside = itemsOf((yield* htmlPage(web, outline.href)).$, host, meeting)
      const found =
        beside.length > 0 ? beside : itemsOf((yield* htmlPage(web, address.replace(/#.*/, ""))).$, host, meeting)
      return {
        items: itemList(found.map(({ item }) => item)),
        votes: votesOn(web, outline, meeting, found),
        validators: {}
      }
    })
  }
}

/** The captions of a recording, by the number in its file's name. */
export const iqm2Captions = (recording: string, page: URL): string | undefined => {
  const media = /\/(\d+)_\d+\.mp4(?:\/|$)/i.exec(recording)?.[1]
  return media === undefined
    ? undefined
    : new URL(`/Services/TranscriptGet.aspx?MediaID=${media}&format=vtt`, page).href
}
