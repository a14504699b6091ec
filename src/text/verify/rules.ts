import {
  isNamedIn,
  isNamesake,
  labelWords,
  type Name,
  type NamingWords,
  namesOf,
  numberWords,
  saying
} from "./names.ts"
import { refuteNumbers } from "./numbers.ts"
import { type Quantity, quantitiesOf } from "./quantities.ts"
import { type Heard, type Quote, quotesOf, type Said, saidIn } from "./said.ts"
import { answersIn, type Vote, voteOf } from "./votes.ts"
import { contentOf, isNegative, runIn, sentencesOf, shareIn, type Utterance, type Word, wordsOf } from "./words.ts"

/** Raise it whenever the same claim may be judged differently. */
export const rulesVersion = "rules-5"

/** `unknown`: code alone cannot tell. */
export interface Judgement {
  readonly verdict: "supported" | "unsupported" | "contradicted" | "unknown"
  /** The words that prove it; empty if the claim's statement is simply absent. */
  readonly quotes: ReadonlyArray<Quote>
}

/** Context beyond the evidence. It never refutes a claim; it only prevents wrong refutations. */
export interface Context {
  /** The words around the evidence. */
  readonly around: ReadonlyArray<Utterance>
  /** The words of all text that names anyone or anything in the meeting: its body, its speakers, and what was said. */
  readonly names: NamingWords
}

/** The longest claim, in characters. No sentence of a briefing is longer, and nobody could check one that was. */
const longestClaim = 5000

const unknown: Judgement = { verdict: "unknown", quotes: [] }

const contradicted = (...words: ReadonlyArray<ReadonlyArray<Heard>>): Judgement => ({
  verdict: "contradicted",
  quotes: words.flatMap(quotesOf)
})
const unsupported: Judgement = { verdict: "unsupported", quotes: [] }

/** The sentence that contains the word at a position. */
const sentenceAt = ({ words }: Said, at: number): ReadonlyArray<Heard> => {
  const before = words.slice(0, at + 1).findLastIndex(({ first }) => first)
  const after = words.findIndex(({ first }, place) => first && place > at)
  return words.slice(Math.max(0, before), after === -1 ? words.length : after)
}

/** Refutes a tally or an outcome that differs from the one announced. */
const judgeVote = (claimed: Vote, all: ReadonlyArray<Said>): Judgement | undefined => {
  const votes = all.map((said) => ({ said, vote: voteOf(said.words) }))
  const tallies = votes.flatMap(({ said, vote }) => vote.tallies.map((tally) => ({ said, tally })))
  const spoken = tallies.map(({ said, tally }) => said.words.slice(tally.from, tally.to))
  for (const { ayes, nays } of claimed.tallies) {
    if (tallies.some(({ tally }) => tally.ayes === ayes && tally.nays === nays)) continue
    const answers = all.map(({ words }) => answersIn(words))
    if (ayes + nays > 2 && answers.some((one) => one.ayes === ayes && one.nays === nays)) continue
    if (tallies.length > 0) return contradicted(...spoken)
    const one = votes.find(({ vote }) => vote.unanimous !== undefined)
    if (one !== undefined && nays > 0) return contradicted(sentenceAt(one.said, one.vote.unanimous ?? 0))
    // A roll call may add up to the tally.
    if (one === undefined && !all.some(({ words }) => words.some(({ word }) => /^(?:ayes?|nays?)$/u.test(word))))
      return unsupported
  }
  const divided = tallies.find(({ tally }) => tally.nays > 0 && tally.ayes > 0)
  if (claimed.unanimous !== undefined && divided !== undefined && !tallies.some(({ tally }) => tally.nays === 0)) {
    return contradicted(divided.said.words.slice(divided.tally.from, divided.tally.to))
  }
  const outcomes = votes.flatMap(({ said, vote }) => vote.outcomes.map((outcome) => ({ ...outcome, said })))
  const [first] = claimed.outcomes
  const isOne = first !== undefined && claimed.outcomes.every(({ how }) => how === first.how)
  return isOne && outcomes.length > 0 && outcomes.every(({ how }) => how !== first.how)
    ? contradicted(...outcomes.map(({ said, at }) => sentenceAt(said, at)))
    : undefined
}

/**
 * Refutes a name that was not said. A person's name must be near the evidence; any other may be anywhere in the
 * meeting.
 */
const judgeNames = (
  names: ReadonlyArray<Name>,
  all: ReadonlyArray<Said>,
  around: ReadonlyArray<Said>,
  context: Context | undefined
): Judgement | undefined => {
  const namedBy = (said: ReadonlyArray<Said>) =>
    said.flatMap(({ words, speaker }) => [...words.map(({ word }) => word), ...labelWords(speaker)])
  const near = new Set([...namedBy(all), ...namedBy(around)])
  const isKnown = (name: Name) =>
    context === undefined || isNamedIn(name, near) || isNamedIn(name, context.names.distinct())
  const isThere = (name: Name) => isNamedIn(name, near) || (!name.isPerson && isKnown(name))
  const heard = all.map(({ words }) => words)
  return names.every((name) => isThere(name) && !isNamesake(name, heard)) ? undefined : unsupported
}

/** The speaker that a claim names, and the words it attributes to them: `Ortiz said the bridge is safe`. */
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

/** Recognizers number voices that they cannot identify; such a label names nobody. */
const isNamed = ({ speaker }: Said): boolean =>
  speaker !== undefined && !/^(?:speaker|spk|voice|unknown)[ _-]*\d*$/iu.test(speaker)

/** Refutes an attribution if only other people said it. */
const judgeSpeaker = ({ name, content }: Attribution, all: ReadonlyArray<Said>): Judgement | undefined => {
  const same = all.filter((said) => isNamed(said) && content.length >= 5 && runIn(said.words, content) !== undefined)
  if (same.length > 0 && !same.some(({ speaker }) => isNamedIn(name, labelWords(speaker)))) {
    return contradicted(...same.map(({ words }) => words.slice(...(runIn(words, content) ?? [0, words.length]))))
  }
  const wanted = contentOf(content)
  if (wanted.size < 3) return undefined
  const like = all.filter((said) => isNamed(said) && shareIn(wanted, contentOf(said.words)) >= 0.6)
  if (like.length === 0 || like.some(({ speaker }) => isNamedIn(name, labelWords(speaker)))) return undefined
  const best = like.flatMap(({ words }) =>
    sentencesOf(words).filter((sentence) => shareIn(contentOf(sentence), wanted) >= 0.5)
  )
  return contradicted(...(best.length > 0 ? best : like.map(({ words }) => words)))
}

/** The part of a sentence that is about a clause's statement, with the few words before it that could negate it. */
const partAbout = (sentence: ReadonlyArray<Heard>, clause: ReadonlyArray<Word>): ReadonlyArray<Heard> => {
  const run = runIn(sentence, clause)
  if (run !== undefined) {
    const [from, to] = run
    return sentence
      .slice(Math.max(0, from - 2), to)
      .filter(({ utterance }) => utterance >= (sentence[from]?.utterance ?? 0))
  }
  const wanted = contentOf(clause)
  const isAbout = (word: Word) => shareIn(wanted, contentOf([word])) > 0
  const [from, to] = [sentence.findIndex(isAbout), sentence.findLastIndex(isAbout)]
  return sentence.slice(Math.max(0, from - 4), to + 1)
}

/** Refutes a claim if its opposite was said in nearly the same words. */
const judgeNegation = (claim: ReadonlyArray<Word>, all: ReadonlyArray<Said>): Judgement | undefined => {
  for (const clause of sentencesOf(claim)) {
    const wanted = contentOf(clause)
    const isLike = (sentence: ReadonlyArray<Word>) => {
      const share = shareIn(wanted, contentOf(sentence))
      const alike = share >= 0.7 && wanted.size > 3 && shareIn(contentOf(sentence), wanted) >= 0.7
      return wanted.size > 1 && (share >= (wanted.size < 3 ? 1 : 0.8) || alike)
    }
    const like = all.flatMap(({ words }) => sentencesOf(words)).filter((sentence) => isLike(sentence))
    const opposite = like.filter((sentence) => isNegative(partAbout(sentence, clause)) !== isNegative(clause))
    if (like.length > 0 && opposite.length === like.length) return contradicted(...opposite)
  }
  return undefined
}

const isNumber = ({ word }: Word): boolean => /^\d/u.test(word) || numberWords.has(word)

/** Refutes a claim if the same sentence was said with a different number or name. */
const judgeSubstitution = (claim: ReadonlyArray<Word>, all: ReadonlyArray<Said>): Judgement | undefined => {
  for (const clause of sentencesOf(claim)) {
    const like = all.flatMap(({ words }) => sentencesOf(words))
    const same = like.filter((sentence) => clause.length >= 4 && sentence.length === clause.length)
    const differing = same.map((sentence) => ({
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
      return contradicted(other.sentence)
    }
  }
  return undefined
}

/** Supports a claim that was said word for word in whole sentences, by the person it names if it names one. */
const saidVerbatim = (
  claim: ReadonlyArray<Word>,
  attributed: Attribution | undefined,
  all: ReadonlyArray<Said>
): Judgement | undefined => {
  const wanted = attributed?.verbatim ? attributed.content : claim
  if (wanted.length < 4) return undefined
  for (const { words, speaker } of all) {
    if (attributed?.verbatim && !isNamedIn(attributed.name, labelWords(speaker))) continue
    const run = runIn(words, wanted)
    if (run === undefined) continue
    const [from, to] = run
    if (words[from]?.first && (to === words.length || words[to]?.first)) {
      return { verdict: "supported", quotes: quotesOf(words.slice(from, to)) }
    }
  }
  return undefined
}

/**
 * Judges a claim by what code can compare with the evidence: votes, numbers, names, speakers and negations. Text is
 * only compared, so no text can talk its way to a verdict. Only a claim that was said word for word is `supported`; any
 * other that is not refuted is `unknown`.
 */
export const judge = (claim: string, evidence: ReadonlyArray<Utterance>, context?: Context): Judgement => {
  const words = wordsOf(claim)
  const all = saidIn(evidence)
  const around = saidIn(context?.around ?? [])
  if (claim.length > longestClaim || words.length === 0 || all.every((said) => said.words.length === 0))
    return unsupported
  const vote = voteOf(words)
  const names = namesOf(words)
  const inTally = (number: Quantity) => vote.tallies.some(({ from, to }) => number.from < to && from < number.to)
  const attributed = attribution(words, names)
  const refuted = refuteNumbers(
    words,
    quantitiesOf(words).filter((number) => !inTally(number)),
    all,
    around
  )
  return (
    judgeVote(vote, all) ??
    (attributed === undefined ? undefined : judgeSpeaker(attributed, all)) ??
    (refuted && { verdict: refuted.quotes.length === 0 ? "unsupported" : "contradicted", quotes: refuted.quotes }) ??
    judgeNames(names, all, around, context) ??
    saidVerbatim(words, attributed, all) ??
    judgeSubstitution(attributed?.content ?? words, all) ??
    judgeNegation(attributed?.content ?? words, all) ??
    unknown
  )
}
