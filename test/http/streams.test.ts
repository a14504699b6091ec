import * as http from "node:http"
import * as net from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Logger, Scope } from "effect"
import { TestClock } from "effect/testing"
import { Db } from "../../layers/db/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import type { MeetingId } from "../../schema/primitives.ts"
import { MostStreams } from "../../src/http/sse.ts"
import { meetingsRemoved } from "../../src/services/feed/changed.ts"
import { Feed, FeedBounds } from "../../src/services/feed/feed.ts"
import { type NewEvent, recordFeed } from "../../src/services/feed/record.ts"
import { ask } from "../support/asked.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { freshDatabase } from "../support/database.ts"
import { addressOf, streamsServer } from "../support/streams-server.ts"

const removed = (id: MeetingId): NewEvent => ({ event: "meeting.removed", data: { id } })
const soon = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 5)))

/** Polls until it is true; the test's own limit is the only one. */
const until = <E>(holds: Effect.Effect<boolean, E>) => Effect.repeat(Effect.tap(holds, soon), { until: (so) => so })

interface Open {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: () => string
  readonly events: () => ReadonlyArray<{ readonly id: number; readonly event: string; readonly data: unknown }>
  readonly ended: () => boolean
  /** It was ended properly, not cut off. */
  readonly complete: () => boolean
  readonly hangUp: () => void
}

const eventsIn = (text: string) =>
  text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      const found = /^id: (\d+)\nevent: (\S+)\ndata: (.*)$/.exec(block)
      return found === null
        ? []
        : [{ id: Number(found[1]), event: found[2] ?? "", data: JSON.parse(found[3] ?? "") as unknown }]
    })

/** Opens a stream on a connection of its own, once its first bytes are there. */
const open = (url: string, headers: Record<string, string> = {}): Effect.Effect<Open> =>
  Effect.callback((resume) => {
    const request = http.get(url, { agent: false, headers: { "accept-encoding": "gzip, br", ...headers } })
    request.on("error", () => {})
    request.on("response", (response) => {
      let text = ""
      let ended = false
      response.setEncoding("utf8")
      response.on("error", () => {})
      response.on("close", () => {
        ended = true
      })
      response.on("data", (chunk: string) => {
        const isFirst = text === ""
        text += chunk
        if (isFirst) {
          resume(
            Effect.succeed({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: () => text,
              events: () => eventsIn(text),
              ended: () => ended,
              complete: () => response.complete,
              hangUp: () => request.destroy()
            })
          )
        }
      })
    })
  })

const start = Effect.fnUntraced(function* ({
  streamLimit,
  mostStreams = 10_000,
  characters = 100_000_000
}: {
  readonly streamLimit?: string
  readonly mostStreams?: number
  readonly characters?: number
} = {}) {
  const database = yield* freshDatabase
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const server = Layer.fresh(streamsServer(database, streamLimit)).pipe(
    Layer.provide(Layer.succeed(MostStreams, mostStreams)),
    Layer.provide(Layer.succeed(FeedBounds, { events: 1000, characters })),
    Layer.provide(Logger.layer([]))
  )
  const context = yield* Scope.provide(Layer.build(server), scope)
  return {
    base: yield* Effect.provide(addressOf, context),
    feed: Context.get(context, Feed),
    scope,
    tell: (...events: ReadonlyArray<NewEvent>) => recordFeed(Context.get(context, Db), events),
    put: (...entities: ReadonlyArray<BundleEntity>) => Effect.provide(putOnRecord(...entities), context),
    remove: (id: MeetingId) => {
      const db = Context.get(context, Db)
      return db.withTransaction(meetingsRemoved(db, [id], "Published by mistake."))
    }
  }
})

const listenersOf = ({ feed }: { readonly feed: Feed["Service"] }, count: number) =>
  until(Effect.map(feed.listeners, (now) => now === count))

describe("GET /api/meetings/stream", () => {
  it.live("sends events as they happen, as server-sent events that nothing holds back", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const stream = yield* open(`${server.base}/api/meetings/stream`)
      assert.strictEqual(stream.status, 200)
      assert.strictEqual(stream.headers["content-type"], "text/event-stream")
      assert.strictEqual(stream.headers["cache-control"], "no-store")
      assert.isUndefined(stream.headers["content-encoding"])
      assert.isTrue(stream.text().startsWith("retry: 3000\n\n"))
      yield* listenersOf(server, 1)
      yield* server.put(place("springfield"), agency("springfield-city-council", ["springfield"]))
      yield* server.put(meeting("a", "springfield-city-council"))
      yield* until(Effect.sync(() => stream.events().length === 1))
      yield* server.put(meeting("a", "springfield-city-council", { title: "Special\nMeeting" }))
      yield* until(Effect.sync(() => stream.events().length === 2))
      const [published, updated] = stream.events()
      assert.strictEqual(published?.event, "meeting.published")
      assert.strictEqual(updated?.event, "meeting.updated")
      assert.propertyVal(updated?.data, "title", "Special\nMeeting")
      assert.isAbove(updated?.id ?? 0, published?.id ?? 0)
    })
  )

  it.live("continues after Last-Event-ID, else after since", () =>
    Effect.gen(function* () {
      const server = yield* start()
      yield* server.tell(...["1", "2", "3"].map((name) => removed(meetingId(name))))
      const first = yield* open(`${server.base}/api/meetings/stream?since=0`)
      yield* until(Effect.sync(() => first.events().length === 3))
      const [one, two] = first.events()
      const byHeader = yield* open(`${server.base}/api/meetings/stream?since=${two?.id}`, {
        "last-event-id": String(one?.id)
      })
      const bySince = yield* open(`${server.base}/api/meetings/stream?since=${two?.id}`)
      yield* server.tell(removed(meetingId("4")))
      yield* until(
        Effect.sync(
          () => first.events().length === 4 && byHeader.events().length === 3 && bySince.events().length === 2
        )
      )
      assert.deepStrictEqual(byHeader.events(), first.events().slice(1))
      assert.deepStrictEqual(bySince.events(), first.events().slice(2))
    })
  )

  it.live("announces a removal, even to a reader that was away, and says nothing of the removed content", () =>
    Effect.gen(function* () {
      const server = yield* start()
      yield* server.put(place("springfield"), agency("springfield-city-council", ["springfield"]))
      yield* server.put(meeting("a", "springfield-city-council", { title: "Confidential" }))
      const first = yield* open(`${server.base}/api/meetings/stream?since=0`)
      yield* until(Effect.sync(() => first.events().length === 1))
      const [published] = first.events()
      yield* server.remove(meetingId("a"))
      yield* until(Effect.sync(() => first.events().length === 2))
      yield* server.put(meeting("b", "springfield-city-council"))
      const back = yield* open(`${server.base}/api/meetings/stream`, { "last-event-id": String(published?.id) })
      const late = yield* open(`${server.base}/api/meetings/stream?since=0`)
      yield* until(
        Effect.sync(() => [first, back, late].every((one) => one.events().at(-1)?.event.endsWith("published")))
      )
      const [, removal] = first.events()
      assert.deepStrictEqual([removal?.event, removal?.data], ["meeting.removed", { id: meetingId("a") }])
      assert.deepStrictEqual(back.events(), first.events().slice(1))
      assert.deepStrictEqual(late.events(), back.events())
      assert.notInclude(late.text(), "Confidential")
    })
  )

  it.live("refuses an invalid id, naming the field", () =>
    Effect.gen(function* () {
      const { base } = yield* start()
      const bad = yield* ask(`${base}/api/meetings/stream?since=0`, { headers: { "last-event-id": "yesterday" } })
      assert.strictEqual(bad.status, 400)
      assert.strictEqual(bad.json().error, "invalid_request")
      assert.match(String(bad.json().message), /^last-event-id must be the id of an event/)
      for (const since of ["-1", "1.5", "", "1e3", "9".repeat(16)]) {
        const answer = yield* ask(`${base}/api/meetings/stream?since=${since}`)
        assert.strictEqual(answer.status, 400, since)
        assert.match(String(answer.json().message), /^since must be the id of an event/)
      }
    })
  )

  it.live("answers HEAD with its headers, and registers no listener", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const answer = yield* ask(`${server.base}/api/meetings/stream`, { method: "HEAD" })
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("content-type"), "text/event-stream")
      assert.strictEqual(yield* server.feed.listeners, 0)
    })
  )

  it.live("frees all resources of a reader once the reader is gone", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const streams = yield* Effect.replicateEffect(open(`${server.base}/api/meetings/stream`), 5)
      yield* listenersOf(server, 5)
      for (const stream of streams) stream.hangUp()
      yield* listenersOf(server, 0)
    })
  )

  it.effect("sends a comment every fifteen seconds", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const stream = yield* open(`${server.base}/api/meetings/stream`)
      yield* listenersOf(server, 1)
      const comments = () =>
        stream
          .text()
          .split("\n\n")
          .filter((block) => block === ":").length
      yield* TestClock.adjust("14 seconds")
      yield* server.tell(removed(meetingId("a")))
      yield* until(Effect.sync(() => stream.events().length === 1))
      assert.strictEqual(comments(), 0)
      for (const expected of [1, 2, 3]) {
        yield* TestClock.adjust("15 seconds")
        yield* until(Effect.sync(() => comments() >= expected))
        assert.strictEqual(comments(), expected)
      }
    })
  )

  it.live("ends at once when the server stops, so that readers go to another", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const stream = yield* open(`${server.base}/api/meetings/stream`)
      yield* listenersOf(server, 1)
      const stopping = yield* Effect.forkChild(Scope.close(server.scope, Exit.void))
      yield* until(Effect.sync(stream.ended))
      assert.isTrue(stream.complete())
      yield* Fiber.join(stopping)
    })
  )

  it.live("limits the streams of one client address", () =>
    Effect.gen(function* () {
      const server = yield* start({ streamLimit: "2" })
      const url = `${server.base}/api/meetings/stream`
      const [first] = [yield* open(url), yield* open(url)]
      yield* listenersOf(server, 2)
      const refused = yield* ask(url)
      assert.strictEqual(refused.status, 429)
      assert.deepStrictEqual(refused.json(), {
        error: "rate_limited",
        message: "2 streams are open from this address, which is as many as may be.",
        hint: "Close one of them. Wait 60 seconds, as Retry-After says, then open it again."
      })
      assert.deepStrictEqual(
        ["retry-after", "ratelimit-policy", "ratelimit"].map((name) => refused.headers.get(name)),
        ["60", '"streams";q=2', '"streams";r=0']
      )
      first.hangUp()
      yield* listenersOf(server, 1)
      yield* until(Effect.map(open(url), ({ status }) => status === 200))
    })
  )

  it.live("limits the streams of everybody", () =>
    Effect.gen(function* () {
      const server = yield* start({ mostStreams: 1 })
      const url = `${server.base}/api/meetings/stream`
      yield* open(url)
      const refused = yield* ask(url)
      assert.deepStrictEqual([refused.status, refused.json().error], [503, "unavailable"])
      assert.strictEqual(refused.headers.get("retry-after"), "5")
    })
  )

  it.live("hangs up at once on a reader that reads nothing, at a bound of characters", () =>
    Effect.gen(function* () {
      const server = yield* start({ characters: 2_000_000 })
      const deaf = net.connect(Number(new URL(server.base).port), "127.0.0.1")
      yield* Effect.addFinalizer(() => Effect.sync(() => deaf.destroy()))
      deaf.on("error", () => {})
      deaf.pause()
      deaf.write("GET /api/meetings/stream HTTP/1.1\r\nHost: record.example.gov\r\n\r\n")
      const other = yield* open(`${server.base}/api/meetings/stream`)
      yield* listenersOf(server, 2)
      yield* server.put(place("springfield"), agency("springfield-city-council", ["springfield"]))
      const title = "x".repeat(400_000)
      const rounds = 40
      for (let round = 1; round <= rounds; round++) {
        yield* server.put(meeting("a", "springfield-city-council", { status: "upcoming", title: `${round} ${title}` }))
        yield* until(Effect.sync(() => other.events().length === round))
      }
      yield* listenersOf(server, 1)
    })
  )

  it.effect("hangs up on a reader that reads nothing, and continues for the others", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const port = Number(new URL(server.base).port)
      const deaf = net.connect(port, "127.0.0.1")
      yield* Effect.addFinalizer(() => Effect.sync(() => deaf.destroy()))
      deaf.on("error", () => {})
      deaf.pause()
      deaf.write("GET /api/meetings/stream HTTP/1.1\r\nHost: record.example.gov\r\n\r\n")
      const other = yield* open(`${server.base}/api/meetings/stream`)
      yield* listenersOf(server, 2)
      yield* server.put(place("springfield"), agency("springfield-city-council", ["springfield"]))
      // More than the buffers of a socket hold. The meeting is upcoming, because a held one is indexed, which takes
      // long for such a title.
      const title = "x".repeat(400_000)
      const rounds = 40
      for (let round = 1; round <= rounds; round++) {
        yield* server.put(meeting("a", "springfield-city-council", { status: "upcoming", title: `${round} ${title}` }))
      }
      yield* until(Effect.sync(() => other.events().length === rounds))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* server.feed.listeners, 2)
      yield* TestClock.adjust("15 seconds")
      yield* listenersOf(server, 1)
      yield* server.tell(removed(meetingId("after")))
      yield* until(Effect.sync(() => other.events().length === rounds + 1))
    })
  )
})

describe("GET /api/events", () => {
  const record = Effect.fnUntraced(function* () {
    const server = yield* start()
    yield* server.put(
      place("springfield"),
      agency("springfield-city-council", ["springfield"]),
      meeting("a", "springfield-city-council"),
      meeting("b", "springfield-city-council")
    )
    return server
  })
  const at = (base: string, id: string) => `${base}/api/events?meeting_id=${id}`

  it.live("is for callers who may read the meeting, and covers that meeting alone", () =>
    Effect.gen(function* () {
      const server = yield* record()
      const a = meetingId("a")
      const reader = yield* open(at(server.base, a), { "x-test-viewer": "reader" })
      const holder = yield* open(at(server.base, a), { "x-test-viewer": `holder ${a}` })
      yield* listenersOf(server, 2)
      yield* server.tell(
        { event: "video.ready", data: { meeting_id: meetingId("b") } },
        { event: "transcript.ready", data: { meeting_id: a, version: "refined" } }
      )
      yield* until(Effect.sync(() => reader.events().length === 1 && holder.events().length === 1))
      assert.deepStrictEqual(reader.events(), holder.events())
      const [event] = reader.events()
      assert.deepStrictEqual([event?.event, event?.data], ["transcript.ready", { meeting_id: a, version: "refined" }])
    })
  )

  it.live("refuses everyone else", () =>
    Effect.gen(function* () {
      const { base } = yield* record()
      const a = meetingId("a")
      const answers: ReadonlyArray<readonly [url: string, viewer: string, status: number, error: string]> = [
        [at(base, a), "", 401, "sign_in_required"],
        [at(base, a), `holder ${meetingId("b")}`, 403, "share_grant_other_meeting"],
        [at(base, meetingId("nobody")), "reader", 404, "not_found"],
        [at(base, "a-slug"), "reader", 400, "invalid_request"],
        [`${base}/api/events`, "reader", 400, "invalid_request"]
      ]
      for (const [url, viewer, status, error] of answers) {
        const answer = yield* ask(url, { headers: { "x-test-viewer": viewer } })
        assert.deepStrictEqual([answer.status, answer.json().error], [status, error], url)
      }
      const missing = yield* ask(`${base}/api/events`, { headers: { "x-test-viewer": "reader" } })
      assert.match(String(missing.json().message), /^meeting_id is required/)
    })
  )
})
