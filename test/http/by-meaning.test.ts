import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { embeddingModel } from "../../layers/cloud-model/embedding-model.ts"
import { Embeddings } from "../../src/services/search/meaning/embeddings.ts"
import { fakeIdentity } from "../layers/fake-identity.ts"
import { reader } from "../support/actors.ts"
import { ask } from "../support/asked.ts"
import { meetingId } from "../support/builders.ts"
import { embedded, startEmbeddingServer } from "../support/embedding-server.ts"
import { meantRecord } from "../support/meant-record.ts"
import { serviceAddress, serviceOf, setupOf } from "../support/service.ts"

it.live(
  "what is found by meaning stands below what the words find, and is not missed for longer than the model is",
  () =>
    Effect.gen(function* () {
      const server = yield* startEmbeddingServer
      const setup = setupOf({ BASE_URL: "http://record.example.gov", PORT: "0", ...server.env })
      const embedding = Embeddings.layer.pipe(Layer.provide(embeddingModel()))
      yield* Effect.gen(function* () {
        yield* meantRecord
        yield* Embeddings.use(({ next }) => Effect.repeat(next, { until: (count) => count === 0 }))
        const get = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>> = {}) {
          return yield* ask(`${yield* serviceAddress}${path}`, { headers })
        })
        const found = Effect.fnUntraced(function* (q: string, headers?: Readonly<Record<string, string>>) {
          const answer = yield* get(`/api/meetings/browse?q=${q}`, headers)
          const { by_meaning: meant = [] } = answer.json() as { by_meaning?: ReadonlyArray<{ id: string }> }
          return { ids: meant.map(({ id }) => id), cached: answer.headers.get("cache-control") }
        })

        const puppies = [meetingId("school"), meetingId("dogs")]
        const first = yield* found("dogs+greenway")
        assert.deepStrictEqual(first.ids, puppies)
        assert.match(first.cached ?? "", /^public/)

        // The model is silent for one search; the next one of the same words asks it again.
        server.answers(() => "silent")
        assert.deepStrictEqual(yield* found("dogs+park"), { ids: [], cached: "no-store" })
        server.answers(embedded)
        assert.deepStrictEqual((yield* found("dogs+park")).ids, puppies)

        const { credentials } = yield* reader("ada@example.org")
        assert.deepStrictEqual((yield* found("sewer+levy")).ids, [])
        assert.deepStrictEqual((yield* found("sewer+levy", credentials.headers)).ids, [meetingId("works")])

        for (const path of ["/browse?q=dogs+greenway", "/md/browse?q=dogs+greenway"]) {
          const page = (yield* get(path)).text
          assert.match(page, /Found by meaning/)
          assert.include(page, "A leash rule for canine owners in the meadow")
        }
        assert.notMatch((yield* get("/browse?q=puppies+exact&exact=1")).text, /Found by meaning/)
      }).pipe(Effect.provide(Layer.provideMerge(embedding, serviceOf(setup, fakeIdentity))))
    })
)
