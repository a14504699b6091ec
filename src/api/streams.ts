import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MeetingId } from "../../schema/primitives.ts"
import { Access } from "./access.ts"
import { Forbidden, Gone, Internal, NotFound, RateLimited, Unauthorized, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOrGrant } from "./security.ts"
import { Surface } from "./surface.ts"

/** Event ids are increasing numbers; 15 digits are exact in every client. */
const EventId = Schema.String.check(
  Schema.isPattern(/^\d{1,15}$/u, { message: "must be the id of an event, a whole number of at most 15 digits" })
)

const goesOn =
  "Resumes after this event: nothing is lost or sent twice, whichever node responds. Events are kept for 7 days; an older id resumes at the oldest event still kept. Without an id, the stream starts with the next event."

const since = {
  since: Schema.optionalKey(
    EventId.pipe(
      Schema.annotateKey({
        description: `${goesOn} For callers that cannot set \`Last-Event-ID\`, which takes precedence.`,
        examples: ["8123"]
      })
    )
  )
}

const headers = {
  "last-event-id": Schema.optionalKey(
    EventId.annotate({ description: `The id of the last event received. ${goesOn}`, examples: ["8123"] })
  )
}

/** Server-sent events (WHATWG HTML, section 9.2); `schema/events.ts` describes their data. */
const serverSentEvents = (event: "MeetingsEvent" | "MeetingEvent") =>
  Schema.String.annotate({
    description: `Server-sent events, each a ${event}: its name, and the JSON of its \`data\` line.`
  }).pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

const framing =
  "Each event has an increasing `id`, an `event` name and one line of JSON as `data`. The stream begins with `retry: 3000` and sends a comment line every 15 seconds. A reader that falls too far behind is disconnected; it can reconnect with `Last-Event-ID` and loses nothing. The streams open from one client address are limited."

/** Spec section 6: changes to meetings, as they happen. */
export const StreamsGroup = HttpApiGroup.make("streams")
  .add(
    HttpApiEndpoint.get("meetings", "/api/meetings/stream", {
      headers,
      query: since,
      success: serverSentEvents("MeetingsEvent"),
      error: [RateLimited, Internal, Unavailable]
    })
      .annotate(Surface, "uncached")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "streamMeetings",
          summary: "Stream changes to meetings",
          description: `Streams changes to all meetings as they happen. \`meeting.published\` and \`meeting.updated\` carry the MeetingCard as it is after the change, also of announced and cancelled meetings; \`meeting.removed\` carries the meeting's \`id\`: delete your copy of it. A removed meeting's earlier events are deleted too, so it may be one that you never had. The stream never contains gated content. ${framing}`
        })
      ),
    HttpApiEndpoint.get("events", "/api/events", {
      headers,
      query: {
        meeting_id: MeetingId.pipe(
          Schema.annotateKey({
            description: "The meeting to follow.",
            examples: [MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")]
          })
        ),
        ...since
      },
      success: serverSentEvents("MeetingEvent"),
      error: [Unauthorized, Forbidden, NotFound, Gone, RateLimited, Internal, Unavailable]
    })
      .annotate(Surface, "private")
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "streamMeetingEvents",
          summary: "Stream the progress of a meeting",
          description: `Streams which parts of a meeting become ready: \`transcript.ready\` (\`meeting_id\`, \`version\`), \`briefing.pending\`, \`briefing.verified\`, \`video.ready\` and \`figures.ready\` (\`meeting_id\`), \`clip.published\` (\`meeting_id\`, \`clip_id\`), \`community_clip.ready\` (\`meeting_id\`, \`slug\`), \`vote.ready\` (\`meeting_id\`, \`vote_id\`) and \`action.ready\` (\`meeting_id\`, \`matter\`). Events say what to fetch; they do not contain it. Needs a session, or a share grant for this meeting. ${framing}`
        })
      )
      .middleware(Access)
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Streams", description: "Changes as they happen, as server-sent events." })
  )
