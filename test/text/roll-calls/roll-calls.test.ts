import * as fs from "node:fs"
import * as path from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { precisionOf, recallOf, scoreOf, stretchesIn } from "../../../bench/votes/score.ts"
import { type SpokenVote, spokenVotes } from "../../../src/text/roll-calls/roll-calls.ts"
import { said } from "../../support/builders.ts"
import { areThere, realTranscripts } from "../../support/real-transcripts.ts"

const heard = (...lines: ReadonlyArray<string>) => spokenVotes(said(lines))

const only = (...lines: ReadonlyArray<string>): SpokenVote => {
  const votes = heard(...lines)
  assert.lengthOf(votes, 1, lines.join(" | "))
  return votes[0] ?? assert.fail()
}

const ballotsOf = ({ ballots }: SpokenVote) => ballots.map(({ name, option }) => `${name}: ${option}`)

describe("a spoken vote", () => {
  it.each([
    ["The motion carries four to one.", { yes: 4, no: 1 }, "passed"],
    ["Motion carries 4-1.", { yes: 4, no: 1 }, "passed"],
    ["Motion fails two to seven.", { yes: 2, no: 7 }, "failed"],
    ["I heard five ayes and two nays. The motion passes.", { yes: 5, no: 2 }, "passed"],
    ["Eight in favor, none opposed. The motion carries.", { yes: 8, no: 0 }, "passed"],
    ["Six in favor, one opposed, one abstained. The bill passes.", { yes: 6, no: 1, abstain: 1 }, "passed"],
    ["11-0, the motion carries.", { yes: 11, no: 0 }, "passed"],
    ["Seven noes, three ayes. Substitute motion fails.", { yes: 3, no: 7 }, "failed"]
  ] as const)("is read from what is announced: %s", (text, counts, result) => {
    const vote = only(text)
    assert.deepInclude(vote, { result, counts, how: "tally", disagrees: false })
  })

  it("by voice has a result and no counts", () => {
    const vote = only("All in favor say aye.", "Aye.", "Any opposed?", "The ayes have it, and so ordered.")
    assert.deepInclude(vote, { how: "voice", result: "passed", ballots: [] })
    assert.notProperty(vote, "counts")
    const unpunctuated = only("all in favor say aye aye any opposed motion carries like to make a motion")
    assert.deepInclude(unpunctuated, { how: "voice", result: "passed" })
    assert.notProperty(only("All in favor? Aye. Opposed? Motion carries unanimously."), "counts")
  })

  it.each([
    ["Aye.", "Opposed, no.", "I heard eight ayes and one no.", "Seven ayes and two noes.", "Did I have that right?"],
    ["Aye.", "Opposed?", "I have eight, excuse me, seven ayes and two noes."]
  ])("is counted as the chair hears it, the last count being right: %s %s %s %s", (...lines) => {
    const counted = only("All those in favor, aye.", ...lines)
    assert.deepInclude(counted, { counts: { yes: 7, no: 2 }, how: "tally" })
  })

  it.each([
    ["Any opposed?", "As have it, so ordered.", undefined],
    ["Any opposed?", "I just have it.", undefined],
    ["Opposed, no.", "Okay. And it's unanimous.", undefined],
    ["Opposed?", "Passed unanimously.", undefined],
    ["Any opposed?", "Granted.", undefined],
    ["Any opposed?", "Those items are postponed until March.", undefined],
    ["All opposed?", "This meeting is adjourned.", undefined],
    ["Opposed?", "Motion passes to deny the appeal.", undefined],
    ["Any opposed?", "The ayes have it. 11-8 is a resolution.", undefined],
    ["Any opposed? No.", "That's seven to two.", { yes: 7, no: 2 }]
  ] as const)("passes where right after the call it can mean nothing else: %s %s", (opposed, told, counts) => {
    const vote = only("All in favor say aye.", "Aye.", opposed, told)
    assert.strictEqual(vote.result, "passed")
    assert.deepStrictEqual(vote.counts, counts)
  })

  it.each([
    ["Any opposed? Thank you.", "11-0. A resolution to create a committee."],
    ["Any items to be withdrawn?", "Postponed. Councilman Frost."],
    ["Opposed?", "Yeah, let's have it."],
    ["Opposed, no. I heard one no.", "Okay."]
  ])("is not heard in words that may be about something else: %s %s", (opposed, next) => {
    assert.isEmpty(heard("All in favor say aye.", "Aye.", opposed, next))
  })

  it("by roll call has every member's answer, and the sum if all are heard", () => {
    const vote = only(
      ...[
        "Move to approve. Second.",
        "Councilman Brown?",
        "Aye.",
        "Councilwoman Singh-Perez?",
        "No.",
        "Vice Mayor Saunders"
      ],
      ...["yes", "And Mr. Lee. Yes, ma'am. Thank you.", "Okay, the motion passes."]
    )
    assert.deepStrictEqual(ballotsOf(vote), [
      "Councilman Brown: yes",
      "Councilwoman Singh-Perez: no",
      "Vice Mayor Saunders: yes",
      "Mr. Lee: yes"
    ])
    assert.deepInclude(vote, { how: "roll call", result: "passed", counts: { yes: 3, no: 1 }, action: "approve" })
  })

  it("counts nobody twice whose name the clerk's echo spells otherwise", () => {
    const lines = ["Oster", "Derritt", "Ward"].flatMap((name) => [
      ...[`Commissioner ${name}.`, "Aye.", `Commissioner ${name === "Derritt" ? "Derrick" : name} votes aye.`]
    ])
    const vote = only("A motion and a second. Call the roll.", ...lines, "The motion carries.")
    assert.deepStrictEqual(ballotsOf(vote), [
      "Commissioner Oster: yes",
      "Commissioner Derrick: yes",
      "Commissioner Ward: yes"
    ])
    assert.deepStrictEqual(vote.counts, { yes: 3, no: 0 })
  })

  it("keeps the clerk's echo and no answer twice, and waits for the second turn of who passes", () => {
    const vote = only(
      ...["Commissioner Oster?", "Yes. No. No.", "Commissioner Oster votes no.", "Commissioner Ward?", "Pass."],
      ...[
        "Commissioner Ward passes.",
        "Commissioner Hill?",
        "Aye.",
        "Commissioner Hill votes aye.",
        "Commissioner Lee?"
      ],
      ...["Aye.", "Commissioner Lee votes aye.", "Commissioner Ward?", "I vote aye.", "The motion carries 3-1."]
    )
    assert.includeMembers(ballotsOf(vote), [
      "Commissioner Oster: no",
      "Commissioner Hill: yes",
      "Commissioner Lee: yes"
    ])
    assert.deepInclude(vote, { counts: { yes: 3, no: 1 }, disagrees: false })
  })

  it("counts nothing where an answer is not heard, or where it contradicts what is announced", () => {
    const called = ["Mr. Adams. Yes.", "Mr. Brown.", "Mr. Chen. Yes.", "Mr. Diaz. No."]
    assert.notProperty(only(...called, "The motion carries."), "counts")
    const vote = only("Mr. Adams. Yes.", "Mr. Brown. No.", "Mr. Chen. Yes.", "The motion carries three to zero.")
    assert.deepInclude(vote, { disagrees: true, result: "passed", tally: [3, 0] })
    assert.notProperty(vote, "counts")
    assert.strictEqual(
      only("Mr. Adams. No.", "Mr. Brown. No.", "Mr. Chen. Yes.", "The motion carries.").result,
      "other"
    )
    assert.notProperty(only("The motion fails six to five."), "counts")
  })

  it("does not count a roll that is shorter than another of the meeting", () => {
    const roll = (names: ReadonlyArray<string>) => names.map((name) => `Mr. ${name}. Yes.`)
    const votes = heard(
      ...[...roll(["Adams", "Brown", "Chen", "Diaz"]), "The motion carries.", "Next is the park. Is there a second?"],
      ...[...roll(["Adams", "Brown", "Diaz"]), "The motion carries."]
    )
    assert.deepStrictEqual(
      votes.map(({ counts }) => counts),
      [{ yes: 4, no: 0 }, undefined]
    )
  })

  it("is read from captions in capitals", () => {
    const vote = only("COUNCILMEMBER JUAREZ AYE COUNCILMEMBER LEWIS NO COUNCILMEMBER PARK AYE THE MOTION CARRIES")
    assert.deepInclude(vote, { counts: { yes: 2, no: 1 }, result: "passed" })
  })

  it.each([
    "The Planning Commission voted 14-0 to recommend it.",
    "If the motion passes, it comes back in May.",
    "Hearing no motion, it fails for lack of a second.",
    "It was approved by a vote of 9-0 last year.",
    "We need to rezone lots one to two.",
    "Councilman Brown. Here. Councilman Lee. Here. Councilman Park. Here.",
    "Officer Husky. No record. Ms. Martin. File is complete. Mr. Byrd. Yes, ma'am, I did."
  ])("is not heard where nobody votes: %s", (text) => {
    assert.lengthOf(heard(text), 0)
  })

  it("belongs to the item that had begun, with its mover and its motion", () => {
    const segments = said([
      "Item 1.",
      "Motion to postpone for 60 days by Commissioner Roth, seconded by Commissioner Phillips.",
      "All in favor? Aye. Any opposed? Motion carries."
    ])
    const [vote] = spokenVotes(segments, [{ start: 0 }, {}, { start: 900 }])
    assert.deepInclude(vote, {
      item: 0,
      mover: "Commissioner Roth",
      seconder: "Commissioner Phillips",
      action: "postpone"
    })
  })
})

describe.skipIf(!areThere)("votes in real captions", () => {
  // A few meetings of each kind of body; `npm run bench:votes` measures all of them.
  const wanted =
    /^(?:city-council-20(?:12-08-07|16-11-22|07)|planning-commission-202[02]|county-commission-2011|beer-board-20)/u

  it("are read as they are labeled", async () => {
    const labels = fs.readFileSync(path.join(import.meta.dirname, "../../../bench/votes/votes.tsv"), "utf8")
    const stretches = stretchesIn(labels).filter(({ meeting }) => wanted.test(meeting))
    const names = new Set(stretches.map(({ meeting }) => meeting))
    const read = await realTranscripts((name) => names.has(name))
    const score = scoreOf(stretches, (meeting) => read.get(meeting) ?? [])
    assert.isAbove(score.results.wanted, 20)
    for (const kind of ["results", "counts", "ballots"] as const) {
      assert.isAtLeast(precisionOf(score[kind]), 0.98, `${kind}: ${score.errors.join("\n")}`)
    }
    for (const kind of ["results", "ballots"] as const)
      assert.isAtLeast(recallOf(score[kind]), 0.8, `${kind}: ${score.errors.join("\n")}`)
  })
})
