import type { BundleMeeting } from "../../../../schema/bundle.ts"
import type { Fault } from "../decode.ts"
import { shorten, tidy, webAddress } from "../text.ts"
import { itemIdOf } from "./agenda.ts"
import type { LegistarEvent, LegistarItem } from "./event.ts"
import { callsOff } from "./status.ts"

const longestLocation = 300

/** Services whose addresses let anyone attend a meeting remotely. */
const meetingService =
  /https?:\/\/(?:[\w-]+\.)*(?:zoom\.us|zoomgov\.com|teams\.microsoft\.com|webex\.com|meet\.google\.com|gotomeeting\.com|goto\.com|bluejeans\.com)\/[^\s<>"')]*/i

/** A location on one line, without decorative marks; a note that cancels the meeting is no location. */
const locationOf = (location: string | null | undefined): string | undefined => {
  if (callsOff(location)) return undefined
  const line = tidy((location ?? "").replace(/\s*[\r\n]+\s*/g, ", ")).replace(/^[\s~*–-]+|[\s~*–,-]+$/g, "")
  return line === "" ? undefined : shorten(line, longestLocation)
}

type Attachment = NonNullable<BundleMeeting["attachments"]>[number]

/** The documents of items, each once, with the item that it is about. */
export const attachmentsOf = (items: ReadonlyArray<LegistarItem>, site: string): ReadonlyArray<Attachment> => {
  const attachments = new Map<string, Attachment>()
  for (const item of items) {
    for (const { MatterAttachmentName, MatterAttachmentHyperlink } of item.MatterAttachments ?? []) {
      const url = webAddress(MatterAttachmentHyperlink)
      const title = shorten(tidy(MatterAttachmentName) || "Attachment", 300)
      if (url !== undefined) attachments.set(url, { title, url, item: itemIdOf(item, site) })
    }
  }
  return [...attachments.values()]
}

/** The faults of an event's addresses: those that are none, and so are in none of its details. */
export const badAddresses = (event: LegistarEvent): ReadonlyArray<Fault> =>
  (["InSiteURL", "AgendaFile", "MinutesFile", "VideoPath", "Media"] as const).flatMap((field) => {
    const written = tidy(String(event[field] ?? ""))
    // Beside the address of a recording, a number is only its key.
    const isKey = field === "Media" && /^\d+$/.test(written) && webAddress(event.VideoPath) !== undefined
    return written === "" || isKey || webAddress(written) !== undefined
      ? []
      : [{ field, message: "is not an address of the web" }]
  })

/** The address of an event's recording: `VideoPath`, else `Media` where that is an address. */
const recordingOf = ({ VideoPath, Media }: LegistarEvent): string | undefined =>
  webAddress(VideoPath) ?? webAddress(String(Media ?? ""))

/**
 * Where an event takes place, how to join it, and its documents; a second recording is an attachment. `site` is that of
 * its items.
 */
export const detailsOf = (event: LegistarEvent, items: ReadonlyArray<LegistarItem> = [], site = "") => {
  const location = locationOf(event.Location)
  const joinUrl = webAddress(meetingService.exec(`${event.Location ?? ""} ${event.Comment ?? ""}`)?.[0])
  const sourceUrl = webAddress(event.InSiteURL)
  const agendaUrl = webAddress(event.AgendaFile)
  const minutesUrl = webAddress(event.MinutesFile)
  const videoUrl = recordingOf(event)
  const media = webAddress(String(event.Media ?? ""))
  const attachments = [
    ...(media === undefined || media === videoUrl ? [] : [{ title: "Recording", url: media }]),
    ...attachmentsOf(items, site)
  ]
  return {
    ...(location === undefined ? {} : { location }),
    ...(joinUrl === undefined ? {} : { join_url: joinUrl }),
    ...(sourceUrl === undefined ? {} : { source_url: sourceUrl }),
    ...(agendaUrl === undefined ? {} : { agenda_url: agendaUrl }),
    ...(minutesUrl === undefined ? {} : { minutes_url: minutesUrl }),
    ...(videoUrl === undefined ? {} : { video_url: videoUrl }),
    ...(attachments.length === 0 ? {} : { attachments })
  }
}
