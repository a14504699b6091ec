import { type CityServer, says } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** "Jul  7, 2026", as publishers pad it. */
const granicusDay = (days: number): string => {
  const [year = "", month = "", date = ""] = day(days).split("-")
  return `${months[Number(month) - 1]} ${String(Number(date)).padStart(2, " ")}, ${year}`
}

/**
 * A view: what is to come with its hour, what was recorded without, and the newest of it twice. A meeting that begins
 * today is under way at some hours; `next` is how many days away it is.
 */
export const granicusSite = (city: CityServer, { isRecorded = false, next = 0 } = {}) => {
  const upcoming = `<tr class="odd">
    <td class="listItem" headers="EventName" id="Regular-City-Council-Meeting" scope="row">Regular City Council Meeting</td>
    <td class="listItem" headers="EventDate Regular-City-Council-Meeting"><span style="display:none;">1779206400</span>
      ${granicusDay(next)} - 09:00&nbsp;AM</td>
    <td class="listItem"><a href="//bhamal.granicus.com/AgendaViewer.php?view_id=2&amp;event_id=2692">Agenda</a></td>
    <td class="listItem" headers="EventLink Regular-City-Council-Meeting"></td></tr>`
  const clip = (id: number, name: string, days: number, more = "") => `<tr class="even listingRow">
    <td class="listItem" headers="Name" scope="row">${name}</td>
    <td class="listItem" headers="Date ${name.replaceAll(" ", "-")}"><span style="display:none;">1778569200</span>
      ${granicusDay(days).replaceAll(" ", "&nbsp;")}</td>
    <td class="listItem" headers="Duration">01h&nbsp;27m</td>
    <td class="listItem"><a href="//bhamal.granicus.com/AgendaViewer.php?view_id=2&amp;clip_id=${id}">Agenda</a></td>
    <td class="listItem"><select><option value="">Documents</option>
      <option value="//bhamal.granicus.com/MinutesViewer.php?view_id=2&clip_id=${id}&doc_id=aaa">Minutes</option></select></td>
    <td class="listItem"><a href="javascript:void(0);"
      onclick="window.open('//bhamal.granicus.com/MediaPlayer.php?view_id=2&amp;clip_id=${id}','player')">Video</a>${more}</td></tr>`
  const council = clip(1980, "Regular City Council Meeting", -7)
  const page = `<html><body><h3>Upcoming</h3><table class="listingTable">${
    isRecorded ? clip(1999, "Regular City Council Meeting", next) : upcoming
  }</table><h3>Recent</h3><table class="listingTable">${council}</table>
    <h3>Planning and Zoning Commission</h3><table class="listingTable">${council}
    ${clip(1970, "Work Session", -14, '<a href="/DownloadFile.php?view_id=2&clip_id=1970">MP4</a> <a href="/packet_1970.pdf">P</a>')}
    ${clip(1960, "Caf\u00e9 with the Mayor", -15)}</table></body></html>`
  // Announced as UTF-8, sent as Windows-1252.
  city.answers.set("/ViewPublisher.php?view_id=2", says(Buffer.from(page, "latin1"), "text/html; charset=utf-8"))
  city.answers.set(
    "/player/clip/1980?view_id=2&redirect=true",
    says(
      `<html><body><div class="index-point" time="95" id="p1">1. Call to Order</div>
        <div class="index-point" time="1260" id="p2">7.A. Quarry Road bridge contract</div></body></html>`,
      "text/html"
    )
  )
  city.answers.set("/ViewPublisher.php?view_id=3", says("<html><body>Loading</body></html>", "text/html"))
  city.answers.set(
    "/ViewPublisherRSS.php?view_id=3&mode=agendas",
    says(
      `<?xml version="1.0"?><rss version="2.0" xmlns:gran="http://www.granicus.com/xml"><channel>
        <item><title>City Council - Agenda - ${granicusDay(-30)} 5:00 PM</title>
          <link>https://x.granicus.com/AgendaViewer.php?view_id=3&amp;clip_id=12</link>
          <pubDate>Tue, 15 Dec 2020 05:00:00 -0800</pubDate></item>
        <item><title>Study Commission - ${granicusDay(5)}</title><guid>u-1</guid>
          <link>https://x.granicus.com/AgendaViewer.php?view_id=3&amp;event_id=1517</link>
          <pubDate>Mon, 03 Aug 2026 02:23:00 -0700</pubDate>
          <gran:pubDateParts yr="2026" mo="08" day="03" hr="14" min="23"/></item></channel></rss>`,
      "application/rss+xml"
    )
  )
  city.answers.set("/ViewPublisherRSS.php?view_id=3&mode=vpodcast", says("<rss><channel/></rss>", "text/xml"))
  return `${city.url}/ViewPublisher.php?view_id=2`
}
