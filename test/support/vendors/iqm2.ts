import { type CityServer, says, status } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const html = "text/html; charset=utf-8"
const long = (days: number) =>
  new Date(`${day(days)}T12:00:00Z`).toLocaleDateString("en-US", { dateStyle: "full", timeZone: "UTC" }).toUpperCase()
const short = (days: number) =>
  new Date(`${day(days)}T12:00:00Z`).toLocaleDateString("en-US", { dateStyle: "medium", timeZone: "UTC" })

/** A row of IQM2's calendar: what a meeting does not have is there all the same, hidden and leading nowhere. */
const row = (
  [id, days, time]: readonly [id: number, days: number, time: string],
  [board, type, state]: readonly [board: string, type: string, state: string],
  files: Readonly<Record<string, number>> = {},
  hasVideo = false
) => {
  const tip = `${long(days)}  ${time}&#13;&#13;Board:&#09;${board}&#13;Type:&#09;${type}&#13;Status:&#09;${state}&#13;&#13;&#09;County Board Room,&#13;&#09;326 Laurel Street, Brainerd, MN  56401`
  const link = (label: string, type: number) =>
    files[label] === undefined
      ? `<div>&nbsp;<a href='' class='HiddenDocumentLink' target=''>${label}</a>&nbsp;</div>`
      : `<div>&nbsp;<a href='FileOpen.aspx?Type=${type}&amp;ID=${files[label]}&amp;Inline=True' class='' target='_blank'>${label}</a></div>`
  const video = hasVideo
    ? `<a href="javascript:void(0)" onclick='javascript:OpenWindow("/Citizens/SplitView.aspx?Mode=Video&amp;MeetingID=${id}&amp;Format=Minutes");'>Video</a>`
    : `<a href="#" class="HiddenDocumentLink">Video</a>`
  const links = [link("Agenda", 14), link("Agenda Packet", 1), link("Summary", 15), link("Minutes", 12), video].join("")
  return `<div class="Row MeetingRow"><div class="RowTop">
    <div class="RowIcon"><a href="javascript:void(0);"><img class="MeetingIcon" title="${tip}" alt="info"></a></div>
    <div class="RowLink"><a href="/Citizens/Detail_Meeting.aspx?ID=${id}" title="${tip}">${short(days)} ${time} </a></div>
    ${
      state === "Cancelled"
        ? `<div class="RowRight"><span class='MeetingCancelled'>Cancelled</span></div>`
        : `<div class="RowRight MeetingLinks">${links}</div>`
    }</div>
    <div class="RowBottom"><div class="MainScreenText RowDetails">${board} - ${type}</div></div></div>`
}

/** IQM2: a calendar of the days asked for, an agenda with headings, papers and results, its outline and its player. */
export const iqm2Site = (city: CityServer) => {
  const rows = [
    row(
      [21831, -9, "6:00 PM"],
      ["City Council", "Regular Meeting", "Closed"],
      { ...{ Agenda: 21795, "Agenda Packet": 21795 }, ...{ Summary: 21617, Minutes: 21617 } },
      true
    ),
    row([21834, 3, "5:00 PM"], ["Planning Commission/Board of Adjustment", "Regular Meeting", "Scheduled"]),
    row([21877, 8, "9:00 AM"], ["City Council", "Committee of the Whole", "Cancelled"])
  ]
  const asked: Array<string> = []
  city.answers.set("/Citizens/Calendar.aspx", (request, response) => {
    asked.push(request.url ?? "")
    says(`<html><body><div id="ContentPlaceholder1_pnlMeetings">${rows.join("")}</div></body></html>`, html)(
      request,
      response
    )
  })
  const heading = (number: string, title: string) =>
    `<tr><td class='Num'><strong>${number}</strong></td><td class='Title' colspan='10'><strong>${title}</strong></td></tr>`
  const link = (second: string, id: number, title: string) =>
    `<a target='Detail' class='AgendaOutlineLink' ${second === "" ? "" : `onclick='javascript:SetPosition(${second}); return false;'`}
      href='Detail_LegiFile.aspx?Frame=SplitView&MeetingID=21831&MediaPosition=${second || "0.000"}&ID=${id}&CssClass='>${title}</a>`
  const item = (number: string, inner: string, result = "") =>
    `<tr><td></td><td class='Num'>${number} </td><td class='Title' colspan='9'>${inner}${
      result === "" ? "" : `<br><span class='ItemVoteResult'>${result}</span>`
    }</td></tr>`
  const outline = `<table id='MeetingDetail' class='MeetingDetail' cellpadding='0' cellspacing='0'>
    ${heading("1. ", "Call to Order")}
    ${heading("2. ", "Consent Agenda")}
    ${item("A.", link("240.901", 443483, "COF 2026 #141 : A communication about the bridge"), "Order Adopted [9-0-0]")}
    <tr><td></td><td></td><td class='Num'><img src='/Citizens/images/DocumentIcon.gif' alt='document'></td>
      <td class='Title' colspan='8'><a class='Link' href='FileOpen.aspx?Type=30&ID=401&MeetingID=21831'>Printout</a></td></tr>
    <tr><td></td><td></td><td class='Comments' colspan='8'><span>Read twice.</span></td></tr>
    ${item("B.", link("1263.4", 443484, "Contract for road repair"))}
    ${heading("3. ", "New Business")}
    ${item("A.", link("", 443485, "Adopt the fees"), "Failed [4 to 5]")}
    ${heading("4. ", "Adjournment")}</table>`
  const page = (inner: string) =>
    says(`<html><body><span id="ContentPlaceHolder1_lblOutline">${inner}</span></body></html>`, html)
  const view = "Target=Detail&CssClass=AgendaOutline&Mode=Video&Frame=Nothing&ID="
  city.answers.set(`/Citizens/Detail_Meeting.aspx?${view}21831`, page(outline))
  // Where nothing was recorded, only the meeting's own page has its agenda.
  city.answers.set(`/Citizens/Detail_Meeting.aspx?${view}21834`, page("There is no agenda or minutes available"))
  city.answers.set("/Citizens/Detail_Meeting.aspx?ID=21834", page(outline.replaceAll(/ onclick='[^']*'/g, "")))
  city.answers.set("/Citizens/Detail_Meeting.aspx", status(404))
  // A file's page has its votes at every meeting that it was before.
  const history = (id: number, days: number, ...lines: ReadonlyArray<readonly [string, string]>) =>
    `<tr class="HeaderRow HistorySection"><td class="Date"><a href="Detail_Meeting.aspx?ID=${id}">${short(days)} 6:00 PM</a>&nbsp;
      <a href="SplitView.aspx?Mode=Video&amp;MeetingID=${id}">Video</a></td><td class="Group">City Council</td>
      <td class="Type">Regular Meeting</td></tr><tr><td colspan="3"><table class="VoteRecord">${lines
        .map(([label, said]) => `<tr><td>${label}:</td><td>${said}</td></tr>`)
        .join("")}</table></td></tr>`
  city.answers.set("/Citizens/Detail_LegiFile.aspx?ID=443483&MeetingID=21831", (request, response) => {
    asked.push(request.url ?? "")
    says(
      `<html><body><table class="LayoutTable MeetingHistory">
        ${history(21700, -23, ["RESULT", "TABLED"], ["AYES", "Ilse Moon, Sema Dix"])}
        ${history(
          21831,
          -9,
          ...([
            ["RESULT", "ADOPTED [2 TO 1]"],
            ["MOVER", "Ilse Moon, Vice Mayor"],
            ["SECONDER", "Robin Lane, Jr., Councilor"],
            ["AYES", "Ilse Moon, Robin Lane, Jr."],
            ["NAYS", "Sema Dix"],
            ["AWAY", "Cho Lee"]
          ] as const)
        )}</table></body></html>`,
      html
    )(request, response)
  })
  city.answers.set("/Citizens/Detail_LegiFile.aspx", (request, response) => {
    asked.push(request.url ?? "")
    status(404)(request, response)
  })
  return { source: `${city.url}/Citizens/Calendar.aspx`, asked }
}
