import { assert, describe, it } from "@effect/vitest"
import { carries } from "../../../src/text/verify/carries/carries.ts"
import { wordsOf } from "../../../src/text/verify/words.ts"

const bears = (claim: string, ...said: ReadonlyArray<string>) => {
  const evidence = said.map((text) => ({ text }))
  const quotes = evidence.map(({ text }, utterance) => ({ utterance, from: 0, to: text.length }))
  return carries(wordsOf(claim), evidence, quotes)
}

describe("quoted words", () => {
  it.each([
    ["The council approved the contract.", "All in favor say aye. The motion on the contract carries."],
    ["The bridge costs two million dollars.", "So the bridge, that is $2,000,000."],
    ["No more than five trucks may use the bridge.", "At most five trucks are allowed on the bridge."],
    ["The board tabled the rezoning.", "We will continue it. The rezoning is postponed to May."],
    ["The vote was 4-1.", "The motion carries four to one."]
  ])("bear what is said of them in other words: %s", (claim, ...said) => assert.isTrue(bears(claim, ...said)))

  it.each([
    ["another number", "The bridge costs three million dollars.", "So the bridge, that is $2,000,000."],
    ["another unit", "The bridge rose 12 percent.", "The bridge cost rose 12 dollars."],
    ["another name", "Alvarez asked for the bridge.", "Ms. Ortiz asked for the bridge."],
    ["another decision", "The council denied the contract.", "The motion on the contract carries."],
    [
      "a decision that is to come",
      "The council approved the contract.",
      "Staff will recommend to approve the contract."
    ],
    ["the opposite comparison", "More than five trucks use the bridge.", "Fewer than five trucks use the bridge."],
    ["the opposite", "The bridge is safe for trucks.", "The bridge is not safe for trucks."],
    ["another tally", "The vote was 5-0.", "The motion carries four to one."],
    ["another subject", "The clinic is to close in May.", "So moved. Second."]
  ])("bear no claim with %s", (_, claim, ...said) => assert.isFalse(bears(claim, ...said)))
})
