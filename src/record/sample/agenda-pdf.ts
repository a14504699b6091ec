import { fontFile } from "../../../layers/renderer/args.ts"
import { instantOf, spokenDay, zone } from "./calendar.ts"

/** What an agenda says. */
export interface PrintedAgenda {
  readonly body: { readonly name: string; readonly room: string }
  readonly meeting: {
    readonly title: string
    readonly date: string
    readonly status: string
    readonly starts_at?: string
    readonly agenda_items: ReadonlyArray<{
      readonly number?: string
      readonly title: string
      readonly description?: string
    }>
  }
}

/** When a meeting begins as its agenda says it: "7:00 PM". */
const clockTime = (instant: string): string =>
  new Date(instant).toLocaleTimeString("en-US", { timeZone: zone, hour: "numeric", minute: "2-digit" })

/** The agenda of a meeting as the clerk's office would post it: a PDF of one or two letter pages. */
export const agendaPdf = async ({ body, meeting }: PrintedAgenda): Promise<Uint8Array> => {
  // The day it was posted, so that the same meeting on the same day is the same file.
  const posted = new Date(instantOf(meeting.date, "12:00").epochMilliseconds)
  const { default: PDFDocument } = await import("pdfkit")
  const document = new PDFDocument({
    size: "LETTER",
    margins: { top: 72, bottom: 72, left: 72, right: 72 },
    info: {
      Title: `${body.name}: agenda of ${meeting.date}`,
      Author: body.name,
      CreationDate: posted,
      ModDate: posted
    },
    lang: "en-US",
    displayTitle: true
  })
  const chunks: Array<Uint8Array> = []
  document.on("data", (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve, reject) => document.on("end", resolve).on("error", reject))
  document.font(fontFile)
  document.fontSize(18).text(body.name)
  document
    .moveDown(0.2)
    .fontSize(12)
    .text(`${meeting.title}${meeting.status === "cancelled" ? " (cancelled)" : ""}`)
  const begins = meeting.starts_at === undefined ? "" : `, ${clockTime(meeting.starts_at)}`
  document
    .fontSize(10)
    .fillColor("#444444")
    .text(`${spokenDay(meeting.date, "long")}${begins}`)
    .text(body.room)
  document.moveDown(1.2).fillColor("#000000").fontSize(13).text("AGENDA")
  for (const { number, title, description } of meeting.agenda_items) {
    document.moveDown(0.7).fontSize(11).fillColor("#000000").text(`${number}.  ${title}`)
    if (description !== undefined) document.fontSize(10).fillColor("#333333").text(description, { indent: 22 })
  }
  document
    .moveDown(2)
    .fontSize(9)
    .fillColor("#444444")
    .text(
      "Persons who need an accommodation to attend are asked to call the clerk's office two working days before the meeting."
    )
  document.end()
  await ended
  return Buffer.concat(chunks)
}
