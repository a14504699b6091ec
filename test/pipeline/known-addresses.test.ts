import { assert, describe, it } from "@effect/vitest"
import { calendarsAt, unreadableAt } from "../../src/pipeline/sources/known-addresses.ts"

const api = (client: string) => `legistar https://webapi.legistar.com/v1/${client}/events`

describe("an address", () => {
  it.each([
    [
      "https://emporiaks.portal.civicclerk.com/event/585/files/agenda/1620",
      "civicclerk https://emporiaks.api.civicclerk.com/v1/Events"
    ],
    [
      "https://clovisca.civicclerk.com/Web/Player.aspx?id=1&key=-1",
      "civicclerk https://clovisca.api.civicclerk.com/v1/Events"
    ],
    [
      "https://www.cityofanthonynm.gov/AgendaCenter/ViewFile/Agenda/_11192020-808?html=true",
      "agendacenter https://www.cityofanthonynm.gov/AgendaCenter"
    ],
    [
      "https://bhamal.granicus.com/MediaPlayer.php?view_id=2&clip_id=1980",
      "granicus https://bhamal.granicus.com/ViewPublisher.php?view_id=2"
    ],
    [
      "https://bhamal.granicus.com/ViewPublisherRSS.php?view_id=2&mode=agendas",
      "granicus https://bhamal.granicus.com/ViewPublisher.php?view_id=2"
    ],
    ["https://bhamal.granicus.com/player/clip/1980", ""],
    [
      "https://lacity.primegov.com/Portal/Meeting?meetingTemplateId=68482",
      "primegov https://lacity.primegov.com/public/portal"
    ],
    [
      "https://pub-ottawa.escribemeetings.com/Meeting.aspx?Id=1&Agenda=Merged",
      "escribe https://pub-ottawa.escribemeetings.com/"
    ],
    [
      "https://go.boarddocs.com/oh/columbus/Board.nsf/goto?open&id=DQ3VPX80F260",
      "boarddocs https://go.boarddocs.com/oh/columbus/Board.nsf/Public"
    ],
    ["https://go.boarddocs.com/oh/columbus/Board.nsf/Private?open", ""],
    [
      "https://peoriaaz.novusagenda.com/AgendaPublic/CoverSheet.aspx?ItemID=1&MeetingID=2",
      "novusagenda https://peoriaaz.novusagenda.com/agendapublic/meetingsgeneral.aspx"
    ],
    ["https://www.boarddocs.com/products", ""],
    [
      "https://maricopa.legistar.com/MeetingDetail.aspx?ID=1&GUID=2",
      `${api("maricopa")}, legistar_page https://maricopa.legistar.com/Calendar.aspx`
    ],
    ["https://legistar.council.nyc.gov/Calendar.aspx", "legistar_page https://legistar.council.nyc.gov/Calendar.aspx"],
    [
      "https://dublinca.new.swagit.com/views/876/city-council?page=2",
      "swagit https://dublinca.new.swagit.com/views/876"
    ],
    ["https://dublinca.new.swagit.com/videos/401121", ""],
    [
      "https://atlantacityga.iqm2.com/Citizens/SplitView.aspx?Mode=Video&MeetingID=4294",
      "iqm2 https://atlantacityga.iqm2.com/Citizens/Calendar.aspx"
    ],
    [
      "https://bristol-ri.municodemeetings.com/bc-hdc/page/historic-district-commission-meeting-60",
      "municode https://bristol-ri.municodemeetings.com/"
    ],
    [
      "https://meetings.municode.com/adaHtmlDocument/index?cc=CPTX&me=d2833122956640c8a67941ee6f0b0368&ip=True",
      "municode https://meetings.municode.com/PublishPage/index?cid=CPTX&ppid=0"
    ],
    ["https://webapi.legistar.com/v1/seattle/bodies", api("seattle")],
    [
      "https://www.youtube.com/channel/UCabcdefghijklmnopqrstuv",
      "youtube https://www.youtube.com/feeds/videos.xml?channel_id=UCabcdefghijklmnopqrstuv"
    ],
    [
      "https://www.youtube.com/playlist?list=PLabc&feature=shared",
      "youtube https://www.youtube.com/feeds/videos.xml?playlist_id=PLabc"
    ],
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", ""],
    [
      "https://archive.org/details/springfield-tv?tab=about",
      "internet_archive https://archive.org/details/springfield-tv"
    ],
    [
      "https://archive.org/services/collection-rss.php?collection=springfield-tv",
      "internet_archive https://archive.org/details/springfield-tv"
    ],
    [
      "https://city.gov/common/modules/iCalendar/iCalendar.aspx?catID=14&feed=calendar",
      "ical https://city.gov/common/modules/iCalendar/iCalendar.aspx?catID=14&feed=calendar"
    ],
    ["https://www.granicus.com/products?view_id=1", ""],
    ["https://city.gov/calendar", ""]
  ])("%s leads to %s", (address, expected) => {
    assert.strictEqual(
      calendarsAt(new URL(address))
        .map(({ kind, url }) => `${kind} ${url}`)
        .join(", "),
      expected
    )
  })

  it("that is known and not read says what it is and what to do", () => {
    assert.match(unreadableAt("https://simbli.eboardsolutions.com/SB_Meetings/x?S=1")?.nextStep ?? "", /import/)
    assert.match(unreadableAt("https://www.youtube.com/@city")?.nextStep ?? "", /channel\/UC/)
    assert.match(unreadableAt("https://dublinca.new.swagit.com/videos/401121")?.nextStep ?? "", /\/views\//)
    assert.isUndefined(unreadableAt("https://city.gov/"))
  })
})
