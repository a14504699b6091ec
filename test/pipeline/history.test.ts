import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Logger } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ObjectStore } from "../../layers/object-store/object-store.ts"
import { readingsOf } from "../../src/pipeline/sources/survey.ts"
import { historyStage } from "../../src/pipeline/stages/history/history.ts"
import { runWorker } from "../../src/pipeline/worker.ts"
import { laneNames } from "../../src/services/queue/stages.ts"
import { SourcePast } from "../../src/services/sources/source-past.ts"
import { Sources } from "../../src/services/sources/sources.ts"
import { place, putOnRecord } from "../support/builders.ts"
import { cityServer, status } from "../support/city-server.ts"
import { Crawling } from "../support/crawling.ts"
import { TestDb } from "../support/database.ts"
import { apiEvent, eventsAnswer } from "../support/legistar-city.ts"
import { eventually, scratch } from "../support/rendering.ts"

const TestStore = Layer.unwrap(Effect.map(scratch, ObjectStore.layerFolder))
const Deployment = SourcePast.layer.pipe(
  Layer.provideMerge(Crawling),
  Layer.provideMerge(Layer.mergeAll(TestDb, TestStore))
)

const ago = (days: number) => DateTime.formatIsoDate(DateTime.subtract(DateTime.nowUnsafe(), { days }))

describe("the readings of a past", () => {
  it("meet without a gap, the newest first", () => {
    assert.deepStrictEqual(readingsOf("2026-01-20", "2026-03-01", 31), [
      { from: "2026-01-30", to: "2026-03-01" },
      { from: "2026-01-20", to: "2026-01-29" }
    ])
    assert.deepStrictEqual(readingsOf("2026-03-01", "2026-03-01", 36_500), [{ from: "2026-03-01", to: "2026-03-01" }])
  })
})

layer(Deployment, { excludeTestServices: true })("the past of a source", (it) => {
  it.effect(
    "comes on record reading by reading, goes on after a failure, and is made after newer work",
    () =>
      Effect.gen(function* () {
        const db = yield* Db
        const past = yield* SourcePast
        const city = yield* cityServer()
        yield* putOnRecord(place("springfield"))
        const council = [1, "City Council"] as const
        const events = [-100, -500, -900, -2000].map((days, at) => apiEvent(at + 1, council, days))
        const answer = eventsAnswer(() => events)
        // The second year cannot be read at first.
        let isDown = true
        city.answers.set("/v1/springfield/events", (request, response) =>
          (isDown && city.asked.length > 1 ? status(400) : answer)(request, response)
        )
        const source = yield* Sources.use(({ add }) =>
          add({ kind: "legistar", url: `${city.url}/v1/springfield/events`, place: "springfield", everySeconds: 3600 })
        )
        const [from, to] = [ago(1000), ago(1)]
        assert.strictEqual(yield* past.ask(source, from, to), to)
        const worker = yield* Effect.gen(function* () {
          const handlers = { history: yield* historyStage }
          return yield* runWorker(handlers, { jobs: 1, lanes: new Map(laneNames.map((lane) => [lane, 1])) })
        }).pipe(Effect.provide(Logger.layer([])), Effect.scoped, Effect.forkScoped)
        const over = (state: string) =>
          eventually(
            Effect.map(
              db`select from flow where source_id = ${source} and kind = 'history' and state = ${state}`,
              (rows) => (rows.length > 0 ? true : undefined)
            )
          )
        const days = Effect.map(
          db<{ day: string; priority: number | null }>`
            select m.date::text as day, (select min(t.priority) from task t join flow f on f.id = t.flow_id
              where f.meeting_id = m.id) as priority from meeting m order by m.date desc`,
          (rows) => rows
        )
        yield* over("failed")
        assert.deepStrictEqual(yield* days, [{ day: ago(100), priority: -2 }])
        const { left } = (yield* past.of(source)) ?? assert.fail("a past was asked for")
        assert.isTrue(left !== null && left < to && left > from)

        isDown = false
        assert.strictEqual(yield* past.ask(source, from, to), left)
        yield* over("done")
        // What is older than the days that were asked for stays away.
        assert.deepStrictEqual(
          (yield* days).map(({ day }) => day),
          [ago(100), ago(500), ago(900)]
        )
        assert.deepStrictEqual(yield* past.of(source), { from, to, left: null })
        worker.interruptUnsafe()
      }).pipe(Effect.scoped),
    300_000
  )
})
