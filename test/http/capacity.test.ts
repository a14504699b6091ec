import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer } from "effect"
import { examples } from "../../src/api/examples/index.ts"
import { Capacity, expectedRoom, twiceLate } from "../../src/http/middleware/capacity.ts"
import { RecordRevision } from "../../src/services/feed/record-revision.ts"
import { Meetings } from "../../src/services/meetings/meetings.ts"
import { ask } from "../support/asked.ts"
import { fakeRecord, served } from "../support/served.ts"

const roomy = {
  ...{ requests: 100, delay: Duration.minutes(1), every: Duration.minutes(1) },
  ...{ few: 100, wait: Duration.minutes(1) }
}

/** A service of this capacity, on which each request for a meeting takes until `done`. */
const busy = Effect.fnUntraced(function* (capacity: Partial<typeof roomy>) {
  const done = yield* Deferred.make<void>()
  const begun = { count: 0 }
  const record = Layer.mergeAll(
    fakeRecord,
    Layer.mock(Meetings)({
      cards: () => Effect.succeed([]),
      open: () =>
        Effect.andThen(
          Effect.sync(() => {
            begun.count++
          }),
          Effect.as(Deferred.await(done), examples.getMeeting)
        )
    })
  )
  const service = yield* served({ record }).pipe(Effect.provideService(Capacity, { ...roomy, ...capacity }))
  return { ...service, begun, done: Deferred.succeed(done, undefined) }
})

describe("a node at its capacity", () => {
  it.live("answers health and what is cached, refuses everything else, and goes on once there is room", () =>
    Effect.gen(function* () {
      const { base, begun, done } = yield* busy({ requests: 2 })
      const get = (path: string, headers: Record<string, string> = {}) => ask(`${base}${path}`, { headers })
      assert.strictEqual((yield* get("/api/places")).status, 200)
      assert.strictEqual((yield* get("/", { accept: "text/html" })).status, 200)

      const meetings = yield* Effect.forkChild(
        Effect.all(
          [1, 2].map((at) => get(`/api/meetings/3f2b8c1e-${at}`)),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.repeat(Effect.sleep(5), { until: () => Effect.sync(() => begun.count === 2) })

      const refused = yield* get("/api/agencies")
      assert.strictEqual(refused.status, 503)
      assert.strictEqual(refused.headers.get("retry-after"), "5")
      assert.deepStrictEqual(refused.json(), {
        error: "unavailable",
        message: "The service is answering as many requests as it can at the moment.",
        hint: "Wait 5 seconds, as Retry-After says, then send the request again."
      })
      assert.strictEqual((yield* get("/api/places")).status, 200)
      assert.strictEqual((yield* get("/", { accept: "text/html" })).status, 200)
      assert.strictEqual((yield* get("/about", { accept: "text/html" })).status, 503)
      assert.strictEqual((yield* get("/", { accept: "text/html", cookie: "cr_session=x" })).status, 503)
      assert.strictEqual((yield* get("/health")).status, 200)
      assert.strictEqual((yield* get("/health/ready")).status, 200)

      yield* done
      assert.deepStrictEqual(
        (yield* Fiber.join(meetings)).map(({ status }) => status),
        [200, 200]
      )
      assert.strictEqual((yield* get("/api/agencies")).status, 200)
    })
  )

  it("is late only after two late spans in a row, and no longer after one that is not", () => {
    const spans = twiceLate(Duration.seconds(1))
    const after = (mean: number) => {
      spans.ended(mean)
      return spans.isLate()
    }
    assert.deepStrictEqual([2000, 20, 2000, Number.NaN, 1001, 1001, 1500, 1000, 5000].map(after), [
      ...[false, false, false, false, false],
      ...[true, true, false, false]
    ])
  })

  it("has room for as many as wait two seconds, once more have waited longer in two spans in a row", () => {
    const { ended, room } = expectedRoom(10, Duration.seconds(2), Duration.millis(500))
    const after = (answered: number, underWay: number) => {
      ended(answered, underWay)
      return room()
    }
    // Fast, a burst, a burst that lasts, a node that has become slower, what is under way at the bound, and less of it.
    const spans = [
      [50, 20],
      [10, 60],
      [50, 20],
      [10, 60],
      [10, 60],
      [2, 40],
      [2, 10],
      [2, 4],
      [50, 20]
    ] as const
    const free = Number.POSITIVE_INFINITY
    assert.deepStrictEqual(
      spans.map(([answered, underWay]) => after(answered, underWay)),
      [free, free, free, free, 40, 10, 10, free, free]
    )
  })

  it.live("is one on which those who ask would wait too long", () =>
    Effect.gen(function* () {
      const { base, begun, done } = yield* busy({ few: 3, every: Duration.millis(50), wait: Duration.millis(1) })
      const get = (path: string) => ask(`${base}${path}`)
      const meetings = yield* Effect.forkChild(
        Effect.all(
          [1, 2, 3, 4, 5].map((at) => get(`/api/meetings/3f2b8c1e-${at}`)),
          { concurrency: "unbounded" }
        )
      )
      yield* Effect.repeat(Effect.sleep(5), { until: () => Effect.sync(() => begun.count === 5) })
      const about = ask(`${base}/about`, { headers: { accept: "text/html" } })
      yield* Effect.repeat(about, { until: ({ status }) => status === 503 })
      yield* done
      assert.deepStrictEqual(
        (yield* Fiber.join(meetings)).map(({ status }) => status),
        [200, 200, 200, 200, 200]
      )
      yield* Effect.repeat(about, { until: ({ status }) => status === 200 })
    })
  )

  it.live("is one to which the database does not say in time what is current", () =>
    Effect.gen(function* () {
      const silent = Layer.mock(RecordRevision)({ current: Effect.never })
      const { base } = yield* served({ record: Layer.merge(fakeRecord, silent) }).pipe(
        Effect.provideService(Capacity, { ...roomy, wait: Duration.millis(20) })
      )
      const refused = yield* ask(`${base}/api/places`)
      assert.strictEqual(refused.status, 503)
      assert.strictEqual(refused.headers.get("retry-after"), "5")
      assert.strictEqual((yield* ask(`${base}/health`)).status, 200)
    })
  )

  it.live("is one whose event loop is late", () =>
    Effect.gen(function* () {
      const { base } = yield* served({ record: fakeRecord }).pipe(
        Effect.provideService(Capacity, { ...roomy, delay: Duration.millis(-100), every: Duration.millis(50) })
      )
      const about = ask(`${base}/about`, { headers: { accept: "text/html" } })
      yield* Effect.repeat(about, { until: ({ status }) => status === 503 })
      assert.strictEqual((yield* ask(`${base}/health`)).status, 200)
    })
  )
})
