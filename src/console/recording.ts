import { Effect } from "effect"
import type { ObjectStoreError } from "../../layers/object-store/object-store.ts"
import { el, heading, type Kid } from "../page-tree/tree.ts"
import { number } from "../pages/said.ts"
import type { NotFound, Removed } from "../services/failures.ts"
import { giveFile } from "../services/making/give-file.ts"
import { GivenRecordings, type OutOfStep, type UnfitUpload, type Upload } from "../services/making/given-recordings.ts"
import { MeetingView } from "../services/operators/meeting-view.ts"
import { Settings } from "../services/settings/settings.ts"
import { formField, InvalidForm } from "./forms.ts"
import type { ConsoleAct, ConsoleLoad } from "./page.ts"
import { button, facts, field, form, part, table, when } from "./parts.ts"

/** The largest file, in bytes, that a form without a script sends: it begins anew after every interruption. */
export const largestPlain = 1_000_000_000

/** Bytes for people. */
const size = (bytes: number): string =>
  bytes < 1e6 ? `${number(bytes)} bytes` : `${number(Math.round(bytes / 1e6))} MB`

const share = ({ received, bytes }: Upload): string => `${Math.floor((received / bytes) * 100)} %`

/** The form that sends a file: in pieces by the page's script, or at once without it. */
const fileForm = (id: string): Kid =>
  el(
    "form",
    {
      ...{ method: "post", action: `/meetings/${id}/recording/file`, enctype: "multipart/form-data", class: "fields" },
      ...{ "data-uploads": `/meetings/${id}/uploads` }
    },
    el(
      "div",
      { class: "field" },
      el("label", { for: "file" }, "File"),
      el("input", { type: "file", id: "file", name: "file", required: true, "aria-describedby": "file-hint" }),
      el(
        "span",
        { class: "note", id: "file-hint" },
        el(
          "span",
          { "data-scripted": true, hidden: true },
          "If it stops, choose the same file again: it goes on from there."
        ),
        el("span", { "data-plain": true }, `At most ${size(largestPlain)} without scripts, and all at once.`)
      )
    ),
    el("progress", { id: "sent", max: 1, value: 0, "aria-label": "Sent", hidden: true }),
    el("p", { class: "note", role: "status", "data-say": true }),
    el("button", { type: "submit" }, "Upload it"),
    el("button", { type: "button", class: "plain", "data-act": "stop", hidden: true }, "Stop")
  )

const uploadTable = (uploads: ReadonlyArray<Upload>): Kid =>
  table(
    "Uploads",
    ["File", "Arrived", "Last", "By", "What now", ""],
    uploads.map((upload) => {
      const { id, name, bytes, received, touched_at, operator, finished } = upload
      return [
        name,
        `${size(received)} of ${size(bytes)}, ${share(upload)}`,
        when(touched_at),
        operator,
        finished ? "It waits for the stage receive." : "Choose the same file above to go on.",
        button({ to: `/uploads/${id}/discard`, label: "Discard", about: name, quiet: true })
      ]
    }),
    "No upload is under way."
  )

/** `/meetings/{id}/recording`: gives a meeting a recording, from a disk or an address. */
export const loadRecording: ConsoleLoad<NotFound | Removed, MeetingView | GivenRecordings | Settings> = Effect.fn(
  "Console.recording"
)(function* ({ params }) {
  const { meeting, media } = yield* (yield* MeetingView).meeting(params.id ?? "")
  const uploads = yield* (yield* GivenRecordings).uploads(meeting.id)
  const most = yield* (yield* Settings).get("pipeline.LargestUploadMB")
  const has = media.find(({ role }) => role === "source")
  return {
    title: `Recording of ${meeting.title}`,
    section: "/meetings",
    script: "console-upload",
    main: [
      heading("Give it a recording"),
      el("p", { class: "lede" }, `${meeting.body.name}: ${meeting.title}, ${meeting.date}`),
      facts([
        ["What it has", has === undefined ? "no recording" : `${has.media_type}, ${size(has.bytes)}`],
        [
          "What happens",
          "It replaces what it has; player, words and clips are made again, and what you corrected stays."
        ],
        ["At most", `${number(most)} MB (setting pipeline.LargestUploadMB)`]
      ]),
      part("From your disk", fileForm(meeting.id)),
      part(
        "From an address",
        form(
          `/meetings/${meeting.id}/recording`,
          "Fetch it",
          field({ name: "url", label: "Address", hint: "Of a file, a stream (HLS), or a known player's page" })
        )
      ),
      part("Under way", uploadTable(uploads)),
      el("p", {}, el("a", { href: `/meetings/${meeting.id}` }, "Back to the meeting"))
    ]
  }
})

export const fetchRecording: ConsoleAct<NotFound | Removed | UnfitUpload, GivenRecordings> = Effect.fn(
  "Console.fetchRecording"
)(function* ({ params, form }) {
  const id = params.id ?? ""
  const url = yield* formField(form, "url")
  yield* (yield* GivenRecordings).fromAddress(id, url)
  return { to: `/meetings/${id}`, said: "The recording is fetched next: the stage receive tells how far it is." }
})

export const takeFile: ConsoleAct<NotFound | Removed | UnfitUpload | OutOfStep | ObjectStoreError, GivenRecordings> =
  Effect.fn("Console.takeFile")(function* ({ params, file }) {
    const id = params.id ?? ""
    if (file === undefined) return yield* new InvalidForm({ message: "file is empty: choose the recording." })
    const { name } = yield* giveFile(id, file.path, { name: file.name })
    return { to: `/meetings/${id}`, said: `${name} has arrived: the stage receive tells how far it is.` }
  })

export const discardUpload: ConsoleAct<NotFound, GivenRecordings> = Effect.fn("Console.discardUpload")(function* ({
  params
}) {
  const { meeting, name } = yield* (yield* GivenRecordings).discard(params.id ?? "")
  return { to: `/meetings/${meeting}/recording`, said: `What had arrived of ${name} is forgotten.` }
})
