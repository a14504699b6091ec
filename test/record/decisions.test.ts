import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { writeBatch } from "../../src/record/write/batch.ts"
import { groupsOf } from "../../src/record/write/decisions.ts"
import { created } from "../../src/record/write/outcome.ts"
import { agency, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { TestDb } from "../support/database.ts"

const matter = (slug: string, over: object = {}): BundleEntity => ({
  ...{ type: "matter", slug, place: "springfield", identifier: slug, title: "Greenway", kind: "ordinance" },
  ...{ status: "passed", history: [{ date: "2026-03-10", action: "Approved", event: "901", item: "7" }] },
  ...over
})
const vote = (at: number, over: object = {}): BundleEntity => ({
  ...{ type: "vote", id: `5b0e6f52-8f7e-5d0c-9d55-2f1f6f0f7a${at}`, kind: "vote", meeting_id: meetingId("council") },
  ...{ ballots: [{ person: "springfield-ada", name: "Ada", option: "yes" }] },
  ...over
})

describe("the lines of a batch", () => {
  it("are written together unless one replaces another, or comes before what it names", () => {
    const council = place("springfield")
    const lines = [council, matter("a"), vote(10, { matter: "a" }), matter("b"), matter("a"), vote(11), council]
    assert.deepStrictEqual(groupsOf(lines), [[0], [1, 2, 3], [4, 5], [6]])
    assert.deepStrictEqual(groupsOf([vote(10, { matter: "a" }), matter("a"), vote(10)]), [[0], [1, 2]])
    assert.deepStrictEqual(groupsOf([]), [])
  })
})

layer(TestDb, { excludeTestServices: true })("matters and votes of one batch", (it) => {
  const write = (...lines: ReadonlyArray<BundleEntity>) => writeBatch(lines, () => Effect.succeed(created))
  const tags = (...lines: ReadonlyArray<BundleEntity>) =>
    Effect.map(write(...lines), (outcomes) =>
      outcomes.map((one) => (one._tag === "Refused" ? `${one.field} ${one.message}`.slice(0, 40) : one._tag))
    )

  it.effect("have each its own outcome, in the order of the lines", () =>
    Effect.gen(function* () {
      yield* putOnRecord(place("springfield"), agency("council", ["springfield"]), meeting("council", "council"))
      const lines = [
        vote(10, { matter: "a" }),
        matter("a"),
        vote(11, { matter: "a" }),
        matter("b", { place: "nowhere" }),
        vote(12, { meeting_id: meetingId("none") }),
        matter("a", { title: "Greenway, amended" }),
        vote(11, { matter: "A", result: "pass" }),
        vote(13, { agenda_item: meetingId("none") })
      ]
      assert.deepStrictEqual(
        yield* tags(...lines),
        [
          "matter matter a is neither on record nor",
          "Created",
          "Created",
          "place place nowhere is neither on record",
          `meeting_id meeting ${meetingId("none")}`.slice(0, 40),
          "Updated",
          "Updated",
          "agenda_item is not on the meeting's agend"
        ].map((words) => words.slice(0, 40))
      )
      assert.deepStrictEqual(yield* tags(matter("a", { title: "Greenway, amended" }), vote(14)), [
        "Unchanged",
        "Created"
      ])
      const db = yield* Db
      const rows = yield* db<{ votes: number; ballots: number; steps: number }>`
        select (select count(*)::int from vote) as votes, (select count(*)::int from ballot) as ballots,
          (select count(*)::int from matter_step) as steps`
      assert.deepStrictEqual(rows, [{ votes: 2, ballots: 2, steps: 1 }])
    })
  )

  it.effect("are kept when one of them cannot be stored", () =>
    Effect.gen(function* () {
      const outcomes = yield* tags(matter("c"), vote(20, { motion: "\ud800" }), vote(21, { matter: "c" }))
      assert.deepStrictEqual(outcomes, ["Created", " cannot be stored as it is; compare its ", "Created"])
    })
  )
})
