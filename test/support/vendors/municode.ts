import { type CityServer, says, status } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const html = "text/html; charset=utf-8"
const key = (id: number) => `d2833122956640c8a67941ee6f${String(id).padStart(6, "0")}`
const blob = "https://mccmeetings.blob.core.usgovcloudapi.net/marlowil-pubu"

/** Municode Meetings: a city's site of several pages, its list of bodies, a meeting's page and an agenda in HTML. */
export const municodeSite = (city: CityServer, player = "//www.youtube.com/embed/bhpXBnBdpZc?rel=0") => {
  const ada = (id: number, isPacket: boolean) =>
    `${city.url}/adaHtmlDocument/index?cc=MARLOWIL&amp;me=${key(id)}&amp;ip=${isPacket ? "True" : "False"}`
  const row = (
    [path, name, days, hour]: readonly [path: string, name: string, days: number, hour: string],
    id?: number,
    { minutes = false, video = "" } = {}
  ) => {
    const papers = (kind: string, isPacket: boolean) =>
      id === undefined
        ? ""
        : `<a href="${blob}/MEET-${kind}-${key(id)}.pdf"><img alt="PDF icon"></a> <a href="${ada(id, isPacket)}"><img></a>`
    const cell = (name: string, inner: string) => `<td class="views-field" data-th="${name}"> ${inner} </td>`
    const [, month, date] = day(days).split("-")
    return `<tr class="odd"><td data-th="Date"><span class="date-display-single" property="dc:date"
      content="${day(days)}T${hour}:00-05:00">${month}/${date} - 7:00pm</span></td>
      ${cell("Meeting", name)}${cell("Agenda", papers("Agenda", false))}${cell("Agenda Packet", papers("Packet", true))}
      ${cell("Minutes", minutes ? `<a href="${blob}/MEET-Minutes-${key(id ?? 0)}.pdf"><img></a>` : "")}
      ${cell("Video/Audio", video === "" ? "" : `<a href="${video}" target="_blank"><img></a>`)}
      ${cell("View", `<a href="${path}">View Details</a>`)}</tr>`
  }
  const page = (rows: ReadonlyArray<string>, next: string) =>
    says(
      `<html><head><meta name="Generator" content="Drupal 7 (http://drupal.org)"></head><body>
      <table class="views-table"><thead><tr><th>Date</th></tr></thead><tbody>${rows.join("")}</tbody></table>
      <ul class="pager pager--infinite-scroll"><li class="pager__item"><a href="${next}">View Additional Meetings</a></li></ul>
      </body></html>`,
      html
    )
  city.answers.set(
    "/",
    page(
      [
        row(["/bc-tc/page/town-council-meeting-9", "Town Council Meeting", 9, "19:00"]),
        row(["/bc-tc/page/town-council-meeting-8", "Town Council Meeting", -6, "19:00"], 8, {
          ...{ minutes: true, video: "/bc-tc/page/town-council-meeting-8" }
        }),
        row(["/bc-pz/page/pz-40", "P&Z Workshop - NO SUBMITTAL / CANCELLED", -12, "18:30"])
      ],
      "/meetings3?page=1"
    )
  )
  city.answers.set(
    "/meetings3?page=1",
    page(
      [
        row(["/bc-tc/page/town-council-meeting-7", "Town Council Meeting", -40, "19:00"], 7, {
          video: "https://accounts.google.com/ServiceLogin?service=youtube"
        }),
        row(["/bc-pz/page/pz-39", "P&Z Workshop", -400, "18:30"], 6)
      ],
      "/meetings3?page=2"
    )
  )
  // All of the third page is older than what is asked for, and there is a fourth.
  city.answers.set(
    "/meetings3?page=2",
    page([row(["/bc-tc/page/town-council-meeting-1", "Town Council Meeting", -900, "19:00"])], "/meetings3?page=3")
  )
  // Its hours are UTC and do not say so; what has no day yet is far away.
  city.answers.set(
    "/api/v1/public/meeting/list.json",
    says(
      JSON.stringify({
        Meetings: [
          {
            ...{ MeetingID: 1, OriginMeetingID: key(8), Title: "Town Council Meeting", GroupName: "Town Council" },
            CalendarDate: [{ FromDate: `${day(-5)} 00:00:00` }]
          },
          { MeetingID: 2, OriginMeetingID: key(6), GroupName: "Planning & Zoning Commission", CalendarDate: [] },
          { MeetingID: 3, OriginMeetingID: "", Title: "Retreat", CalendarDate: [{ FromDate: "2099-01-01 00:00:00" }] }
        ]
      })
    )
  )
  city.answers.set(
    "/bc-tc/page/town-council-meeting-8",
    says(`<html><body><iframe id="mcc_agenda_video" src="${player}"></iframe></body>`, html)
  )
  const item = (number: string, title: string) =>
    `<li><div class="Section0"><p><num>${number}</num><span>${title}</span></p></div></li>
    <ul class="agenda_item_attachments"><li><a href="${blob}/ITEM-Attachment.pdf">Staff report.pdf</a> (0.02 MB)</li></ul>`
  const section = (number: string, title: string, items = "") =>
    `<section class="agenda-section"><h2 class="section-header"><div class="Section0"><p><num>${number}</num>
    <span>${title}</span></p></div></h2>${items === "" ? "" : `<ol class="agenda-items">${items}</ol>`}</section>`
  // It answers without a type.
  city.answers.set(`/adaHtmlDocument/index?cc=MARLOWIL&me=${key(8)}&ip=False`, (_, response) => {
    response.writeHead(200)
    response.end(
      `<!doctype html><html><body><div class="ap-agenda">${section("1.", "CALL TO ORDER")}
      ${section("7.", "CONSENT AGENDA", item("a.", "Minutes of May 3") + item("b.", "Award of bid 12-7"))}
      ${section("8.", "ADJOURNMENT")}</div></body></html>`
    )
  })
  return { source: `${city.url}/`, blob, key }
}

/** The other pages of Municode: papers by their names, ten meetings to a page, and nothing past the last. */
export const municodePages = (city: CityServer) => {
  const long = (days: number) =>
    new Date(`${day(days)}T12:00:00Z`).toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" })
  const papers = (id: number, name: string, days: number, kinds: ReadonlyArray<string>) =>
    kinds
      .map(
        (kind) =>
          `<a href="/d/f?u=${encodeURIComponent(`${blob}/MEET-${kind.replace("Agenda ", "")}-${key(id)}.pdf`)}&amp;n=${encodeURIComponent(
            `${kind}-${name}-${long(days)} 6.00 PM.pdf`
          )}">${kind}</a>`
      )
      .join(" ")
  const page = (inner: string) => says(`<html><body><div class="div-table">${inner}</div></body></html>`, html)
  const at = "/PublishPage/index?cid=MARLOWTX&ppid=0&p="
  city.answers.set(
    `${at}0`,
    page(
      `<div>${papers(3, "City Council Regular Meeting", -3, ["Agenda", "Agenda Packet", "Minutes"])}
      <a href="/adaHtmlDocument/index?cc=MARLOWTX&amp;me=${key(3)}&amp;ip=False">HTML Agenda</a></div>`
    )
  )
  city.answers.set(`${at}1`, page(papers(2, "Board of Adjustment Meeting - Cancelled", -20, ["Agenda"])))
  city.answers.set("/PublishPage/index", page("No records"))
  city.answers.set("/api/v1/public/meeting/list.json", status(500))
  return `${city.url}/PublishPage/index?cid=MARLOWTX&ppid=0`
}
