import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import { MeetingRemoval } from "../../../../src/services/feed/meeting-removal.ts"
import { Embeddings } from "../../../../src/services/search/meaning/embeddings.ts"
import { Settings } from "../../../../src/services/settings/settings.ts"
import { agency, meetingId, place, putOnRecord } from "../../../support/builders.ts"
import { TestDb } from "../../../support/database.ts"
import { embedded, startEmbeddingServer } from "../../../support/embedding-server.ts"
import { meaningWith, meantRecord, meetingAbout } from "../../../support/meant-record.ts"
import { setupOf } from "../../../support/service.ts"

/** Embeds until nothing is left, and tells how many meetings it took. */
const all = Effect.gen(function* () {
  const { next } = yield* Embeddings
  let count = 0
  for (let taken = yield* next; taken > 0; taken = yield* next) count += taken
  return count
})

const vectors = Effect.flatMap(
  Db,
  (db) => db<{ texts: number; shown: number }>`
    select count(*)::int as texts, (count(*) filter (where is_public))::int as shown from embedding`
)

const running = <A, E>(
  program: (
    server: Effect.Success<typeof startEmbeddingServer>
  ) => Effect.Effect<A, E, Db | Embeddings | MeetingRemoval>
) =>
  Effect.gen(function* () {
    const server = yield* startEmbeddingServer
    const services = Layer.mergeAll(meaningWith(server.env), Layer.provide(MeetingRemoval.layer, setupOf({})))
    return yield* Effect.provide(program(server), Layer.provideMerge(services, TestDb))
  })

describe("the vectors of what meetings are about", () => {
  it.live("are made once of each text, again only of what changed, and go with their meeting", () =>
    running(
      Effect.fnUntraced(function* (server) {
        const db = yield* Db
        yield* meantRecord
        yield* Effect.provide(
          Settings.use((settings) => settings.set("prices.EmbeddingMicros", 20_000)),
          Settings.layer
        )
        assert.strictEqual(yield* all, 9)
        const [spent] = yield* db`
          select sum(input_tokens)::int as tokens, round(sum(cost) * 1e9)::int as billionths from model_usage
          where purpose = 'embedding' and outcome = 'ok'`
        assert.deepStrictEqual(spent, { tokens: 9 * 12, billionths: 9 * 12 * 20 })
        const asked = server.asked()
        assert.strictEqual(new Set(asked).size, asked.length)
        assert.include(asked, "Protection of tenants against evictions")
        assert.include(asked, "The aqueduct. The aqueduct millage passed.")
        assert.include(asked, "Hiring of a landlord ombudsman passed")
        assert.notInclude(asked, "Roll call")
        assert.deepStrictEqual(yield* vectors, [{ texts: 12, shown: 10 }])
        assert.strictEqual(yield* all, 0)

        // Another item, and one that another meeting has; the first is gone.
        yield* putOnRecord(
          meetingAbout("rent", ["A levy for the library", "A leash rule for canine owners in the meadow"])
        )
        assert.strictEqual(yield* all, 1)
        assert.deepStrictEqual(server.asked().slice(asked.length), ["A levy for the library"])
        assert.deepStrictEqual(yield* vectors, [{ texts: 13, shown: 11 }])

        yield* MeetingRemoval.use((removal) => removal.remove(meetingId("works"), "By mistake."))
        assert.deepStrictEqual(yield* vectors, [{ texts: 9, shown: 9 }])
        const kept = yield* db`select from embedded_meeting where meeting_id = ${meetingId("works")}`
        assert.isEmpty(kept)
      })
    )
  )

  it.live("are made by another process after one was killed, and not twice meanwhile", () =>
    running(
      Effect.fnUntraced(function* (server) {
        const db = yield* Db
        yield* meantRecord
        server.answers(() => "silent")
        const { next } = yield* Embeddings
        const killed = yield* Effect.forkChild(next)
        while (server.requests.length === 0) yield* Effect.sleep("5 millis")
        yield* Fiber.interrupt(killed)
        server.answers(embedded)
        assert.strictEqual(yield* all, 1, "eight are held")
        yield* db`update embedded_meeting set held_until = now() - interval '1 second' where held_until is not null`
        assert.strictEqual(yield* all, 8)
        assert.deepStrictEqual(yield* vectors, [{ texts: 12, shown: 10 }])
      })
    )
  )

  it.live("are made anew by another model, and those of the one before are gone", () =>
    Effect.gen(function* () {
      const server = yield* startEmbeddingServer
      yield* Effect.gen(function* () {
        const db = yield* Db
        yield* meantRecord
        yield* Effect.provide(all, meaningWith(server.env))
        const before = server.asked().length
        yield* Effect.provide(all, meaningWith({ ...server.env, EMBEDDING_MODEL_NAME: "another" }))
        assert.strictEqual(server.asked().length, 2 * before)
        const models = yield* db`
          select distinct c.model like 'another (%' as is_new from embedding e join embedding_cell c on c.id = e.cell`
        assert.deepStrictEqual(models, [{ is_new: true }])
        assert.deepStrictEqual(yield* vectors, [{ texts: 12, shown: 10 }])
      }).pipe(Effect.provide(TestDb))
    })
  )

  it.live("lack a text that the model declines, and none is made of one that declines all", () =>
    running(
      Effect.fnUntraced(function* (server) {
        yield* meantRecord
        server.answers(() => ({ status: 400, text: "{}" }))
        const refused = yield* Effect.flip(all)
        assert.propertyVal(refused, "reason", "declined")
        const db = yield* Db
        yield* db`update embedded_meeting set held_until = null`
        server.answers((request) =>
          request.body.input.some((text) => text.includes("tenants")) ? { status: 400, text: "{}" } : embedded(request)
        )
        assert.strictEqual(yield* all, 9)
        assert.deepStrictEqual(yield* vectors, [{ texts: 11, shown: 9 }])
      })
    )
  )

  it.live("are spread over more cells as they become many", () =>
    running(
      Effect.fnUntraced(function* () {
        const db = yield* Db
        yield* putOnRecord(place("marlow"), agency("council", ["marlow"]))
        const words = ["canine", "tenants", "sewer", "millage", "meadow", "copiers", "shelters", "bonds"]
        for (let at = 0; at < 8; at++) {
          const titles = Array.from(
            { length: 300 },
            (_, n) => `${words[n % 8]} ${words[(n * 3 + at) % 8]} ${words[at]} item-${n}-${at}`
          )
          yield* putOnRecord(meetingAbout(`many ${at}`, titles))
        }
        assert.strictEqual(yield* all, 8)
        const cells = yield* db<{ texts: number }>`
          select count(e.cell)::int as texts from embedding_cell c left join embedding e on e.cell = c.id group by c.id`
        assert.isAbove(cells.length, 1)
        const sum = cells.reduce((total, { texts }) => total + texts, 0)
        assert.deepStrictEqual(yield* vectors, [{ texts: sum, shown: sum }])
        assert.isAbove(sum, 2000)
        assert.isTrue(cells.every(({ texts }) => texts <= 2000))
      })
    )
  )
})
