import type { CheerioAPI } from "cheerio/slim"
import { DateTime, Effect, Result } from "effect"
import { sourceKinds } from "../../../schema/agent/directory.ts"
import { tidy, webAddress } from "../../record/formats/text.ts"
import {
  type FoundSource,
  type GlimpsedMeeting,
  kindNames,
  type UnreadAddress
} from "../../services/sources/address-check.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { kindOf } from "../stages/probe/probe.ts"
import type { WebFailed } from "../web/failure.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import { robotsRefusal } from "../web/robots.ts"
import { longestCalendar, NoCalendar } from "./calendar.ts"
import { parsedHtml } from "./html-page.ts"
import { type Candidate, calendarsAt, unreadableAt } from "./known-addresses.ts"
import { aroundNow } from "./read-calendar.ts"
import { readers } from "./readers.ts"

/** The most calendars that are tried, and the pages of the same site that are followed where one has none. */
const mostCandidates = 8
const mostPages = 3
/** How long one calendar may take, in seconds. */
const patience = 60
const mostShown = 10

const accept = "text/html, text/calendar, application/json, application/rss+xml, application/atom+xml, */*;q=0.1"

/** What somebody who may read a site does where its robots.txt refuses programs. */
const leave = ({ kind, url }: Candidate) =>
  `If you may read it all the same, say why: civic-record source add --kind ${kind} --url '${url}' --place SLUG --permitted WHY`

const another = "Give the page that lists the meetings, or the address of its iCalendar or RSS feed."

/** What to do next about an address that was not read. */
const afterFailure = (failure: WebFailed | NoCalendar): string => {
  if (failure._tag === "NoCalendar") return another
  if (failure.reason === "busy") return `Try again in ${Math.ceil(failure.seconds ?? 60)} seconds.`
  if (failure.reason === "unreachable")
    return "Open the address in a browser to see whether it is right, and try again later if it is."
  if (failure.reason === "refused") return `If it opens in a browser, its server turns programs away. ${another}`
  return `Look whether the address is right. ${another}`
}

/** What a file that is no page seems to be, by its first bytes. */
const fileOf = (body: Buffer): Pick<UnreadAddress, "seems" | "nextStep"> | undefined => {
  const head = body.toString("latin1", 0, 1024)
  if (head.includes("%PDF-")) return { seems: "It is a PDF, such as an agenda.", nextStep: another }
  // Text has no zero bytes, unless it is of two bytes a character.
  if (!/^(\xff\xfe|\xfe\xff)/.test(head) && head.includes("\0")) {
    const give = "If it is a recording, give it to its meeting: civic-record media add MEETING URL."
    return { seems: "It is a file, and no page.", nextStep: `${another} ${give}` }
  }
  return undefined
}

/** Without a place, times are shown as they are written, whatever the zone. */
const anyZone = "UTC"

const partsOf = (meeting: SourceMeeting): ReadonlyArray<string> => {
  const has: ReadonlyArray<readonly [part: string, isThere: boolean]> = [
    ["agenda", meeting.agenda_url !== undefined],
    ["packet", meeting.attachments?.some(({ title }) => /packet/i.test(title)) === true],
    ["minutes", meeting.minutes_url !== undefined],
    ["items", meeting.items_url !== undefined],
    ["recording", meeting.video_url !== undefined],
    ["captions", meeting.captions_url !== undefined]
  ]
  return has.filter(([, isThere]) => isThere).map(([part]) => part)
}

const glimpse = (meeting: SourceMeeting): GlimpsedMeeting => ({
  date: meeting.date,
  time: meeting.starts_at?.slice(11, 16),
  body: meeting.source_body,
  title: meeting.title,
  isCancelled: meeting.is_cancelled,
  parts: partsOf(meeting)
})

/** Links that may lead to a calendar: what a page says it is in other forms comes first. */
const addressesOf = ($: CheerioAPI, base: string): ReadonlyArray<URL> =>
  [
    ["link[rel=alternate][href]", "href"],
    ["iframe[src], frame[src], embed[src]", "src"],
    ["object[data]", "data"],
    ["[data-url]", "data-url"],
    ["a[href]", "href"]
  ].flatMap(([selector = "", attribute = ""]) =>
    $(selector)
      .toArray()
      .flatMap((element) => {
        const address = URL.parse($(element).attr(attribute) ?? "", base)
        return address !== null && webAddress(address.href) !== undefined ? [address] : []
      })
  )

/** Feeds that a page says it has, whatever their addresses. */
const feedsOf = ($: CheerioAPI, base: string): ReadonlyArray<Candidate> =>
  $("link[rel=alternate][type]")
    .toArray()
    .flatMap((link): ReadonlyArray<Candidate> => {
      const url = webAddress(URL.parse($(link).attr("href") ?? "", base)?.href)
      const type = $(link).attr("type") ?? ""
      if (url === undefined) return []
      if (/calendar/i.test(type)) return [{ kind: "ical", url }]
      return /\b(rss|atom)\+xml/i.test(type) ? [{ kind: "rss", url }] : []
    })

const isMeetings = (words: string) => /\b(agendas?|minutes|meetings?|legislation|council|boards?)\b/i.test(words)

/** What a page leads to. */
interface Lead {
  readonly candidates: ReadonlyArray<Candidate>
  readonly unread: ReadonlyArray<UnreadAddress>
  /** Pages of the same site that may lead further. */
  readonly pages: ReadonlyArray<string>
}

const leadOf = ($: CheerioAPI, url: string): Lead => {
  const addresses = addressesOf($, url)
  const own = URL.parse(url)
  const inside = sourceKinds.flatMap((kind): ReadonlyArray<Candidate> => {
    const found = readers[kind].calendarIn?.($, url)
    return found === undefined ? [] : [{ kind, url: found }]
  })
  const linked = addresses.flatMap(calendarsAt).filter(({ kind }) => inside.every((one) => one.kind !== kind))
  const known = addresses.flatMap((address) => {
    const found = unreadableAt(address.href)
    return found === undefined || calendarsAt(address).length > 0
      ? []
      : [{ url: address.href, seems: `It seems to be ${found.seems}.`, nextStep: found.nextStep }]
  })
  const links = $("a[href]")
    .toArray()
    .filter((link) => isMeetings(tidy($(link).text())))
    .flatMap((link) => URL.parse($(link).attr("href") ?? "", url) ?? [])
    .filter(({ origin, href, pathname }) => origin === own?.origin && href !== url && !/\.(pdf|docx?)$/i.test(pathname))
  return {
    candidates: [...linked, ...inside, ...feedsOf($, url)],
    unread: [...new Map(known.map((one) => [one.seems, one])).values()].slice(0, 3),
    pages: [...new Set(links.map(({ href }) => href.replace(/#.*/, "")))]
  }
}

const withoutRepeats = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => [
  ...new Map(candidates.map((one) => [`${one.kind} ${one.url}`, one])).values()
]

/** Reads a candidate as its crawl would, and keeps a glimpse of it. */
const tryCandidate = Effect.fnUntraced(function* ({ kind, url }: Candidate, web: PoliteWeb["Service"]) {
  const now = yield* DateTime.now
  const place = { id: 0, slug: "", name: "", kind: "city" as const, state: "", county: null }
  const list = yield* readers[kind]
    .read({ id: "", kind, url, place, etag: null, last_modified: null, timezone: anyZone }, aroundNow(now), web)
    .pipe(
      Effect.timeoutOrElse({
        duration: `${patience} seconds`,
        orElse: () => Effect.fail(new NoCalendar({ message: `It did not answer within ${patience} seconds.` }))
      })
    )
  const meetings = list?.meetings ?? []
  if (meetings.length === 0) {
    return yield* new NoCalendar({ message: "It has no meeting from a year ago to a year from now." })
  }
  const today = Date.parse(DateTime.formatIsoDate(now))
  const nearest = meetings
    .toSorted((a, b) => Math.abs(Date.parse(a.date) - today) - Math.abs(Date.parse(b.date) - today))
    .slice(0, mostShown)
  return {
    kind,
    url,
    bodies: [...new Set(meetings.map(({ source_body }) => source_body))].toSorted(),
    total: meetings.length,
    meetings: nearest.toSorted((a, b) => (a.date < b.date ? -1 : 1)).map(glimpse)
  } satisfies FoundSource
})

/**
 * Finds the calendars behind an address: those that the address itself names, else those that answer there, else those
 * that its page links to, else those of a few pages of the site that are about meetings. Of two calendars of one
 * customer the first that can be read is enough.
 */
export const findSources = Effect.fn("Calendar.find")(function* (url: string, web: PoliteWeb["Service"]) {
  const found: Array<FoundSource> = []
  const unread: Array<UnreadAddress> = []
  const tried = new Set<string>()
  const tryAll = Effect.fnUntraced(function* (candidates: ReadonlyArray<Candidate>) {
    for (const candidate of withoutRepeats(candidates)) {
      const isSettled = candidate.kind === "legistar_page" && found.some(({ kind }) => kind === "legistar")
      if (tried.size >= mostCandidates || tried.has(candidate.url) || isSettled) continue
      tried.add(candidate.url)
      const result = yield* Effect.result(tryCandidate(candidate, web))
      if (Result.isSuccess(result)) found.push(result.success)
      // A client without the Web API is nothing to speak of; its page comes next.
      else if (candidate.kind !== "legistar") {
        const { message } = result.failure
        const nextStep = message === robotsRefusal ? leave(candidate) : afterFailure(result.failure)
        unread.push({ url: candidate.url, seems: `${kindNames[candidate.kind]}: ${message}`, nextStep })
      }
    }
  })
  const typed = URL.parse(url)
  const named = typed === null ? [] : calendarsAt(typed)
  yield* tryAll(named)
  if (found.length > 0) return { found, unread }
  const known = named.length === 0 ? unreadableAt(url) : undefined
  const queue = [url]
  let asksWho = false
  for (let at = 0; at < queue.length && at <= mostPages; at++) {
    const address = queue[at] ?? url
    const page = yield* Effect.result(web.page(address, { accept, types: /./, bytes: longestCalendar }))
    if (Result.isFailure(page)) {
      const { failure } = page
      if (at > 0 || unread.length > 0) continue
      unread.push({ url: address, seems: failure.message, nextStep: afterFailure(failure) })
      continue
    }
    if (page.success === undefined) continue
    const { body, address: final } = page.success
    const file = at === 0 ? fileOf(body) : undefined
    if (file !== undefined) {
      unread.push({ url: final, ...file })
      break
    }
    const kind = kindOf(
      body
        .toString("utf8", 0, 2000)
        .replace(/^\ufeff/, "")
        .trimStart()
    )
    if (kind !== undefined && kind !== "web page") {
      yield* tryAll([{ kind, url: final }])
      continue
    }
    const end = URL.parse(final)
    if (end !== null && final !== url) yield* tryAll(calendarsAt(end))
    const $ = yield* parsedHtml(body)
    if (at === 0 && $("input[type=password i]").length > 0) asksWho = true
    const lead = leadOf($, final)
    yield* tryAll(lead.candidates)
    if (at === 0) queue.push(...lead.pages)
    unread.push(...lead.unread)
    if (found.length > 0) break
  }
  if (found.length === 0 && known !== undefined) {
    unread.unshift({ url, seems: `It seems to be ${known.seems}.`, nextStep: known.nextStep })
  }
  if (found.length === 0 && unread.length === 0) {
    unread.push({
      url,
      seems: asksWho
        ? "It is a page that asks for a sign-in."
        : "It is a page that leads to no calendar that can be read.",
      nextStep: asksWho ? `Look for a page that anyone may read. ${another}` : another
    })
  }
  return { found, unread: [...new Map(unread.map((one) => [one.url, one])).values()] }
})
