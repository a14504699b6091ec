import { assert, describe, it } from "@effect/vitest"
import { headlineOfRecord, plainBriefing } from "../../../src/text/plain-words/plain-words.ts"
import { isUnheardUnanimity, tied } from "../../../src/text/plain-words/tied.ts"
import { spokenVotes } from "../../../src/text/roll-calls/roll-calls.ts"
import { agendaItemId, said } from "../../support/builders.ts"

const segments = said([
  "The trail along Willow Creek will not be closed in winter.",
  "It costs two hundred forty thousand dollars, and the lighting is not in that.",
  "I move to approve the trail. Second. All in favor? Aye.",
  "The motion carries five to two."
])
const record = { item: "9. Willow Creek trail. Second amendment", said: segments, votes: spokenVotes(segments) }

describe("a short text", () => {
  it.each([
    "Willow Creek trail",
    "Costs of $240,000",
    "Council approves Willow Creek trail",
    "Willow Creek trail approved 5-2",
    "Trail will not be closed in winter",
    "The vote on the trail",
    "Second amendment of Willow Creek trail"
  ])("is tied where each of its words is on record: %s", (text) => assert.isTrue(tied(text, record)))

  it.each([
    "Willow Creek bridge, second amendment",
    "Costs of $250,000",
    "Council rejects Willow Creek trail",
    "Willow Creek trail approved 7-0",
    "Willow Creek trail approved unanimously",
    "Unanimous vote on the trail",
    "Trail will be closed in winter",
    "Walnut Creek trail",
    "Trail postponed",
    ""
  ])("is not tied otherwise: %s", (text) => assert.isFalse(tied(text, record)))

  it("is not unanimous for `all in favor`, and is where everybody was counted", () => {
    const voice = said(["I move to approve the trail. All in favor? Aye. Any opposed? Motion carries unanimously."])
    const text = "Trail approved unanimously"
    const cited = [{ start: 0, end: 5 }]
    assert.isTrue(isUnheardUnanimity("They agreed unanimously.", cited, voice, spokenVotes(voice)))
    assert.isFalse(isUnheardUnanimity("They agreed.", cited, voice, spokenVotes(voice)))
    assert.isFalse(tied(text, { ...record, said: voice, votes: spokenVotes(voice) }))
    const counted = said(["I move to approve the trail. All in favor? Aye. The motion carries unanimously, 7-0."])
    assert.isTrue(tied(text, { ...record, said: counted, votes: spokenVotes(counted) }))
    assert.isFalse(isUnheardUnanimity("They agreed unanimously.", cited, counted, spokenVotes(counted)))
  })
})

describe("a headline of the record", () => {
  const agenda = [
    { id: agendaItemId("one"), number: "1.", title: "Minutes", start: 0 },
    { id: agendaItemId("two"), number: "Int 0410-2018", title: "Noise at night.", start: 10 },
    { id: agendaItemId("three"), title: "Parks", start: 20 }
  ]
  const at = (start: number, text: string) => ({ start, end: start + 4, text })

  it("is the decision that divided the vote, or the one on what was discussed longest", () => {
    const calm = [
      at(1, "The motion carries 7-0."),
      at(15, "The motion carries 7-0."),
      at(200, "Motion to table fails 2-5.")
    ]
    assert.strictEqual(headlineOfRecord(agenda, calm)?.text, "Parks. Motion to table failed 2-5")
    assert.strictEqual(headlineOfRecord(agenda, calm.slice(0, 2))?.text, "Item 1: Minutes. Motion carried 7-0")
    assert.strictEqual(
      headlineOfRecord(agenda, [at(1, "Motion carries 7-0."), at(15, "I move to approve it. The motion carries 4-3.")])
        ?.text,
      "Int 0410-2018: Noise at night. Approved 4-3"
    )
    assert.isUndefined(headlineOfRecord(agenda, [at(1, "We talk.")]))
  })

  it("is not told of a vote that may belong to the next item, whose beginning nobody heard", () => {
    const lost = agenda.map(({ start, ...item }, index) => (index === 1 ? item : { ...item, start }))
    const votes = [at(1, "The motion carries 7-0."), at(15, "The motion carries 4-3.")]
    assert.strictEqual(headlineOfRecord(lost, votes)?.text, "Item 1: Minutes. Motion carried 7-0")
  })

  it("leaves a briefing alone whose words are on record", () => {
    const briefing = {
      headline: "Noise at night approved 4-3",
      worth_watching: [{ text: "The vote on noise", start: 15 }],
      topics: [
        {
          title: "Noise at night",
          sentences: [{ text: "They spoke.", citations: [{ start: 15, end: 19 }] }],
          figures: []
        }
      ]
    }
    assert.deepStrictEqual(
      plainBriefing(briefing, agenda, [at(15, "I move to approve the rule on noise. The motion carries 4-3.")]),
      briefing
    )
  })
})
