import { answersForm, type CityServer } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const grid = "ctl00$ContentPlaceHolder1$gridCalendar$ctl00"
const head = (words: string, more = "") => `<th scope="col" class="rgHeader">
  <a onclick="Telerik.Web.UI.Grid.Sort()" href="javascript:__doPostBack('x','')">${words}</a>${more}</th>`
const guid = (id: number) => `427505C8-FA24-4365-816D-${String(id).padStart(12, "0")}`

const row = (id: number, date: string, body: string, time: string, { isHeld = false, note = "" } = {}) => {
  const [year, month, dayOf] = date.split("-")
  const query = `ID=${id}&amp;GUID=${guid(id)}`
  const none = '<a class="otherNotAvaiableMinutes">Not&nbsp;available</a>'
  return `<tr class="${id % 2 === 0 ? "rgRow" : "rgAltRow"}">
    <td><a id="hypBody" href="DepartmentDetail.aspx?ID=15667&amp;GUID=195DB5B0">${body}</a></td>
    <td class="rgSorted">${Number(month)}/${Number(dayOf)}/${year}</td>
    <td><a href="View.ashx?M=IC&amp;${query}"><img src="Images/ical.gif" alt="Export to iCalendar" /></a></td>
    <td><span>${time}</span></td><td>Council Chambers<br /><em>${note}</em></td>
    <td><a href="MeetingDetail.aspx?${query}&amp;Options=info|&amp;Search=">Meeting&nbsp;details</a></td>
    <td><span><img src="Images/PDF.gif" alt="Agenda" /><a href="View.ashx?M=A&amp;${query}">Agenda</a></span></td>
    <td>${isHeld ? `<a href="View.ashx?M=AP&amp;${query}">Agenda&nbsp;Packet</a>` : none}</td>
    <td>${isHeld ? `<a href="View.ashx?M=M&amp;${query}">Minutes</a>` : none}</td>
    <td>${
      isHeld
        ? `<a class="videolink" href="#" onclick="window.open('Video.aspx?Mode=Granicus&amp;ID1=2840&amp;Mode2=Video','video')">Video</a>`
        : '<a class="videoFileNotAvailableLink videolink">Not&nbsp;available</a>'
    }</td></tr>`
}

const page = (state: string, shown: string, rows: string, pager: string) => `<html><body><form method="post">
  <input type="hidden" name="__VIEWSTATE" value="${state}" /><input type="hidden" name="__EVENTVALIDATION" value="v-${state}" />
  <input name="ctl00$ContentPlaceHolder1$lstYears" type="text" id="ctl00_ContentPlaceHolder1_lstYears_Input" value="${shown}" />
  <div id="ctl00_ContentPlaceHolder1_lstYears_DropDown"><ul>${[
    "All Years",
    String(Number(day(0).slice(0, 4)) - 1),
    "Last Year",
    "This Year",
    "Next Year"
  ]
    .map((one) => `<li class="rcbItem">${one}</li>`)
    .join("")}</ul></div>
  <table class="rgMasterTable"><thead><tr class="rgPager"><td><div class="rgWrap rgNumPart">${pager}</div></td></tr>
    <tr>${head("Name")}${head("Meeting Date", '&nbsp;<input type="button" value=" " />')}
    <th class="rgHeader">&nbsp;</th>${head("Meeting Time")}${head("Meeting Location")}${head("Meeting Details")}${head("Agenda")}${head("Agenda Packet")}${head("Minutes")}${head("Video")}</tr></thead>
    <tbody>${rows}</tbody></table></form></body></html>`

/** A Legistar calendar whose page hands its state back: two pages of this year, and what else is chosen. */
export const legistarPageSite = (city: CityServer) => {
  const link = (at: number, current: number) => `<a ${at === current ? 'class="rgCurrentPage" ' : ""}
    href="javascript:__doPostBack('${grid}$ctl02$ctl0${at * 2}','')"><span>${at}</span></a>`
  const pager = (current: number) => link(1, current) + link(2, current)
  const first = page(
    "one",
    "This Year",
    row(1, day(-5), "City Council Regular Meeting", "6:00 PM", { isHeld: true }) +
      row(2, day(3), "*Planning Commission", "Canceled"),
    pager(1)
  )
  const asked: Array<Record<string, string>> = []
  const posted = answersForm((sent) => {
    const form = Object.fromEntries(new URLSearchParams(sent))
    asked.push(form)
    // A state of another page is refused, as ASP.NET refuses it.
    if (form.__EVENTVALIDATION !== `v-${form.__VIEWSTATE}`) return "<html><body>Error</body></html>"
    if (form.__EVENTTARGET?.startsWith(grid)) {
      return page(
        "two",
        "This Year",
        row(3, day(9), "Parks Board", "", { note: "Joint with the School Board" }),
        pager(2)
      )
    }
    return page("three", form.ctl00$ContentPlaceHolder1$lstYears ?? "", "", "")
  })
  city.answers.set("/Calendar.aspx", (request, response) => {
    if (request.method === "POST") return posted(request, response)
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "set-cookie": "Setting-1=x; path=/" })
    response.end(first)
  })
  return { source: `${city.url}/Calendar.aspx`, asked, guid }
}
