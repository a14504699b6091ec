import { units } from "../language/number-words.ts"
import type { Word } from "./words.ts"

/** How a vote went, as far as a text says. */
export interface Vote {
  readonly tallies: ReadonlyArray<{
    readonly ayes: number
    readonly nays: number
    readonly from: number
    readonly to: number
  }>
  readonly unanimous: boolean
  /** Undefined where it says neither, or both. */
  readonly outcome: "passed" | "failed" | undefined
}

const numberOf = (word: string | undefined): number | undefined =>
  word === undefined
    ? undefined
    : /^\d{1,3}$/u.test(word)
      ? Number(word)
      : word === "nothing" || word === "none"
        ? 0
        : units.get(word)

const ayeWords = new Set("aye ayes yes yeas yea favor".split(" "))
const nayWords = new Set("nay nays no noes opposed against".split(" "))
const carrying = new Set("passed passes carried carries approved adopted unanimously unanimous".split(" "))
const failing = new Set("failed fails rejected denied defeated dies died".split(" "))

/** Where the second number of a tally is, after the first: `5-2`, `5 to 2`, `five ayes, two nays`. */
const secondAt = (words: ReadonlyArray<Word>, at: number): number | undefined => {
  const next = words[at + 1]
  if (next?.tied && numberOf(next.word) !== undefined) return at + 1
  if (next?.word === "to" && numberOf(words[at + 2]?.word) !== undefined) return at + 2
  const aye = ["in", "to", "for"].includes(next?.word ?? "") ? at + 2 : at + 1
  if (!ayeWords.has(words[aye]?.word ?? "")) return undefined
  const second = words[aye + 1]?.word === "and" ? aye + 2 : aye + 1
  return numberOf(words[second]?.word) !== undefined && nayWords.has(words[second + 1]?.word ?? "") ? second : undefined
}

const voting =
  /^(?:vote[sd]?|voting|motion|passe[sd]|carrie[sd]|fail(?:s|ed)|approved|adopted|ayes?|nays?|rejected|denied|unanimous(?:ly)?|tally)$/u

export const voteOf = (words: ReadonlyArray<Word>): Vote => {
  const speaksOfVotes = words.some(({ word }) => voting.test(word))
  const tallies = words.flatMap((word, at) => {
    const ayes = numberOf(word.word)
    const second = ayes === undefined ? undefined : secondAt(words, at)
    const nays = second === undefined ? undefined : numberOf(words[second]?.word)
    return ayes === undefined ||
      second === undefined ||
      nays === undefined ||
      !speaksOfVotes ||
      ayes > 200 ||
      nays > 200
      ? []
      : [{ ayes, nays, from: at, to: second + 1 }]
  })
  const said = (list: ReadonlySet<string>) =>
    words.some(({ word }, at) => list.has(word) && words[at - 1]?.word !== "not" && words[at - 1]?.word !== "be")
  const denied = words.some(({ word }, at) => carrying.has(word) && words[at - 1]?.word === "not")
  const [passed, failed] = [said(carrying), said(failing) || denied]
  return {
    tallies,
    unanimous: words.some(({ word }) => word === "unanimous" || word === "unanimously"),
    outcome: passed === failed ? undefined : passed ? "passed" : "failed"
  }
}
