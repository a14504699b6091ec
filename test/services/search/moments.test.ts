import { assert, describe, it } from "@effect/vitest"
import { type Said, saidAt } from "../../../src/services/search/matches/moments.ts"
import { readRow } from "../../../src/services/search/query/tsquery.ts"

/** Lexemes as in a row, two seconds apart; a dash is a word that search ignores. */
const passage = (text: string, ...lexemes: ReadonlyArray<string>): ReadonlyArray<Said> =>
  lexemes.flatMap((lexeme): ReadonlyArray<Said> => {
    const positions = text.split(" ").flatMap((word, at) => (word === lexeme ? [at + 1] : []))
    return positions.length === 0 ? [] : [[lexeme, positions, positions.map((position) => position * 2)]]
  })

const secondOf = (...asked: Parameters<typeof saidAt>) => saidAt(...asked)?.second

const phrases = (...tsqueries: ReadonlyArray<string>) => tsqueries.map((tsquery) => readRow(tsquery) ?? [])

describe("the moment at which a query is spoken", () => {
  const said = passage(
    "- citi pay our council - citi council - - permit - beer - - beer permit",
    "citi",
    "council",
    "permit",
    "beer"
  )

  it("is where a phrase begins, not the first of its words", () => {
    assert.strictEqual(secondOf(said, phrases("'citi' <-> 'council'"), []), 14)
    assert.strictEqual(secondOf(said, phrases("'beer' <-> 'permit'"), []), 32)
    assert.strictEqual(secondOf(said, phrases("'permit' <2> 'beer'"), []), 22)
  })

  it("is where several words are closest together", () => {
    assert.strictEqual(secondOf(said, phrases("'beer'", "'permit'"), []), 32)
    assert.strictEqual(secondOf(said, phrases("'permit'", "'council'"), []), 16)
    assert.strictEqual(secondOf(said, phrases("'permit'"), []), 22)
  })

  it("is where all of it is as typed, even if other windows come before or are as short", () => {
    assert.strictEqual(secondOf(said, phrases("'beer'", "'permit'"), phrases("'permit' <2> 'beer'")), 22)
    assert.strictEqual(secondOf(said, phrases("'beer'", "'permit'"), phrases("'permit' <-> 'beer'")), 32)
  })

  it("ignores terms that are not spoken", () => {
    assert.strictEqual(secondOf(said, phrases("'permit'", "'wine'", "'beer' <-> 'citi'"), []), 22)
  })

  it("is the first lexeme if no term occurs as written", () => {
    assert.strictEqual(secondOf(said, phrases("'permit' <-> 'citi'"), []), 4)
    assert.isUndefined(secondOf([], phrases("'beer'"), []))
  })
})
