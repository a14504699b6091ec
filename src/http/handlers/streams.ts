import { Effect, Layer, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentViewer } from "../../api/access.ts"
import { Api } from "../../api/api.ts"
import { requireReader } from "../../services/accounts/access.ts"
import { Feed, type FeedTopic } from "../../services/feed/feed.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { eventStreams } from "../sse.ts"
import { wire } from "../wire.ts"

interface From {
  readonly headers: { readonly "last-event-id"?: string }
  readonly query: { readonly since?: string }
}

export const StreamsLive = HttpApiBuilder.group(
  Api,
  "streams",
  Effect.fnUntraced(function* (handlers) {
    const feed = yield* Feed
    const meetings = yield* Meetings
    const eventStream = yield* eventStreams

    /** Where it starts is settled before the response begins, so that a database that is away is an error, not a silence. */
    const stream = Effect.fnUntraced(function* (topic: FeedTopic, { headers, query }: From) {
      const after = headers["last-event-id"] ?? query.since
      const since = after === undefined ? yield* feed.position : Number(after)
      return yield* eventStream(feed.subscribe(topic, Option.some(since)))
    })

    return handlers.handleAll({
      meetings: (asked) => stream({ channel: "meetings" }, asked),
      events: Effect.fnUntraced(function* (asked) {
        const viewer = yield* CurrentViewer
        const meetingId = yield* Effect.mapError(meetings.resolve(asked.query.meeting_id), wire)
        yield* Effect.mapError(requireReader(viewer, meetingId), wire)
        return yield* stream({ channel: "meeting", meetingId }, asked)
      })
    })
  })
)

/** Goes on top of the server: what is built last stops first, and open streams would keep the server from stopping. */
export const EndsStreams = Layer.effectDiscard(Effect.flatMap(Feed, (feed) => Effect.addFinalizer(() => feed.close)))
