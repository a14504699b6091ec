import type { ServerResponse } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { FeedEvent } from "../services/feed/feed.ts"

const text = new TextEncoder()
const retry = text.encode("retry: 3000\n\n")
const comment = ":\n\n"
const commentEvery = "15 seconds"
/** How many comments a listener may miss without reading anything before it is disconnected: a minute's. */
const mostMissed = 4

/** An event is encoded once, however many listeners there are. */
const written = new WeakMap<FeedEvent, Uint8Array>()

const bytesOf = (event: FeedEvent): Uint8Array => {
  const known = written.get(event)
  if (known !== undefined) return known
  const bytes = text.encode(`id: ${event.id}\nevent: ${event.event}\ndata: ${event.data}\n\n`)
  written.set(event, bytes)
  return bytes
}

/** The response that will be written to. This server speaks only HTTP/1.1; the library's type allows HTTP/2 as well. */
const nodeResponse = Effect.map(
  HttpServerRequest.HttpServerRequest,
  (request) => NodeHttpServerRequest.toServerResponse(request) as ServerResponse
)

/**
 * Makes `text/event-stream` responses (WHATWG HTML, section 9.2) from events, until they end or the listener leaves.
 * Nothing on the way may hold events back: they are not compressed, and proxies are told not to buffer. One timer
 * writes everyone's comments, because a timer and its fibers per listener would add a third to the cost of an idle one.
 * It also disconnects listeners that read nothing, which would never notice that their events have ended.
 */
export const eventStreams = Effect.gen(function* () {
  /** Each open stream, with the comments it has missed since it last read something. */
  const open = new Map<ServerResponse, number>()
  yield* Effect.sync(() => {
    for (const [response, missed] of open) {
      if (!response.writableNeedDrain) response.write(comment)
      else if (missed < mostMissed) open.set(response, missed + 1)
      else response.destroy()
    }
  }).pipe(Effect.delay(commentEvery), Effect.forever, Effect.forkScoped)

  return Effect.fnUntraced(function* (events: Stream.Stream<FeedEvent>) {
    const response = yield* nodeResponse
    const opened = Effect.acquireRelease(
      Effect.sync(() => {
        open.set(response, 0)
        response.on("drain", () => open.has(response) && open.set(response, 0))
      }),
      () => Effect.sync(() => open.delete(response))
    )
    const body = Stream.concat(Stream.succeed(retry), Stream.map(events, bytesOf))
    return HttpServerResponse.stream(Stream.unwrap(Effect.as(opened, body)), {
      contentType: "text/event-stream",
      headers: { "content-encoding": "identity", "x-accel-buffering": "no" }
    })
  })
})
