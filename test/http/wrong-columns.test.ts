import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import { ask } from "../support/asked.ts"
import { meetingId } from "../support/builders.ts"
import { fullRecord } from "../support/full-record.ts"
import { serviceAddress, TestService } from "../support/service.ts"

const reads = {
  browse: "/api/meetings/browse",
  "a search": "/api/meetings/browse?q=greenway",
  "the bodies": "/api/agencies",
  "the places": "/api/places",
  "what is to come": "/api/upcoming",
  "places by name": "/api/search/locations?q=springfield",
  "a meeting": `/api/meetings/${meetingId("full")}`
}

layer(Layer.effectDiscard(fullRecord).pipe(Layer.provideMerge(TestService)), { excludeTestServices: true })(
  "a column of the wrong type",
  (it) => {
    it.effect("is an error, and not sent", () =>
      Effect.gen(function* () {
        const base = yield* serviceAddress
        const db = yield* Db
        const statuses = Effect.forEach(Object.entries(reads), ([name, path]) =>
          Effect.map(ask(base + path), ({ status }) => [name, status] as const)
        )
        assert.deepStrictEqual(
          (yield* statuses).filter(([, status]) => status !== 200),
          []
        )
        yield* db`alter table place drop constraint place_kind_check`
        yield* db`update place set kind = 'planet'`
        assert.deepStrictEqual(
          (yield* statuses).filter(([, status]) => status !== 500),
          []
        )
      })
    )
  }
)
