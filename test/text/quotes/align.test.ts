import { assert, describe, it } from "@effect/vitest"
import { closest } from "../../../src/text/quotes/align.ts"
import { namesAmong, quoteWords } from "../../../src/text/quotes/quote-words.ts"

const filler = "and then the clerk called the next item on the agenda for the evening "
const speech = [
  "We cannot approve this budget because the reserve is below twenty five percent of the fund.",
  "I do not support the greenway extension along Sutherland Avenue until the neighbors are heard.",
  "The um contract with Meridian Paving is for $1,250,000 and ends in two years.",
  "Staff recommends that the board approve the variance with conditions on parking and lighting.",
  "It's right that we're asking a hundred neighbors about the side walk north of Commissioner Marsh's farm in June.",
  "The majority will agree to include it. Never have we widened that pathway. Dunmore wants it wider."
]
const texts = speech.flatMap((line) => [...filler.repeat(8).trim().split(" "), "tonight.", ...line.split(" ")])
// A name that begins a sentence here is known by another place.
const names = namesAmong([...texts, "said", "Dunmore"])
const said = quoteWords(texts, names)
const likeness = (quote: string) => closest(quoteWords(quote.split(" "), names), said)?.likeness ?? "different"

describe("a quote beside what was said", () => {
  for (const quote of [
    "we cannot approve this budget because the reserve is below 25% of the fund",
    "We can't approve this budget",
    "I do not support the greenway extension along Sutherland Avenue",
    "I don't support the greenway extension",
    "the contract with Meridian Paving is for 1.25 million and ends in 2 years",
    "it is right that we are asking 100 neighbors about the sidewalk north of",
    "IT'S RIGHT THAT WE'RE ASKING A HUNDRED NEIGHBORS"
  ]) {
    it(`is exact, however it is written: ${quote}`, () => assert.strictEqual(likeness(quote), "exact"))
  }

  for (const quote of [
    "staff recommends that the board approve the variants with conditions on parking and lighting",
    "staff recommend that the board approve a variance with conditions on parking",
    "until the neighbors are herd",
    "it's write that we're asking a hundred neighbors about the side walk"
  ]) {
    it(`is nearly so with a word misheard: ${quote}`, () => assert.strictEqual(likeness(quote), "nearly"))
  }

  for (const quote of [
    "I do support the greenway extension along Sutherland Avenue until the neighbors are heard",
    "we can approve this budget because the reserve is below 25 percent of the fund",
    "the reserve is below thirty five percent of the fund",
    "the contract with Meridian Paving is for $1,350,000 and ends in two years",
    "the contract with Meriden Paving is for $1,250,000 and ends in two years",
    "the greenway extension along Southerland Avenue until the neighbors are heard",
    "staff recommends that the board reject the variance with conditions on parking and lighting",
    "staff recommends that the board not approve the variance with conditions on parking",
    "staff recommends that the board disapprove the variance with conditions on parking and lighting",
    "asking a hundred neighbors about the sidewalk north of commissioner mash's farm in june",
    "asking a hundred neighbors about the sidewalk south of Commissioner Marsh's farm",
    "about the side walk north of commissioner marsh's farm in july",
    "the minority will agree to include it",
    "the majority will disagree to include it",
    "the majority will agree to exclude it",
    "include it have we widened that pathway",
    "have we widened that pathway denmore wants it wider"
  ]) {
    it(`has parts of it where what matters is changed: ${quote}`, () => assert.strictEqual(likeness(quote), "parts"))
  }

  for (const quote of [
    "the mayor secretly sold the old library to her brother in law",
    "nobody in this town wants another gas station on Broadway",
    "I do not support the monorail and I do not trust the zeppelin"
  ]) {
    it(`is different when invented: ${quote}`, () => assert.strictEqual(likeness(quote), "different"))
  }

  it("keeps apart words that exclude each other, though captions have no capitals", () => {
    const captions = quoteWords("we meet on tuesday the tenth of june for sixty days in the northern hall".split(" "))
    for (const [was, now] of [
      ["tuesday", "thursday"],
      ["june", "july"],
      ["days", "months"],
      ["northern", "southern"]
    ] as const) {
      const quote = "we meet on tuesday the tenth of june for sixty days in the northern hall".replace(was, now)
      assert.strictEqual(closest(quoteWords(quote.split(" ")), captions)?.likeness, "parts", now)
    }
  })

  it("shows a word that is compared as two as it is written", () => {
    const found = closest(
      quoteWords("it is right that we do ask".split(" ")),
      quoteWords("it's right that we don't ask".split(" "))
    )
    assert.deepStrictEqual(
      found?.words.map(({ quoted, said, how }) => [quoted?.text, said?.text, how]),
      [
        ["it is", "it's", "same"],
        ["right", "right", "same"],
        ["that", "that", "same"],
        ["we", "we", "same"],
        ["do", "don't", "changed"],
        ["ask", "ask", "same"]
      ]
    )
  })

  it("is exact where much like it is said often", () => {
    const motion = "Do we have a motion and a second? All in favor say aye. The ayes have it."
    const often = quoteWords(`${`${motion} `.repeat(9)}Thank you. ${motion}`.split(" "))
    assert.strictEqual(closest(quoteWords(`thank you ${motion}`.split(" ")), often)?.likeness, "exact")
  })

  it("begins at the first word of the quote", () => {
    const found = closest(quoteWords("Staff recommends that the board".split(" ")), said)
    assert.strictEqual(found?.first.text, "Staff")
    assert.strictEqual(found?.last.text, "board")
  })
})
