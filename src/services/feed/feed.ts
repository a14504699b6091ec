import { Array as Arr, Cause, Context, DateTime, Effect, Latch, Layer, Option, Queue, Schedule, Stream } from "effect"
import { Environment } from "../../../layers/config/config.ts"
import { Db, type Sql } from "../../../layers/db/db.ts"
import type { MeetingId } from "../../../schema/primitives.ts"

/** An event as it was written. Ids rise and come from the database, so they mean the same on every node. */
export interface FeedEvent {
  readonly id: number
  readonly event: string
  /** One line of JSON. */
  readonly data: string
}

/** A listener's topic: changes to all meetings, or parts of one meeting becoming ready. */
export type FeedTopic =
  | { readonly channel: "meetings" }
  | { readonly channel: "meeting"; readonly meetingId: MeetingId }

interface Row extends FeedEvent {
  readonly channel: FeedTopic["channel"]
  readonly meeting_id: MeetingId
}

interface Listener {
  readonly key: string
  readonly queue: Queue.Queue<FeedEvent, Cause.Done>
  /** The listener already has every event up to this id, or reads it from the table. */
  readonly after: number
  /** Called when it has fallen too far behind, and its queue ends. */
  readonly onBehind: () => void
  /** The characters of the events that were delivered, and that its reader has not taken yet. */
  waiting: number
}

/** How many events, and characters of them, a listener may fall behind before it is disconnected. */
export const FeedBounds = Context.Reference("civic-record/FeedBounds", {
  defaultValue: () => ({ events: 1000, characters: 4_000_000 })
})
/** Rows per query: fewer than a listener may fall behind, so that a burst alone disconnects nobody. */
const pageSize = 200
/** How many events a listener takes from its queue at a time, and so holds while it waits for its reader. */
const chunkSize = 32

const pollEvery = "15 seconds"
const pruneEvery = "1 hour"
/** How many days an event is kept, which is how long a listener can be away without losing anything. */
export const keptDays = 7

const backoff = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")]).pipe(Schedule.jittered)

const keyOf = (topic: FeedTopic) => (topic.channel === "meetings" ? "meetings" : topic.meetingId)
const topicOf = (row: Row): FeedTopic =>
  row.channel === "meetings" ? { channel: "meetings" } : { channel: "meeting", meetingId: row.meeting_id }

/**
 * Changes as they happen (contract section 8). Each node has one connection that listens for notifications; it reads
 * new rows once and delivers them to all its listeners. A notification only wakes the reader: if one is lost, the next
 * poll reads on from the last id seen.
 */
export class Feed extends Context.Service<
  Feed,
  {
    /** The id of the newest event, 0 if there is none: a listener that starts after it begins with the next event. */
    readonly position: Effect.Effect<number>
    /**
     * The events of a topic after the event `since`, each once and in order, followed by live ones; without `since`,
     * only live ones. A `since` older than the oldest stored event starts with that one; a `since` in the future, with
     * the next event. The stream ends for a reader that falls too far behind (`onBehind`), if the database fails, and
     * when the node stops: resuming after the last id received then loses nothing.
     */
    readonly subscribe: (
      topic: FeedTopic,
      since: Option.Option<number>,
      onBehind?: () => void
    ) => Stream.Stream<FeedEvent>
    /** The current number of listeners. */
    readonly listeners: Effect.Effect<number>
    /**
     * How long the oldest event that this node has not delivered yet has been in the table, in seconds; 0 if there is
     * none.
     */
    readonly lag: Effect.Effect<number>
    /** Ends every stream, and any that begins later: the node is stopping. */
    readonly close: Effect.Effect<void>
  }
>()("civic-record/Feed") {
  static readonly layer = Layer.effect(
    Feed,
    Effect.gen(function* () {
      const db = yield* Db
      const { baseUrl } = yield* Environment
      const bounds = yield* FeedBounds

      /** An event's payload, with stored paths made absolute. */
      const data = db`
        case when data ? 'poster_url' then data || jsonb_build_object('poster_url', ${baseUrl}::text || (data ->> 'poster_url'))
          else data end::text`
      const topics = new Map<string, Set<Listener>>()
      const started = yield* Latch.make()
      const wakeups = yield* Queue.sliding<void>(1)
      const wake = Queue.offer(wakeups, undefined)
      let last = 0
      let closed = false

      const deliver = (row: Row) => {
        last = row.id
        for (const listener of topics.get(keyOf(topicOf(row))) ?? []) {
          if (row.id <= listener.after) continue
          listener.waiting += row.data.length
          if (listener.waiting <= bounds.characters && Queue.offerUnsafe(listener.queue, row)) continue
          // The queue ends after its current content; the listener reads the rest when it reconnects.
          Queue.endUnsafe(listener.queue)
          listener.onBehind()
        }
      }

      const readOn = Effect.fn("Feed.readOn")(function* () {
        while (true) {
          const rows = yield* db<Row>`
            select id::float8 as id, channel, meeting_id, event, ${data} as data
            from feed_event where id > ${last}::bigint order by id limit ${pageSize}`
          for (const row of rows) deliver(row)
          if (rows.length < pageSize) return
        }
      })

      const reading = position(db).pipe(
        Effect.tap((newest) => {
          last = newest
          return started.open
        }),
        untilItWorks("the feed cannot be read"),
        Effect.andThen(
          Queue.take(wakeups).pipe(
            Effect.andThen(readOn().pipe(untilItWorks("the feed cannot be read"))),
            Effect.forever
          )
        )
      )

      const listening = Effect.gen(function* () {
        const notices = yield* db.listen("feed").pipe(untilItWorks("the feed cannot be listened to"))
        // For events that were written while nothing listened.
        yield* wake
        yield* Queue.takeAll(notices).pipe(Effect.andThen(wake), Effect.forever)
      }).pipe(
        Effect.scoped,
        Effect.catch((error) => Effect.logWarning("the feed's connection was lost", error.message)),
        Effect.andThen(Effect.sleep("100 millis")),
        Effect.forever
      )

      const prune = Effect.fn("Feed.prune")(function* () {
        const cutoff = DateTime.formatIso(DateTime.subtract(yield* DateTime.now, { days: keptDays }))
        // Ids rise with time, so the rows to delete are found without reading the others.
        yield* db`
          delete from feed_event where id < coalesce(
            (select id from feed_event where created_at >= ${cutoff} order by id limit 1), 9223372036854775807)`
      })
      const pruning = prune().pipe(
        Effect.catch((error) => Effect.logWarning("old events of the feed were not removed", error.message)),
        Effect.andThen(Effect.sleep(pruneEvery)),
        Effect.forever
      )

      yield* Effect.forkScoped(reading)
      yield* Effect.forkScoped(listening)
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(pollEvery), wake)))
      yield* Effect.forkScoped(pruning)

      /** The events of a topic after `from`, up to `to`; all of them have been committed. */
      const past = (topic: FeedTopic, from: number, to: number) =>
        Stream.paginate(from, (after) =>
          db<Row>`
            select id::float8 as id, channel, meeting_id, event, ${data} as data
            from feed_event
            where id > ${after}::bigint and id <= ${to}::bigint and channel = ${topic.channel}
              and ${topic.channel === "meetings" ? db`true` : db`meeting_id = ${topic.meetingId}`}
            order by id limit ${pageSize}`.pipe(
            Effect.map((rows) => [rows, rows.length < pageSize ? Option.none() : Option.some(rows.at(-1)?.id ?? to)])
          )
        )

      /** Does not wait: events delivered after `reached` come through the queue, earlier ones from the table. */
      const join = (topic: FeedTopic, from: number, queue: Listener["queue"], onBehind: () => void) =>
        Effect.sync(() => {
          const key = keyOf(topic)
          const reached = last
          const listener = { key, queue, reached, after: Math.max(from, reached), onBehind, waiting: 0 }
          topics.set(key, (topics.get(key) ?? new Set()).add(listener))
          if (closed) Queue.endUnsafe(queue)
          return listener
        })
      const leave = (listener: Effect.Success<ReturnType<typeof join>>) =>
        Effect.sync(() => {
          const others = topics.get(listener.key)
          others?.delete(listener)
          if (others?.size === 0) topics.delete(listener.key)
        })

      const begin = Effect.fn("Feed.begin")(function* (
        topic: FeedTopic,
        since: Option.Option<number>,
        onBehind: () => void
      ) {
        yield* started.await
        const asked = Option.getOrElse(since, () => Number.POSITIVE_INFINITY)
        const from = asked <= last ? asked : Math.min(asked, yield* position(db))
        const queue = yield* Queue.bounded<FeedEvent, Cause.Done>(bounds.events)
        const listener = yield* Effect.acquireRelease(join(topic, from, queue, onBehind), leave)
        const { reached } = listener
        let taken = 0
        const live = Stream.fromPull(
          Effect.succeed(
            Effect.suspend(() => {
              // What was taken before is now with the reader.
              listener.waiting -= taken
              taken = 0
              return Queue.takeBetween(queue, 1, chunkSize)
            }).pipe(
              Effect.tap((events) =>
                Effect.sync(() => {
                  taken = events.reduce((sum, { data }) => sum + data.length, 0)
                })
              ),
              Effect.filterOrElse(Arr.isArrayNonEmpty<FeedEvent>, () => Cause.done())
            )
          )
        )
        return from < reached ? Stream.concat(past(topic, from, reached), live) : live
      })

      return {
        position: Effect.orDie(position(db)),
        subscribe: (topic, since, onBehind = () => {}) =>
          Stream.unwrap(begin(topic, since, onBehind)).pipe(
            Stream.catchTag("SqlError", (error) =>
              Stream.fromEffectDrain(Effect.logWarning("a listener was not told what came before", error.message))
            )
          ),
        listeners: Effect.sync(() => [...topics.values()].reduce((sum, { size }) => sum + size, 0)),
        lag: Effect.gen(function* () {
          const [oldest] = yield* db<{ created_at: Date }>`
            select created_at from feed_event where id > ${last}::bigint order by id limit 1`
          const now = DateTime.toEpochMillis(yield* DateTime.now)
          return oldest === undefined ? 0 : Math.max(0, (now - oldest.created_at.getTime()) / 1000)
        }).pipe(Effect.orDie, Effect.withSpan("Feed.lag")),
        close: Effect.sync(() => {
          closed = true
          for (const listeners of topics.values()) for (const { queue } of listeners) Queue.endUnsafe(queue)
        })
      }
    })
  )
}

const position = Effect.fn("Feed.position")(function* (db: Sql) {
  const [newest] = yield* db<{ id: number }>`select coalesce(max(id), 0)::float8 as id from feed_event`
  return newest?.id ?? 0
})

/** Retries until it succeeds, at growing intervals of up to five seconds; each failure is logged. */
const untilItWorks =
  (trouble: string) =>
  <A, E extends Error, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
    effect.pipe(
      Effect.tapError((error) => Effect.logWarning(trouble, error.message)),
      Effect.retry(backoff),
      Effect.orDie
    )
