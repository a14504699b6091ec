import { assert, describe, it } from "@effect/vitest"
import { likelyPlaces, segmentsAround } from "../../../src/services/search/quotes/quote-places.ts"
import { phrasesButOne, phrasesOf } from "../../../src/services/search/quotes/quote-searches.ts"

const telling = {
  worth: new Map([
    ["levee", 5],
    ["pump", 4],
    ["motion", 1],
    ["second", 1]
  ]),
  row: [
    { lexeme: "motion", at: 1 },
    { lexeme: "second", at: 4 },
    { lexeme: "levee", at: 6 },
    { lexeme: "pump", at: 7 }
  ]
}

const passage = (number: number, positions: Readonly<Record<string, ReadonlyArray<number>>>) => ({
  passage: number,
  positions: new Map(Object.entries(positions))
})

const places = (...passages: ReadonlyArray<ReturnType<typeof passage>>) =>
  likelyPlaces(passages, telling).map((place) => place.passage)

describe("where a quote may be said", () => {
  it("is where its rare words are, and where they follow each other as in the quote", () => {
    assert.deepStrictEqual(places(passage(2, { motion: [1], second: [9] }), passage(7, { levee: [3] })), [7, 2])
    assert.deepStrictEqual(
      places(passage(2, { motion: [1, 30], second: [9] }), passage(7, { motion: [6], second: [9] })),
      [7, 2]
    )
  })

  it("goes on into the next passage, and is read with its neighbors", () => {
    const split = [passage(4, { levee: [98] }), passage(5, { pump: [1] }), passage(9, { levee: [7] })]
    assert.deepStrictEqual(places(...split), [4, 9])
    assert.deepStrictEqual(places(), [])
    const segments = Array.from({ length: 100 }, (_, at) => ({
      start: at,
      end: at + 1,
      text: "ten words of speech are in each of these lines"
    }))
    const around = segmentsAround(segments, 4)
    assert.deepStrictEqual([around[0]?.start, around.at(-1)?.start], [28, 69])
  })
})

describe("the searches for a quote", () => {
  const found = new Set(["levee", "pumps", "river", "rises"])
  const phrases = (search: ReturnType<typeof phrasesOf>) => search.either.map((one) => one.phrases)

  it("leave out the phrases that have stop words alone", () => {
    const text = "and so it is that what we are to do now is that the levee pumps"
    assert.deepStrictEqual(phrases(phrasesOf(text, found)), [["to do now is that the levee pumps"]])
    assert.deepStrictEqual(phrases(phrasesOf("and so it is that we are", found)), [])
  })

  it("do without one of several phrases", () => {
    const text = "the levee needs three hundred pumps before the river rises"
    assert.deepStrictEqual(phrases(phrasesButOne(text, found)), [
      ["pumps before the river rises"],
      ["the levee needs three hundred"]
    ])
    assert.deepStrictEqual(phrases(phrasesButOne("the levee needs new pumps", found)), [])
  })
})
