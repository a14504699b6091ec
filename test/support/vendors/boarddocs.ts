import { answersForm, type CityServer, says, status } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const numberDate = (days: number) => day(days).replaceAll("-", "")

const category = (id: string, order: string, name: string) =>
  `<dl style="list-style-type : none;" role="heading" aria-level="2" class="wrap-category">
    <dt tabindex="0" class="category agendaorder" id="${id}" unique="${id}"><span class="order">${order} </span><span
      class="category-name">${name}</span></dt><dd class="wrap-items">
    </dd></dl>`

const item = (id: string, order: string, type: string, title: string) =>
  `<li role="link" class="XXXXXXui-corner-all item prevnext agendaorder public  " id="${id}" unique="${id}"
    Xtitle="${type} - ${title}"><div class="actiontype">
        ${type}<span class="comma">, </span></div>
    <span class="order">${order} </span><span class="title">${title}</span><div class="icons"></div></li>`

const agenda = [
  category("CAT000000001", "A.", "Convene"),
  item("ITEM00000001", "1.", "Procedural", "Call to Order &amp; Roll Call"),
  category("CAT000000002", "B.", "Board Legislation"),
  category("CAT000000003", "C.", "Board Matters"),
  item("ITEM00000002", "1.", "Action", "Budget Amendment"),
  item("ITEM00000003", "2.", "Information", "Budget Amendment")
].join("\n")

const printedItem = (subject: string, motions = "") =>
  `<div tabindex="0" class="container item agendaorder">
    <div><dl class="row"><dt class="col leftcol">Subject</dt><dd class="col rightcol">${subject}</dd></dl></div>
    <dl class="row"><dt class="col leftcol">Type</dt><dd class="col rightcol">Action</dd></dl>
    <div class="itembody"><p>As presented.</p></div>${motions}</div>`

const motion = (...lines: ReadonlyArray<string>) =>
  `<div class="motion finalresolution"><div>${lines.join("<br>")}</div></div>`

const printed = `<html><body><div class="print-meeting-name">REGULAR MEETING</div>
  ${printedItem("1. Call to Order & Roll Call")}
  ${printedItem(
    "1. Budget Amendment",
    motion(
      "Motion: Approve the amendment as presented.",
      "Motion by Ilse Moon, second by Sema Dix.",
      "Final Resolution: Motion Fails",
      "Yes: Ilse Moon",
      "No: Robin Lane - Chair, Sema Dix, Ed Dutra, Jr.",
      "Not Present at Vote: Cho Lee"
    )
  )}
  ${printedItem("2. Budget Amendment")}</body></html>`

/**
 * A board's public site at BoardDocs: methods that answer only to a POST with the page's cookie and header, a list that
 * ends with an empty entry, and days without hours.
 */
export const boardDocsSite = (city: CityServer) => {
  const base = "/oh/springfield/Board.nsf"
  const asked: Array<string> = []
  const committees = `<div><a class="dropdown-item committee-trigger" committeeid="A9QN5Z5E5509">Board of Education</a>
    <a class="dropdown-item committee-trigger" committeeid="BBBBBBBBBB02" aria-label="Finance Committee"></a></div>
    <select name="committeeid"><option value="A9QN5Z5E5509">Board of Education</option></select>`
  city.answers.set(
    `${base}/Public`,
    says(`<html><body>${committees}</body></html>`, "text/html", { "set-cookie": "SessionID=A475; path=/" })
  )
  const answers = (path: string, answer: (sent: URLSearchParams) => string, type = "text/html") => {
    const told = answersForm((sent) => {
      asked.push(`${path} ${sent}`)
      return answer(new URLSearchParams(sent))
    }, type)
    city.answers.set(`${base}/${path}`, (request, response) => {
      const isPage =
        request.headers["x-requested-with"] === "XMLHttpRequest" && request.headers.cookie === "SessionID=A475"
      return (isPage ? told : status(403))(request, response)
    })
  }
  const one = (unique: string, name: string, days: number) => ({
    ...{ unique, name, current: "0", preliveoak: "", numberdate: numberDate(days), unid: `${unique}85258D77` }
  })
  const lists: Record<string, ReadonlyArray<object>> = {
    A9QN5Z5E5509: [
      one("DQ3VPX80F260", "REGULAR BOARD BUSINESS MEETING", -7),
      one("DPFS2D708D8F", `Postponed to February 3, 2026--REGULAR BOARD BUSINESS MEETING`, -14),
      one("OLD000000001", "SPECIAL BOARD MEETING", -200),
      one("OLD000000002", "SPECIAL BOARD MEETING", -2000),
      {}
    ],
    BBBBBBBBBB02: [one("FIN000000001", "Work Session", 5), {}]
  }
  answers(
    "BD-GetMeetingsList",
    (sent) => JSON.stringify(lists[sent.get("current_committee_id") ?? ""] ?? []),
    "application/json; charset=utf-8"
  )
  const descriptions: Record<string, string> = {
    DQ3VPX80F260: `SPRINGFIELD CITY SCHOOLS<br>3700 S. HIGH ST. <br>SPRINGFIELD, OH 43207<br>6:00PM<br>If a meeting is
      cancelled, the website says so. <a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ">Watch</a>`,
    FIN000000001: "The meeting has been cancelled."
  }
  answers("BD-GetMeeting", (sent) => {
    const id = sent.get("id") ?? ""
    const minutes = id === "DQ3VPX80F260" ? '<li><a href="#" id="btn-view-minutes-id">View Minutes</a></li>' : ""
    return `<div id="wrap-meeting"><div class="meeting-name">M</div><div class="meeting-date">Tuesday</div>
      <div class="meeting-description">${descriptions[id] ?? ""}</div><ul>${minutes}</ul></div>`
  })
  answers("BD-GetAgenda", () => agenda)
  answers("PRINT-AgendaDetailed", () => printed)
  return { source: `${city.url}${base}/Public`, base: `${city.url}${base}`, asked }
}
