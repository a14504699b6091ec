import { Effect, Layer, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentViewer } from "../../api/access.ts"
import { Api } from "../../api/api.ts"
import { wire } from "../../failures/failures.ts"
import { requireReader } from "../../services/accounts/access.ts"
import { Feed, type FeedTopic } from "../../services/feed/feed.ts"
import { Meetings } from "../../services/meetings/meetings.ts"
import { eventStreams } from "../sse.ts"

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

    /**
     * The starting position is determined before the response begins, so that an unreachable database is an error and
     * not silence.
     */
    const stream = Effect.fnUntraced(function* (topic: FeedTopic, { headers, query }: From) {
      const after = headers["last-event-id"] ?? query.since
      const since = after === undefined ? yield* feed.position : Number(after)
      return yield* eventStream((onBehind) => feed.subscribe(topic, Option.some(since), onBehind))
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

/** Layered above the server: the last layer built stops first, and open streams would keep the server from stopping. */
export const EndsStreams = Layer.effectDiscard(Effect.flatMap(Feed, (feed) => Effect.addFinalizer(() => feed.close)))
