import { assert, describe, it } from "@effect/vitest"
import { carries } from "../../../src/text/verify/carries.ts"
import { judge } from "../../../src/text/verify/rules.ts"
import { type Quote, quotesOf, saidIn } from "../../../src/text/verify/said.ts"
import { contentOf, sentencesOf, shareIn, type Utterance, wordsOf } from "../../../src/text/verify/words.ts"
import { areThere } from "../../support/real-transcripts.ts"
import { citedBy, sentencesIn } from "./paraphrases.ts"

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

/** A judge that believes everything, and what it quotes for it. */
const judges: Readonly<Record<string, (claim: string, evidence: ReadonlyArray<Utterance>) => ReadonlyArray<Quote>>> = {
  "with the whole first passage": (_, [first]) => [{ utterance: 0, from: 0, to: first?.text.length ?? 0 }],
  "with the two sentences that are most like the claim": (claim, evidence) => {
    const wanted = contentOf(wordsOf(claim))
    return saidIn(evidence)
      .flatMap(({ words }) => sentencesOf(words))
      .toSorted((one, other) => shareIn(wanted, contentOf(other)) - shareIn(wanted, contentOf(one)))
      .slice(0, 2)
      .flatMap(quotesOf)
  }
}

/** The most false sentences that are served, of 152, and the fewest true ones, of 156 (docs/trust.md). */
const expected: Readonly<Record<string, readonly [falseServed: number, trueServed: number]>> = {
  "with the whole first passage": [2, 10],
  "with the two sentences that are most like the claim": [21, 120]
}

describe("sentences about speech in real meetings, half of them false, judged by one who says yes", async () => {
  if (!areThere) return void it("need ../shared/data", ({ skip }) => skip("../shared/data is not there"))
  const lists = ["paraphrases.txt", "held-out.txt"].map(sentencesIn)
  const cited = await citedBy(lists)
  const all = lists.flatMap((list, at) =>
    list.map((sentence, place) => ({ ...sentence, evidence: cited[at]?.[place] ?? [] }))
  )
  it.each(Object.entries(judges))("%s", (name, quote) => {
    const served = all.filter(({ claim, evidence }) => {
      const { verdict } = judge(claim, evidence)
      return (
        verdict === "supported" || (verdict === "unknown" && carries(wordsOf(claim), evidence, quote(claim, evidence)))
      )
    })
    const [falseServed = 0, trueServed = 0] = expected[name] ?? []
    const lies = served.filter(({ isTrue }) => !isTrue)
    assert.isAtMost(lies.length, falseServed, lies.map(({ claim }) => claim).join("\n"))
    assert.isAtLeast(served.length - lies.length, trueServed)
  })
})
