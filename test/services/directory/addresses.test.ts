import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { created, unchanged } from "../../../src/record/write/outcome.ts"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { Directory } from "../../../src/services/directory/directory.ts"
import { Sitemaps } from "../../../src/services/directory/sitemaps.ts"
import { agency, place, putOnRecord } from "../../support/builders.ts"
import { TestDb } from "../../support/database.ts"
import { TestEnvironment } from "../../support/environment.ts"

const TestLayer = Layer.mergeAll(Directory.layer, AgencyMerge.layer, Sitemaps.layer).pipe(
  Layer.provideMerge(TestDb),
  Layer.provide(TestEnvironment)
)

const at = (town: string, segment: string) =>
  Directory.use((directory) => directory.agencyAt(town, segment)).pipe(
    Effect.map(({ slug, path }) => `${slug} ${path}`),
    Effect.catchTag("NotFound", () => Effect.succeed("nothing"))
  )

const zoning = (slug: string, places: ReadonlyArray<string>, segment = "zoning") => agency(slug, places, { segment })

layer(TestLayer, { excludeTestServices: true })("the address of a body", (it) => {
  it.effect("stays with the first that had it; a newcomer is given the next, with a note, and keeps it", () =>
    Effect.gen(function* () {
      yield* putOnRecord(place("alton"), place("byron"), zoning("first", ["alton"]))
      const newcomer = zoning("second", ["byron", "alton"])
      const message = "is that of another body in byron or alton; this one is given zoning-2"
      assert.deepStrictEqual(yield* putOnRecord(newcomer, zoning("third", ["byron"])), [
        { ...created, notes: [{ field: "segment", message }] },
        created
      ])
      assert.deepStrictEqual(yield* putOnRecord(newcomer), [unchanged])
      yield* putOnRecord({ ...newcomer, name: "Board of Zoning" })
      assert.strictEqual(yield* at("alton", "zoning"), "first /in/alton/zoning")
      assert.strictEqual(yield* at("alton", "zoning-2"), "second /in/byron/zoning-2")
      assert.strictEqual(yield* at("byron", "Zoning-2"), "second /in/byron/zoning-2")
      assert.strictEqual(yield* at("byron", "zoning"), "third /in/byron/zoning")
    })
  )

  it.effect("leads on after a rename, a move to another place, and a merge", () =>
    Effect.gen(function* () {
      yield* putOnRecord(place("cairo"), place("dixon"), zoning("old", ["cairo"]), zoning("new", ["dixon"], "planning"))
      yield* putOnRecord(zoning("old", ["cairo"], "appeals"))
      assert.strictEqual(yield* at("cairo", "zoning"), "old /in/cairo/appeals")
      yield* putOnRecord(zoning("old", ["dixon"], "appeals"))
      for (const segment of ["zoning", "appeals", "old"]) {
        assert.strictEqual(yield* at("cairo", segment), "old /in/dixon/appeals", segment)
      }
      yield* AgencyMerge.use(({ merge }) => merge("old", "new"))
      for (const [town, segment] of [
        ["cairo", "zoning"],
        ["cairo", "appeals"],
        ["dixon", "appeals"],
        ["dixon", "old"]
      ] as const) {
        assert.strictEqual(yield* at(town, segment), "new /in/dixon/planning", `${town} ${segment}`)
      }
      assert.strictEqual(yield* at("nowhere", "old"), "nothing")
      // What was led on is not given away.
      yield* putOnRecord(zoning("late", ["cairo"]))
      assert.strictEqual(yield* at("cairo", "zoning-2"), "late /in/cairo/zoning-2")
    })
  )

  it.effect("is never given to two at a time, nor round the door", () =>
    Effect.gen(function* () {
      yield* putOnRecord(place("elgin"))
      const slugs = Array.from({ length: 6 }, (_, number) => `board-${number}`)
      yield* Effect.forEach(slugs, (slug) => putOnRecord(zoning(slug, ["elgin"])), { concurrency: "unbounded" })
      const db = yield* Db
      const rows = yield* db<{ segment: string; bodies: number }>`
        select b.segment, count(*)::int as bodies from body b join body_place bp on bp.body_id = b.id
        join place p on p.id = bp.place_id where p.slug = 'elgin' group by b.segment order by b.segment`
      const segments = ["zoning", "zoning-2", "zoning-3", "zoning-4", "zoning-5", "zoning-6"]
      assert.deepStrictEqual(
        rows.map((row) => [row.segment, row.bodies]),
        segments.map((segment) => [segment, 1])
      )
      const forced = yield* Effect.flip(db`update body set segment = 'zoning' where slug = ${slugs[5] ?? ""}
        or slug = ${slugs[4] ?? ""}`)
      assert.strictEqual(forced.reason._tag, "UniqueViolation")
    })
  )
})
