import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, type Redacted, Schedule, Stream } from "effect"
import fc from "fast-check"
import { Db } from "../../../layers/db/db.ts"
import { ObjectStore } from "../../../layers/object-store/object-store.ts"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { Browse } from "../../../src/services/search/browse.ts"
import { SearchIndex } from "../../../src/services/search/search-index.ts"
import { answers, change, directory, Indexed, InSql, query } from "../../support/changing-record.ts"
import { databaseAt, freshDatabase } from "../../support/database.ts"
import { startFauxqs } from "../../support/s3.ts"
import { setupOf } from "../../support/service.ts"

const on = (url: Redacted.Redacted) => Layer.fresh(Layer.provideMerge(AgencyMerge.layer, databaseAt(url)))

/** A machine with a data folder of its own: runs `then` once its index is ready. Returns how it came by it. */
const machine = <A, E, R>(then: Effect.Effect<A, E, R>) => {
  const said: Array<string> = []
  const log = Logger.layer([Logger.make(({ message }) => said.push(String([message].flat()[0])))])
  return Effect.gen(function* () {
    const { state } = yield* SearchIndex
    yield* Effect.repeat(state, { until: ({ state }) => state === "ready", schedule: Schedule.spaced("50 millis") })
    yield* then
    return said.filter((line) => /index is|can be taken/.test(line))
  }).pipe(
    Effect.provide(Layer.fresh(SearchIndex.layer)),
    Effect.provide(Layer.fresh(setupOf({ MEDIA_URL: "s3://key:secret@127.0.0.1/media?tls=false" }))),
    Effect.provide(log),
    Effect.scoped
  )
}

const equal = Effect.gen(function* () {
  const sql = Context.get(yield* Layer.build(InSql), Browse)
  const index = Context.get(yield* Layer.build(Indexed), Browse)
  for (const one of fc.sample(query, 20)) {
    assert.deepStrictEqual(yield* answers(index, one), yield* answers(sql, one), JSON.stringify(one))
  }
})

/** The ids of the bases that are whole in the store. */
const bases = ObjectStore.use((store) =>
  Effect.map(Stream.runCollect(store.list("search-index/")), (keys) =>
    keys.filter((key) => key.endsWith("/manifest.json")).map((key) => key.split("/")[1] ?? "")
  )
)
const untilPublished = (count: number) =>
  Effect.repeat(bases, { until: (ids) => ids.length === count, schedule: Schedule.spaced("50 millis") })

const built = "The search index is built"
const taken = ["The search index is taken from the media store", "The search index is opened"]

describe("a search index in the media store", () => {
  it.live(
    "is what another machine begins with, and what is altered or of another database is not",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabase
        yield* Effect.gen(function* () {
          yield* directory
          for (const one of fc.sample(change, 25)) yield* one
          assert.deepStrictEqual(yield* machine(untilPublished(1)), [built])
          // What has changed since then, the next machine reads by itself.
          for (const one of fc.sample(change, 10)) yield* one
          assert.deepStrictEqual(yield* machine(equal), taken)

          // Another database with the same store knows none of it, and leaves it alone.
          const other = yield* freshDatabase
          yield* Effect.gen(function* () {
            assert.deepStrictEqual(yield* machine(untilPublished(2)), [built])
            yield* equal.pipe(machine)
          }).pipe(Effect.provide(on(other)))

          const store = yield* ObjectStore
          const [id = ""] = (yield* (yield* Db)<{ id: string }>`select id::text as id from search_segment`).map(
            ({ id }) => id
          )
          const file = `search-index/${id}/pos`
          const bytes = yield* Stream.runCollect(store.read(file)).pipe(
            Effect.map((all) => Buffer.concat(all.map((part) => part.slice())))
          )
          const altered = Buffer.from(bytes)
          altered[altered.length >> 1] = (altered[altered.length >> 1] ?? 0) ^ 1
          yield* store.put(file, Stream.make(new Uint8Array(altered)), "application/octet-stream")
          assert.deepStrictEqual(yield* machine(Effect.andThen(equal, untilPublished(3))), [
            "No search index can be taken from the media store",
            built
          ])
          // The newest is the one to take, and what the database no longer knows is no longer there.
          assert.deepStrictEqual(yield* machine(equal), taken)
          yield* (yield* Db)`delete from search_segment`
          assert.deepStrictEqual(
            yield* machine(
              Effect.repeat(bases, {
                until: (ids) => ids.length === 2 && !ids.includes(id),
                schedule: Schedule.spaced("50 millis")
              })
            ),
            [built]
          )
        }).pipe(Effect.provide(on(url)))
      }).pipe(
        Effect.provide(Layer.unwrap(Effect.map(startFauxqs, (settings) => ObjectStore.layerS3(settings)))),
        Effect.scoped
      ),
    300_000
  )
})
