import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { MadeAgain } from "../../../src/services/making/made-again.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { makingWith } from "../../support/making.ts"
import { twoModelsAt } from "../../support/model-server.ts"

const names = ["one", "two", "three", "four", "five", "six"]

const on = (name: string) => `2026-03-0${names.indexOf(name) + 1}`

/** Six held meetings, whose briefings a model that is no longer configured failed for good. */
const seeded = Effect.gen(function* () {
  const db = yield* Db
  yield* putOnRecord(
    place("springfield"),
    agency("council", ["springfield"]),
    ...names.map((name) => meeting(name, "council", { date: on(name) }))
  )
  yield* db`
    insert into made_without (meeting_id, stage, role, model, kind, reason)
    select id, stage, 'language', 'an-old-model (a-host)', 'away', 'It is away.'
    from meeting, unnest(array['briefing', 'clips']) stage`
})

const next = Effect.map(
  MadeAgain.use(({ next }) => next),
  (meetings) => names.filter((name) => meetings.includes(meetingId(name)))
)

const ended = Effect.flatMap(Db, (db) => db`update flow set state = 'done', ended_at = now() where state = 'open'`)

const Configured = Layer.provideMerge(MadeAgain.layer, makingWith(twoModelsAt("http://127.0.0.1:9/v1")))

describe("meetings that were made without a model", () => {
  it.effect("are made again if another is configured, the newest first, four at a time and each once a day", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* seeded
      assert.deepStrictEqual(yield* next, ["three", "four", "five", "six"])
      const stages = yield* db`
        select t.stage, t.state, count(*)::int as tasks from task t where t.stage in ('agenda', 'briefing', 'clips', 'mail')
        group by t.stage, t.state order by t.stage`
      assert.deepStrictEqual(stages, [
        { stage: "briefing", state: "waiting", tasks: 4 },
        { stage: "clips", state: "waiting", tasks: 4 },
        { stage: "mail", state: "blocked", tasks: 4 }
      ])
      assert.deepStrictEqual(yield* next, [])
      yield* ended
      assert.deepStrictEqual(yield* next, ["one", "two"])
      yield* ended
      // None got as far as its model.
      assert.deepStrictEqual(yield* next, [])
      yield* db`update made_without set again_at = now() - interval '25 hours'`
      assert.lengthOf(yield* next, 4)
    }).pipe(Effect.provide(Configured))
  )

  it.effect("rest longer each time if the model answers with nothing usable, and in the end stay as they are", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* seeded
      const rested = Effect.fnUntraced(function* (days: number, tries: number) {
        yield* db`
          update made_without set model = 'a-model (127.0.0.1:9)', kind = 'unusable', tries = ${tries}, again_at = null,
            tried_at = now() - ${days}::int * interval '1 day' - interval '1 minute'`
        const found = yield* next
        yield* ended
        return found.length
      })
      assert.deepStrictEqual(
        [yield* rested(0, 1), yield* rested(1, 1), yield* rested(2, 3), yield* rested(3, 3), yield* rested(99, 5)],
        [0, 4, 0, 4, 0]
      )
      // An operator who has cancelled the making of a meeting does not want it.
      yield* db`update flow set state = 'cancelled'`
      assert.strictEqual(yield* rested(3, 3), 2)
    }).pipe(Effect.provide(Configured))
  )

  it.effect("are checked at once when a checker is configured where there was none", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* seeded
      yield* db`delete from made_without where stage = 'clips'`
      yield* db`update made_without set stage = 'verify', role = 'checker', model = '', kind = 'none'`
      assert.deepStrictEqual(yield* next, ["three", "four", "five", "six"])
      const stages = yield* db`select distinct stage from task where state = 'waiting'`
      assert.deepStrictEqual(stages, [{ stage: "verify" }])
    }).pipe(Effect.provide(Configured))
  )

  it.effect("stay as they are while no model is configured", () =>
    Effect.gen(function* () {
      yield* seeded
      assert.deepStrictEqual(yield* next, [])
    }).pipe(Effect.provide(Layer.provideMerge(MadeAgain.layer, makingWith({}))))
  )
})
