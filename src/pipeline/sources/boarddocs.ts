import type { CheerioAPI } from "cheerio/slim"
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { tolerantDecoder } from "../../record/formats/decode.ts"
import { callsOff } from "../../record/formats/legistar/status.ts"
import { tidy, webAddress } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { fold } from "../../text/fold.ts"
import { type Cookies, freshCookies } from "../web/cookies.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import { motionIn } from "./boarddocs-motion.ts"
import { titleCallsOff } from "./body-of-title.ts"
import { type CalendarReader, type ItemVote, isWithin, NoCalendar } from "./calendar.ts"
import { formOf, type HtmlPage, htmlPage, parsedHtml } from "./html-page.ts"
import { jsonPage, text } from "./json-page.ts"
import { linkedIn, withoutHtml } from "./links.ts"
import { votesBy } from "./motion.ts"
import { bodyIn, clockIn, itemList, listedItem, listedMeeting, numbersUnder, soundOf } from "./vendor.ts"

const mostCommittees = 40
/** The most meetings whose own page is asked for in one reading, and the days back that they are. */
const mostPages = 40
const daysOfPages = 31

const Meeting = Schema.Struct({
  unique: Schema.String.check(Schema.isPattern(/^[A-Z0-9]{6,32}$/)),
  name: text,
  /** `20260217`. */
  numberdate: Schema.String.check(Schema.isPattern(/^\d{4}-?\d{2}-?\d{2}/))
})
const decodeMeeting = tolerantDecoder(Meeting, ["numberdate"])
const decodeList = Schema.decodeUnknownResult(Schema.Array(Schema.Unknown))

interface Committee {
  readonly id: string
  readonly name: string
}

const committeesOf = ($: CheerioAPI): ReadonlyArray<Committee> => {
  const found = $('[committeeid], select[name="committeeid"] option, #committees option, #committee-select option')
    .toArray()
    .map((element) => {
      const one = $(element)
      const name = tidy(one.text()) || tidy(one.attr("aria-label"))
      return { id: one.attr("committeeid") ?? one.attr("value") ?? "", name }
    })
    .filter(({ id }) => /^[A-Z0-9]{8,20}$/.test(id))
  return [...Map.groupBy(found, ({ id }) => id).values()].flatMap(
    (same) => same.find(({ name }) => name !== "") ?? same[0] ?? []
  )
}

/** What BoardDocs calls a board that has given itself no name, and what titles say for any board. */
const isNameless = (name: string) => /^(?:the |main )?(?:school |governing )*board$|^$/i.test(name)

/** `https://go.boarddocs.com/{state}/{board}/Board.nsf`, which everything of a board is under. */
const baseOf = (address: string): string => address.replace(/\/Board\.nsf\b.*$/is, "/Board.nsf")

/** Asks one of the methods that the page calls; it answers nothing to whoever does not say what the page says. */
const asked = (base: string, fields: Readonly<Record<string, string>>, cookies: Cookies) => ({
  form: formOf(fields),
  cookies,
  headers: { "x-requested-with": "XMLHttpRequest", referer: `${base}/Public`, origin: new URL(base).origin }
})

const meetingsOf = Effect.fnUntraced(function* (web: PoliteWeb["Service"], base: string, id: string, cookies: Cookies) {
  const request = asked(base, { current_committee_id: id }, cookies)
  const page = yield* jsonPage(web, `${base}/BD-GetMeetingsList?open`, {}, request)
  const list = decodeList(page?.value)
  if (Result.isFailure(list)) return yield* new NoCalendar({ message: "The calendar is not BoardDocs's." })
  // The last entry is an empty one.
  return list.success.filter((one) => typeof one === "object" && one !== null && Object.keys(one).length > 0)
})

/** What a meeting's own page adds: when and where in the board's words, and whether there are minutes. */
const saidBy = ({ $ }: HtmlPage) => {
  const description = $(".meeting-description").first().html() ?? ""
  const words = withoutHtml(`<div>${description.replace(/\s+/g, " ")}</div>`)
  const { film, player } = linkedIn(description, [])
  return {
    time: clockIn(tidy(words)),
    // Only a sentence of its own cancels: boards also write what they do if one is cancelled.
    isCancelled: callsOff(words),
    addresses: (words.match(/https?:\/\/\S+/g) ?? []).join(" "),
    video: film ?? player,
    hasMinutes: $('[id^="btn-view-minutes"], .btn-view-minutes').length > 0
  }
}

const formAt = (address: string): Readonly<Record<string, string>> =>
  Object.fromEntries(new URLSearchParams(new URL(address).hash.slice(1)))

/** The motions under each title of the printed agenda, in order. */
const motionsIn = ($: CheerioAPI): ReadonlyMap<string, Array<ReadonlyArray<string>>> => {
  const motions = new Map<string, Array<ReadonlyArray<string>>>()
  for (const element of $(".item.agendaorder").toArray()) {
    const item = $(element)
    const subject = item
      .find("dt")
      .filter((_, term) => /^subject$/i.test(tidy($(term).text())))
      .first()
      .next("dd")
    const title = fold(tidy(subject.text()).replace(/^(?:\d+[a-z]?|[a-z])(?:\.\d+)*[.)]?\s+/i, ""))
    const said = item
      .find(".motion")
      .toArray()
      .map((motion) => withoutHtml($.html(motion).replace(/\s+/g, " ")))
    motions.set(title, [...(motions.get(title) ?? []), said])
  }
  return motions
}

/**
 * The public site of a board at BoardDocs (`https://go.boarddocs.com/{state}/{board}/Board.nsf/Public`), by the methods
 * that its page calls. A committee's list has all of its meetings, with days and no hours: those are in the words of a
 * meeting's own page, which is asked for near its day.
 */
export const boardDocsCalendar: CalendarReader = {
  calendarAt: ({ hostname, pathname, origin }) => {
    const board = /^(?:[\w-]+\.)*boarddocs\.com$/i.test(hostname)
      ? /^\/.*\/Board\.nsf(?=\/|$)(?!\/Private)/i.exec(pathname)
      : null
    return board === null ? undefined : `${baseOf(`${origin}${board[0]}`)}/Public`
  },
  manners: { domains: ["boarddocs.com"], gap: 3 },
  read: Effect.fn("BoardDocsCalendar.read")(function* (source, days, web) {
    const base = baseOf(source.url)
    const cookies = freshCookies()
    const committees = committeesOf((yield* htmlPage(web, source.url, { cookies })).$).slice(0, mostCommittees)
    if (committees.length === 0) return yield* new NoCalendar({ message: "The page is not BoardDocs's." })
    const now = yield* DateTime.now
    const oldest = DateTime.formatIsoDate(DateTime.subtract(now, { days: daysOfPages }))
    const meetings: Array<SourceMeeting> = []
    let isAllWhole = true
    let isNamed = true
    let looked = 0
    for (const committee of committees) {
      const values = yield* meetingsOf(web, base, committee.id, cookies)
      const { entries, isWhole } = yield* soundOf(values.map(decodeMeeting), "BoardDocs")
      isAllWhole &&= isWhole
      for (const { unique, name, numberdate } of entries) {
        const date = numberdate.replace(/^(\d{4})-?(\d{2})-?(\d{2}).*$/s, "$1-$2-$3")
        if (!isWithin(days, date)) continue
        const title = tidy(name)
        // A board without committees lists those of its committees with its own.
        const titled = committees.length === 1 || isNameless(committee.name) ? (bodyIn(title) ?? "") : ""
        const body = isNameless(titled) ? committee.name || titled || title : titled
        const isOwn = body === committee.name && !isNameless(body)
        isNamed &&= isOwn
        const isLooked = date >= oldest && looked < mostPages && !titleCallsOff(title)
        if (isLooked) looked++
        const fields = { id: unique, current_committee_id: committee.id }
        const own = isLooked
          ? yield* Effect.option(htmlPage(web, `${base}/BD-GetMeeting?open`, asked(base, fields, cookies)))
          : Option.none()
        const said = Option.getOrUndefined(Option.map(own, saidBy))
        const page = `${base}/goto?open&id=${unique}`
        meetings.push(
          listedMeeting(source, {
            key: unique,
            ...{ body, title, date, page },
            bodyId: isOwn ? committee.id : undefined,
            time: said?.time,
            isCancelled: said?.isCancelled,
            note: said?.addresses,
            minutes: said?.hasMinutes === true ? page : undefined,
            video: webAddress(said?.video),
            // The server never sees what follows the "#"; it is what the method is asked for.
            items: `${base}/BD-GetAgenda?open#${formOf(fields).text}`
          })
        )
      }
    }
    return { meetings, isWhole: isAllWhole, namesBodies: isNamed, validators: {} }
  }),
  items: {
    isAt: ({ pathname }) => /\/Board\.nsf\/BD-GetAgenda$/i.test(pathname),
    read: Effect.fn("BoardDocsCalendar.items")(function* (web, address) {
      const base = baseOf(address)
      const cookies = freshCookies()
      yield* htmlPage(web, `${base}/Public`, { cookies })
      const request = asked(base, formAt(address), cookies)
      const { $ } = yield* htmlPage(web, address.replace(/#.*/, ""), request)
      const printed = yield* Effect.option(htmlPage(web, `${base}/PRINT-AgendaDetailed?open`, request))
      const motions = motionsIn(Option.isSome(printed) ? printed.value.$ : yield* parsedHtml(Buffer.alloc(0)))
      const votes: Array<ItemVote> = []
      const rows = $("dt.category, li.item").toArray()
      const orderOf = (element: (typeof rows)[number]) => $(element).find(".order").first().text()
      const isCategory = (element: (typeof rows)[number]) => $(element).is("dt.category")
      let heading = ""
      const numbers = numbersUnder(
        rows.map((element) => {
          if (isCategory(element)) heading = orderOf(element)
          return { heading: isCategory(element) ? "" : heading, number: orderOf(element) }
        })
      )
      const items = rows.map((element, at) => {
        const row = $(element)
        const next = rows[at + 1]
        // A heading is listed only where nothing is under it.
        if (isCategory(element) && next !== undefined && !isCategory(next)) return undefined
        const title = tidy(row.find(".category-name, .title").first().text())
        const key = row.attr("unique") ?? row.attr("id") ?? `${title} ${at}`
        const moved = (isCategory(element) ? undefined : motions.get(fold(title))?.shift())?.map(motionIn) ?? []
        const item = listedItem(["boarddocs", new URL(base).host, `${new URL(base).pathname} ${key}`], {
          number: numbers[at],
          title,
          outcome: moved.findLast(({ outcome }) => outcome !== undefined)?.outcome
        })
        if (item !== undefined) votes.push(...votesBy(moved, item.id))
        return item
      })
      return { items: itemList(items), votes: Effect.succeed(votes), validators: {} }
    })
  }
}
