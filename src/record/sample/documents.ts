import type { BundleMeeting } from "../../../schema/bundle.ts"
import type { BundleDocument } from "../../../schema/bundle-document.ts"
import type { AuthoredMeeting } from "./authoring.ts"
import { instantOf, withDays } from "./calendar.ts"
import { agendaItemId, documentId } from "./ids.ts"

/** Where the body publishes a document of a meeting, whose page is at `page`. */
const addressOf = (page: string, key: string): string => `${page}/${key}.pdf`

/** The fields of a meeting that name its documents. */
export const listedDocuments = (
  { documents = [] }: AuthoredMeeting,
  page: string,
  id: BundleMeeting["id"]
): Pick<BundleMeeting, "minutes_url" | "attachments"> => {
  const minutes = documents.find(({ kind }) => kind === "minutes")
  const others = documents.filter(({ kind }) => kind === "packet" || kind === "attachment")
  return {
    ...(minutes === undefined ? {} : { minutes_url: addressOf(page, minutes.key) }),
    ...(others.length === 0
      ? {}
      : {
          attachments: others.map(({ key, title, item }) => ({
            ...{ title, url: addressOf(page, key) },
            ...(item === undefined ? {} : { item: agendaItemId(id, item) })
          }))
        })
  }
}

/** The documents of a meeting as they were read: minutes a week after it, the others days before. */
export const documentsOf = ({ id, date, source_url = "" }: BundleMeeting, { documents = [] }: AuthoredMeeting) =>
  documents.map(
    ({ key, kind, title, item, pages }): BundleDocument => ({
      type: "document",
      meeting_id: id,
      id: documentId(id, key),
      kind,
      title,
      ...(item === undefined ? {} : { agenda_item: agendaItemId(id, item) }),
      source_url: addressOf(source_url, key),
      media_type: "application/pdf",
      fetched_at: new Date(
        instantOf(date, "12:00").epochMilliseconds + (kind === "minutes" ? 7 : -4) * 86_400_000
      ).toISOString(),
      pages: pages.map((text) => ({ text: withDays(text, date).trim() }))
    })
  )
