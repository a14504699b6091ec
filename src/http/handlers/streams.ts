import { Effect, Layer, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentViewer } from "../../api/access.ts"
import { StreamsApi } from "../../api/streams.ts"
import { requireReader } from "../../services/accounts/access.ts"
import { Feed, type FeedTopic } from "../../services/feed/feed.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { eventStreams } from "../sse.ts"
import { wireNoMeeting } from "./failures.ts"
import { wireRefusal } from "./refusals.ts"

interface From {
  readonly headers: { readonly "last-event-id"?: string }
  readonly query: { readonly since?: string }
}

export const StreamsLive = HttpApiBuilder.group(
  StreamsApi,
  "streams",
  Effect.fnUntraced(function* (handlers) {
    const feed = yield* Feed
    const meetings = yield* Meetings
    const eventStream = yield* eventStreams

    /** Where it starts is settled before the answer begins, so that a database that is away is an error, and not a silence. */
    const stream = Effect.fnUntraced(function* (topic: FeedTopic, { headers, query }: From) {
      const given = headers["last-event-id"] ?? query.since
      const since = given === undefined ? yield* feed.position : Number(given)
      return yield* eventStream(feed.subscribe(topic, Option.some(since)))
    })

    return handlers.handleAll({
      meetings: (asked) => stream({ channel: "meetings" }, asked),
      events: Effect.fnUntraced(function* (asked) {
        const viewer = yield* CurrentViewer
        const meetingId = yield* Effect.mapError(meetings.resolve(asked.query.meeting_id), wireNoMeeting)
        yield* Effect.mapError(requireReader(viewer, meetingId), wireRefusal)
        return yield* stream({ channel: "meeting", meetingId }, asked)
      })
    })
  })
)

/** Goes on top of the server: what is built last stops first, and open streams would hold up a server that stops. */
export const EndsStreams = Layer.effectDiscard(Effect.flatMap(Feed, (feed) => Effect.addFinalizer(() => feed.close)))
