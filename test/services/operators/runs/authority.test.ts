import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../../layers/db/db.ts"
import { AgencyMerge } from "../../../../src/services/directory/agency-merge.ts"
import { type RunOperation, runOperations } from "../../../../src/services/operators/runs/authority.ts"
import { Completion } from "../../../../src/services/operators/runs/completion.ts"
import { Flows } from "../../../../src/services/queue/flows.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../../support/builders.ts"
import { TestDb } from "../../../support/database.ts"
import { discovered, failedTask, source } from "../../../support/operators.ts"

const Operating = Completion.layer.pipe(Layer.provide([AgencyMerge.layer, Flows.layer]), Layer.provideMerge(TestDb))

/** The objects of a place on which each operation is tried. */
const objectsOf = Effect.fnUntraced(function* (town: string) {
  const db = yield* Db
  yield* putOnRecord(
    place(town),
    agency(`${town}-council`, [town], { name: "City Council" }),
    agency(`${town}-zoning`, [town], { name: "Zoning" }),
    meeting(`${town}-meeting`, `${town}-council`)
  )
  const from = yield* source(town, { Zoning: `${town}-zoning`, Council: `${town}-council` })
  return {
    body: `${town}-council`,
    zoning: `${town}-zoning`,
    meeting: meetingId(`${town}-meeting`),
    source: from,
    discovered: yield* discovered(from, "Council"),
    task: yield* failedTask(`${town}-meeting`),
    place: (yield* db<{ uuid: string }>`select uuid from place where slug = ${town}`)[0]?.uuid ?? ""
  }
})
type Objects = Effect.Success<ReturnType<typeof objectsOf>>

/** Everything that an operation could change. */
const state = Effect.gen(function* () {
  const db = yield* Db
  return yield* db`
    select (select json_agg(b order by b.slug) from (select slug, id from body) b) as bodies,
      (select json_agg(m order by m.id) from (select id, body_id from meeting) m) as meetings,
      (select json_agg(s order by s.source_id, s.source_body) from (
        select source_id, source_body, body_id from source_body) s) as mapped,
      (select json_agg(t order by t.id) from (select id, state from task) t) as tasks,
      (select count(*) from candidate) as candidates, (select count(*) from operator_action) as lines`
})

layer(Operating, { excludeTestServices: true })("a run of one place", (it) => {
  it.effect("reaches nothing of another, neither as an operation's object nor as a body it names", () =>
    Effect.gen(function* () {
      const completion = yield* Completion
      const [ours, theirs] = [yield* objectsOf("springfield"), yield* objectsOf("shelbyville")]
      const { id: run } = yield* completion.start("springfield")
      const doing = { agent: { tokenId: meetingId("token"), machine: "build-box", runId: run }, run }
      const filed = { candidates: [{ name: "Parks", kind: "other" as const, url: "https://parks.example.gov/" }] }

      /** Each operation on objects of one place, naming a body of another. A missing operation does not compile. */
      const operations: Readonly<
        Record<RunOperation, (on: Objects, naming: Objects) => Effect.Effect<{ readonly changed: boolean }, unknown>>
      > = {
        import: (on) => completion.importDiscovered(doing, on.discovered),
        "same-body": (on) => completion.sameBody(doing, on.discovered),
        rerun: (on) => completion.rerun(doing, on.meeting, "briefing"),
        retry: (on) => completion.retry(doing, on.task),
        bodies: (on, { zoning }) =>
          completion.mapBodies(doing, on.source, { bodies: [{ source_body: "Council", agency_slug: zoning }] }),
        reassign: (on, { zoning }) => completion.reassign(doing, on.meeting, { agency_slug: zoning }),
        candidates: (on) => completion.fileCandidates(doing, on.place, filed)
      }
      const names: ReadonlyArray<RunOperation> = ["bodies", "reassign"]
      assert.sameMembers(Object.keys(operations), Object.keys(runOperations))
      const before = yield* state
      for (const [name, operation] of Object.entries(operations)) {
        assert.propertyVal(yield* Effect.flip(operation(theirs, theirs)), "_tag", "NotFound", name)
        assert.propertyVal(yield* Effect.flip(operation(theirs, ours)), "_tag", "NotFound", name)
      }
      for (const name of names) {
        assert.propertyVal(yield* Effect.flip(operations[name](ours, theirs)), "_tag", "BodyElsewhere", name)
      }
      assert.deepStrictEqual(yield* state, before)
      for (const operation of Object.values(operations)) yield* operation(ours, ours)
    })
  )

  it.effect("merges away no body that another place shares, or that an operator mapped elsewhere", () =>
    Effect.gen(function* () {
      const completion = yield* Completion
      yield* putOnRecord(
        place("ogden"),
        place("haverbrook"),
        agency("water", ["ogden"], { name: "Water Board" }),
        agency("joint-water", ["ogden", "haverbrook"], { name: "Joint Water Agency" }),
        agency("foreign-water", ["haverbrook"], { name: "Water Commission" })
      )
      const { id: run } = yield* completion.start("ogden")
      const doing = { agent: { tokenId: meetingId("token"), machine: "build-box", runId: run }, run }
      const db = yield* Db
      for (const mapped of ["joint-water", "foreign-water"]) {
        const id = yield* discovered(yield* source("ogden", { "Water Board": mapped }), "Water Board")
        yield* db`update discovered set same_as = (select id from body where slug = 'water') where id = ${id}`
        const before = yield* state
        assert.propertyVal(yield* Effect.flip(completion.sameBody(doing, id)), "_tag", "BodyElsewhere")
        assert.deepStrictEqual(yield* state, before)
      }
    })
  )

  it.effect("maps no body that the source has not listed", () =>
    Effect.gen(function* () {
      const completion = yield* Completion
      yield* putOnRecord(place("capital-city"), agency("capitol", ["capital-city"]))
      const { id: run } = yield* completion.start("capital-city")
      const doing = { agent: { tokenId: meetingId("token"), machine: "build-box", runId: run }, run }
      const from = yield* source("capital-city", { Council: "capitol" })
      const request = { bodies: [{ source_body: "Coucil", agency_slug: "capitol" }] }
      assert.deepInclude(yield* Effect.flip(completion.mapBodies(doing, from, request)), {
        _tag: "UnlistedBody",
        field: "bodies.0.source_body"
      })
    })
  )
})
