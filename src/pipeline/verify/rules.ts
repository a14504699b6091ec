import { ordinals, scales, tens, units } from "../language/number-words.ts"
import { isNamedIn, labelWords, type Name, namesOf, saying } from "./names.ts"
import { agrees, isDifference, type Quantity, quantitiesOf, sameKind } from "./quantities.ts"
import { type Vote, voteOf } from "./votes.ts"
import { contentOf, isNegative, type Passage, runIn, sentencesOf, shareIn, type Word, wordsOf } from "./words.ts"

/** Changes whenever the same claim may be judged differently. */
export const rulesVersion = "rules-1"

/** Characters of one passage's text. */
export interface Quote {
  readonly passage: number
  readonly from: number
  readonly to: number
}

/** `unknown`: code alone cannot tell. */
export interface Judgement {
  readonly verdict: "supported" | "unsupported" | "contradicted" | "unknown"
  /** The words that show it; none where what the claim says is simply not there. */
  readonly quotes: ReadonlyArray<Quote>
}

interface Said {
  readonly passage: Passage
  readonly at: number
  readonly words: ReadonlyArray<Word>
}

/** No sentence of a briefing is longer; a text that is, is no claim that anybody could check. */
const longestClaim = 5000

const numberWords = new Set([...units.keys(), ...tens.keys(), ...scales.keys(), ...ordinals.keys()])

const unknown: Judgement = { verdict: "unknown", quotes: [] }

const quoteOf = (said: Said, from: number, to: number): Quote => ({
  passage: said.at,
  from: said.words[from]?.start ?? 0,
  to: said.words[to - 1]?.end ?? 0
})

const contradicted = (...quotes: ReadonlyArray<Quote>): Judgement => ({ verdict: "contradicted", quotes })
const unsupported: Judgement = { verdict: "unsupported", quotes: [] }

/** A tally or an outcome other than the one that was announced. */
const judgeVote = (claimed: Vote, all: ReadonlyArray<Said>): Judgement | undefined => {
  const votes = all.map((said) => ({ said, vote: voteOf(said.words) }))
  const tallies = votes.flatMap(({ said, vote }) => vote.tallies.map((tally) => ({ said, tally })))
  for (const { ayes, nays } of claimed.tallies) {
    if (tallies.some(({ tally }) => tally.ayes === ayes && tally.nays === nays)) continue
    if (tallies.length > 0)
      return contradicted(...tallies.map(({ said, tally }) => quoteOf(said, tally.from, tally.to)))
    const one = votes.find(({ vote }) => vote.unanimous)
    if (one !== undefined && nays > 0) return contradicted(quoteOf(one.said, 0, one.said.words.length))
    // A roll call may add up to it.
    if (one === undefined && !all.some((said) => said.words.some(({ word }) => /^(?:ayes?|nays?)$/u.test(word))))
      return unsupported
  }
  const divided = tallies.find(({ tally }) => tally.nays > 0 && tally.ayes > 0)
  if (claimed.unanimous && divided !== undefined && !tallies.some(({ tally }) => tally.nays === 0)) {
    return contradicted(quoteOf(divided.said, divided.tally.from, divided.tally.to))
  }
  const outcomes = votes.filter(({ vote }) => vote.outcome !== undefined)
  if (
    claimed.outcome !== undefined &&
    outcomes.length > 0 &&
    outcomes.every(({ vote }) => vote.outcome !== claimed.outcome)
  ) {
    return contradicted(...outcomes.map(({ said }) => quoteOf(said, 0, said.words.length)))
  }
  return undefined
}

/** A number that nobody said. It contradicts where one of the same kind was said of the same thing. */
const judgeNumbers = (
  claim: ReadonlyArray<Word>,
  numbers: ReadonlyArray<Quantity>,
  all: ReadonlyArray<Said>
): Judgement | undefined => {
  const spoken = all.map((said) => ({ said, numbers: quantitiesOf(said.words) }))
  const everything = spoken.flatMap((entry) => entry.numbers.map((number) => ({ said: entry.said, number })))
  for (const claimed of numbers) {
    if (everything.some(({ number }) => agrees(claimed, number))) continue
    const amounts = everything.map(({ number }) => number)
    if (claimed.relative && isDifference(claimed, amounts)) continue
    // `next Tuesday` is a date as well, and code does not know which.
    if (claimed.month !== undefined && !everything.some(({ number }) => number.month !== undefined)) continue
    const about = contentOf(
      claim.slice(Math.max(0, claimed.from - 3), claimed.to + 3).filter(({ word }) => !/\d/u.test(word))
    )
    const others = everything.filter(
      ({ said, number }) =>
        sameKind(claimed, number) &&
        shareIn(about, contentOf(said.words.slice(Math.max(0, number.from - 4), number.to + 4))) >= 0.5
    )
    if (others.length > 0) {
      return contradicted(...others.map(({ said, number }) => quoteOf(said, number.from, number.to)))
    }
    if (!claimed.loose) return unsupported
  }
  return undefined
}

const judgeNames = (names: ReadonlyArray<Name>, all: ReadonlyArray<Said>): Judgement | undefined => {
  const known = new Set(
    all.flatMap(({ words, passage }) => [...words.map(({ word }) => word), ...labelWords(passage.speaker)])
  )
  return names.every((name) => isNamedIn(name, known)) ? undefined : unsupported
}

/** Who a claim says spoke, and what it says they said: `Ortiz said the bridge is safe`. */
const attribution = (claim: ReadonlyArray<Word>, names: ReadonlyArray<Name>) => {
  const name = names[0]
  if (name === undefined || name.from > 3 || !saying.has(claim[name.to]?.word ?? "")) return undefined
  const that = claim[name.to + 1]?.word === "that" ? 1 : 0
  return {
    name,
    content: claim.slice(name.to + 1 + that),
    verbatim: ["said", "says"].includes(claim[name.to]?.word ?? "")
  }
}

type Attribution = NonNullable<ReturnType<typeof attribution>>

/** Recognizers number the voices that they cannot tell; such a label names nobody. */
const isNamed = ({ passage }: Said): boolean =>
  passage.speaker !== undefined && !/^(?:speaker|spk|voice|unknown)[ _-]*\d*$/iu.test(passage.speaker)

/** Somebody else said it, and only they did. */
const judgeSpeaker = ({ name, content }: Attribution, all: ReadonlyArray<Said>): Judgement | undefined => {
  const wanted = contentOf(content)
  if (wanted.size < 3) return undefined
  const like = all.filter((said) => isNamed(said) && shareIn(wanted, contentOf(said.words)) >= 0.6)
  if (like.length === 0 || like.some(({ passage }) => isNamedIn(name, labelWords(passage.speaker)))) return undefined
  return contradicted(...like.map((said) => quoteOf(said, 0, said.words.length)))
}

/** The opposite was said, in nearly the same words. */
const judgeNegation = (claim: ReadonlyArray<Word>, all: ReadonlyArray<Said>): Judgement | undefined => {
  for (const clause of sentencesOf(claim)) {
    const wanted = contentOf(clause)
    const least = wanted.size < 3 ? 1 : 0.8
    const like = all.flatMap((said) =>
      sentencesOf(said.words)
        .filter((sentence) => wanted.size > 1 && shareIn(wanted, contentOf(sentence)) >= least)
        .map((sentence) => ({ said, sentence }))
    )
    if (like.length > 0 && like.every(({ sentence }) => isNegative(sentence) !== isNegative(clause))) {
      return contradicted(...like.map(({ said, sentence }) => wholeOf(said, sentence)))
    }
  }
  return undefined
}

const wholeOf = (said: Said, sentence: ReadonlyArray<Word>): Quote => ({
  passage: said.at,
  from: sentence[0]?.start ?? 0,
  to: sentence.at(-1)?.end ?? 0
})

const isNumber = ({ word }: Word): boolean => /^\d/u.test(word) || numberWords.has(word)

/** The same sentence was said with another number or another name in it. */
const judgeSubstitution = (claim: ReadonlyArray<Word>, all: ReadonlyArray<Said>): Judgement | undefined => {
  for (const clause of sentencesOf(claim)) {
    const like = all.flatMap((said) => sentencesOf(said.words).map((sentence) => ({ said, sentence })))
    const same = like.filter(({ sentence }) => clause.length >= 4 && sentence.length === clause.length)
    const differing = same.map(({ said, sentence }) => ({
      said,
      sentence,
      pairs: clause.flatMap((word, at) => {
        const other = sentence[at]
        return other === undefined || other.word === word.word ? [] : [[word, other] as const]
      })
    }))
    const other = differing.find(
      ({ pairs }) =>
        pairs.length > 0 &&
        pairs.length <= Math.min(2, clause.length / 4) &&
        pairs.every(
          ([one, two]) => (isNumber(one) && isNumber(two)) || (one.capital && two.capital && !one.first && !two.first)
        )
    )
    if (other !== undefined && !differing.some(({ pairs }) => pairs.length === 0)) {
      return contradicted(wholeOf(other.said, other.sentence))
    }
  }
  return undefined
}

/** Said word for word, as one or more whole sentences, by whom the claim says if it names anyone. */
const saidVerbatim = (
  claim: ReadonlyArray<Word>,
  attributed: Attribution | undefined,
  all: ReadonlyArray<Said>
): Judgement | undefined => {
  const wanted = attributed?.verbatim ? attributed.content : claim
  if (wanted.length < 4) return undefined
  for (const said of all) {
    if (attributed?.verbatim && !isNamedIn(attributed.name, labelWords(said.passage.speaker))) continue
    const run = runIn(said.words, wanted)
    if (run === undefined) continue
    const [from, to] = run
    if (said.words[from]?.first && (to === said.words.length || said.words[to]?.first)) {
      return { verdict: "supported", quotes: [quoteOf(said, from, to)] }
    }
  }
  return undefined
}

/**
 * Judges a claim by what code can compare with what was said: votes, numbers, names, who spoke, and whether it was denied. What
 * was said is never more than compared, so no text can ask for a verdict. `supported` is given only to what was said word for
 * word; anything else that nothing speaks against is `unknown`.
 */
export const judge = (claim: string, passages: ReadonlyArray<Passage>): Judgement => {
  const words = wordsOf(claim)
  const all = passages.map((passage, at): Said => ({ passage, at, words: wordsOf(passage.text) }))
  if (claim.length > longestClaim || words.length === 0 || all.every((said) => said.words.length === 0))
    return unsupported
  const vote = voteOf(words)
  const names = namesOf(words)
  const inTally = (number: Quantity) => vote.tallies.some(({ from, to }) => number.from < to && from < number.to)
  const numbers = quantitiesOf(words).filter((number) => !inTally(number))
  const attributed = attribution(words, names)
  return (
    judgeVote(vote, all) ??
    (attributed === undefined ? undefined : judgeSpeaker(attributed, all)) ??
    judgeNumbers(words, numbers, all) ??
    judgeNames(names, all) ??
    saidVerbatim(words, attributed, all) ??
    judgeSubstitution(attributed?.content ?? words, all) ??
    judgeNegation(attributed?.content ?? words, all) ??
    unknown
  )
}
