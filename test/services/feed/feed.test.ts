import { assert, describe, it, layer } from "@effect/vitest"
import {
  Context,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  Queue,
  type Redacted,
  Schema,
  Scope,
  Stream
} from "effect"
import { TestClock } from "effect/testing"
import { Db } from "../../../layers/db/db.ts"
import type { BundleMedia } from "../../../schema/bundle.ts"
import { MeetingEvent, MeetingsEvent } from "../../../schema/events.ts"
import type { MeetingId } from "../../../schema/primitives.ts"
import { writeBatch } from "../../../src/record/write/batch.ts"
import { created, unchanged } from "../../../src/record/write/outcome.ts"
import { meetingsChanged } from "../../../src/services/feed/changed.ts"
import { Feed, type FeedEvent, type FeedTopic, keptDays } from "../../../src/services/feed/feed.ts"
import { type NewEvent, Rehearsal, recordFeed } from "../../../src/services/feed/record.ts"
import {
  agency,
  clipId,
  figureId,
  meeting,
  meetingId,
  place,
  putOnRecord,
  said,
  transcript
} from "../../support/builders.ts"
import { databaseAt, freshDatabase, TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

const meetings: FeedTopic = { channel: "meetings" }
const of = (name: string): FeedTopic => ({ channel: "meeting", meetingId: meetingId(name) })

const directory = [place("springfield"), agency("springfield-city-council", ["springfield"])]
const removed = (id: MeetingId): NewEvent => ({ event: "meeting.removed", data: { id } })
const ready = (name: string): NewEvent => ({ event: "video.ready", data: { meeting_id: meetingId(name) } })

const tell = (...events: ReadonlyArray<NewEvent>) => Effect.flatMap(Db, (db) => recordFeed(db, events))

/** Everything in the table, in order. */
const told = Effect.gen(function* () {
  const db = yield* Db
  return yield* db<{ id: number; channel: string; event: string; data: unknown }>`
    select id::int as id, channel, event, data from feed_event order by id`
})

/** The events that a listener gets, as they come. */
const listen = Effect.fnUntraced(function* (
  feed: Feed["Service"],
  topic: FeedTopic,
  since: Option.Option<number> = Option.none()
) {
  const heard = yield* Queue.unbounded<FeedEvent>()
  const before = yield* feed.listeners
  const fiber = yield* feed.subscribe(topic, since).pipe(
    Stream.runForEach((event) => Queue.offer(heard, event)),
    Effect.forkChild
  )
  yield* Effect.repeat(Effect.andThen(Effect.promise(soon), feed.listeners), { until: (now) => now > before })
  return { fiber, next: Queue.take(heard), take: (n: number) => Effect.replicateEffect(Queue.take(heard), n), heard }
})
const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 5))

const startNode = (url: Redacted.Redacted) =>
  Effect.map(
    Layer.build(Feed.layer.pipe(Layer.provide(TestEnvironment), Layer.provideMerge(databaseAt(url)), Layer.fresh)),
    (context) => ({
      feed: Context.get(context, Feed),
      db: Context.get(context, Db)
    })
  )

describe("the events of a batch", () => {
  const eventsAfter = Effect.fnUntraced(function* (batch: Effect.Effect<unknown, unknown, Db>) {
    const before = (yield* told).length
    yield* batch
    return (yield* told).slice(before)
  })
  const names = (events: ReadonlyArray<{ readonly event: string }>) => events.map(({ event }) => event)

  layer(TestDb)("in the order of a meeting's life", (it) => {
    it.effect("are the card after the change, once per meeting, and none if nothing changed", () =>
      Effect.gen(function* () {
        const first = yield* eventsAfter(
          putOnRecord(
            ...directory,
            meeting("a", "springfield-city-council"),
            meeting("b", "springfield-city-council", { date: "2027-01-01", status: "upcoming" }),
            meeting("c", "springfield-city-council", { status: "cancelled" }),
            transcript("a", said(["the words themselves are gated"])),
            transcript("a", said(["raw words"]), { version: "raw" })
          )
        )
        assert.deepStrictEqual(names(first), [
          "meeting.published",
          "meeting.published",
          "meeting.published",
          "transcript.ready",
          "transcript.ready"
        ])
        const decode = Schema.decodeUnknownSync(Schema.Union([MeetingsEvent, MeetingEvent]), {
          onExcessProperty: "error"
        })
        const [card] = first.map(({ event, data }) => decode({ event, data }))
        assert.isTrue(card?.event === "meeting.published" && card.data.has.transcript)
        assert.notInclude(JSON.stringify(first), "words")
        assert.deepStrictEqual(
          names(yield* eventsAfter(putOnRecord(...directory, meeting("a", "springfield-city-council")))),
          []
        )
        assert.deepStrictEqual(
          names(
            yield* eventsAfter(putOnRecord(meeting("a", "springfield-city-council", { title: "Special Meeting" })))
          ),
          ["meeting.updated"]
        )
        assert.deepStrictEqual(
          names(yield* eventsAfter(putOnRecord(meeting("c", "springfield-city-council", { status: "held" })))),
          ["meeting.updated"]
        )
      })
    )

    it.effect("say pending until the verdicts are in, then verified", () =>
      Effect.gen(function* () {
        const claims = (verdict: "supported" | undefined) => ({
          type: "claims" as const,
          meeting_id: meetingId("a"),
          claims: [
            {
              id: "0b0e1f6a-3f5e-4f5e-8f5e-0b0e1f6a3f5e" as never,
              topic: "Bond",
              text: "The bond passed.",
              evidence: [],
              ...(verdict === undefined ? {} : { verdict, checked_at: "2026-03-11T00:00:00Z" })
            }
          ]
        })
        const briefing = {
          type: "briefing" as const,
          meeting_id: meetingId("a"),
          headline: "Bond passes",
          worth_watching: [],
          topics: [],
          published_at: "2026-03-11T00:00:00Z"
        }
        assert.deepStrictEqual(names(yield* eventsAfter(putOnRecord(briefing, claims(undefined)))), [
          "meeting.updated",
          "briefing.pending"
        ])
        const [card, verified] = yield* eventsAfter(putOnRecord(claims("supported")))
        assert.strictEqual(verified?.event, "briefing.verified")
        assert.propertyVal(card?.data, "headline", "Bond passes")
      })
    )

    it.effect("mention published clips that can be watched, once, and figures that have an image", () =>
      Effect.gen(function* () {
        const clip = (state: "published" | "proposal") => ({
          type: "clip" as const,
          meeting_id: meetingId("a"),
          id: clipId("one"),
          title: "The vote",
          start: 1,
          end: 2,
          state
        })
        const figure = {
          type: "figure" as const,
          meeting_id: meetingId("a"),
          id: figureId("one"),
          title: "x",
          alt: "y"
        }
        assert.deepStrictEqual(names(yield* eventsAfter(putOnRecord(clip("proposal"), figure))), ["meeting.updated"])
        assert.deepStrictEqual(names(yield* eventsAfter(putOnRecord(clip("published")))), ["meeting.updated"])
        const media = (role: BundleMedia["role"], subject?: BundleMedia["subject"]): BundleMedia => ({
          type: "media",
          meeting_id: meetingId("a"),
          role,
          path: role,
          media_type: "x/y",
          ...(subject === undefined ? {} : { subject })
        })
        const putMedia = (file: BundleMedia) =>
          Effect.flatMap(Db, (db) =>
            Effect.as(
              db`insert into media ${db.insert({
                key: file.role,
                meeting_id: file.meeting_id,
                role: file.role,
                subject: file.subject ?? null,
                media_type: file.media_type,
                bytes: 1,
                content_hash: ""
              })}`,
              created
            )
          )
        const files = [
          media("source"),
          media("rendition"),
          media("figure", figureId("one")),
          media("clip", clipId("one"))
        ]
        assert.deepStrictEqual(names(yield* eventsAfter(writeBatch(files, putMedia))), [
          "meeting.updated",
          "clip.published",
          "video.ready",
          "figures.ready"
        ])
        assert.deepStrictEqual(yield* eventsAfter(writeBatch(files, () => Effect.succeed(unchanged))), [])
        const renamed = { ...clip("published"), title: "The final vote" }
        assert.deepStrictEqual(names(yield* eventsAfter(putOnRecord(renamed))), ["meeting.updated"])
      })
    )

    it.effect("tell each new vote, and each new action on a matter, at its meeting", () =>
      Effect.gen(function* () {
        const at = { meeting_id: meetingId("a") }
        const voteId = "d1f4c7a2-93b0-5e6d-8f21-7b3c5a9e0f01"
        const matter = (title: string, ...actions: ReadonlyArray<readonly [string, "a" | "b"]>) =>
          putOnRecord({
            ...{ type: "matter", slug: "springfield-ord-1", place: "springfield", identifier: "Ord. 1", title },
            ...{ kind: "ordinance", status: "introduced" },
            history: actions.map(([action, name]) => ({ date: "2026-03-10", action, meeting_id: meetingId(name) }))
          })
        const acted = (name: string) => ["action.ready", { meeting_id: meetingId(name), matter: "springfield-ord-1" }]
        const data = (events: ReadonlyArray<{ readonly event: string; readonly data: unknown }>) =>
          events.map(({ event, data }) => [event, data])
        const introduced = ["Introduced", "a"] as const
        assert.deepStrictEqual(data(yield* eventsAfter(matter("One", introduced))), [acted("a")])
        assert.deepStrictEqual(data(yield* eventsAfter(matter("Two", introduced))), [])
        assert.deepStrictEqual(data(yield* eventsAfter(matter("Two", introduced, ["Referred", "b"]))), [acted("b")])
        const vote = putOnRecord({
          ...{ type: "vote", id: voteId, kind: "vote", ...at, matter: "springfield-ord-1", result: "pass" },
          ballots: [{ name: "Ada Marsh", option: "yes" }]
        })
        assert.deepStrictEqual(data(yield* eventsAfter(vote)), [["vote.ready", { ...at, vote_id: voteId }]])
        assert.deepStrictEqual(yield* eventsAfter(vote), [])
      })
    )

    it.effect("belong to their transaction, and are none in a rehearsal", () =>
      Effect.gen(function* () {
        const db = yield* Db
        const undone = db.withTransaction(Effect.andThen(meetingsChanged(db, [meetingId("a")]), Effect.fail("undone")))
        assert.deepStrictEqual(yield* eventsAfter(Effect.flip(undone)), [])
        assert.deepStrictEqual(
          yield* eventsAfter(Effect.provideService(meetingsChanged(db, [meetingId("a")]), Rehearsal, true)),
          []
        )
        assert.deepStrictEqual(names(yield* eventsAfter(meetingsChanged(db, [meetingId("a"), meetingId("nobody")]))), [
          "meeting.updated"
        ])
      })
    )
  })
})

describe("a listener", () => {
  const Node = Feed.layer.pipe(Layer.provide(TestEnvironment), Layer.provideMerge(TestDb))

  it.live("gets the next events of its topic, and nothing else", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      yield* tell(removed(meetingId("before")), ready("a"))
      const all = yield* listen(feed, meetings)
      const one = yield* listen(feed, of("a"))
      yield* tell(ready("b"), removed(meetingId("x")))
      yield* tell(ready("a"))
      assert.deepStrictEqual(JSON.parse((yield* all.next).data), { id: meetingId("x") })
      const heard = yield* one.next
      assert.deepStrictEqual([heard.event, JSON.parse(heard.data)], ["video.ready", { meeting_id: meetingId("a") }])
      assert.strictEqual(heard.id, yield* feed.position)
      assert.notInclude(heard.data, "\n")
      assert.strictEqual((yield* Queue.clear(all.heard)).length, 0)
      yield* Fiber.interrupt(all.fiber)
      yield* Fiber.interrupt(one.fiber)
      assert.strictEqual(yield* feed.listeners, 0)
    }).pipe(Effect.provide(Node))
  )

  it.live("continues after the event it names, over more than a page of the past and into new events", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      const ids = Array.from({ length: 450 }, (_, at) => meetingId(`m${at}`))
      yield* tell(removed(meetingId("first")), ...ids.map(removed))
      const [first] = yield* told
      const resumed = yield* listen(feed, meetings, Option.some(first?.id ?? 0))
      yield* tell(removed(meetingId("last")))
      const heard = yield* resumed.take(451)
      assert.deepStrictEqual(
        heard.map(({ data }) => JSON.parse(data).id),
        [...ids, meetingId("last")]
      )
      assert.deepStrictEqual(
        heard.map(({ id }) => id),
        heard.map(({ id }) => id).toSorted((a, b) => a - b)
      )
    }).pipe(Effect.provide(Node))
  )

  it.live("that names a future event starts with the next one", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      yield* tell(ready("a"))
      const early = yield* listen(feed, of("a"), Option.some(1_000_000_000_000))
      yield* tell(ready("a"))
      assert.strictEqual((yield* early.next).id, yield* feed.position)
    }).pipe(Effect.provide(Node))
  )

  it.live("is disconnected when it falls behind, loses nothing by coming back, and slows nobody", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      const count = 1_500
      const stuck = yield* Deferred.make<void>()
      const slow: Array<FeedEvent> = []
      const reading = yield* feed.subscribe(meetings, Option.none()).pipe(
        Stream.runForEach((event) => {
          slow.push(event)
          return Deferred.await(stuck)
        }),
        Effect.forkChild
      )
      yield* Effect.repeat(Effect.promise(soon), { until: () => Effect.map(feed.listeners, (now) => now === 1) })
      const quick = yield* listen(feed, meetings)
      yield* tell(...Array.from({ length: count }, (_, at) => removed(meetingId(`m${at}`))))
      const all = yield* quick.take(count)
      assert.strictEqual(slow.length, 1)
      yield* Deferred.succeed(stuck, undefined)
      yield* Fiber.join(reading)
      assert.isBelow(slow.length, count)
      const rest = yield* listen(feed, meetings, Option.some(slow.at(-1)?.id ?? 0))
      assert.deepStrictEqual([...slow, ...(yield* rest.take(count - slow.length))], all)
    }).pipe(Effect.provide(Node))
  )

  it.live("gets the events of several writers in the order of ids, however they commit", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      const db = yield* Db
      const listener = yield* listen(feed, meetings)
      const writer = (name: string) =>
        Effect.forEach(
          Array.from({ length: 20 }, (_, at) => removed(meetingId(`${name} ${at}`))),
          (event) =>
            db.withTransaction(
              Effect.gen(function* () {
                yield* db`insert into setting (name, value, updated_at) values (${event.event + Math.random()}, '1', now())`
                yield* db`select pg_sleep(random() / 200)`
                yield* recordFeed(db, [event])
                // Between the last statement of a transaction and its commit.
                yield* db`select pg_sleep(random() / 200)`
              })
            )
        )
      yield* Effect.all(["a", "b", "c", "d", "e", "f"].map(writer), { concurrency: "unbounded" })
      const heard = (yield* listener.take(120)).map(({ id }) => id)
      assert.deepStrictEqual(
        heard,
        (yield* told).map(({ id }) => id)
      )
    }).pipe(Effect.provide(Node))
  )

  it.live("is ended when the node stops, as is one that comes later", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      const listener = yield* listen(feed, meetings)
      yield* feed.close
      yield* Fiber.join(listener.fiber)
      yield* Stream.runDrain(feed.subscribe(meetings, Option.some(0)))
    }).pipe(Effect.provide(Node))
  )
})

describe("two nodes on one database", () => {
  it.live("send the same, and a listener may go from one to the other and through a restart", () =>
    Effect.gen(function* () {
      const url = yield* freshDatabase
      const scopes = { a: yield* Scope.make(), b: yield* Scope.make(), c: yield* Scope.make() }
      const a = yield* Scope.provide(startNode(url), scopes.a)
      const b = yield* Scope.provide(startNode(url), scopes.b)
      const onA = yield* listen(a.feed, meetings)
      const onB = yield* listen(b.feed, meetings)
      for (const at of [1, 2, 3, 4]) yield* recordFeed(at % 2 === 0 ? a.db : b.db, [removed(meetingId(`${at}`))])
      const heard = yield* onA.take(4)
      assert.deepStrictEqual(yield* onB.take(4), heard)
      yield* Fiber.interrupt(onA.fiber)
      yield* Scope.close(scopes.a, Exit.void)
      yield* recordFeed(b.db, [removed(meetingId("5"))])
      const c = yield* Scope.provide(startNode(url), scopes.c)
      const onC = yield* listen(c.feed, meetings, Option.some(heard[1]?.id ?? 0))
      yield* recordFeed(b.db, [removed(meetingId("6"))])
      assert.deepStrictEqual(
        (yield* onC.take(4)).map(({ data }) => JSON.parse(data).id),
        ["3", "4", "5", "6"].map(meetingId)
      )
      yield* Scope.close(scopes.b, Exit.void)
      yield* Scope.close(scopes.c, Exit.void)
    })
  )
})

describe("the feed", () => {
  const Node = Feed.layer.pipe(Layer.provide(TestEnvironment), Layer.provideMerge(TestDb))
  const listenerPid = Effect.fnUntraced(function* (db: Db["Service"]) {
    const [row] = yield* db<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and query = 'LISTEN "feed"'`
    return row?.pid
  })
  const waitFor = <A>(effect: Effect.Effect<A | undefined, unknown>): Effect.Effect<A> =>
    Effect.orDie(
      Effect.repeat(Effect.tap(effect, Effect.promise(soon)), { until: (found): found is A => found !== undefined })
    ) as Effect.Effect<A>

  it.effect("listens again by itself once its connection is lost, and has missed nothing", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      const db = yield* Db
      const listener = yield* listen(feed, meetings)
      const pid = yield* waitFor(listenerPid(db))
      yield* db`select pg_terminate_backend(${pid})`
      yield* waitFor(Effect.map(listenerPid(db), (now) => (now === pid ? undefined : true)))
      yield* tell(removed(meetingId("while deaf")))
      const next = yield* waitFor(Effect.andThen(TestClock.adjust("10 millis"), listenerPid(db)))
      assert.notStrictEqual(next, pid)
      // From here on the clock stands still, and with it the poll.
      yield* tell(removed(meetingId("and after")))
      assert.deepStrictEqual(
        (yield* listener.take(2)).map(({ data }) => JSON.parse(data).id),
        ["while deaf", "and after"].map(meetingId)
      )
    }).pipe(Effect.provide(Node))
  )

  it.effect("reads at the next poll if no notification came", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      const db = yield* Db
      const listener = yield* listen(feed, meetings)
      yield* waitFor(listenerPid(db))
      yield* db.withTransaction(
        Effect.andThen(db`set local session_replication_role = replica`, tell(removed(meetingId("unannounced"))))
      )
      const heard = yield* Effect.forkChild(listener.next)
      yield* TestClock.adjust("15 seconds")
      assert.deepStrictEqual(JSON.parse((yield* Fiber.join(heard)).data), { id: meetingId("unannounced") })
    }).pipe(Effect.provide(Node))
  )

  it.effect("keeps events for some days, and starts at the oldest that is left", () =>
    Effect.gen(function* () {
      const feed = yield* Feed
      const db = yield* Db
      yield* tell(removed(meetingId("old")), removed(meetingId("older")))
      yield* db`update feed_event set created_at = created_at - interval '1 day' * ${keptDays}::int`
      yield* tell(removed(meetingId("recent")))
      const left = Effect.provideService(told, Db, db)
      yield* waitFor(
        Effect.andThen(
          TestClock.adjust("1 hour"),
          Effect.map(left, ({ length }) => (length === 1 ? true : undefined))
        )
      )
      const listener = yield* listen(feed, meetings, Option.some(0))
      assert.deepStrictEqual(JSON.parse((yield* listener.next).data), { id: meetingId("recent") })
    }).pipe(Effect.provide(Node))
  )
})
