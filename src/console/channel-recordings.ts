import { Effect } from "effect"
import { el, type Kid } from "../page-tree/tree.ts"
import type { NotFound } from "../services/failures.ts"
import { ChannelRecordings, type WaitingRecording } from "../services/sources/channel-recordings.ts"
import { formField, optionalField } from "./forms.ts"
import type { ConsoleAct } from "./page.ts"
import { button, field, form, part } from "./parts.ts"

/** The recordings of a channel that wait for an operator, each with the meetings that it may be of. */
export const waitingRecordings = (id: string, waiting: ReadonlyArray<WaitingRecording>): Kid => {
  const to = `/sources/${id}/recordings`
  if (waiting.length === 0) return undefined
  return part(
    "Recordings that wait for you",
    el(
      "ul",
      { id: "recordings" },
      waiting.map(({ title, address, why, meetings }) => {
        const settles = (label: string, meeting: string) =>
          button({ to, label, about: title, quiet: true, fields: { recording: address, meeting } })
        return el(
          "li",
          {},
          el("a", { href: address, rel: "noreferrer" }, title),
          ` ${why} `,
          meetings.map(({ id, date, title }) => [settles(`It is ${title} of ${date}`, id), " "]),
          settles("It is of no meeting", "")
        )
      })
    ),
    form(
      to,
      "Pair it",
      field({ name: "recording", label: "Address of the recording" }),
      field({ name: "meeting", label: "Id of its meeting", optional: true })
    )
  )
}

/** Says which meeting a recording is of; without one, that it is of none. */
export const pairRecording: ConsoleAct<NotFound, ChannelRecordings> = Effect.fn("Console.pairRecording")(function* ({
  params,
  form
}) {
  const id = params.id ?? ""
  const recording = yield* formField(form, "recording")
  const meeting = yield* optionalField(form, "meeting")
  const changed = yield* ChannelRecordings.use(({ settle }) => settle(id, recording, meeting))
  const said = meeting === undefined ? "It is of no meeting." : "The meeting has its recording."
  return { to: `/sources/${id}`, said: changed ? said : "It was settled so already." }
})
