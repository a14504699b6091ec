import { type CityServer, says } from "../city-server.ts"
import { day } from "../legistar-city.ts"

const document = (templateId: number, templateName: string, compileOutputType: number) => ({
  ...{ id: templateId - 1000, templateId, templateName, compileOutputType, publishStatus: 1, language: "en-US" },
  publishDate: "2026-01-01T00:00:00"
})

const meeting = (id: number, days: number, time: string, over: object = {}) => ({
  ...{ id, meetingTypeId: 1, committeeId: 1, title: "City Council Meeting", meetingState: 3, location: "Chambers" },
  ...{
    dateTime: `${day(days)}T${time}:00`,
    endDateTime: `${day(days)}T23:00:00`,
    date: "Jan 01, 2025",
    time: "10:00 AM"
  },
  ...{ videoUrl: null, zoomMeetingLink: null, documentList: [], ...over }
})

/** PrimeGov's lists: three states that are no cancellation, a twin in Spanish, and a notice that is one. */
export const primeGovSite = (city: CityServer, videoUrl = "dQw4w9WgXcQ") => {
  const committees = [
    { id: 1, name: "City Council" },
    { id: 2, name: "Planning and Transportation Commission" }
  ]
  const years = new Map<string, Array<object>>()
  const archive = (days: number, one: object) => {
    const year = day(days).slice(0, 4)
    years.set(year, [...(years.get(year) ?? []), one])
  }
  archive(
    -8,
    meeting(16238, -8, "10:00", {
      videoUrl,
      documentList: [
        document(136037, "HTML Agenda", 3),
        document(136038, "Agenda", 1),
        document(136039, "Packet", 1),
        document(136040, "Minutes", 1)
      ]
    })
  )
  archive(-8, meeting(16239, -8, "10:00", { title: "City Council Meeting - SAP" }))
  archive(
    -5,
    meeting(16240, -5, "18:30", {
      committeeId: 2,
      title: "PTC",
      documentList: [document(1, "HTML Notice of Cancellation", 3)]
    })
  )
  city.answers.set("/api/committee/GetCommitteeesListByShowInPublicPortal", says(JSON.stringify(committees)))
  city.answers.set(
    "/api/v2/PublicPortal/ListUpcomingMeetings",
    says(JSON.stringify([meeting(16250, 6, "18:00", { meetingState: 1 }), { ...meeting(1, 6, "18:00"), id: null }]))
  )
  city.answers.set("/api/v2/PublicPortal/ListArchivedMeetings", (request, response) => {
    const year = new URL(request.url ?? "/", city.url).searchParams.get("year") ?? ""
    says(JSON.stringify(years.get(year) ?? []))(request, response)
  })
  const item = (
    id: number,
    number: string,
    title: string
  ) => `<div class="meeting-item" data-itemid="${id}" data-mig="g-${id}">
    <table class="item-table"><tr><td class="number-cell">(${number})</td><td><div class="agenda-item">
      <table class="forcepopulate"><tr><td colspan="2">25-0600</td></tr><tr><td>MOTION</td><td>${title}</td></tr></table>
    </div></td></tr></table></div>`
  city.answers.set(
    "/Portal/Meeting?meetingTemplateId=136037",
    says(
      `<html><body>${item(1, "1", "Commendatory resolutions")}${item(2, "2", "Street vending")}</body></html>`,
      "text/html"
    )
  )
  return `${city.url}/public/portal`
}
