import { Effect } from "effect"
import { AgentMeetingQuery, pipelineStates } from "../../schema/agent/meeting.ts"
import { meetingGaps } from "../../schema/part.ts"
import { el, heading } from "../page-tree/tree.ts"
import { queryDecoder } from "../pages/query.ts"
import { MeetingList } from "../services/operators/meeting-list.ts"
import type { ConsoleLoad } from "./page.ts"
import { anyOr, field, filters, paging, state, table } from "./parts.ts"

const decode = queryDecoder(AgentMeetingQuery)
const statuses = ["upcoming", "held", "cancelled", ...pipelineStates.filter((one) => one !== "cancelled")]

/** `/meetings`: meetings as the pipeline sees them. */
export const loadMeetings: ConsoleLoad<never, MeetingList> = Effect.fn("Console.meetings")(function* ({ query }) {
  const asked = yield* decode(query)
  const { total, page, page_size, meetings } = yield* (yield* MeetingList).list(asked)
  const select = (name: string, label: string, values: ReadonlyArray<string>) =>
    field({ name, label, value: query.get(name) ?? "", options: anyOr(values) })
  return {
    title: "Meetings",
    section: "/meetings",
    main: [
      heading("Meetings"),
      filters(
        "/meetings",
        field({ name: "q", label: "Title, body or id", value: asked.q, optional: true }),
        select("status", "Status", statuses),
        select("gap", "Lacks", meetingGaps),
        select("video", "Recording", ["none", "source", "rendition"]),
        select("summary", "Briefing", ["none", "pending", "served"]),
        select("clips", "Clips", ["none", "proposal", "published", "dismissed"]),
        select("include_bare", "Bare ones too", ["true"]),
        select("include_upcoming", "Upcoming too", ["true"])
      ),
      paging({ path: "/meetings", query, page, size: page_size, total }, "meeting"),
      table(
        "Meetings",
        ["Date", "Body", "Title", "Status", "Pipeline", "Lacks"],
        meetings.map(({ meeting, pipeline, gaps }) => [
          meeting.date,
          meeting.body.name,
          el("a", { href: `/meetings/${meeting.id}` }, meeting.title),
          meeting.status,
          state(pipeline),
          gaps.map((gap) => gap.replaceAll("_", " ")).join(", ")
        ]),
        "No meeting is like this."
      )
    ]
  }
})
