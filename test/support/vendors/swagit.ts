import { type CityServer, says } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** "Sep 01, 2026". */
const swagitDay = (days: number): string => {
  const [year = "", month = "", date = ""] = day(days).split("-")
  return `${months[Number(month) - 1]} ${date}, ${year}`
}

const html = "text/html; charset=utf-8"

/**
 * Swagit: a view whose lists are behind tabs, ten rows to a page, with the links in a column that is commented out; and
 * a view that has its lists of years on one page. The title of every page is another city's.
 */
export const swagitSite = (city: CityServer, player = "") => {
  const row = (id: number, name: string, days: number, hidden = true) => `<tr>
    <td> <a target="_blank" href="/videos/${id}">${name}</a> </td>
    <td nowrap> ${swagitDay(days)} </td><td> 01h 41m </td>
    ${hidden ? "<!--" : ""}<td><a target="_blank" href="/videos/${id}">Video</a>&nbsp;
      <a target="_blank" href="/videos/${id}/agenda">Agenda</a>&nbsp;
      ${hidden ? "" : `<a href="/videos/${id}/minutes">Minutes</a>`}
      <a target="_blank" href="/videos/${id}/download">MP4</a></td>${hidden ? "-->" : ""}</tr>`
  const table = (rows: string) => `<table class="table videos table-striped" id="video-table">
    <thead><tr><th>Video</th><th>Date</th><th>Duration</th></tr></thead><tbody>${rows}</tbody></table>`
  const tabs = (active: string) => `<ul class="nav nav-tabs nav-tabs-swagit">
    ${["live", "commission-meetings", "zoning-board"]
      .map(
        (slug) => `<li class="${slug === active ? "active" : ""}"><a href="/views/322/${slug}">
        ${slug.replace("-", " ").replace("meetings", "Meetings")}</a></li>`
      )
      .join("")}</ul>`
  const page = (active: string, inner: string) =>
    says(`<html><head><title>City of Austin</title></head><body>${tabs(active)}${inner}</body></html>`, html)
  const paging = (at: number) =>
    at === 1
      ? `<ul class="pagination"><li class="active"><span>1</span></li>
        <li><a rel="next" href="/views/322/commission-meetings?page=2">2</a></li>
        <li class="next"><a rel="next" href="/views/322/commission-meetings?page=2">Next &#8594;</a></li></ul>`
      : `<ul class="pagination"><li><a rel="next" href="/views/322/commission-meetings?page=3">3</a></li></ul>`
  city.answers.set(
    "/views/322",
    page("live", `<iframe src="//media.swagit.com/play/fp/?a=live-edge/sanbenitotx"></iframe>`)
  )
  city.answers.set(
    "/views/322/commission-meetings",
    page(
      "commission-meetings",
      table(row(401170, "City Commission", -10) + row(399675, "Special Meeting", -24)) + paging(1)
    )
  )
  // Everything on the second page is too old: there is no third request.
  city.answers.set(
    "/views/322/commission-meetings?page=2",
    page("commission-meetings", table(row(100, "City Commission", -800)) + paging(2))
  )
  city.answers.set(
    "/views/322/zoning-board",
    page(
      "zoning-board",
      table(row(380001, "Zoning Board of Adjustment - Canceled", -31) + row(380002, "Parade of Lights", -40))
    )
  )
  const pane = (id: string, rows: string) => `<div class="tab-pane" id="${id}">${table(rows)}</div>`
  city.answers.set(
    "/views/876",
    says(
      `<html><body><ul class="nav nav-tabs"><li class="active"><a href="#city-council-2026">2026</a></li></ul>
      ${pane("city-council-2026", row(401121, "Regular Meeting", -12, false))}
      ${pane("planning-commission-2026", row(399384, "Special Planning Commission", -33, false))}
      ${pane("all-meetings", row(401121, "Regular Meeting", -12, false))}</body></html>`,
      html
    )
  )
  const mark = (second: string, title: string) =>
    `<a class="playerControl" data-ts="${second}" data-end-ts="491" data-title="${title}" href="/play/401170/51">x</a>`
  const marks =
    mark("51", "1. CALL TO ORDER") + mark("491", "7.A. Quarry Road bridge &amp; culvert") + mark("", "9. ADJOURN")
  city.answers.set(
    "/videos/401170",
    says(
      `<html><head><title>Sep 15, 2026 City Commission - San Benito, TX</title></head><body>
      <div id="index">${marks}</div><div id="agenda">${marks}</div>${player}</body></html>`,
      html
    )
  )
  return { source: `${city.url}/views/322`, other: `${city.url}/views/876` }
}
