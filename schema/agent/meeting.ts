import { Schema, SchemaTransformation } from "effect"
import { BodyKind } from "../agency.ts"
import { parameter, repeatable, shortText, wholeNumber } from "../browse-query.ts"
import { MeetingCard } from "../meeting.ts"
import { meetingGaps } from "../part.ts"
import { CalendarDate, Count, Instant, MeetingId, Seconds, StateCode } from "../primitives.ts"
import { AgentTask, AgentTaskEvent } from "./task.ts"

/** What a held meeting can lack. */
export const MeetingGap = Schema.Literals(meetingGaps)

/** The state of a meeting's newest flow; `none` if it never had one. */
export const pipelineStates = ["none", "open", "done", "failed", "cancelled"] as const
const PipelineState = Schema.Literals(pipelineStates)

const flag = (description: string, example: boolean) =>
  parameter(
    Schema.Literals(["true", "false", "1", "0"]).pipe(
      Schema.decodeTo(
        Schema.Boolean,
        SchemaTransformation.transform({
          decode: (text) => text === "true" || text === "1",
          encode: (value) => (value ? ("true" as const) : ("false" as const))
        })
      )
    ),
    description,
    example
  )

/** The filters of `GET /api/agent/meetings`: values of one parameter are alternatives, parameters are combined. */
export const AgentMeetingQuery = Schema.Struct({
  q: parameter(shortText, "Text of the title or of the body's name, or the beginning of an id.", "council"),
  state: repeatable(
    Schema.String.pipe(Schema.decodeTo(StateCode, SchemaTransformation.toUpperCase())),
    "Only meetings in these states.",
    "IL"
  ),
  county: repeatable(shortText, "Only meetings in these counties, by name.", "Sangamon County"),
  city: repeatable(shortText, "Only meetings in these cities, by name.", "Springfield"),
  type: repeatable(BodyKind, "Only meetings of bodies of these kinds.", "city_council"),
  status: repeatable(
    Schema.Literals(["upcoming", "held", "cancelled", "none", "open", "done", "failed"]),
    "`upcoming`, `held` and `cancelled` are the meeting's own; `none`, `open`, `done` and `failed` say how its newest flow stands.",
    "failed"
  ),
  gap: repeatable(MeetingGap, "Only held meetings that lack one of these.", "transcript"),
  video: repeatable(
    Schema.Literals(["none", "source", "rendition"]),
    "`none`: no recording; `source`: a recording without a rendition; `rendition`: it can be watched.",
    "none"
  ),
  attachments: repeatable(
    Schema.Literals(["none", "agenda", "minutes", "other"]),
    "The documents that the meeting links to.",
    "agenda"
  ),
  summary: repeatable(
    Schema.Literals(["none", "pending", "served"]),
    "Whether there is a briefing: `pending` waits for the claim check.",
    "pending"
  ),
  clips: repeatable(
    Schema.Literals(["none", "proposal", "published", "dismissed"]),
    "Which curated clips there are.",
    "proposal"
  ),
  page: parameter(wholeNumber(1, 10_000), "Which page, from 1 (the default); one past the end is empty.", 1),
  page_size: parameter(wholeNumber(1, 200), "Meetings per page, or groups with `group_by`: 50 by default.", 50),
  group_by: parameter(
    Schema.Literals(["agency", "place"]),
    "Groups the meetings; pages are then pages of groups.",
    "agency"
  ),
  per_group: parameter(wholeNumber(1, 50), "Meetings per group: 5 by default.", 5),
  include_upcoming: flag("Whether meetings that are still to come are listed; not by default.", true),
  include_bare: flag("Whether meetings that have neither a recording nor a document are listed; not by default.", true),
  past: flag("`true`: only meetings whose day has passed; `false`: only those of today and later.", true)
})
export interface AgentMeetingQuery extends Schema.Schema.Type<typeof AgentMeetingQuery> {}

export const AgentMeetingRow = Schema.Struct({
  meeting: MeetingCard,
  pipeline: PipelineState,
  flow_id: Schema.optionalKey(Schema.String),
  stages: Schema.Record(Schema.String, Schema.String).annotate({
    description: "The state of each stage of the newest flow, by the stage's name."
  }),
  gaps: Schema.Array(MeetingGap)
}).annotate({ identifier: "AgentMeetingRow", description: "A meeting and how its work stands." })
export interface AgentMeetingRow extends Schema.Schema.Type<typeof AgentMeetingRow> {}

export const AgentMeetings = Schema.Struct({
  total: Count,
  page: Count,
  page_size: Count,
  meetings: Schema.Array(AgentMeetingRow),
  groups: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        key: Schema.String,
        name: Schema.String,
        total: Count,
        meeting_ids: Schema.Array(MeetingId)
      })
    ).annotate({ description: "With `group_by`; `meetings` has the meetings of all of them." })
  ),
  groups_total: Schema.optionalKey(Count)
}).annotate({ identifier: "AgentMeetings", description: "Meetings as the pipeline sees them, newest first." })
export interface AgentMeetings extends Schema.Schema.Type<typeof AgentMeetings> {}

export const AgentGaps = Schema.Struct({
  held: Count.annotate({ description: "Held meetings on record." }),
  gaps: Schema.Array(
    Schema.Struct({
      gap: MeetingGap,
      stage: Schema.String.annotate({ description: "The stage that fills the gap." }),
      meetings: Count,
      in_work: Count.annotate({ description: "Those of them with a flow that is under way." }),
      newest: Schema.Array(MeetingId).annotate({ description: "The newest of them, at most 10." })
    })
  )
}).annotate({ identifier: "AgentGaps", description: "What held meetings lack." })
export interface AgentGaps extends Schema.Schema.Type<typeof AgentGaps> {}

export const usageFields = {
  calls: Count,
  input_tokens: Count,
  output_tokens: Count,
  cost_micros: Count.annotate({ description: "In millionths of a US dollar, of the calls whose price is known." }),
  unpriced_calls: Count.annotate({ description: "Calls whose price is not known." })
}

export const AgentMeeting = Schema.Struct({
  meeting: MeetingCard,
  gaps: Schema.Array(MeetingGap),
  flows: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      kind: Schema.String,
      state: Schema.Literals(["open", "done", "failed", "cancelled"]),
      created_at: Instant,
      ended_at: Schema.optionalKey(Instant),
      tasks: Schema.Array(Schema.Struct({ task: AgentTask, events: Schema.Array(AgentTaskEvent) }))
    })
  ).annotate({
    description:
      "Newest first, at most 20, and of those that ask its source for changes the last; each task with its last 50 events."
  }),
  parts: Schema.Array(
    Schema.Struct({
      part: Schema.String.annotate({ examples: ["transcript"] }),
      version: Schema.optionalKey(Schema.String),
      generator: Schema.optionalKey(Schema.String),
      state: Schema.optionalKey(Schema.String),
      count: Count
    })
  ).annotate({ description: "What was written about the meeting, and what wrote it." }),
  media: Schema.Array(
    Schema.Struct({
      key: Schema.String,
      role: Schema.String,
      media_type: Schema.String,
      bytes: Count,
      width: Schema.optionalKey(Count),
      height: Schema.optionalKey(Count),
      duration: Schema.optionalKey(Seconds)
    })
  ),
  versions: Schema.Array(
    Schema.Struct({
      part: Schema.Literals(["agenda", "items", "captions", "recording"]),
      address: Schema.String,
      bytes: Count,
      digest: Schema.String.annotate({ description: "The SHA-256 of what was fetched, in hexadecimal." }),
      fetched_at: Instant,
      replaced_at: Instant,
      key: Schema.optionalKey(Schema.String.annotate({ description: "Where the store still has it." })),
      changes: Schema.optionalKey(
        Schema.Struct({ added: Count, removed: Count, renamed: Count }).annotate({
          description: "How the list of items after it differs."
        })
      )
    })
  ).annotate({ description: "What its source has replaced since it was fetched, newest first, at most 50." }),
  source: Schema.optionalKey(
    Schema.Struct({
      id: Schema.String,
      source_body: Schema.String,
      external_id: Schema.String,
      date: CalendarDate,
      seen_at: Instant
    }).annotate({ description: "Where the meeting was discovered." })
  ),
  costs: Schema.Struct(usageFields)
}).annotate({ identifier: "AgentMeeting", description: "A meeting as the pipeline sees it." })
export interface AgentMeeting extends Schema.Schema.Type<typeof AgentMeeting> {}
