import type { Segment } from "../../../schema/transcript.ts"
import { numbersAreIn } from "../language/numbers.ts"
import type { Action } from "../roll-calls/motions.ts"
import type { SpokenVote } from "../roll-calls/roll-calls.ts"
import { voteOf } from "../verify/votes.ts"
import { contentOf, negatorsIn, sentencesOf, type Utterance, type Word, wordsOf } from "../verify/words.ts"

/** What a short text may draw on: an item of the agenda, what was said about it, and the votes on it. */
export interface OnRecord {
  /** The number, title and description of the item; empty where none is known. */
  readonly item: string
  readonly said: ReadonlyArray<Utterance>
  readonly votes: ReadonlyArray<SpokenVote>
}

/** The most words in which everything has to be said that a sentence puts together. */
const near = 80

/** Words for who meets, which every meeting has. */
const givens = new Set("council commission board committee members member meeting item".split(" "))

/** Decisions, by the words that tell of them. */
const decisions: ReadonlyArray<readonly [RegExp, ReadonlyArray<Action>, "failed" | "passed"]> = [
  [/^(?:approv|adopt|accept|ratif|authoriz|endors|back|grant|award)/u, ["approve"], "passed"],
  [/^(?:deni|deny|denie|reject|refus|block)/u, ["deny"], "passed"],
  [/^(?:postpon|defer|delay|tabl(?:e|ed|es|ing)$)/u, ["postpone", "table"], "passed"],
  [/^withdr/u, ["withdraw"], "passed"],
  [/^refer/u, ["refer"], "passed"],
  [/^amend(?:ed|s|ing)?$/u, ["amend"], "passed"]
]

const nouns = /^(?:approval|denial|rejection|adoption|grants?|tables?|amendments?|delays?)$/u
const voting = /^vot(?:e|es|ed|ing)$/u
const carried = /^(?:pass(?:es|ed)?|carri(?:es|ed))$/u
const failed = /^(?:fail(?:s|ed)?|defeat(?:s|ed)?|kill(?:s|ed)?)$/u

const isDecision = ({ word }: Word): boolean =>
  !nouns.test(word) &&
  (voting.test(word) || carried.test(word) || failed.test(word) || decisions.some(([words]) => words.test(word)))

/** Whether a vote was heard that decided as the words say. */
const isDecided = (words: ReadonlyArray<Word>, votes: ReadonlyArray<SpokenVote>): boolean =>
  words.filter(isDecision).every(({ word }) => {
    if (voting.test(word)) return votes.length > 0
    if (carried.test(word)) return votes.some(({ result }) => result === "passed")
    if (failed.test(word)) return votes.some(({ result }) => result === "failed")
    return decisions.some(
      ([pattern, actions, result]) =>
        pattern.test(word) &&
        votes.some((vote) => vote.result === result && vote.action !== undefined && actions.includes(vote.action))
    )
  })

/** Whether every tally was counted, and whether a count shows that nobody was against. */
const isCounted = (words: ReadonlyArray<Word>, votes: ReadonlyArray<SpokenVote>): boolean => {
  const { tallies, unanimous } = voteOf(words)
  const has = (ayes: number, nays: number) =>
    votes.some(({ counts }) => counts !== undefined && (counts.yes ?? 0) === ayes && (counts.no ?? 0) === nays)
  return (
    tallies.every(({ ayes, nays }) => has(ayes, nays)) &&
    (!words.some(({ word }) => /^unanim/u.test(word)) || votes.some(isUnanimous)) &&
    (unanimous === undefined || votes.some(isUnanimous))
  )
}

/** Whether a vote is known to be unanimous: members were counted or called, and none was against. */
const isUnanimous = ({ counts }: SpokenVote): boolean =>
  counts !== undefined && (counts.yes ?? 0) > 1 && (counts.no ?? 0) === 0 && (counts.abstain ?? 0) === 0

/** Stretches of what was said, each beginning at another utterance and `near` words long. */
const stretchesOf = (said: ReadonlyArray<Utterance>): ReadonlyArray<string> => {
  const lengths = said.map(({ text }) => text.split(/\s+/u).length)
  return said.map((_, from) => {
    let [to, words] = [from, 0]
    while (to < said.length && (to === from || words + (lengths[to] ?? 0) <= near)) words += lengths[to++] ?? 0
    return said
      .slice(from, to)
      .map(({ text }) => text)
      .join(" ")
  })
}

/** Whether a sentence's words, names and numbers all stand in these words, and nothing there turns them around. */
const standsIn = (sentence: ReadonlyArray<Word>, text: string, said: string, item: string): boolean => {
  const wanted = contentOf(
    sentence.filter((word) => !isDecision(word) && !givens.has(word.word) && !/^\d/u.test(word.word))
  )
  const [spoken, written] = [wordsOf(said), wordsOf(item)]
  const [heard, read] = [contentOf(spoken), contentOf(written)]
  const names = sentence.filter(({ capital, first, word }) => capital && !first && !givens.has(word))
  const known = new Set([...spoken, ...written].map(({ word }) => word))
  if (![...wanted].every((word) => heard.has(word) || read.has(word))) return false
  if (!names.every((word) => isDecision(word) || known.has(word.word) || known.has(word.word.replace(/s$/u, ""))))
    return false
  const tallied = text.replace(/(\d)\s*[-–—]\s*(?=\d)/gu, "$1 ")
  if (!numbersAreIn(tallied, `${said} ${item.replace(/(\d)\s*[-–—]\s*(?=\d)/gu, "$1 ")}`)) return false
  const touched = spoken.filter((word) => contentOf([word]).size > 0 && wanted.has([...contentOf([word])][0] ?? ""))
  const [from, to] = [touched[0]?.start ?? 0, touched.at(-1)?.end ?? 0]
  const isDenied = (words: ReadonlyArray<Word>) => negatorsIn(words) > 0
  const there = spoken.filter(({ start, end }) => start >= from - 20 && end <= to)
  const isWritten = [...wanted].every((word) => read.has(word))
  return isDenied(sentence) ? !isWritten && isDenied(there) : isWritten || !isDenied(there)
}

/**
 * Whether code can tie a headline, a title or an outcome to the record word by word: each sentence's words, numbers and
 * names are those of the item and of one short stretch in which they were said, with nothing in between
 * that denies them; and what it says was decided, and how the vote came out, was heard so. It does not know what words
 * mean, so much that is true is not tied: plain words then take its place.
 */
export const tied = (text: string, { item, said, votes }: OnRecord): boolean => {
  const words = wordsOf(text)
  if (words.length === 0 || !isDecided(words, votes) || !isCounted(words, votes)) return false
  const stretches = stretchesOf(said)
  return sentencesOf(words).every((sentence) => {
    const own = text.slice(sentence[0]?.start, sentence.at(-1)?.end)
    const tallies = voteOf(sentence).tallies
    const bare = sentence.filter((_, at) => !tallies.some(({ from, to }) => at >= from && at < to))
    const untallied = bare.map(({ start, end }) => text.slice(start, end)).join(" ")
    const spoken = tallies.length > 0 ? untallied : own
    return standsIn(bare, spoken, "", item) || stretches.some((stretch) => standsIn(bare, spoken, stretch, item))
  })
}

/** How far from the words that a sentence cites its vote may be, in seconds. */
const vicinity = 60

/**
 * Whether a sentence calls a vote unanimous without a count or a roll call that shows it. That all in favor said aye
 * shows nothing.
 */
export const isUnheardUnanimity = (
  text: string,
  citations: ReadonlyArray<{ readonly start: number; readonly end: number }>,
  segments: ReadonlyArray<Segment>,
  votes: ReadonlyArray<SpokenVote>
): boolean => {
  if (!/unanim/iu.test(text)) return false
  const isNear = (start: number, end: number, reach: number) =>
    citations.some((cited) => end > cited.start - reach && start < cited.end + reach)
  const said = segments.filter(({ start, end }) => isNear(start, end, 0))
  const isTold = said.some((segment) => voteOf(wordsOf(segment.text)).tallies.some(({ nays }) => nays === 0))
  return !isTold && !votes.some((vote) => isUnanimous(vote) && isNear(vote.start, vote.end, vicinity))
}
