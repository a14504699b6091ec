import { Schema } from "effect"
import { BodyKind, BodyRef } from "../agency.ts"
import { PlaceRef } from "../place.ts"
import { CalendarDate, Count, Instant, MeetingId, NonEmptyText, Slug, WebAddress } from "../primitives.ts"
import { AgentSource, SourceKind } from "./directory.ts"
import { MeetingGap } from "./meeting.ts"
import { AgentTask } from "./task.ts"

const oneLine = NonEmptyText.check(Schema.isMaxLength(300))

/** Maps each body of a source's calendar to a body on record. */
export const UpdateSourceBodiesRequest = Schema.Struct({
  bodies: Schema.Array(Schema.Struct({ source_body: oneLine, agency_slug: Slug })).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(200)
  )
}).annotate({
  identifier: "UpdateSourceBodiesRequest",
  description: "Which body on record each body of the source is. Bodies that are not named keep their mapping."
})
export interface UpdateSourceBodiesRequest extends Schema.Schema.Type<typeof UpdateSourceBodiesRequest> {}

export const ReassignMeetingAgencyRequest = Schema.Struct({ agency_slug: Slug }).annotate({
  identifier: "ReassignMeetingAgencyRequest",
  description: "The body that held the meeting."
})
export interface ReassignMeetingAgencyRequest extends Schema.Schema.Type<typeof ReassignMeetingAgencyRequest> {}

export const FileCandidatesRequest = Schema.Struct({
  candidates: Schema.Array(Schema.Struct({ name: oneLine, kind: BodyKind, url: WebAddress })).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(100)
  )
}).annotate({
  identifier: "FileCandidatesRequest",
  description: "Bodies that the place is thought to have, each with the address of its calendar."
})
export interface FileCandidatesRequest extends Schema.Schema.Type<typeof FileCandidatesRequest> {}

/** The answer to each operation of a run (contract section 9). */
export const CompletionAccepted = Schema.Struct({
  run_id: Schema.String,
  operation: Schema.String.annotate({ examples: ["import"] }),
  changed: Schema.Boolean.annotate({ description: "False if this had been done before." }),
  task: AgentTask
}).annotate({
  identifier: "CompletionAccepted",
  description: "The operation was accepted; `task` is the work that follows from it."
})
export interface CompletionAccepted extends Schema.Schema.Type<typeof CompletionAccepted> {}

export const CompletionRun = Schema.Struct({
  id: Schema.String,
  place: PlaceRef,
  place_id: Schema.String,
  started_by: Schema.String,
  created_at: Instant,
  ended_at: Schema.optionalKey(Instant),
  sources: Schema.Array(AgentSource),
  candidates: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      kind: BodyKind,
      url: Schema.String,
      filed_by: Schema.String,
      created_at: Instant,
      probed_at: Schema.optionalKey(
        Instant.annotate({ description: "When the address was probed; absent until then." })
      ),
      calendar: Schema.optionalKey(
        Schema.Struct({ kind: SourceKind, bodies: Schema.Array(Schema.String), meetings: Count }).annotate({
          description:
            "The calendar at the address: the bodies that it names, and its meetings from a year ago to a year from now."
        })
      ),
      failure: Schema.optionalKey(
        Schema.String.annotate({ description: "Why no calendar could be read at the address." })
      ),
      source_id: Schema.optionalKey(
        Schema.String.annotate({ description: "The source that an operator has added for it." })
      )
    })
  ).annotate({ description: "Bodies that the place is thought to have, and what was found at their addresses." }),
  discovered_total: Count,
  discovered: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      source_id: Schema.String,
      source_body: Schema.String,
      agency: Schema.optionalKey(BodyRef.annotate({ description: "The body on record that it is mapped to." })),
      same_as: Schema.optionalKey(BodyRef.annotate({ description: "The body on record that it is taken for." })),
      title: Schema.String,
      date: CalendarDate,
      status: Schema.Literals(["upcoming", "held", "cancelled"]),
      source_url: Schema.optionalKey(Schema.String)
    })
  ).annotate({ description: "Meetings that the sources show and that are not on record: the newest 200." }),
  gaps: Schema.Array(
    Schema.Struct({
      gap: MeetingGap,
      stage: Schema.String,
      meetings: Count,
      newest: Schema.Array(MeetingId).annotate({ description: "The newest of them, at most 50." })
    })
  ),
  tasks: Schema.Array(AgentTask).annotate({
    description: "Unfinished and failed tasks for the place's meetings and sources: at most 200."
  }),
  actions: Schema.Array(
    Schema.Struct({
      id: Count,
      at: Instant,
      machine: Schema.String,
      operation: Schema.String,
      subject: Schema.String,
      changed: Schema.Boolean,
      task_id: Schema.optionalKey(Schema.String)
    })
  ).annotate({ description: "What was done under the run: the last 200 operations, newest first." })
}).annotate({ identifier: "CompletionRun", description: "The work of making one place's record whole." })
export interface CompletionRun extends Schema.Schema.Type<typeof CompletionRun> {}
