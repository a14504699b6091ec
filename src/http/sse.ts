import type { ServerResponse } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Context, Effect, Metric, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Environment } from "../../layers/config/config.ts"
import { makeHeldCounts } from "../../layers/processes/held-counts.ts"
import { Siblings } from "../../layers/processes/siblings.ts"
import { capacityRefusals, rateLimitRefusals } from "../../layers/telemetry/metrics.ts"
import { tooManyStreams, tooManyStreamsOfAddress } from "../api/errors/common.ts"
import type { FeedEvent } from "../services/feed/feed.ts"
import { clientNetwork } from "./client-network.ts"

const text = new TextEncoder()
const retry = text.encode("retry: 3000\n\n")
const comment = ":\n\n"
const commentEvery = "15 seconds"
/** How many comments a listener may miss without reading anything before it is disconnected: a minute's. */
const mostMissed = 4

/** The most streams that a node serves. */
export const MostStreams = Context.Reference("civic-record/MostStreams", { defaultValue: () => 10_000 })

/** Counts the open streams of a network, in all processes that answer on one address. */
const countsOfStreams = Effect.map(Siblings, ({ ask }) => {
  if (ask === undefined) {
    const own = makeHeldCounts()
    return { ...own, hold: (network: string, limit: number) => Effect.sync(() => own.hold(network, limit)) }
  }
  return {
    hold: (network: string, limit: number) => Effect.promise(() => ask("hold", network, limit)),
    release: (network: string) => void ask("release", network)
  }
})

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
 * It also disconnects listeners that read nothing, which would never notice that their events have ended. Their number
 * is limited, for each client address (`STREAM_LIMIT`) and in all.
 */
export const eventStreams = Effect.gen(function* () {
  const { streamLimit } = yield* Environment
  const mostStreams = yield* MostStreams
  /** Each open stream, with the comments it has missed since it last read something. */
  const open = new Map<ServerResponse, number>()
  yield* Effect.sync(() => {
    for (const [response, missed] of open) {
      if (!response.writableNeedDrain) response.write(comment)
      else if (missed < mostMissed) open.set(response, missed + 1)
      else response.destroy()
    }
  }).pipe(Effect.delay(commentEvery), Effect.forever, Effect.forkScoped)

  const { hold, release } = yield* countsOfStreams
  let streams = 0
  const admitted = Effect.fnUntraced(function* (response: ServerResponse) {
    const { remoteAddress } = yield* HttpServerRequest.HttpServerRequest
    const network = clientNetwork(remoteAddress)
    if (streams >= mostStreams) {
      yield* Metric.update(Metric.withAttributes(capacityRefusals, { because: "streams" }), 1)
      return yield* Effect.fail(tooManyStreams())
    }
    streams++
    // Counted until its response is closed. If its caller has left already, nothing would tell again.
    const left = () => {
      streams--
      release(network)
    }
    if (!(yield* hold(network, streamLimit))) {
      streams--
      yield* Metric.update(Metric.withAttributes(rateLimitRefusals, { policy: "streams" }), 1)
      return yield* Effect.fail(tooManyStreamsOfAddress(streamLimit))
    }
    if (response.closed) left()
    else response.once("close", left)
  })

  /** `subscribe` is given what disconnects a listener that has fallen behind, if it is not reading. */
  return Effect.fnUntraced(function* (subscribe: (onBehind: () => void) => Stream.Stream<FeedEvent>) {
    const response = yield* nodeResponse
    yield* Effect.uninterruptible(admitted(response))
    const events = subscribe(() => {
      if (response.writableNeedDrain) response.destroy()
    })
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
