import { units } from "../language/number-words.ts"
import type { Word } from "./words.ts"

/** The votes for and against, and the words that state them: `from` up to but not including `to`. */
interface Tally {
  readonly ayes: number
  readonly nays: number
  readonly from: number
  readonly to: number
}

/** The outcome of a vote, as far as the text gives it. */
export interface Vote {
  readonly tallies: ReadonlyArray<Tally>
  /** The word that says it was unanimous. */
  readonly unanimous: number | undefined
  /** The words that say something passed or failed. */
  readonly outcomes: ReadonlyArray<{ readonly how: "passed" | "failed"; readonly at: number }>
}

const numberOf = (word: string | undefined): number | undefined =>
  word === undefined
    ? undefined
    : /^\d{1,3}$/u.test(word)
      ? Number(word)
      : word === "nothing" || word === "none" || word === "nil"
        ? 0
        : units.get(word)

const ayeWords = new Set("aye ayes yes yeas yea favor".split(" "))
const nayWords = new Set("nay nays no noes opposed against dissenting".split(" "))
const carrying = new Set("passed passes carried carries approved adopted".split(" "))
const failing = new Set("failed fails rejected denied defeated dies died".split(" "))

/** Units: two numbers before one of these are a range and not a tally, as in `15 to 25 percent`. */
const measured =
  /^(?:percent|pm|am|years?|months?|weeks?|days?|hours?|minutes?|feet|foot|acres?|units?|miles?|dollars?)$/u

/** Things that are voted on. Others pass, fail and are denied too: a test, an allegation. */
const votedOn =
  /^(?:motions?|ordinances?|resolutions?|amendments?|items?|measures?|proposals?|requests?|budgets?|bills?|contracts?|rezonings?|permits?|applications?|appeals?|plans?|votes?|variances?|council|commission|board|committee|it|they|unanimously|grants?|agreements?|minutes|calendars?|agenda|purchase|lease)$/u

const voting =
  /^(?:vote[sd]?|voting|motion|passe[sd]|carrie[sd]|fail(?:s|ed)|approved|adopted|ayes?|nays?|rejected|denied|unanimous(?:ly)?|tally|backed|endorsed|recommended|supported)$/u

/** The place of a tally's second number, given the first: `5-2`, `5 to 2`, `five ayes, two nays`. */
const secondAt = (words: ReadonlyArray<Word>, at: number): number | undefined => {
  const next = words[at + 1]
  if (next?.tied && numberOf(next.word) !== undefined) return at + 1
  if (next?.word === "to" && numberOf(words[at + 2]?.word) !== undefined) {
    return measured.test(words[at + 3]?.word ?? "") || words[at - 1]?.word === "from" ? undefined : at + 2
  }
  // `nine votes to none`
  if (next?.word === "votes" && /^(?:to|against)$/u.test(words[at + 2]?.word ?? "")) {
    return numberOf(words[at + 3]?.word) === undefined ? undefined : at + 3
  }
  const aye = ["in", "and", "to", "for", "voted"].includes(next?.word ?? "") ? at + 2 : at + 1
  if (!ayeWords.has(words[aye]?.word ?? "")) return undefined
  const second = ["and", "with", "to"].includes(words[aye + 1]?.word ?? "") ? aye + 2 : aye + 1
  const nay = words[second + 1]?.word === "voted" ? second + 2 : second + 1
  return numberOf(words[second]?.word) !== undefined && nayWords.has(words[nay]?.word ?? "") ? second : undefined
}

const talliesIn = (words: ReadonlyArray<Word>): ReadonlyArray<Tally> =>
  words.flatMap((word, at) => {
    const ayes = numberOf(word.word)
    const second = ayes === undefined || word.tied || word.sign !== "" ? undefined : secondAt(words, at)
    const nays = second === undefined ? undefined : numberOf(words[second]?.word)
    if (ayes === undefined || second === undefined || nays === undefined || ayes > 200 || nays > 200) return []
    // `9-4-1` also counts abstentions or absences, and recognizers hear `for` as `four`, so either number may be the
    // nays.
    const third = words[second + 1]?.tied ? numberOf(words[second + 1]?.word) : undefined
    const tally = { ayes, nays, from: at, to: second + 1 }
    return third === undefined ? [tally] : [tally, { ayes, nays: third, from: at, to: second + 2 }]
  })

/** How many answered a roll call with a sentence of one word each. */
export const answersIn = (words: ReadonlyArray<Word>): Pick<Tally, "ayes" | "nays"> => {
  const lone = words.filter(({ first }, at) => first && (words[at + 1]?.first ?? true)).map(({ word }) => word)
  return {
    ayes: lone.filter((word) => ayeWords.has(word)).length,
    nays: lone.filter((word) => nayWords.has(word)).length
  }
}

/** Whether a word that can state the outcome of a vote does so here. */
const isOutcome = (words: ReadonlyArray<Word>, at: number): boolean => {
  const [before = "", after = ""] = [words[at - 1]?.word, words[at + 1]?.word]
  const word = words[at]?.word ?? ""
  if (/^(?:be|the|an?|already|previously|recommended|if|once|until|when)$/u.test(before) || after === "away")
    return false
  if (/^fail/u.test(word) && after === "to") return /^(?:pass|carry|advance|win|get)$/u.test(words[at + 2]?.word ?? "")
  return words.slice(Math.max(0, at - 8), at + 5).some((near) => votedOn.test(near.word))
}

/** Reads the result of a vote: its tallies, whether it was unanimous, and whether the motion passed or failed. */
export const voteOf = (words: ReadonlyArray<Word>): Vote => {
  const outcomes = words.flatMap(({ word }, at) => {
    const isDenied = ["not", "didnt", "never"].some((no) => no === words[at - 1]?.word || no === words[at - 2]?.word)
    if (isDenied && /^(?:pass|carry|approve|adopt|passed|carried|approved|adopted)$/u.test(word)) {
      return isOutcome(words, at) ? [{ how: "failed" as const, at }] : []
    }
    if (word === "have" && words[at - 1]?.word === "ayes") return [{ how: "passed" as const, at }]
    if (word === "down" && words[at - 1]?.word === "voted") return [{ how: "failed" as const, at }]
    const how = carrying.has(word) ? "passed" : failing.has(word) ? "failed" : undefined
    return how === undefined || isDenied || !isOutcome(words, at) ? [] : [{ how, at } as const]
  })
  const unanimous = words.findIndex(
    ({ word }, at) =>
      /^unanimous(?:ly)?$/u.test(word) && !["not", "nearly", "almost"].includes(words[at - 1]?.word ?? "")
  )
  return {
    tallies: words.some(({ word }) => voting.test(word)) ? talliesIn(words) : [],
    unanimous: unanimous === -1 ? undefined : unanimous,
    outcomes:
      outcomes.length === 0 && unanimous !== -1 && words.some(({ word }) => votedOn.test(word))
        ? [{ how: "passed", at: unanimous }]
        : outcomes
  }
}
