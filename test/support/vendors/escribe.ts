import { answersForm, type CityServer, says } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const guid = (id: number) => `6a5e1c5a-0000-4000-8000-${String(id).padStart(12, "0")}`

/** eScribe: the method of the calendar's page, and a meeting's page with items, player and bookmarks. */
export const escribeSite = (city: CityServer) => {
  const meeting = (id: number, days: number, over: object = {}) => ({
    ...{ ID: guid(id).toUpperCase(), MeetingName: "City Council Meeting 330", MeetingType: "City Council" },
    ...{
      StartDate: `${day(days).replaceAll("-", "/")} 18:00:21`,
      FormattedStart: "",
      Description: "Hall<br/>1 Main St"
    },
    ...{ Location: "Council Chamber", HasAgenda: false, HasLiveVideo: false, MeetingDocumentLink: [], ...over }
  })
  const pdf = (Type: string, id: number) => ({
    ...{ Type, Format: ".pdf", Title: Type, Url: `FileStream.ashx?DocumentId=${id}` }
  })
  const entries = [
    meeting(1, -6, {
      ...{ HasAgenda: true, HasVideo: true },
      MeetingDocumentLink: [pdf("Agenda", 1), pdf("AgendaPackage", 2), pdf("PostMinutes", 3)]
    }),
    meeting(2, 4, {
      ...{
        MeetingName: "Planning Board - CANCELLED",
        MeetingType: "Planning Board",
        StartDate: "/Date(1770332400000)/"
      },
      FormattedStart: `Thursday, ${new Date(`${day(4)}T12:00:00Z`).toLocaleDateString("en-US", { month: "long", day: "2-digit", year: "numeric", timeZone: "UTC" })} @ 7:00 PM`
    }),
    { MeetingName: "Holiday", StartDate: day(1) }
  ]
  const asked: Array<string> = []
  city.answers.set(
    "/MeetingsCalendarView.aspx/GetCalendarMeetings",
    answersForm((sent) => {
      asked.push(sent)
      return JSON.stringify({ d: entries })
    }, "application/json; charset=utf-8")
  )
  const item = (id: number, number: string, title: string, inner = "") => `<DIV class='AgendaItemContainer indent'>
    <DIV class='AgendaItem AgendaItem${id}'><DIV class='AgendaItemTitleRow'><H3>
      <DIV class='AgendaItemCounter'>${number}</DIV>
      <DIV class='AgendaItemTitle'><a tabindex='0' href="javascript:SelectItem(${id});">${title}</a></DIV></H3></DIV>
      <DIV class='AgendaItemContentRow indent'><DIV class='AgendaItemDescription RichText'></DIV></DIV>${inner}</DIV></DIV>`
  const marks = [
    { AgendaItemId: 3, TimeStart: 1_753_667, TimeEnd: 2_136_595 },
    { AgendaItemId: 3, TimeStart: 2_139_080, TimeEnd: 4_116_948 },
    { AgendaItemId: 10, TimeStart: 4_116_948, TimeEnd: 6_520_683 }
  ]
  city.answers.set(
    `/Meeting.aspx?Id=${guid(1).toUpperCase()}&Agenda=Merged&lang=English`,
    says(
      `<html><body><div id="isi_player" data-client_id="bakersfield" data-stream_name="Encoder 760_CCM330.mp4"></div>
      <DIV class='AgendaItems'>${item(2, "7.", "PUBLIC STATEMENTS", item(3, "7.1", "Agenda item statements"))}
      ${item(10, "8.", "APPOINTMENTS")}</DIV>
      <script>var video = { Bookmarks : ${JSON.stringify(marks)}, Other: [] }</script></body></html>`,
      "text/html; charset=utf-8"
    )
  )
  return { source: `${city.url}/`, asked, guid }
}
