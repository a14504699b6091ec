import { assert, describe, it } from "@effect/vitest"
import { shortfallOf } from "../../../src/text/verify/carries/carries.ts"
import { type Utterance, wordsOf } from "../../../src/text/verify/words.ts"

const whole = (evidence: ReadonlyArray<Utterance>) =>
  evidence.map(({ text }, utterance) => ({ utterance, from: 0, to: text.length }))

const lack = (claim: string, ...said: ReadonlyArray<string>) => {
  const evidence = said.map((text) => ({ text }))
  return shortfallOf(wordsOf(claim), evidence, whole(evidence))
}

/** What was said, a claim that it carries, a false twin of that, and what the twin says beyond it. */
const twins: ReadonlyArray<readonly [said: string, carried: string, twin: string, lack: string]> = [
  [
    "So the bridge, that is $2,000,000.",
    "The bridge costs two million dollars.",
    "The bridge costs $3 million.",
    "number"
  ],
  ["The bridge cost rose 12 dollars.", "The bridge cost rose $12.", "The bridge cost rose 12 percent.", "number"],
  ["The lease is for ten years.", "The lease runs ten years.", "The lease runs ten weeks.", "words"],
  [
    "The state pays $200,000 and the county pays $50,000 of it.",
    "The state pays $200,000 of it, the county $50,000.",
    "The state pays $50,000 of it, the county $200,000.",
    "swapped numbers"
  ],
  ["There are 700-plus homes.", "There are more than 700 homes.", "There are fewer than 700 homes.", "number"],
  ["A sum not to exceed $900 for the well.", "The well costs up to $900.", "The well costs more than $900.", "number"],
  [
    "Motion by Lee, second by Commissioner Diaz.",
    "Diaz seconded the motion.",
    "Diaz moved the motion.",
    "swapped names"
  ],
  ["Ms. Ortiz asked for the bridge.", "Ms. Ortiz asked for the bridge.", "Ms. Lund asked for the bridge.", "name"],
  ["Sheriff Ortiz asked for it.", "Sheriff Ortiz asked for it.", "Mayor Ortiz asked for it.", "role"],
  ["Commissioner Ward? Yes. Commissioner Lee? No.", "Lee voted no.", "Ward voted no.", "swapped names"],
  [
    "An alley off West Blount Avenue.",
    "It is an alley off West Blount Avenue.",
    "It is an alley off West Church Avenue.",
    "name"
  ],
  [
    "The motion on the contract carries.",
    "The council approved the contract.",
    "The council denied the contract.",
    "vote"
  ],
  ["The motion carries four to one.", "The vote was 4-1.", "The vote was 5-0.", "vote"],
  [
    "Motion carries 9-0.",
    "The motion carried by nine votes to none.",
    "The motion carried by nine votes to two.",
    "vote"
  ],
  [
    "She has run it for over 20 years.",
    "She has run it over two decades.",
    "She has run it over three decades.",
    "number"
  ],
  [
    "No lot being less than .75 acres.",
    "No lot is under three quarters of an acre.",
    "Lots are under three quarters of an acre.",
    "number"
  ],
  [
    "Second? Motion made to approve by Vice Mayor Lee.",
    "The motion came from Vice Mayor Lee.",
    "Vice Mayor Lee seconded the motion.",
    "swapped names"
  ],
  ["Motion by Lee, second by Diaz.", "Diaz seconded Lee's motion.", "Lee seconded Diaz's motion.", "swapped names"],
  [
    "They resolve to name Finn Saunders to serve as the council's representative.",
    "Finn Saunders would be the council's representative.",
    "Finn Saunders would be the council's trustee.",
    "role"
  ],
  ["All in favor? The motion carries.", "The motion carried.", "The motion carried unanimously.", "vote"],
  [
    "It is postponed. The rezoning is tabled.",
    "The board tabled the rezoning.",
    "The board referred the rezoning.",
    "verb"
  ],
  ["I am in favor of the cap.", "The speaker supports the cap.", "The speaker opposes the cap.", "opposite"],
  ["The bridge is not safe.", "The bridge is not safe.", "The bridge is safe.", "negation"],
  ["They will sign the plat in May.", "They will sign the plat in May.", "They have signed the plat.", "tense"],
  ["The clinic is to close in May.", "The clinic is to close in May.", "A library opens at the harbor.", "no evidence"]
]

describe("quoted words", () => {
  it.each(twins)("%s | carry: %s | and not: %s | %s", (said, carried, twin, expected) => {
    assert.strictEqual(lack(carried, said), undefined)
    assert.strictEqual(lack(twin, said), expected)
  })

  it("carry what is said of them in other words", () => {
    assert.isUndefined(
      lack("No more than five trucks may use the bridge.", "At most five trucks are allowed on the bridge.")
    )
    assert.isUndefined(lack("The board tabled the rezoning.", "We will continue it. The rezoning is postponed to May."))
  })

  it("carry nothing that was said under another agenda item", () => {
    const evidence = [
      { text: "Now the contract of the bridge.", item: 1 },
      { text: "The motion carries.", item: 2 }
    ]
    const [contract] = whole(evidence)
    const claim = wordsOf("The contract of the bridge was approved by the council.")
    assert.isUndefined(
      shortfallOf(
        claim,
        evidence.map(({ text }) => ({ text })),
        whole(evidence)
      )
    )
    assert.strictEqual(shortfallOf(claim, evidence, contract === undefined ? [] : [contract]), "vote")
  })
})
