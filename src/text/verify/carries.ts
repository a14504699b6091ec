import { agrees, isWorkedOut } from "./agreement.ts"
import { isNamedIn, labelWords, type Name, namesOf, numberWords } from "./names.ts"
import { type Quantity, quantitiesOf } from "./quantities.ts"
import type { Context } from "./rules.ts"
import { type Heard, type Quote, saidIn } from "./said.ts"
import { voteOf } from "./votes.ts"
import { contentOf, folded, isNegative, sentencesOf, shareIn, type Utterance, type Word } from "./words.ts"

/** Ways to compare an amount; words of one class say the same. */
const comparisons = [
  [
    "more",
    "more over above exceed exceeds exceeded exceeding beyond higher greater upwards plus bigger larger older longer"
  ],
  ["less", "less fewer under below lower smaller within shorter younger underneath cheaper"],
  ["most", "most maximum max limit limited cap capped up upper"],
  ["least", "least minimum min"]
] as const

/** What a body can decide; words of one class say the same. */
const decisions = [
  ["vote", "vote votes voted voting motion motions aye ayes nay nays"],
  [
    "approve",
    "approve approves approved approving approval adopt adopts adopted adopting adoption pass passes passed passing passage carry carries carried accept accepts accepted grant granted grants authorize authorized authorizes authorizing favor ayes aye ratify ratified confirm confirmed support supported agreed ordered"
  ],
  [
    "deny",
    "deny denies denied denying denial reject rejects rejected rejecting rejection fail fails failed failing defeat defeated refuse refused refuses decline declined disapprove disapproved nays turned"
  ],
  [
    "delay",
    "table tables tabled tabling postpone postpones postponed postponing postponement continue continues continued continuing defer defers deferred deferring deferral delay delays delayed hold held wait"
  ],
  ["refer", "refer refers referred referring referral send sends sent forward forwarded forwards"],
  [
    "appoint",
    "appoint appoints appointed appointing appointment nominate nominates nominated nomination elect elects elected election reappoint reappointed name named"
  ],
  ["withdraw", "withdraw withdraws withdrew withdrawn withdrawal remove removed removes removing pull pulled"]
] as const

/** Which of these classes some words belong to. */
const classesIn = <K extends string>(
  classes: ReadonlyArray<readonly [K, string]>
): ((words: ReadonlyArray<Word>) => ReadonlySet<K>) => {
  const sets = classes.map(([name, words]) => [name, new Set(words.split(" "))] as const)
  return (words) => new Set(sets.flatMap(([name, known]) => (words.some(({ word }) => known.has(word)) ? [name] : [])))
}
type Comparison = (typeof comparisons)[number][0]
type Decision = (typeof decisions)[number][0]
const comparedIn = classesIn(comparisons)
const decidedIn = classesIn(decisions)

/** `no more than` is `at most`, and the other way around. */
const reverse = { more: "most", less: "least", most: "more", least: "less" } as const

/** Whether it denies, apart from what belongs to a comparison: `no more than` denies nothing. */
const denies = (words: ReadonlyArray<Word>): boolean =>
  isNegative(words.filter((_, at) => comparedIn(words.slice(at + 1, at + 2)).size === 0))

/** How the words compare amounts; a negation before a comparison turns it around. */
const comparisonsOf = (words: ReadonlyArray<Word>): ReadonlySet<Comparison> =>
  new Set(
    words.flatMap((word, at) => {
      const isTurned = [1, 2].some((back) =>
        /^(?:no|not|never|nothing|cannot|without)$/u.test(words[at - back]?.word ?? "")
      )
      return [...comparedIn([word])].map((way) => (isTurned ? reverse[way] : way))
    })
  )

/** Upwards (1) or downwards (-1), where comparisons point one way only; 0 otherwise. */
const directionOf = (ways: ReadonlySet<Comparison>): number =>
  Number(ways.has("more") || ways.has("least")) - Number(ways.has("less") || ways.has("most"))

/** Comparisons of which one cannot be said for the other. */
const opposed = (one: ReadonlySet<Comparison>, other: ReadonlySet<Comparison>): boolean =>
  directionOf(one) * directionOf(other) < 0

/** Words after which a decision is still to be made, or only asked for. */
const ahead =
  /^(?:will|would|shall|should|could|may|might|can|to|if|recommend(?:s|ed|ing)?|propos(?:e|es|ed|ing)|ask(?:s|ed|ing)?|request(?:s|ed|ing)?|consider(?:s|ed|ing)?|hop(?:e|es|ed|ing)|plan(?:s|ned|ning)?|want(?:s|ed)?|motion|move[sd]?|pending|upcoming|going)$/u

/** Whether a decision is told as made: its word stands where nothing shortly before says that it is to come. */
const isMade = (words: ReadonlyArray<Word>, way: Decision): boolean =>
  words.some(
    (word, at) =>
      decidedIn([word]).has(way) &&
      !words.slice(Math.max(0, at - 4), at).some((before) => ahead.test(before.word)) &&
      /(?:ed|s|en|nt|ld|ew|ayes|aye|favor)$/u.test(word.word)
  )

/** The utterances quoted, and the two on each side of them: captions cut a sentence into several. */
const stretchOf = (evidence: ReadonlyArray<Utterance>, quotes: ReadonlyArray<Quote>): ReadonlyArray<Utterance> =>
  evidence.filter((_, at) => quotes.some(({ utterance }) => Math.abs(utterance - at) <= 2))

/**
 * Whether quoted words can bear a claim, whoever found that they do: they touch what it is about, and in them or right
 * beside them are its numbers, its names, its comparisons and its decisions, with the same polarity and as much done.
 * What is only in a claim is never borne out. Like every rule, it compares words and believes none.
 */
export const carries = (
  claim: ReadonlyArray<Word>,
  evidence: ReadonlyArray<Utterance>,
  quotes: ReadonlyArray<Quote>,
  context?: Context
): boolean => {
  const quotedWords = saidIn(
    quotes.map(({ utterance, from, to }) => ({ text: evidence[utterance]?.text.slice(from, to) ?? "" }))
  ).flatMap(({ words }) => words)
  const stretch = saidIn(stretchOf(evidence, quotes))
  const near = stretch.flatMap(({ words }) => words)
  const around = saidIn(context?.around ?? [])
  return (
    touches(claim, quotedWords, [...near, ...around.flatMap(({ words }) => words)]) &&
    hasNumbers(claim, near) &&
    hasNames(claim, [...stretch, ...around], context) &&
    isAlike(claim, near) &&
    isDecided(claim, near)
  )
}

/**
 * Whether the quoted words have a word of the claim, or its decision, and the stretch with what is around it has a
 * fifth of its words. Numbers are compared by themselves, and a claim of little but a decision by that.
 */
const touches = (claim: ReadonlyArray<Word>, quoted: ReadonlyArray<Word>, item: ReadonlyArray<Word>): boolean => {
  const wanted = contentOf(claim.filter(({ word }) => !/\d/u.test(word) && !numberWords.has(word)))
  const decided = decidedIn(claim)
  const isSame = [...decidedIn(quoted)].some((way) => decided.has(way))
  return (
    (isSame || shareIn(wanted, contentOf(quoted)) > 0) &&
    ((isSame && wanted.size <= 2) || shareIn(wanted, contentOf(item)) >= 0.2)
  )
}

/** A tally is compared as a vote, and any other number by its value and unit. */
const hasNumbers = (claim: ReadonlyArray<Word>, near: ReadonlyArray<Word>): boolean => {
  const said = quantitiesOf(near)
  const [claimed, heard] = [voteOf(claim).tallies, voteOf(near).tallies]
  const isHeard = claimed.every(({ ayes, nays }) => heard.some((tally) => tally.ayes === ayes && tally.nays === nays))
  const inTally = ({ from, to }: Quantity) => claimed.some((tally) => from < tally.to && tally.from < to)
  return (
    isHeard &&
    quantitiesOf(claim)
      .filter((number) => !inTally(number))
      .every((number) => said.some((one) => agrees(number, one)) || (number.relative && isWorkedOut(number, said)))
  )
}

const hasNames = (
  claim: ReadonlyArray<Word>,
  stretch: ReturnType<typeof saidIn>,
  context: Context | undefined
): boolean => {
  const there = new Set(
    stretch.flatMap(({ words, speaker }) => [...words.map(({ word }) => word), ...labelWords(speaker)])
  )
  const isKnown = (name: Name) =>
    isNamedIn(name, new Set([...there, ...folded(context?.names ?? "").split(/[^\p{L}\p{N}]+/u)]))
  return namesOf(claim).every((name) => isNamedIn(name, there) || (!name.isPerson && isKnown(name)))
}

/** Words beyond which a sentence of captions is several, whose negations say nothing of one another. */
const longestSentence = 25

/**
 * Whether no comparison is turned around, nor the polarity, where a sentence is short enough and like enough to the
 * claim to have one.
 */
const isAlike = (claim: ReadonlyArray<Word>, near: ReadonlyArray<Heard>): boolean => {
  const wanted = contentOf(claim)
  const like = sentencesOf(near).filter(
    (sentence) => sentence.length <= longestSentence && shareIn(wanted, contentOf(sentence)) >= 0.5
  )
  return (
    (like.length === 0 || like.some((sentence) => denies(sentence) === denies(claim))) &&
    !opposed(comparisonsOf(claim), comparisonsOf(near))
  )
}

/** What decides, and what is decided: beside neither, the words of a decision are others. */
const deciding =
  /^(?:council|commission|board|committee|members?|motions?|ordinances?|resolutions?|requests?|items?|votes?|voted|rezoning|permits?|applications?)$/u

const isDecided = (claim: ReadonlyArray<Word>, near: ReadonlyArray<Word>): boolean => {
  const there = decidedIn(near)
  const claimed = claim.some(({ word }) => deciding.test(word)) ? decidedIn(claim) : []
  return [...claimed].every((way) => there.has(way) && (!isMade(claim, way) || isMade(near, way)))
}
