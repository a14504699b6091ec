import { Clock, Context, Duration, Effect, Fiber, Latch, Layer, Option, Queue, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql"
import { Environment } from "../../../layers/config/config.ts"
import { atClose, Db, type ReadSql } from "../../../layers/db/db.ts"
import { SegmentRefused } from "../../search-engine/types.ts"
import { changedSince, hasChangedSince, pruningChanges, SeenRevision } from "./changes.ts"
import type { Finder, Wanted } from "./found/found.ts"
import { makeBases } from "./index/base.ts"
import { makeBuilder } from "./index/builder.ts"
import { indexFolder } from "./index/folder.ts"
import { findInIndex } from "./index/found-in-index.ts"
import { indexQuery } from "./index/index-query.ts"
import { catchUp, type Line, removeDamaged, verified } from "./index/line.ts"
import { makeTerms } from "./index/terms.ts"

/** The longest that a search waits for the index to catch up before falling back to SQL. */
const longestWait = "250 millis"
const pollEvery = "1 second"
/** A line that has not caught up for this long may have missed changes that the database has pruned. */
const longestGap = Duration.toMillis("12 hours")

const backoff = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("1 minute")]).pipe(Schedule.jittered)

/** The state of the index, for operators. */
export interface IndexState {
  /** `building`: there is no index yet, and SQL answers. */
  readonly state: "building" | "ready"
  readonly documents: number
  /** The number of segments, including the base. */
  readonly parts: number
  /** The number of meetings whose changes are not yet in the index. */
  readonly behind: number
}

const absent: IndexState = { state: "building", documents: 0, parts: 0, behind: 0 }

/** The search index of this process (README.md). */
export class SearchIndex extends Context.Service<
  SearchIndex,
  {
    /**
     * A snapshot of the index, held open by the scope. None if there is no index, or if even after a short wait it
     * lacks changes that are visible to `db`.
     */
    readonly open: (db: ReadSql) => Effect.Effect<Option.Option<Finder>, SqlError.SqlError, Scope.Scope>
    readonly state: Effect.Effect<IndexState, SqlError.SqlError>
    /** Runs a search in the index; without it if a segment turns out to be damaged, which is then made anew. */
    readonly orWithout: <A, E, R, E2, R2>(
      indexed: Effect.Effect<A, E, R>,
      without: Effect.Effect<A, E2, R2>
    ) => Effect.Effect<A, E | E2, R | R2>
  }
>()("civic-record/SearchIndex") {
  /** No index: SQL answers everything. */
  static readonly none = Layer.succeed(SearchIndex, {
    open: () => Effect.succeedNone,
    state: Effect.succeed(absent),
    orWithout: (indexed) => indexed
  })

  /**
   * Stored under DATA_DIR, of which the service must have exclusive use. The index is built, taken or opened, and then
   * updated, in the background; nothing waits for it.
   */
  static readonly layer = Layer.effect(
    SearchIndex,
    Effect.gen(function* () {
      const primary = yield* Db
      const { dataDir } = yield* Environment
      const folder = indexFolder(dataDir)
      const bases = yield* makeBases
      const terms = makeTerms(primary)
      const wakeups = yield* Queue.sliding<void>(1)
      const readOn = yield* Latch.make()
      const damages = yield* Queue.sliding<SegmentRefused>(1)
      let current: Line | undefined
      /** The newest revision of the record at which a line is known to be complete. */
      const completeAt = new WeakMap<Line, string>()

      const listening = Effect.gen(function* () {
        const notices = yield* primary.listen("search")
        yield* Queue.offer(wakeups, undefined)
        yield* Queue.takeAll(notices).pipe(Effect.andThen(Queue.offer(wakeups, undefined)), Effect.forever)
      }).pipe(
        Effect.scoped,
        Effect.catchCause((cause) => Effect.logDebug("The search index is not woken by changes", cause)),
        Effect.andThen(Effect.sleep(pollEvery)),
        Effect.forever
      )

      const held = (line: Line) => Effect.addFinalizer(() => Effect.sync(() => line.set.close()))

      /** Another base, which is got while this line follows changes. */
      const rebuilt = (line: Line) => Effect.tap(bases.next(line), held)

      const segmentsOf = (line: Line | undefined) => line?.set.parts.map(({ segment }) => segment) ?? []

      /** Ends the current line if the damaged segment belongs to it. */
      const putAside = (damage: SegmentRefused) =>
        Effect.suspend(() => {
          if (!segmentsOf(current).some(({ directory }) => directory === damage.directory)) return Effect.void
          current = undefined
          return Queue.offer(damages, damage)
        })

      /** Finds damage before a query reads the block, and warms the page cache. */
      const verifiedAhead = (line: Line) =>
        Effect.catch(Effect.forEach(segmentsOf(line), verified, { discard: true }), putAside)

      /** Opens or builds a line and updates it until something fails. */
      const followed = Effect.gen(function* () {
        // Lets replicas know, by which they tell that this line is theirs.
        yield* primary`select enter_timeline()`
        const builder = yield* makeBuilder(primary)
        const line = yield* bases.first(builder)
        yield* held(line)
        yield* catchUp(primary, builder, folder, line)
        yield* Effect.forkScoped(verifiedAhead(line))
        let next: Fiber.Fiber<Line, Effect.Error<ReturnType<typeof rebuilt>>> | undefined
        let serving = line
        current = line
        while (true) {
          yield* Effect.timeoutOption(Queue.take(wakeups), pollEvery)
          const now = yield* Clock.currentTimeMillis
          if (now - serving.readAt > longestGap) return
          yield* catchUp(primary, builder, folder, serving)
          yield* readOn.release
          if (next === undefined && bases.isDue(serving, now)) next = yield* Effect.forkScoped(rebuilt(serving))
          if (next?.pollUnsafe() === undefined) continue
          const later = yield* Fiber.join(next)
          next = undefined
          // Applies the changes committed during the build, and then those committed while these were applied.
          yield* catchUp(primary, builder, folder, later)
          yield* catchUp(primary, builder, folder, later)
          const before = serving
          serving = later
          current = later
          before.set.close()
          yield* bases.replaced(before, later)
        }
      })

      const following = followed.pipe(
        Effect.raceFirst(Effect.flatMap(Queue.take(damages), (damage) => Effect.fail(damage))),
        Effect.tapError((error) => (error instanceof SegmentRefused ? removeDamaged(error) : Effect.void)),
        Effect.ensuring(
          Effect.sync(() => {
            current = undefined
          })
        ),
        Effect.catchTag("RecordWentBack", () =>
          Effect.logWarning("The database went back in time, as after a failover: the search index is made anew")
        ),
        Effect.scoped
      )

      yield* following.pipe(
        Effect.tapCause((cause) => Effect.logWarning("The search index is away, and SQL answers", cause)),
        Effect.sandbox,
        Effect.retry(backoff),
        Effect.forever,
        Effect.forkScoped
      )
      yield* Effect.forkScoped(listening)
      yield* Effect.forkScoped(pruningChanges(primary))

      /** A snapshot with the keys of its bodies, if it has every change that is visible to `db`. */
      const snapshot = Effect.fnUntraced(function* (db: ReadSql) {
        if (current === undefined) return undefined
        const line = current
        const { set, keys, timeline, position } = line
        const snapshot = yield* Effect.uninterruptible(
          Effect.suspend(() => {
            const taken = set.snapshot()
            return Effect.as(atClose(Effect.sync(taken.release)), taken)
          })
        )
        const revision = yield* SeenRevision
        if (revision === undefined || completeAt.get(line) !== revision) {
          if (yield* hasChangedSince(db, { timeline, position }, "meetings")) return undefined
          if (revision !== undefined) completeAt.set(line, revision)
        }
        return { snapshot, keys }
      })

      /** The same, after a short wait if necessary. */
      const awaited = Effect.fnUntraced(function* (db: ReadSql) {
        const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(longestWait)
        while (true) {
          const taken = yield* snapshot(db)
          if (taken !== undefined) return Option.some(taken)
          const left = until - (yield* Clock.currentTimeMillis)
          if (left <= 0 || current === undefined) return Option.none()
          yield* Queue.offer(wakeups, undefined)
          yield* Effect.timeoutOption(readOn.await, Duration.millis(left))
        }
      })

      const open = Effect.fn("SearchIndex.open")(function* (db: ReadSql) {
        return Option.map(yield* awaited(db), ({ snapshot, keys }): Finder => {
          const queriesOf = Effect.fnUntraced(function* (wanted: ReadonlyArray<Wanted>) {
            const termsOf = yield* terms(wanted.flatMap(({ search }) => search ?? []))
            return Option.all(yield* Effect.forEach(wanted, (one) => indexQuery(db, termsOf, keys.ids, one)))
          })
          return {
            find: Effect.fn("SearchIndex.find")(function* (wanted) {
              return Option.flatMap(yield* queriesOf([wanted]), ([query]) =>
                Option.map(Option.fromNullishOr(query), (query) => findInIndex(db, snapshot, keys, wanted, query))
              )
            }),
            count: Effect.fn("SearchIndex.count")(function* (searches) {
              const wanted = searches.map((search): Wanted => ({ filters: [], search, sort: "newest" }))
              return Option.map(yield* queriesOf(wanted), (queries) =>
                queries.map((query) => snapshot.search(query).total({}))
              )
            })
          }
        })
      })

      const state = Effect.gen(function* () {
        if (current === undefined) return absent
        const { parts } = current.set
        const [row] = yield* primary<{ behind: number }>`
          select count(distinct c.meeting_id)::int as behind from ${changedSince(primary, current.position)} c`
        return {
          state: "ready",
          documents: parts.reduce((sum, { segment, deleted }) => sum + segment.documents - deleted, 0),
          parts: parts.length,
          behind: row?.behind ?? 0
        } satisfies IndexState
      }).pipe(Effect.withSpan("SearchIndex.state"))

      const orWithout = <A, E, R, E2, R2>(indexed: Effect.Effect<A, E, R>, without: Effect.Effect<A, E2, R2>) =>
        Effect.catchDefect(
          indexed,
          (defect): Effect.Effect<A, E2, R2> =>
            defect instanceof SegmentRefused ? Effect.andThen(putAside(defect), without) : Effect.die(defect)
        )

      return { open, state, orWithout }
    })
  )
}
