import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import { writeMinutes } from "../../src/record/write/minutes.ts"
import { People } from "../../src/services/people/people.ts"
import { Votes } from "../../src/services/people/votes.ts"
import { agency, agendaItemId, meeting, meetingId, place, putOnRecord } from "../support/builders.ts"
import { TestDb } from "../support/database.ts"

const seat = (name: string, at: number): ReadonlyArray<BundleEntity> => {
  const person = `springfield-${name.toLowerCase()}`
  return [
    { type: "person", slug: person, name: `Jo ${name}`, place: "springfield" },
    {
      ...{ type: "membership", id: `5b0e6f52-8f7e-5d0c-9d55-2f1f6f0f7b0${at}`, person, agency: "council" },
      ...{ name: "Council", role: "member", start: "2020-01-01" }
    }
  ]
}

const known = (id: string, item: string, over: object = {}): BundleEntity => ({
  ...{ type: "vote", id, kind: "vote", meeting_id: meetingId("council"), agenda_item: agendaItemId(item) },
  ...{ result: "pass", from: "transcript", ballots: [{ person: "springfield-ames", name: "Ames", option: "yes" }] },
  ...over
})

const text = `Members Present: Ames, Poe\nAbsent: Wu
1. Roads\nMotion by Ames, seconded by Poe, to pave. Ayes: Ames. Nays: Poe. Motion failed.
2. Parks\nMotion by Poe, seconded by Ames, to plant. Motion carried 2-0.
3. Trees\nMotion by Poe, seconded by Ames, to prune.`

const written = (pages: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const db = yield* Db
    return yield* db.withTransaction(writeMinutes(db, meetingId("council"), pages, "2026-05-06T12:00:00Z"))
  })

const votes = Effect.map(
  Votes.use(({ ofMeeting }) => ofMeeting(meetingId("council"))),
  (page) =>
    page.votes.map(({ kind, from, meeting, motion = "", result = "", counts, ballots, disagrees = false }) =>
      [
        ...[kind, from, meeting?.item?.title ?? "", motion, result, disagrees],
        counts.map(({ option, value }) => `${value} ${option}`).join(", "),
        ballots.map(({ person, name, option }) => `${person?.slug ?? name}: ${option}`).join(", ")
      ].join(" | ")
    )
)

layer(Layer.provideMerge(Layer.mergeAll(People.layer, Votes.layer), TestDb), { excludeTestServices: true })(
  "minutes on record",
  (it) => {
    it.effect("win over what was heard, give way to the city's data, and are replaced when they change", () =>
      Effect.gen(function* () {
        yield* putOnRecord(
          place("springfield"),
          agency("council", ["springfield"]),
          meeting("council", "council", {
            date: "2026-05-05",
            agenda_items: [
              { id: agendaItemId("roads"), number: "1", title: "Roads" },
              { id: agendaItemId("parks"), number: "2", title: "Parks" }
            ]
          }),
          ...["Ames", "Poe", "Wu"].flatMap(seat),
          known("5b0e6f52-8f7e-5d0c-9d55-2f1f6f0f7b51", "roads"),
          known("5b0e6f52-8f7e-5d0c-9d55-2f1f6f0f7b52", "parks", { from: "source", ballots: [] })
        )
        assert.strictEqual(yield* written([text]), 3)
        const roll = "springfield-ames: present, springfield-poe: present, springfield-wu: absent"
        assert.sameMembers(yield* votes, [
          `roll_call | minutes |  |  |  | false | 2 present, 1 absent | ${roll}`,
          "vote | minutes | Roads | pave | fail | true | 1 yes, 1 no | springfield-ames: yes, springfield-poe: no",
          "vote | source | Parks |  | pass | false |  | "
        ])
        const ames = yield* People.use(({ person }) => person("springfield-ames"))
        assert.deepStrictEqual([ames.votes, ames.attendance], [1, { present: 1, called: 1 }])
        assert.strictEqual(yield* written(["Members Present: Ames, Poe, Wu"]), 1)
        const after = yield* votes
        assert.isTrue(after.some((one) => one.startsWith("roll_call | minutes") && one.includes("3 present")))
        assert.isTrue(after.some((one) => one.startsWith("vote | transcript | Roads")))
        assert.lengthOf(after, 3)
      })
    )
  }
)
