import type { CheerioAPI } from "cheerio/slim"
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { tolerantDecoder } from "../../record/formats/decode.ts"
import { tidy } from "../../record/formats/text.ts"
import type { SourceMeeting } from "../../services/sources/discovered-meetings.ts"
import { type CalendarReader, isWithin, NoCalendar } from "./calendar.ts"
import { htmlPage, textOfHtml } from "./html-page.ts"
import { flag, jsonPage, text } from "./json-page.ts"
import { bodyIn, clockIn, itemList, listedItem, listedMeeting, lookedAtFrom, soundOf, usDate } from "./vendor.ts"

/** The most meetings whose player is asked for in one reading, and the days back that they are: those to be fetched. */
const mostPlayers = 40
const daysOfPlayers = 31

const Meeting = Schema.Struct({
  ID: Schema.String.check(Schema.isPattern(/^[0-9a-f-]{36}$/i)),
  MeetingName: text,
  MeetingType: text,
  StartDate: Schema.String,
  FormattedStart: text,
  Description: text,
  Location: text,
  HasAgenda: flag,
  HasVideo: flag,
  HasLiveVideo: flag,
  VideoUrl: text,
  MeetingDocumentLink: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Struct({ Type: text, Format: text, Title: text, Url: text })))
  )
})
type Meeting = typeof Meeting.Type

const decodeMeeting = tolerantDecoder(Meeting, ["StartDate"])
const decodeAnswer = Schema.decodeUnknownResult(Schema.Struct({ d: Schema.Array(Schema.Unknown) }))
const Marks = Schema.fromJsonString(Schema.Array(Schema.Struct({ AgendaItemId: Schema.Int, TimeStart: Schema.Finite })))
const decodeMarks = Schema.decodeUnknownOption(Marks)

/** The local day and time: some tenants write an instant instead, beside the words that people read. */
const whenOf = ({ StartDate, FormattedStart }: Meeting, timezone: string) => {
  const [, year, month, day, time] = /^(\d{4})[/-](\d{2})[/-](\d{2})[ T](\d{2}:\d{2})/.exec(StartDate) ?? []
  if (year !== undefined) return { date: `${year}-${month}-${day}`, time }
  const said = usDate(tidy(FormattedStart))
  if (said !== undefined) return { date: said, time: clockIn(tidy(FormattedStart)) }
  const instant = /^\/Date\((\d+)/.exec(StartDate)?.[1]
  const zoned = Option.flatMap(instant === undefined ? Option.none() : DateTime.make(Number(instant)), (at) =>
    DateTime.setZoneNamed(at, timezone)
  )
  return Option.getOrUndefined(
    Option.map(zoned, (at) => ({ date: DateTime.formatIsoDate(at), time: DateTime.formatIsoZoned(at).slice(11, 16) }))
  )
}

const sourceMeeting = (
  meeting: Meeting,
  source: Parameters<typeof listedMeeting>[0],
  plain: (html: string) => string
): SourceMeeting | undefined => {
  const when = whenOf(meeting, source.timezone)
  const [name, type] = [tidy(meeting.MeetingName), tidy(meeting.MeetingType)]
  const body = type || (bodyIn(name) ?? name)
  if (when === undefined || body === "") return undefined
  const documents = meeting.MeetingDocumentLink ?? []
  const linkTo = (type: RegExp, format: RegExp) =>
    documents.find((one) => type.test(one.Type ?? "") && format.test(one.Format ?? ""))?.Url ?? undefined
  const page = `/Meeting.aspx?Id=${meeting.ID}&Agenda=Merged&lang=English`
  return listedMeeting(source, {
    key: meeting.ID.toLowerCase(),
    ...{ body, title: name, ...when },
    location: meeting.Location,
    note: plain(meeting.Description ?? ""),
    page,
    agenda: linkTo(/^agenda$/i, /pdf/i) ?? linkTo(/^(merged|postagenda)$/i, /pdf/i),
    minutes: linkTo(/minutes/i, /pdf/i) ?? linkTo(/minutes/i, /html/i),
    video: meeting.VideoUrl ?? linkTo(/video/i, /./),
    items: meeting.HasAgenda === true ? page : undefined,
    documents: [
      { title: "Agenda packet", url: linkTo(/^(agendapackage|agendapacket)$/i, /pdf/i) },
      { title: "Revised agenda", url: linkTo(/^merged$/i, /pdf/i) }
    ]
  })
}

/** The file that a meeting's player plays, by the names that its page gives it; its captions are beside it (`.vtt`). */
export const escribeRecording = ($: CheerioAPI): string | undefined => {
  const player = $("#isi_player")
  const client = player.attr("data-client_id") ?? ""
  const stream = player.attr("data-stream_name") ?? player.attr("data-file_name") ?? ""
  const isPlain = /^[\w.-]+$/.test(client) && /^[\w. -]+$/.test(stream)
  return isPlain ? `https://video.isilive.ca/${client}/${encodeURIComponent(stream)}` : undefined
}

/**
 * eScribe's calendar (`https://pub-{customer}.escribemeetings.com`), by the method that its page calls. The recordings'
 * files are looked up meeting by meeting, and only of those that come on record.
 */
export const escribeCalendar: CalendarReader = {
  calendarAt: ({ hostname, origin }) =>
    /^(?!www\.)[a-z0-9-]+\.escribemeetings\.com$/i.test(hostname) ? `${origin}/` : undefined,
  pastDays: 31,
  manners: { domains: ["escribemeetings.com"], gap: 2.7 },
  read: Effect.fn("EscribeCalendar.read")(function* (source, days, web) {
    const answer = yield* jsonPage(
      web,
      new URL("/MeetingsCalendarView.aspx/GetCalendarMeetings", source.url).href,
      {},
      {
        form: {
          type: "application/json; charset=utf-8",
          text: JSON.stringify({ calendarStartDate: days.from, calendarEndDate: days.to })
        }
      }
    )
    const list = decodeAnswer(answer?.value)
    if (Result.isFailure(list)) return yield* new NoCalendar({ message: "The calendar is not eScribe's." })
    // Entries without an id are notes in the calendar.
    const withId = list.success.d.filter((one) => typeof one === "object" && one !== null && "ID" in one && one.ID)
    const { entries, isWhole } = yield* soundOf(withId.map(decodeMeeting), "eScribe")
    const plain = yield* textOfHtml
    const oldest = lookedAtFrom(yield* DateTime.now, days, daysOfPlayers)
    const today = DateTime.formatIsoDate(yield* DateTime.now)
    const meetings: Array<SourceMeeting> = []
    let asked = 0
    for (const entry of entries) {
      const meeting = sourceMeeting(entry, source, plain)
      if (meeting === undefined || !isWithin(days, meeting.date)) continue
      const isFilmed = entry.HasVideo === true || entry.HasLiveVideo === true || meeting.video_url !== undefined
      const isLooked = isFilmed && meeting.date >= oldest && meeting.date <= today && asked < mostPlayers
      if (isLooked) asked++
      const page =
        isLooked && meeting.source_url ? yield* Effect.option(htmlPage(web, meeting.source_url)) : Option.none()
      const film = Option.isNone(page) ? undefined : escribeRecording(page.value.$)
      meetings.push(film === undefined ? meeting : { ...meeting, video_url: film, captions_url: `${film}.vtt` })
    }
    return { meetings, isWhole, namesBodies: true, validators: {} }
  }),
  items: {
    isAt: ({ pathname, searchParams }) => /^\/Meeting\.aspx$/i.test(pathname) && searchParams.has("Id"),
    read: Effect.fn("EscribeCalendar.items")(function* (web, address) {
      const { $ } = yield* htmlPage(web, address)
      const { host, searchParams } = new URL(address)
      const written = /\bBookmarks\s*:\s*(\[[^\]]*\])/.exec($("script").text())?.[1]
      // Milliseconds. An item that is taken up twice begins the first time.
      const starts = new Map<number, number>()
      for (const { AgendaItemId, TimeStart } of Option.getOrElse(decodeMarks(written), () => [])) {
        starts.set(AgendaItemId, Math.min(starts.get(AgendaItemId) ?? TimeStart, TimeStart))
      }
      const items = $("div.AgendaItemContainer")
        .toArray()
        .map((element) => {
          const container = $(element)
          // A section repeats everything of the items under it.
          if (container.find("div.AgendaItemContainer").length > 0) return undefined
          const own = (selector: string) => tidy(container.find(selector).first().text())
          const classes = container
            .find('div[class*="AgendaItem"]')
            .toArray()
            .map((div) => $(div).attr("class") ?? "")
          const id =
            [container.attr("class") ?? "", ...classes]
              .map((name) => /\bAgendaItem(\d+)\b/.exec(name)?.[1])
              .find(Boolean) ??
            /SelectItem\((\d+)/.exec(container.find('a[href*="SelectItem"]').attr("href") ?? "")?.[1]
          if (id === undefined) return undefined
          const start = starts.get(Number(id))
          return listedItem(["escribe", host, `${searchParams.get("Id")?.toLowerCase() ?? ""} ${id}`], {
            number: own(".AgendaItemCounter"),
            title: own(".AgendaItemTitle"),
            description: own(".AgendaItemDescription"),
            start: start === undefined ? undefined : start / 1000
          })
        })
      return { items: itemList(items), validators: {} }
    })
  }
}
