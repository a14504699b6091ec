import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Db } from "../../layers/db/db.ts"
import type { BundleEntity } from "../../schema/bundle.ts"
import type { Ballot } from "../../schema/vote.ts"

import { transcriptRemoved } from "../../src/services/feed/meeting-removal.ts"
import { Issues } from "../../src/services/operators/issues.ts"
import { Votes } from "../../src/services/people/votes.ts"
import { agency, agendaItemId, meeting, meetingId, place, putOnRecord, said, transcript } from "../support/builders.ts"
import { makeMeeting, makingWith } from "../support/making.ts"

const id = meetingId("one")
const bridge = agendaItemId("seven")

const items = [
  { id: agendaItemId("six"), number: "6", title: "Street sweeping schedule", start: 0 },
  { id: bridge, number: "7", title: "Quarry Road bridge contract", matter: "Ord. 26-7", identifier: "77", start: 4 }
]

const roll = (...answers: ReadonlyArray<string>) =>
  said([
    "Item 6 is the street sweeping schedule.",
    "We sweep every street twice, and I live at 12 Oak Lane.",
    "Item 7 is the Quarry Road bridge contract.",
    "The contract costs 300 thousand dollars.",
    "I move to approve the contract. Second.",
    "Please call the roll.",
    ...answers
  ])

const divided = roll(
  ...["Ms. Brown. Yes.", "Mr. Alvarez. No.", "Mr. Chin. Yes.", "Ms. Diaz. Yes.", "Mr. Evans. Aye."],
  "The motion carries four to one."
)
const agreed = roll("Any discussion?", "All in favor say aye.", "Aye.", "Any opposed?", "The motion carries.")

const uuid = (at: number) => `5b0e6f52-8f7e-5d0c-9d55-2f1f6f0f7b${String(at).padStart(2, "0")}`

const seat = (at: number, name: string, over: object = {}): ReadonlyArray<BundleEntity> => {
  const slug = `springfield-${name.toLowerCase().replaceAll(" ", "-")}`
  return [
    { type: "person", slug, place: "springfield", name },
    {
      ...{ type: "membership", id: uuid(at), person: slug, agency: "council", name: "Council", role: "member" },
      ...over
    }
  ]
}

const seeded = (segments: ReturnType<typeof said>) =>
  putOnRecord(
    place("springfield"),
    agency("council", ["springfield"]),
    meeting("one", "council", { agenda_items: items }),
    ...seat(1, "Ruth Brown"),
    ...seat(2, "Luis Alvarez"),
    ...seat(3, "Wei Chen"),
    ...seat(4, "Ana Diaz", { end: "2001-01-01" }),
    ...seat(5, "Sam Evans", { role: "clerk" }),
    {
      ...{ type: "matter", slug: "springfield-ord-26-7", place: "springfield", identifier: "Ordinance 26-7" },
      ...{ title: "Bridge contract", kind: "ordinance", status: "passed", history: [] }
    },
    transcript("one", segments),
    transcript("one", segments, { version: "raw" })
  )

const services = Layer.provideMerge(Layer.mergeAll(Votes.layer, Issues.layer), makingWith({}))

const wordOf = ({ name, option, person }: Ballot) => `${name} ${option} ${person?.slug ?? "-"}`

const votes = Votes.use(({ ofMeeting }) => ofMeeting(id, { _tag: "ShareHolder", meetingId: id })).pipe(
  Effect.map((page) => page.votes)
)

describe("votes read from the words", () => {
  it.live("come on record with the recap, with the members whom the names mean, and give way to the city's", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* seeded(divided)
      // Merged people are one.
      yield* putOnRecord(...seat(6, "Ruth Ann Brown"))
      yield* db`
        update person set merged_into = (select id from person where slug = 'springfield-ruth-brown')
        where slug = 'springfield-ruth-ann-brown'`
      yield* makeMeeting(id, "recap")
      const [vote, ...others] = yield* votes
      assert.lengthOf(others, 0)
      assert.deepInclude(vote, { from: "transcript", result: "pass", motion: "Approve" })
      assert.strictEqual(vote?.start, divided[6]?.start)
      assert.deepStrictEqual(vote?.counts, [
        { option: "yes", value: 4 },
        { option: "no", value: 1 }
      ])
      assert.deepStrictEqual(vote?.ballots.map(wordOf), [
        "Ms. Brown yes springfield-ruth-brown",
        "Mr. Alvarez no springfield-luis-alvarez",
        // Misheard, no longer a member, and the clerk.
        "Mr. Chin yes -",
        "Ms. Diaz yes -",
        "Mr. Evans yes -"
      ])
      assert.strictEqual(vote?.meeting?.item?.id, bridge)
      assert.strictEqual(vote?.matter?.slug, "springfield-ord-26-7")
      assert.match(vote?.quote ?? "", /^Ms\. Brown.*carries four to one$/)
      assert.lengthOf(yield* db`select from person`, 6)
      // Made again from the same words, it stays the same vote.
      yield* makeMeeting(id, "recap")
      assert.deepStrictEqual(
        (yield* votes).map((one) => one.id),
        [vote?.id]
      )
      const fromCity = (yes: number, no: number): BundleEntity => ({
        ...{ type: "vote", id: uuid(50), kind: "vote", meeting_id: id, agenda_item: bridge, result: "pass" },
        counts: [
          { option: "yes", value: yes },
          { option: "no", value: no }
        ],
        ballots: [{ name: "Ruth Brown", person: "springfield-ruth-brown", option: "yes" }],
        from: "source"
      })
      const conflicts = Issues.use(({ issues }) => issues).pipe(
        Effect.map(({ issues }) => issues.filter(({ kind }) => kind === "vote_conflict"))
      )
      const told = Effect.map(votes, (all) => all.map(({ from, disagrees }) => [from, disagrees]))
      yield* putOnRecord(fromCity(4, 1))
      assert.deepStrictEqual(yield* told, [["source", undefined]])
      assert.lengthOf(yield* conflicts, 0)
      yield* putOnRecord(fromCity(5, 0))
      assert.deepStrictEqual(yield* told, [["source", true]])
      const [issue] = yield* conflicts
      assert.strictEqual(issue?.subject.id, id)
      assert.include(issue?.message, "Quarry Road bridge contract, heard as pass 4-1, on record as pass 5-0.")
      // Of several votes on an item, those that are heard are told from the others.
      yield* putOnRecord({ ...fromCity(4, 1), id: uuid(51) } as BundleEntity)
      assert.deepStrictEqual(yield* told, [
        ["source", undefined],
        ["source", undefined]
      ])
      assert.lengthOf(
        yield* db`select from ballot b join person p on p.id = b.person_id where p.slug = 'springfield-ruth-brown'`,
        2
      )
    }).pipe(Effect.provide(services))
  )

  it.live("go with the words that they were read from", () =>
    Effect.gen(function* () {
      const db = yield* Db
      yield* seeded(divided)
      yield* makeMeeting(id, "recap")
      const [before] = yield* votes
      yield* putOnRecord(transcript("one", agreed), transcript("one", agreed, { version: "raw" }))
      yield* makeMeeting(id, "recap")
      const [after, ...others] = yield* votes
      assert.lengthOf(others, 0)
      assert.notStrictEqual(after?.id, before?.id)
      assert.deepInclude(after, { result: "pass", counts: [], ballots: [] })
      yield* transcriptRemoved(db, id)
      assert.lengthOf(yield* votes, 0)
    }).pipe(Effect.provide(services))
  )
})
