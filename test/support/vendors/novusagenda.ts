import { answersForm, type CityServer, says } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const usDay = (date: string) => date.replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$2/$3/$1")
const shortDay = (days: number) => usDay(day(days)).replace(/\/20(\d{2})$/, "/$1")

const view = (id: number, minutes: number, kind: "Agenda" | "Minutes") =>
  `<a onclick="window.open('MeetingView.aspx?MeetingID=${id}&amp;MinutesMeetingID=${minutes}&amp;doctype=${kind}','','')"
    href="#"><img alt="${kind === "Agenda" ? "Online Agenda" : "Minutes Recap"}" src="images/html.gif" /></a>`
const pdf = (query: string, alt: string) =>
  `<a href="DisplayAgendaPDF.ashx?${query}" target="_blank"><img alt="${alt}" src="images/pdf.gif" /></a>`

const row = (at: number, date: string, type: string, ...links: ReadonlyArray<string>) =>
  `<tr class="${at % 2 === 0 ? "rgRow" : "rgAltRow"}"><td>${date}</td><td>${type}</td><td>City Hall, 100 W Center St</td>
    ${[0, 1, 2].map((column) => `<td><center>${links[column] ?? ""}</center></td>`).join("")}</tr>`

const name = "SearchAgendasMeetings"

/**
 * NovusAgenda's search: days of two figures, links in scripts, minutes at the agenda's address, and a second page that
 * is given only to who hands back what was searched for.
 */
export const novusAgendaSite = (city: CityServer) => {
  const path = "/agendapublic/meetingsgeneral.aspx"
  const asked: Array<string> = []
  const shown = (query: URLSearchParams, at: number) => {
    const rows =
      at === 1
        ? [
            row(
              0,
              shortDay(-9),
              "City Council Regular Meeting",
              view(652, -1, "Agenda"),
              pdf("MeetingID=652", "Agenda"),
              pdf("MinutesMeetingID=700", "Legal Minutes")
            ),
            row(1, shortDay(3), "Planning Commission - CANCELLED", view(655, -1, "Agenda"))
          ]
        : [
            row(0, usDay(day(-40)), "Special Meeting", "", pdf("MeetingID=640", "Agenda")),
            row(1, shortDay(30), "City Council Regular Meeting")
          ]
    const link = (to: number) =>
      `<a ${to === at ? 'class="rgCurrentPage" ' : ""}href="javascript:__doPostBack('${name}$radGridMeetings$ctl00$ctl0${to}','')">
        <span>${to}</span></a>`
    return `<html><head><title>NovusAGENDA</title></head><body><form id="form1" method="post">
      <input type="hidden" name="__VIEWSTATE" value="page-${at}" />
      <select name="${name}$ddlDateRange"><option value="1ms">Next Month</option>
        <option selected="selected" value="${query.get("Date") ?? "1ms"}">Custom Date Range</option></select>
      <input type="text" name="${name}$radCalendarFrom" value="${query.get("From") ?? ""}" />
      <input type="text" name="${name}$radCalendarTo" value="${query.get("To") ?? ""}" />
      <table id="${name}_radGridMeetings_ctl00"><thead><tr class="rgPager"><td>${link(1)}${link(2)}</td></tr>
        <tr><th>Meeting Date</th><th>Meeting Type</th><th>Meeting Location</th><th>Online Agenda</th>
        <th>Download Agenda</th><th>Legal Minutes</th></tr></thead><tbody>${rows.join("")}</tbody></table>
      </form></body></html>`
  }
  const posted = answersForm((sent) => {
    const form = new URLSearchParams(sent)
    asked.push(`${form.get("__VIEWSTATE")} ${form.get(`${name}$ddlDateRange`)} ${form.get(`${name}$radCalendarFrom`)}`)
    const query = new URLSearchParams({ Date: "cus", From: form.get(`${name}$radCalendarFrom`) ?? "" })
    return shown(query, form.get("__EVENTTARGET")?.endsWith("ctl02") === true ? 2 : 1)
  })
  city.answers.set(path, (request, response) => {
    if (request.method === "POST") return posted(request, response)
    return says(shown(new URL(request.url ?? "/", city.url).searchParams, 1), "text/html")(request, response)
  })
  city.answers.set(
    "/agendapublic/MeetingView.aspx",
    says(
      `<html><body><table><tr><td>I.</td><td>CALL TO ORDER</td></tr>
        <tr><td>A.</td><td><a href="CoverSheet.aspx?ItemID=8659&amp;MeetingID=652">Quarry Road bridge contract</a></td></tr>
        <tr><td></td><td><a href="Coversheet.aspx?ItemID=8660&amp;MeetingID=652">7.2. Fence permit, 12 Elm St.</a></td></tr>
        </table></body></html>`,
      "text/html"
    )
  )
  return { source: `${city.url}${path}`, asked, from: usDay(day(-365)) }
}
