import { type CityServer, says, status } from "../city-server.ts"
import { day } from "../legistar-city.ts"

/** An event with the field names and the usual values of CivicClerk's API; its "Z" is a lie. */
const event = (id: number, days: number, time: string, over: object = {}) => ({
  id,
  eventName: "Commission Meeting",
  eventDescription: "City Commission Meeting",
  eventDate: `${day(days)}T${time}:00Z`,
  startDateTime: `${day(days)}T${time}:00Z`,
  isPublished: "Published",
  agendaId: 0,
  agendaName: "",
  categoryId: 26,
  categoryName: "City Commission Meetings",
  hasAgenda: false,
  hasMedia: false,
  isDeleted: false,
  mediaSourcePathMp4: "",
  mediaStreamPath: "",
  externalMediaUrl: "",
  youtubeVideoId: "",
  closedCaptionSourcePath: null,
  liveStartTime: "1900-01-01T00:00:00Z",
  eventLocation: {
    id: 525,
    address1: "518 Mechanic Street",
    address2: "",
    city: "Emporia",
    state: "KS",
    zipCode: "66801"
  },
  publishedFiles: [],
  ...over
})

/** CivicClerk's API: pages that link to each other, meetings with files, items, bookmarks and captions. */
export const civicClerkSite = (city: CityServer) => {
  const { url } = city
  const file = (fileId: number, type: string) => ({
    ...{ id: 0, fileId, type, name: `07.22.2026 ${type}`, fileType: 1, publishOn: "2026-07-23T10:05:49.867Z" },
    url: `${url}/v1/Meetings/GetMeetingFile(fileId=${fileId},plainText=false)`
  })
  const first = [
    event(585, -9, "18:00", {
      ...{ agendaId: 362, hasAgenda: true, hasMedia: true },
      mediaSourcePathMp4: "https://cpmedia.azureedge.net/emporiaks/ab8f5fbb5f.mp4",
      publishedFiles: [file(1620, "Agenda"), file(1621, "Agenda Packet"), file(1635, "Minutes")]
    }),
    event(586, -2, "11:00", {
      eventName: "CANCELLED - Planning Commission Meeting",
      ...{ categoryId: 4, categoryName: "Boards", mediaSourcePathMp4: "media/relative.mp4" },
      eventLocation: { address1: null, address2: null, city: null }
    }),
    event(587, 3, "18:00", { isPublished: "Draft" })
  ]
  const next = [event(590, 12, "00:00", { eventName: "Work Session" }), { id: "not an event" }]
  city.answers.set("/v1/Events", (request, response) => {
    const { searchParams } = new URL(request.url ?? "/", url)
    const isSecond = searchParams.get("$skip") === "15"
    const page = {
      "@odata.context": `${url}/v1/$metadata#Events`,
      value: isSecond ? next : first,
      // With the name of the server behind, as some tenants have it.
      ...(isSecond ? {} : { "@odata.nextLink": "https://internal.example/v1/Events?$skip=15" })
    }
    says(JSON.stringify(page), "application/json; odata.metadata=minimal")(request, response)
  })
  const mark = (agendaObjectItemId: number, markerTimeStart: number) => ({
    ...{ id: 1, eventId: 585, markerName: "1", markerTitle: "x", agendaObjectItemId, markerTimeStart }
  })
  const media = {
    ...{ id: 585, videoUrl: "https://cpmedia.azureedge.net/emporiaks/ab8f5fbb5f.mp4", externalVideoUrl: "" },
    closedCaptionUrl: "https://cpmedia.azureedge.net/emporiaks/ClosedCaption/07222026172024531-585.srt",
    closedCaptionTracks: null,
    eventBookmarks: [mark(6012, 0), mark(6109, 95), mark(6124, 1260)]
  }
  city.answers.set("/v1/EventsMedia/585", says(JSON.stringify(media)))
  const item = (id: number, outline: string, name: string, over: object = {}) => ({
    ...{ id, agendaObjectItemName: name, agendaObjectItemOutlineNumber: outline, agendaObjectItemNumber: "" },
    ...{ isSection: 0, sortOrder: id, agendaObjectItemDescription: null, childItems: [], attachmentsList: [], ...over }
  })
  const names = ["Ilse Moon", "Sema Dix", "Robin Lane", "Cho Lee"]
  const vote = (passFail: number, yesVotes: ReadonlyArray<string>, noVotes: ReadonlyArray<string>) => ({
    ...{ motionName: "Motion to approve", initiatedBy: "Ilse Moon", secondedBy: "Sema Dix" },
    ...{ passFail, yesVotes, noVotes, abstainVotes: [] }
  })
  const agenda = {
    id: 362,
    items: [
      item(6012, "1.", "CALL MEETING TO ORDER", { isSection: 1 }),
      item(6014, "4.", "CONSENT AGENDA", {
        ...{ isSection: 1, childItems: [item(6015, "a.", "Minutes")] },
        minutesItemVotes: [vote(1, [...names, "Ed Dutra"], [])]
      }),
      item(6016, "5.", "NEW BUSINESS", {
        isSection: 1,
        childItems: [
          item(6109, "a.", "<p>Resolution 3795 Adopting a <b>Large Volume</b> Water Service Policy</p>", {
            minutesItemVotes: [vote(0, [], names), vote(1, names, ["Ed Dutra"])]
          }),
          item(6124, "b.", "Resolution 3796 Adopting a Large Volume Wastewater Service Policy")
        ]
      }),
      item(6200, "", "Select MEETING FILES to view meeting materials", { isSection: 1 })
    ]
  }
  city.answers.set("/v1/Meetings/362", says(JSON.stringify(agenda)))
  city.answers.set("/v1/EventsMedia/586", status(404))
  return `${url}/v1/Events`
}
