import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../../layers/db/db.ts"
import { AgencyMerge } from "../../../src/services/directory/agency-merge.ts"
import { Directory } from "../../../src/services/directory/directory.ts"
import { PlaceRemoval } from "../../../src/services/directory/place-removal.ts"
import { Reversals } from "../../../src/services/directory/reversals.ts"
import { Operator } from "../../../src/services/history.ts"
import { keepMove } from "../../../src/services/meetings/kept-moves.ts"
import { Retention } from "../../../src/services/operators/retention.ts"
import { everything } from "../../record/importing.ts"
import { reader } from "../../support/actors.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../../support/builders.ts"
import { TestService } from "../../support/service.ts"

const TestLayer = Layer.mergeAll(
  Reversals.layer,
  PlaceRemoval.layer,
  AgencyMerge.layer,
  Directory.layer,
  Retention.layer
).pipe(Layer.provideMerge(TestService))

const latest = Effect.map(
  Reversals.use(({ list }) => list),
  ([newest]) => newest?.id ?? ""
)

const merge = (from: string, into: string) => AgencyMerge.use((merges) => merges.merge(from, into))
const undo = (id: string) => Reversals.use((reversals) => reversals.undo(id))

/** What a merge touches, row by row. */
const touched = Effect.map(
  everything,
  ({ body, body_place, body_address, retired_slug, followed_body, ...tables }) => ({
    ...{ body, body_place, body_address, retired_slug, followed_body, source_body: tables.source_body },
    meetings: (tables.meeting ?? []).map((row) => row.replace(/"?\d{4}-\d\d-\d\d \d\d:[^,]*"?/g, "then"))
  })
)

layer(TestLayer, { excludeTestServices: true })("a merge of bodies", (it) => {
  it.effect("is undone as if it had never been, once, and goes into the history", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(
        place("alton"),
        place("byron"),
        agency("old", ["alton", "byron"], { segment: "zoning", name: "Zoning Board", retired_slugs: ["older"] }),
        agency("new", ["alton"], { segment: "appeals", name: "Board of Appeals" }),
        agency("third", ["alton"], { segment: "third" }),
        ...["a", "b", "c"].map((name) => meeting(name, "old")),
        meeting("own", "new")
      )
      const [one, two] = [(yield* reader()).accountId, (yield* reader()).accountId]
      yield* db`
        insert into followed_body (account_id, body_id)
        select account.id, body.id from account, body
        where (account.id = ${one} and body.slug = 'old') or (account.id = ${two} and body.slug in ('old', 'new'))`
      const [row] = yield* db<{ id: string }>`
        insert into source (kind, url, place_id, every) select 'ical', 'https://a.example.gov/c.ics', id, interval '1 day'
        from place where slug = 'alton' returning id`
      yield* db`
        insert into source_body (source_id, source_body, body_id) select ${row?.id ?? ""}, 'Zoning', id from body
        where slug = 'old'`
      const before = yield* touched
      yield* Effect.provideService(merge("old", "new"), Operator, "op@example.gov")
      // Moved elsewhere by hand since: it stays there.
      const id = yield* latest
      yield* undo(id)
      assert.deepStrictEqual(yield* touched, before)
      assert.deepInclude(yield* undo(id), { returned: 0 })
      assert.deepStrictEqual(yield* touched, before)
      const at = (segment: string) => Directory.use((directory) => directory.agencyAt("byron", segment))
      assert.strictEqual((yield* at("zoning")).slug, "old")
      const actions = yield* db<{ action: string }>`select action from operator_action order by id`
      assert.deepStrictEqual(
        actions.map(({ action }) => action),
        ["agency.merge"]
      )

      yield* merge("old", "new")
      yield* db`update meeting set body_id = (select id from body where slug = 'third') where id = ${meetingId("b")}`
      const second = yield* latest
      yield* merge("new", "third")
      assert.strictEqual((yield* Effect.flip(undo(second)))._tag, "MergedSince")
      yield* undo(yield* latest)
      const undone = yield* Effect.provideService(undo(second), Operator, "op@example.gov")
      assert.strictEqual(undone.returned, 2)
      const bodies = yield* db<{ slug: string }>`
        select b.slug from meeting m join body b on b.id = m.body_id
        where m.id = any(${["a", "b", "c", "own"].map(meetingId)}::uuid[]) order by m.id`
      const wanted = ["a", "b", "c", "own"].map((name, at) => [meetingId(name), ["old", "third", "old", "new"][at]])
      assert.deepStrictEqual(
        bodies.map(({ slug }) => slug),
        wanted.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1)).map(([, slug]) => slug)
      )
      const stale = yield* db`select from stale_meeting`
      assert.lengthOf(stale, 0)
      assert.strictEqual((yield* Effect.flip(undo("none")))._tag, "ReversalNotFound")
    })
  )

  it.effect("can be undone for 90 days, and nothing of it is left after; a move likewise", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* putOnRecord(place("cairo"), agency("x", ["cairo"]), agency("y", ["cairo"]), meeting("moved", "x"))
      const ids = yield* db<{ slug: string; id: number }>`select slug, id from body where slug in ('x', 'y')`
      const [from = 0, into = 0] = ["x", "y"].map((slug) => ids.find((one) => one.slug === slug)?.id)
      yield* keepMove(db, { meetings: [{ id: meetingId("moved"), from, into }] })
      yield* db`update meeting set body_id = ${into} where id = ${meetingId("moved")}`
      assert.deepInclude(yield* undo(yield* latest), { kind: "move", from_slug: "x", into_slug: "y", returned: 1 })
      yield* db`update reversal set at = at - interval '89 days'`
      yield* Retention.use(({ prune }) => prune)
      assert.isNotEmpty(yield* Reversals.use(({ list }) => list))
      yield* db`update reversal set at = at - interval '2 days'`
      yield* Retention.use(({ prune }) => prune)
      for (const table of ["reversal", "reversal_meeting", "reversal_source", "reversal_follower"]) {
        assert.lengthOf(yield* db`select from ${db(table)}`, 0, table)
      }
    })
  )

  it.effect("leaves an empty place, which alone can be removed", () =>
    Effect.gen(function* () {
      yield* putOnRecord(place("empty"), place("dixon"), agency("dixon-council", ["dixon"]))
      const remove = (slug: string) => PlaceRemoval.use((places) => places.remove(slug))
      yield* remove("empty")
      assert.deepInclude(yield* Effect.flip(remove("empty")), { _tag: "NotFound" })
      assert.deepInclude(yield* Effect.flip(remove("dixon")), { _tag: "PlaceInUse", bodies: ["dixon-council"] })
    })
  )
})
