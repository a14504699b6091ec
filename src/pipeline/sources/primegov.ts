import { Effect, Result, Schema } from "effect"
import { tolerantDecoder } from "../../record/formats/decode.ts"
import { tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import type { PoliteWeb } from "../web/polite-web.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { htmlPage } from "./html-page.ts"
import { jsonPage, text, whole } from "./json-page.ts"
import { youTubePage } from "./links.ts"
import { bodyIn, itemList, listedItem, listedMeeting, soundOf } from "./vendor.ts"

const mostYears = 30

const Document = Schema.Struct({ templateId: Schema.Int, templateName: text, compileOutputType: whole })
type Document = typeof Document.Type

const Meeting = Schema.Struct({
  id: Schema.Int,
  committeeId: whole,
  title: text,
  /** Local time without a zone. */
  dateTime: Schema.String,
  location: text,
  videoUrl: text,
  zoomMeetingLink: text,
  documentList: Schema.optionalKey(Schema.NullOr(Schema.Array(Document)))
})
type Meeting = typeof Meeting.Type

const decodeMeeting = tolerantDecoder(Meeting, ["dateTime"])
const decodeList = Schema.decodeUnknownResult(Schema.Array(Schema.Unknown))
const decodeCommittee = tolerantDecoder(Schema.Struct({ id: Schema.Int, name: Schema.String }))

const pdf = 1
const html = 3

const listAt = Effect.fnUntraced(function* (web: PoliteWeb["Service"], address: string) {
  const page = yield* jsonPage(web, address)
  const list = decodeList(page?.value)
  return Result.isSuccess(list) ? list.success : yield* new NoCalendar({ message: "The calendar is not PrimeGov's." })
})

/** A city's YouTube recording is often its id alone. */
const videoOf = (written: string | null | undefined): string | undefined => {
  const video = tidy(written)
  return /^[\w-]{11}$/.test(video) ? youTubePage(video) : video || undefined
}

const addressOf = ({ templateId, compileOutputType }: Document): string =>
  compileOutputType === html
    ? `/Portal/Meeting?meetingTemplateId=${templateId}`
    : `/Public/CompiledDocument?meetingTemplateId=${templateId}&compileOutputType=${compileOutputType ?? pdf}`

const sourceMeeting = (
  meeting: Meeting,
  committees: ReadonlyMap<number, string>,
  source: Parameters<typeof listedMeeting>[0]
): SourceMeeting | undefined => {
  const title = tidy(meeting.title)
  const committee = meeting.committeeId ? committees.get(meeting.committeeId) : undefined
  const body = committee ?? bodyIn(title) ?? title
  const [date = "", time = ""] = meeting.dateTime.split("T")
  // The same meeting again in another language, and what was filed to try the system.
  const isNone = /\s-\s*SAP\b|^test\b|\btest committee\b/i.test(`${title}`) || /^test\b/i.test(body)
  if (body === "" || isNone || !/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined
  const documents = meeting.documentList ?? []
  const find = (name: RegExp, type: number) =>
    documents.find((one) => name.test(tidy(one.templateName)) && (one.compileOutputType ?? pdf) === type)
  const linkTo = (name: RegExp, ...types: ReadonlyArray<number>) => {
    const found = types.map((type) => find(name, type)).find((one) => one !== undefined)
    return found && addressOf(found)
  }
  const agenda = /^(?!.*(packet|cancel)).*\bagenda\b/i
  return listedMeeting(source, {
    key: String(meeting.id),
    body,
    bodyId: committee === undefined ? undefined : String(meeting.committeeId),
    ...{ title, date, time },
    isCancelled: /\brecess\b/i.test(title) || documents.some((one) => /\bcancel/i.test(one.templateName ?? "")),
    location: meeting.location,
    note: meeting.zoomMeetingLink,
    page: linkTo(agenda, html) ?? "/public/portal",
    agenda: linkTo(agenda, pdf),
    minutes: linkTo(/\bminutes\b/i, pdf, html),
    video: videoOf(meeting.videoUrl),
    items: linkTo(agenda, html) ?? linkTo(/\bpacket\b/i, html),
    documents: [{ title: "Agenda packet", url: linkTo(/\bpacket\b/i, pdf) }]
  })
}

/**
 * PrimeGov's public portal (`https://{customer}.primegov.com/public/portal`), by the lists behind it: what is to come,
 * and what was, a year at a time.
 */
export const primeGovCalendar: CalendarReader = {
  calendarAt: ({ hostname, origin }) =>
    /^(?!www\.)[a-z0-9-]+\.primegov\.com$/i.test(hostname) ? `${origin}/public/portal` : undefined,
  manners: { domains: ["primegov.com"], gap: 2.7 },
  read: Effect.fn("PrimeGovCalendar.read")(function* (source, days, web) {
    const { origin } = new URL(source.url)
    const named = yield* listAt(web, `${origin}/api/committee/GetCommitteeesListByShowInPublicPortal`)
    const committees = new Map(
      named.flatMap((one) => {
        const committee = decodeCommittee(one)
        return Result.isSuccess(committee)
          ? [[committee.success.value.id, tidy(committee.success.value.name)] as const]
          : []
      })
    )
    const api = `${origin}/api/v2/PublicPortal`
    const values = [...(yield* listAt(web, `${api}/ListUpcomingMeetings`))]
    const last = Math.min(Number(days.to.slice(0, 4)), Number(days.from.slice(0, 4)) + mostYears)
    for (let year = Number(days.from.slice(0, 4)); year <= last; year++) {
      values.push(...(yield* listAt(web, `${api}/ListArchivedMeetings?year=${year}`)))
    }
    const { entries, isWhole } = yield* soundOf(values.map(decodeMeeting), "PrimeGov")
    const meetings = new Map<string, SourceMeeting>()
    for (const entry of entries) {
      const meeting = sourceMeeting(entry, committees, source)
      if (meeting === undefined || !isWithin(days, meeting.date)) continue
      meetings.set(meeting.external_id, meeting)
    }
    return { meetings: [...meetings.values()], isWhole, namesBodies: committees.size > 0, validators: {} }
  }),
  items: {
    isAt: ({ pathname, searchParams }) =>
      /^\/Portal\/Meeting$/i.test(pathname) && searchParams.has("meetingTemplateId"),
    read: Effect.fn("PrimeGovCalendar.items")(function* (web, address) {
      const { $ } = yield* htmlPage(web, address)
      const { host } = new URL(address)
      // Three designs: items with their matters, items alone, and tables.
      const rows = ["div.meeting-item[data-itemid]", 'div.agenda-item[id^="AgendaItem_"]', "table[data-itemid]"]
        .map((selector) => $(selector).toArray())
        .find((found) => found.length > 0)
      const items = (rows ?? []).map((element) => {
        const row = $(element)
        const id = row.attr("data-itemid") ?? (row.attr("id") ?? "").replace("AgendaItem_", "")
        const cells = row
          .find("td")
          .toArray()
          .filter((cell) => $(cell).find("td").length === 0)
          .map((cell) => tidy($(cell).text()))
          .filter((cell) => cell !== "")
        const number =
          tidy(row.find("td.number-cell").first().text()) || cells.find((cell) => /^\(?[0-9a-z]{1,3}[.)]$/i.test(cell))
        const matter = row.find("table.forcepopulate tr").eq(1).find("td").eq(1)
        const title =
          tidy(matter.text()) ||
          tidy(row.find("div.agenda-item").first().text()) ||
          (row.is("table") ? cells.find((cell) => cell !== number && cell.length > 3) : tidy(row.text()))
        return id === "" ? undefined : listedItem(["primegov", host, id], { number, title: title ?? "" })
      })
      return { items: itemList(items), validators: {} }
    })
  }
}
