import { Effect, Option } from "effect"
import type { Meeting } from "../../../schema/meeting.ts"
import { longestReportText } from "../../../schema/mistake-report.ts"
import type { Segment } from "../../../schema/transcript.ts"
import { el, type Kid, web } from "../../page-tree/tree.ts"
import type { NotFound, Removed } from "../../services/failures.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { Transcripts } from "../../services/meetings/transcripts.ts"
import { clampAtWord } from "../../text/clamp.ts"
import { nameAfterBody } from "../../text/meeting-name.ts"
import { meant } from "../meeting/turns.ts"
import { meetingIn } from "../parts/paths.ts"
import { withQuery } from "../query.ts"
import { clock, longDate } from "../said.ts"
import { byApi, field, form } from "./form.ts"
import { type LoadTask, taskPage, type Visit } from "./task.ts"

/** The most characters that are filled in of what is said at a second. */
const longestPrefill = 300

/**
 * A second as it is typed: `754`, `12:34` or `1:02:03`; undefined if there is none, `unreadable` if it is none of them.
 */
export const secondTyped = (typed: string): number | undefined | "unreadable" => {
  const text = typed.trim()
  if (text === "") return undefined
  if (!/^(\d{1,3}:)?(\d{1,2}:)?\d{1,6}(\.\d{1,3})?$/.test(text)) return "unreadable"
  return text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0)
}

/** The words said at a second, as the record has them. */
const saidAt = (second: number, segments: ReadonlyArray<Segment>): string => {
  const at = meant(second, segments)
  return clampAtWord(segments.findLast(({ start }) => start <= at)?.text ?? "", longestPrefill)
}

/** The place that the form was opened from: its second, and the words there. */
const placeOf = Effect.fnUntraced(function* ({ query }: Visit, meeting: Meeting) {
  const second = secondTyped(query.get("t") ?? "")
  const [start, words] = [typeof second === "number" ? second : undefined, (query.get("words") ?? "").trim()]
  if (words !== "" || start === undefined || meeting.links.transcript === undefined) {
    return { start, words: words.slice(0, longestReportText) }
  }
  const transcript = yield* Effect.option((yield* Transcripts).spoken(meeting.id))
  return { start, words: Option.match(transcript, { onNone: () => "", onSome: (one) => saidAt(start, one.segments) }) }
})

const received = (meeting: Meeting, start: number | undefined, path: string): Kid => [
  el(
    "p",
    {},
    "An operator listens there and settles it: the record is corrected, or it was right. You need do nothing more. ",
    el("a", { href: "/about" }, "Who runs this service")
  ),
  el(
    "ul",
    { class: "ways", inline: true },
    el(
      "li",
      {},
      el(
        "a",
        { href: withQuery(meeting.path, { t: start === undefined ? undefined : Math.floor(start) }) },
        start === undefined ? "Back to the meeting" : `Back to the meeting at ${clock(start)}`
      )
    ),
    el("li", {}, el("a", { href: path }, "Report another mistake"))
  )
]

const fields = (visit: Visit, { start, words }: { start: number | undefined; words: string }): Kid => [
  field(visit, {
    name: "quote",
    label: "The words it is about (optional)",
    value: words,
    lines: 3,
    maxlength: longestReportText
  }),
  field(visit, {
    name: "start",
    label: "When in the recording (optional)",
    hint: "Such as 12:34, or 754 for its second.",
    value: start === undefined ? undefined : clock(start),
    autocomplete: "off",
    maxlength: 12
  }),
  field(visit, {
    name: "said",
    label: "What is wrong",
    lines: 4,
    maxlength: longestReportText
  }),
  field(visit, {
    name: "wording",
    label: "How it should read (optional)",
    lines: 3,
    maxlength: longestReportText
  })
]

/**
 * `/in/{place}/{body}/{date}-{id}/report`: tells the operators what is wrong with a meeting. `t` and `words` say where
 * the form was opened; without words it is about what is said at that second.
 */
export const loadMistake: LoadTask<Meetings | Transcripts, NotFound | Removed> = Effect.fn("AccountPage.mistake")(
  function* (visit) {
    const meeting = yield* (yield* Meetings).open(meetingIn(visit.params.meeting), {
      _tag: "Reader",
      accountId: visit.reader
    })
    const path = `${meeting.path}/report`
    const place = yield* placeOf(visit, meeting)
    const isDone = visit.outcome === "mistake_reported"
    return taskPage(
      visit,
      {
        path,
        title: "Report a mistake",
        description: "Tell the operators what is wrong with the record of a meeting.",
        crumbs: [
          { name: meeting.body.name, path: meeting.body.path },
          { name: longDate(meeting.date), path: meeting.path },
          { name: "Report a mistake", path }
        ]
      },
      isDone
        ? received(meeting, place.start, path)
        : [
            el(
              "p",
              {},
              "In ",
              el("a", { href: meeting.path }, `${nameAfterBody(meeting)}, ${longDate(meeting.date)}`),
              ". The recording decides: say what you hear there. Your report goes to the people who run this service, with your e-mail address, and to nobody else."
            ),
            form(path, "Send the report", fields(visit, place)),
            web(el("p", { class: "note" }, "Plain text. At most 20 reports a day."))
          ],
      byApi("To report a mistake", "POST /api/mistake-reports")
    )
  }
)
