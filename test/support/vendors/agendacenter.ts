import { answersForm, type CityServer, says } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** A row as AgendaCenter writes it: the day, when it was posted, and the documents. */
const row = (id: number, date: string, title: string, { minutes = false, media = "" } = {}) => {
  const [year = "", month = "", dayOf = ""] = date.split("-")
  const key = `_${month}${dayOf}${year}-${id}`
  const name = months[Number(month) - 1]
  return `<tr id="row${id}ed368861" class="catAgendaRow"><a name="${key}"></a><td>
    <h4><a name="${key}"></a><a name="${id}" href="/AgendaCenter/ViewFile/Agenda/${key}?html=true" target="_blank">
      <strong><abbr title="${name}">${name}</abbr> ${Number(dayOf)}, ${year}</strong>
      &thinsp;&mdash;&thinsp;Posted <abbr title="January">Jan</abbr> 2, 2020 2:49 PM</a></h4>
    <p>${title}</p></td>
    <td class="minutes">${minutes ? `<a href="/AgendaCenter/ViewFile/Minutes/${key}">Minutes</a>` : ""}</td>
    <td class="media">${media === "" ? "" : `<a href="${media}">Video</a>`}</td>
    <td class="downloads"><div class="popoutContainer"><ol>
      <li><a class="html" href="/AgendaCenter/ViewFile/Agenda/${key}?html=true">HTML</a></li>
      <li><a class="pdf" href="/AgendaCenter/ViewFile/Agenda/${key}">PDF</a></li>
      <li><a class="pdf" href="/AgendaCenter/ViewFile/Agenda/${key}?packet=true">Packet</a></li>
      <li><a class="previous" href="/AgendaCenter/PreviousVersions/${key}">Previous Versions</a></li>
    </ol></div></td></tr>`
}

const listing = (id: number, name: string, years: ReadonlyArray<string>, rows: string) =>
  `<div class="listing listingCollapse noHeader" id="cat${id}">
    <h2 tabindex="0" onclick="expandCollaspseCategory(${id})"><span id="span${id}">&#9660;</span>${name}</h2>
    <span id="section${id}"><ul class="years">${years
      .map(
        (year, at) =>
          `<li${at === 0 ? " class=current" : ""}><a href="javascript:changeYear(${year}, ${id},'a0')">${year}</a></li>`
      )
      .join("")}<li></li></ul><table id="table${id}"><tbody>${rows}</tbody></table></span></div>`

/** AgendaCenter: one year of each body, and the others by a form. One category answers it with the whole page. */
export const agendaCenterSite = (city: CityServer) => {
  const [near, far] = [day(-10), day(20)]
  const thisYear = near.slice(0, 4)
  const before = String(Number(thisYear) - 1)
  const council = row(827, near, "City Council Meeting", {
    minutes: true,
    media: "https://city.granicus.com/player/clip/7"
  })
  const housing = row(806, far, "Housing PRC Meeting - Cancelled")
  const page = `<!DOCTYPE html><html><body><div id="AgendaCenterContent">
    ${listing(7, "City Council", [thisYear, before], council)}
    ${listing(21, "Housing PRC", [thisYear, before], housing)}
    ${listing(30, "Public Notices", [thisYear], row(900, near, "Notice of hearing"))}
    </div></body></html>`
  const asked: Array<string> = []
  city.answers.set(
    "/AgendaCenter",
    says(page, "text/html; charset=utf-8", { "set-cookie": ["ASP.NET_SessionId=abc; path=/; HttpOnly"] })
  )
  city.answers.set(
    "/AgendaCenter/UpdateCategoryList",
    answersForm((sent, request) => {
      asked.push(`${sent} ${request.headers.cookie ?? ""}`)
      const form = new URLSearchParams(sent)
      const rows = row(500, `${form.get("year")}-03-01`, "City Council Meeting")
      return form.get("catID") === "7" ? `<span id="section7"><table>${rows}</table></span>` : page
    })
  )
  const key = `_${near.slice(5, 7)}${near.slice(8)}${thisYear}-827`
  const item = (level: number, number: string, title: string, desc = "") =>
    `<div class="item level${level}"><div class="bullet"><span>${number}</span></div>
      <div class="title">${title}</div><div class="desc">${desc}</div></div>`
  city.answers.set(
    `/AgendaCenter/ViewFile/Agenda/${key}?html=true`,
    says(
      `<html><body><div id="divItems">${item(1, "9.", "CONSENT AGENDA")}${item(2, "9.A.", "Consent A", "<p>Minutes of May 3</p>")}
        ${item(2, "9.B.", "Award of bid 12-7")}${item(1, "10.", "Adjourn")}</div></body></html>`,
      "text/html"
    )
  )
  return { source: `${city.url}/AgendaCenter`, asked, key }
}
