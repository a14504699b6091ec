import { placesOf } from "../senses.ts"
import { isContent, type Word } from "../words.ts"
import { affinity } from "./binding.ts"
import type { Held } from "./held.ts"

const denial =
  /^(?:no|not|never|none|nothing|nobody|cannot|without|neither|nor|unable|hardly|barely|dont|doesnt|didnt|wont|wouldnt|isnt|arent|wasnt|werent|cant|couldnt|shouldnt|hasnt|havent|hadnt|aint)$/u

/** Words after which a statement stands by itself, whatever was denied before. */
const turn = /^(?:but|because|and|so|if|that|which|who|then|or|when)$/u

/** How far a denial reaches, and what makes a thing one that is to come, in words. */
const reach = 4

const ahead =
  /^(?:will|shall|going|gonna|plans?|planning|planned|intends?|intended|scheduled|expects?|expected|hopes?|hoped|proposes?|proposed|proposing|want|wants|wanted|wish|recommends?|recommended|recommending|asks?|asked|asking|requests?|requested|requesting|considers?|considered|considering|would|could|should|might|may|must|if|upcoming|theyll|youll|itll|thatll|wont|lets|let)$/u

interface Frame {
  readonly isDenied: boolean
  readonly isAhead: boolean
}

/** Whether what stands at a place is denied, or is yet to come, by the few words before it in its sentence. */
export const frameAt = (words: ReadonlyArray<Word>, at: number): Frame => {
  let denials = 0
  let isAhead = false
  for (let back = 1; back <= reach && at - back >= 0; back++) {
    const word = words[at - back]
    if (word === undefined || words[at - back + 1]?.first || turn.test(word.word)) break
    if (isDenial(words, at - back)) denials++
    if (ahead.test(word.word)) isAhead = true
  }
  return { isDenied: denials % 2 === 1, isAhead }
}

const past =
  /(?:ed|went|paid|bought|sold|built|made|held|kept|left|gave|given|took|taken|got|came|saw|seen|knew|spoke|spent|sent|met|rose|fell|grew|drew|wrote|led|lost|won|began|brought|ran|found|stood|chose|heard|taught|broke|drove|withdrew|said|told)$/u

/** Words that deny without a `not`. */
const denying =
  /^(?:oppos(?:e|ed|es|ition)|refus\w*|reject\w*|declin\w*|fail\w*|against|zero|lack\w*|unanimous\w*|nays?|deny|denied|denies|same|unchanged|avoid\w*|stop\w*|prevent\w*|exempt\w*|waive\w*|only|un\w{5,}|few|little|yet|free|out|absent|missing|except\w*|exclud\w*|still|pending|remain\w*|vacant|unknown|prohibit\w*|bann?(?:ed|s)?|forbid\w*|los[est]\w*|short|eliminat\w*|remov\w*|withdr\w+|wrong|false|hard|difficult|0|rather|instead|disagree\w*|impossible|rid)$/u

/** `no more than` and `not to exceed` deny nothing. */
const isDenial = (words: ReadonlyArray<Word>, at: number): boolean => {
  const [next = "", after = ""] = [words[at + 1]?.word, words[at + 2]?.word]
  const one = next === "to" || next === "be" ? after : next
  return (
    denial.test(words[at]?.word ?? "") &&
    // `Seeing none, I call the vote.`
    !(
      words[at]?.word === "none" &&
      /^(?:seeing|hearing|saying|opposed|oppose|opposition)$/u.test(words[at - 1]?.word ?? "")
    ) &&
    !/^(?:more|less|fewer|only|just|later|exceed|exceeding|objections?)$/u.test(one)
  )
}

/** How close to the claim's other words a word must stand to be said of the same. */
const leastClose = 0.2

/**
 * Whether a word of the claim was said otherwise than the claim has it: where it stands closest to the claim's other
 * words, `isOther` holds, by the margin `by`.
 */
const isOtherwise = ({ claim, near }: Held, at: number, isOther: (place: number) => boolean, by: number): boolean => {
  const said = placesOf(claim[at]?.word ?? "", near.places)
  if (said.length === 0) return false
  const close = (wanted: boolean) =>
    Math.max(
      0,
      ...said
        .filter((place) => isOther(place) === wanted)
        .map((place) => affinity(claim, { from: at, to: at + 1 }, [], near.places, { from: place, to: place + 1 }))
    )
  return close(true) > Math.max(leastClose, close(false) * by)
}

/** Whether the claim denies what was only said without denial, or the other way around. */
export const lacksPolarity = (held: Held): boolean => {
  const { claim, near } = held
  if (claim.some((_, at) => isDenial(claim, at))) {
    return !near.words.some(({ word }) => denial.test(word) || denying.test(word))
  }
  return claim.some(
    (word, at) => isContent(word) && isOtherwise(held, at, (place) => frameAt(near.words, place).isDenied, 3)
  )
}

/** Verbs of wishes, which are told in the past however they are spoken. */
const telling = /^(?:want|wish|ask|propos|recommend|request|hop|plan|intend|expect)/u

/**
 * The verb of `has been closed` or `have begun`: the first word with a meaning after a form of
 * `have`, if it is done.
 */
const perfectIn = (claim: ReadonlyArray<Word>): ReadonlyArray<number> =>
  claim.flatMap(({ word }, at) => {
    if (!/^(?:has|have|had)$/u.test(word)) return []
    const next = claim
      .slice(at + 1, at + 5)
      .findIndex((one) => isContent(one) && !/^(?:already|now|just|also|long)$/u.test(one.word))
    const verb = claim[at + 1 + next]?.word ?? ""
    const isBetween = claim
      .slice(at + 1, at + 1 + next)
      .every((one) => /^(?:been|already|not|now|just|never|also|long|being)$/u.test(one.word))
    return next === -1 || !isBetween || !past.test(verb) ? [] : [at + 1 + next]
  })

const isDone = (words: ReadonlyArray<Word>, at: number): boolean =>
  past.test(words[at]?.word ?? "") && !isAheadAt(words, at)

/** Whether it is to come: said so shortly before, or an infinitive. */
const isAheadAt = (words: ReadonlyArray<Word>, at: number): boolean =>
  frameAt(words, at).isAhead ||
  words[at - 1]?.word === "to" ||
  (words[at - 1]?.word === "be" && words[at - 2]?.word === "to")

/** Whether the claim tells as done what was only said to come, or the other way around. */
export const lacksTense = (held: Held): boolean => {
  const { claim, near } = held
  const isClaimAhead =
    claim.some(({ word }) => /^(?:will|shall)$/u.test(word)) ||
    claim.some(
      ({ word }, at) => /^(?:plans?|going|set|expected|scheduled|is|are)$/u.test(word) && claim[at + 1]?.word === "to"
    )
  const isSaidAhead = near.words.some(({ word }) => ahead.test(word) || word === "to")
  if (isClaimAhead && !isSaidAhead) return true
  const done = perfectIn(claim)
  const isUndone = done.some(
    (at) =>
      placesOf(claim[at]?.word ?? "", near.places).length === 0 ||
      isOtherwise(held, at, (place) => isAheadAt(near.words, place), 1)
  )
  if (isUndone) return true
  return claim.some((word, at) => {
    if (!isContent(word) || telling.test(word.word)) return false
    const isAhead = isAheadAt(claim, at)
    if (!isAhead && past.test(word.word)) return isOtherwise(held, at, (place) => isAheadAt(near.words, place), 2)
    return (
      isAhead &&
      /^(?:will|shall)$/u.test(claim[at - 1]?.word ?? "") &&
      isOtherwise(held, at, (place) => isDone(near.words, place), 1.5)
    )
  })
}
