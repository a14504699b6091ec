import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Db, DbHealth } from "../../layers/db/db.ts"
import { ObjectStore, ObjectStoreError } from "../../layers/object-store/object-store.ts"
import { ask } from "../support/asked.ts"
import { probeRoutes } from "../support/probe.ts"
import { eventually } from "../support/rendering.ts"
import { fakeRecord, served } from "../support/served.ts"
import { serviceAddress, TestService } from "../support/service.ts"

/** Locks the bodies, so that every statement about them waits, until the scope closes. */
const lockBodies = Effect.gen(function* () {
  const db = yield* Db
  const [locked, over] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const locking = yield* db`lock table body in access exclusive mode`.pipe(
    Effect.andThen(Deferred.succeed(locked, undefined)),
    Effect.andThen(Deferred.await(over)),
    db.withTransaction,
    Effect.forkScoped
  )
  yield* Effect.addFinalizer(() => Effect.andThen(Deferred.succeed(over, undefined), Fiber.await(locking)))
  yield* Deferred.await(locked)
})

/** Waits, on a connection of its own, until so many statements wait for a lock. */
const untilWaiting = (count: number) =>
  Effect.flatMap(DbHealth, ({ db }) =>
    eventually(
      Effect.map(
        db<{ waiting: number }>`
          select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
        ([row]) => ((row?.waiting ?? 0) >= count ? true : undefined)
      )
    )
  )

layer(TestService, { excludeTestServices: true, timeout: "180 seconds" })(
  "a service whose database is in trouble",
  (it) => {
    it.effect.each(["pg_terminate_backend", "pg_cancel_backend"])(
      "answers 503, never 500, where %s ends a statement",
      (end) =>
        Effect.gen(function* () {
          const { db } = yield* DbHealth
          const base = yield* serviceAddress
          const asking = yield* Effect.gen(function* () {
            yield* lockBodies
            // A response that nobody has had yet, and that is therefore in no cache.
            const asking = yield* Effect.forkChild(ask(`${base}/api/upcoming?page_size=${end.length}`))
            yield* untilWaiting(1)
            yield* db`
              select ${db.literal(end)}(pid) from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock'`
            return yield* Fiber.join(asking)
          }).pipe(Effect.scoped)
          assert.strictEqual(asking.status, 503, asking.text)
          assert.strictEqual(asking.json().error, "unavailable")
          assert.strictEqual(asking.headers.get("retry-after"), "5")
          assert.strictEqual((yield* ask(`${base}/api/agencies`)).status, 200)
        })
    )

    it.effect("reports its health, and asks readers to come back, while every connection is in use", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const waiting = yield* Effect.gen(function* () {
          yield* lockBodies
          // One connection holds the lock, and one listens for the feed. Each request differs, because equal ones share
          // a statement.
          const waiting = yield* Effect.forEach(Array.from({ length: 18 }), (_, at) =>
            Effect.forkChild(ask(`${base}/api/upcoming?page=${at + 1}`))
          )
          yield* untilWaiting(waiting.length)
          assert.strictEqual((yield* ask(`${base}/health`)).status, 200)
          assert.strictEqual((yield* ask(`${base}/health/ready`)).status, 200)
          const turnedAway = yield* ask(`${base}/api/places`)
          assert.strictEqual(turnedAway.status, 503)
          assert.include(turnedAway.json().message, "too busy")
          return waiting
        }).pipe(Effect.scoped)
        for (const asking of waiting) assert.strictEqual((yield* Fiber.join(asking)).status, 200)
      })
    )
  }
)

describe("a response that takes too long", () => {
  it.effect("is given up after a minute, with 503", () =>
    Effect.gen(function* () {
      const gate = { reached: yield* Deferred.make<void>(), opened: yield* Deferred.make<void>() }
      const { base } = yield* served({ routes: probeRoutes(gate) })
      const asking = yield* Effect.forkChild(ask(`${base}/probe/slow`))
      yield* Deferred.await(gate.reached)
      yield* TestClock.adjust("1 minute")
      const answer = yield* Fiber.join(asking)
      assert.strictEqual(answer.status, 503)
      assert.strictEqual(answer.json().error, "unavailable")
    })
  )
})

describe("a media store that is away", () => {
  it.live("is 503 for the objects it would open, and changes nothing for forbidden ones", () =>
    Effect.gen(function* () {
      const away = Layer.mock(ObjectStore)({
        open: (key) => Effect.fail(new ObjectStoreError({ reason: "unavailable", key, detail: "silent" }))
      })
      const { base } = yield* served({ record: Layer.merge(fakeRecord, away) })
      const media = `${base}/api/media/meetings/3f2b8c1e-5a7d-5e0b-9c41-7d2f6a1b8e90`
      const answer = yield* ask(`${media}/poster.jpg`)
      assert.strictEqual(answer.status, 503)
      assert.deepInclude(answer.json(), {
        error: "unavailable",
        message: "The media store cannot be reached at the moment."
      })
      assert.strictEqual(answer.headers.get("retry-after"), "5")
      assert.strictEqual((yield* ask(`${media}/source.mp4`)).status, 403)
    })
  )
})
