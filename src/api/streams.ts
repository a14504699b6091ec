import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { MeetingId } from "../../schema/primitives.ts"
import { Access } from "./access.ts"
import { Forbidden, Gone, Internal, NotFound, Unauthorized, Unavailable } from "./errors/classes.ts"
import { NamesBadFields, PublicRead } from "./middleware.ts"
import { Security, sessionOrGrant } from "./security.ts"
import { Surface } from "./surface.ts"

/** Ids are numbers that rise; 15 digits are exact in every client. */
const EventId = Schema.String.check(
  Schema.isPattern(/^\d{1,15}$/u, { message: "must be the id of an event, a whole number of at most 15 digits" })
)

const goesOn =
  "Goes on after this event, with nothing lost and nothing twice, whichever node answers. Events are kept for 7 days: an older id starts at the oldest that is left. Without one, the stream starts with what comes next."

const since = {
  since: Schema.optionalKey(
    EventId.pipe(
      Schema.annotateKey({
        description: `${goesOn} For callers that cannot set \`Last-Event-ID\`, which wins.`,
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

/** Server-sent events (WHATWG HTML, section 9.2); `schema/events.ts` has what their data holds. */
const serverSentEvents = (description: string) =>
  Schema.String.annotate({ description }).pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

const framing =
  "Each event has an `id`, which rises, an `event` and one line of JSON as `data`. First comes `retry: 3000`, and a comment line every 15 seconds. A reader that falls too far behind is cut off; it comes back with `Last-Event-ID` and has lost nothing."

/** Spec section 6: what happens to meetings, as it happens. */
export const StreamsGroup = HttpApiGroup.make("streams")
  .add(
    HttpApiEndpoint.get("meetings", "/api/meetings/stream", {
      headers,
      query: since,
      success: serverSentEvents("Server-sent events, each a MeetingsEvent."),
      error: [Internal, Unavailable]
    })
      .annotate(Surface, "uncached")
      .annotateMerge(
        OpenApi.annotations({
          identifier: "streamMeetings",
          summary: "What happens to meetings, as it happens",
          description: `\`meeting.published\` and \`meeting.updated\` carry the MeetingCard as it is after the change, \`meeting.removed\` the meeting's \`id\`: delete your copy of it. Its earlier events are deleted too, so it may be one that you never had. Nothing gated is in it. ${framing}`
        })
      ),
    HttpApiEndpoint.get("events", "/api/events", {
      headers,
      query: {
        meeting_id: MeetingId.pipe(
          Schema.annotateKey({
            description: "The meeting whose events are asked for.",
            examples: [MeetingId.make("3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90")]
          })
        ),
        ...since
      },
      success: serverSentEvents("Server-sent events, each a MeetingEvent."),
      error: [Unauthorized, Forbidden, NotFound, Gone, Internal, Unavailable]
    })
      .annotate(Surface, "private")
      .annotate(Security, sessionOrGrant)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "streamMeetingEvents",
          summary: "What becomes ready of one meeting",
          description: `\`transcript.ready\` (\`meeting_id\`, \`version\`), \`briefing.pending\`, \`briefing.verified\`, \`video.ready\` and \`figures.ready\` (\`meeting_id\`), \`clip.published\` (\`meeting_id\`, \`clip_id\`), \`community_clip.ready\` (\`meeting_id\`, \`slug\`). They say what to fetch, and hold none of it. Needs a session, or a share grant for this meeting. ${framing}`
        })
      )
      .middleware(Access)
  )
  .middleware(NamesBadFields)
  .middleware(PublicRead)
  .annotateMerge(
    OpenApi.annotations({ title: "Streams", description: "What changes, as it changes, as server-sent events." })
  )

/** The streams as their handlers know them: a part of the whole contract, under its name. */
export const StreamsApi = HttpApi.make("civic-record").add(StreamsGroup)
