import { isWorkedOut } from "../agreement.ts"
import { type Quantity, quantitiesOf } from "../quantities.ts"
import { placesOf, sensesOf, stemOf } from "../senses.ts"
import { voteOf } from "../votes.ts"
import { isContent, type Word } from "../words.ts"
import { affinity } from "./binding.ts"
import { comparisonAt, isUp } from "./comparisons.ts"
import type { Held, Text } from "./held.ts"

/** What a number can measure: one of these is never said for another. */
const measures =
  /^(?:feet|foot|ft|inch(?:es)?|acres?|miles?|days?|daily|weeks?|weekly|months?|monthly|years?|yearly|annual(?:ly)?|hours?|hourly|minutes?|seconds|tons?|gallons?|cents?|pounds?|points?|degrees?|yards?|mills?|percent|dollars?|mph|people|votes?|members?|stories)$/u

/** Words that say that a number was computed. */
const computed =
  /^(?:together|total|totals|totaling|combined|altogether|sum|difference|gap|cheaper|drop(?:ped|s)?|fell|rose|cut|increased?|decreased?|reduced|sav(?:es?|ed|ings)|fewer|more|less|longer|shorter|older|younger|apart)$/u

const isClose = (one: number, other: number): boolean => Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other))

/** Whether a spoken number is the claim's, or what the claim rounds. */
const isSame = (claim: ReadonlyArray<Word>, claimed: Quantity, said: Quantity, text: Text): boolean => {
  const [one, other] = [claimed.unit, said.unit]
  if (one !== other && one !== "plain" && other !== "plain" && !(one === "ordinal" || other === "ordinal")) return false
  if (claimed.month !== undefined && said.month !== undefined && claimed.month !== said.month) return false
  const way = comparisonAt(claim, claimed)
  return claimed.values.some((value) =>
    said.values.some((exact) => {
      if (isClose(value, exact)) {
        const told = comparisonAt(text.words, said)
        return way === undefined || (told !== undefined && isUp(told) === isUp(way))
      }
      if (value >= 1950 && value < 2050 && exact >= 10 && exact < 100 && value % 100 === exact) return true
      if (way === "more" || way === "least") return exact > value && exact <= value * 1.25
      if (way === "less" || way === "most") return exact < value && exact >= value * 0.8
      const isRounded = claimed.step >= 1 && (claimed.step > 1 || !Number.isInteger(exact))
      if (isRounded && Math.round(exact / claimed.step) * claimed.step === value) return true
      if (claimed.rounded && Math.abs(value - exact) <= Math.abs(exact) * 0.06) return true
      // Speakers drop units that are obvious: `fourteen ten` is $14.10, `forty point five` is 40.5 million.
      const dropped = [
        0.01,
        ...(text.words.some(({ word }) => word === "thousand") ? [1000] : []),
        ...(text.words.some(({ word }) => word === "million") ? [1_000_000] : [])
      ]
      // `six million from the county and three from the city`
      const isShort = claimed.loose && value < 1000 && [1000, 1_000_000].some((scale) => isClose(value * scale, exact))
      if (isShort && claim.some(({ word }) => word === "million" || word === "thousand")) return true
      return (
        one === "dollars" &&
        said.unit === "plain" &&
        exact < 10_000 &&
        dropped.some((scale) => isClose(exact * scale, value))
      )
    })
  )
}

/** What begins another clause. */
const joining = /^(?:while|until|after|before|because|since|during|each|per|now|more)$/u

/** The words after a number that name what it counts: up to three, before a word without meaning. */
const countedBy = (claim: ReadonlyArray<Word>, { to }: Quantity): ReadonlyArray<Word> => {
  const after = claim.slice(to, to + 4)
  const end = after.findIndex(
    (word, at) => (!isContent(word) && word.word !== "of") || joining.test(word.word) || (at > 0 && word.first)
  )
  return (end === -1 ? after.slice(0, 3) : after.slice(0, end)).filter(
    (word) => isContent(word) && !word.capital && !/^(?:percent|dollars?)$/u.test(word.word)
  )
}

/** Whether a spoken number counts what the claim's does. */
const countsSame = (
  claim: ReadonlyArray<Word>,
  claimed: Quantity,
  said: Quantity,
  { words, places }: Text
): boolean => {
  const counted = countedBy(claim, claimed)
  const within = (word: string, far: number) =>
    placesOf(word, places).some((at) => at >= said.from - far && at < said.to + far)
  const measure = counted.find(({ word }) => measures.test(word))
  const other = words.slice(said.to, said.to + 2).find(({ word }) => measures.test(word))?.word
  if (measure !== undefined) {
    const isOther = other !== undefined && !sensesOf(other).some((sense) => sensesOf(measure.word).includes(sense))
    return !isOther && within(measure.word, 20)
  }
  if (claimed.unit === "percent") return said.unit === "percent" || (other === undefined && within("percent", 12))
  if (claimed.unit === "dollars")
    return (
      other === undefined ||
      /^(?:dollars?|cents?|mills?|years?|months?|hours?|days?|minutes?|annual(?:ly)?|monthly|people|acres?|tons?|foot|gallons?|members?)$/u.test(
        other
      )
    )
  return true
}

const isYear = ({ values, unit, month }: Quantity): boolean =>
  unit === "plain" && month === undefined && values.some((value) => value >= 1900 && value < 2100)

const measureOf = (words: ReadonlyArray<Word>, { to }: Quantity): string | undefined =>
  words.slice(to, to + 2).find(({ word }) => measures.test(word))?.word

/** A number, and the words it stands among. */
interface Told {
  readonly number: Quantity
  readonly words: ReadonlyArray<Word>
}

/** Whether two numbers are of one kind, so that one could have been said for the other. */
const isKin = (one: Told, other: Told): boolean => {
  if (one.number.month !== undefined || other.number.month !== undefined)
    return one.number.month !== undefined && other.number.month !== undefined
  if (one.number.unit !== other.number.unit || isYear(one.number) !== isYear(other.number)) return false
  const [mine, theirs] = [measureOf(one.words, one.number), measureOf(other.words, other.number)]
  return mine === undefined || theirs === undefined || stemOf(mine) === stemOf(theirs)
}

/** A number of the claim, and where it was said. */
interface Bound {
  readonly number: Quantity
  readonly said: ReadonlyArray<Quantity>
  readonly text: Text
}

const boundTo = ({ claim, near, item }: Held, number: Quantity): Bound & { readonly isThere: boolean } => {
  const find = (text: Text) => quantitiesOf(text.words).filter((one) => isSame(claim, number, one, text))
  const counted = (text: Text, said: ReadonlyArray<Quantity>) =>
    said.filter((one) => countsSame(claim, number, one, text))
  const close = find(near)
  const own = counted(near, close)
  if (own.length > 0) return { number, said: own, text: near, isThere: true }
  const far = find(item)
  return { number, said: counted(item, far), text: item, isThere: close.length + far.length > 0 }
}

/** Why the numbers of a claim are not carried; undefined if they are. */
export const lackOfNumbers = (held: Held): "number" | "unit" | "swapped numbers" | undefined => {
  const { claim, near } = held
  const tallies = voteOf(claim).tallies
  const claimed = quantitiesOf(claim).filter(
    (number) => !tallies.some(({ from, to }) => number.from < to && from < number.to)
  )
  if (claimed.length === 0) return undefined
  const isComputed = claim.some(({ word }) => computed.test(word))
  const there = quantitiesOf(near.words)
  const bound = claimed
    .map((number) => boundTo(held, number))
    .filter(
      ({ number, isThere }) =>
        isThere ||
        !isComputed ||
        !isWorkedOut(
          number,
          there.filter(({ unit }) => unit === number.unit)
        )
    )
  if (bound.some(({ isThere }) => !isThere)) return "number"
  if (bound.some(({ said }) => said.length === 0)) return "unit"
  const isSwapped = bound.some((one, at) => bound.slice(at + 1).some((other) => isCrossed(claim, one, other)))
  return isSwapped ? "swapped numbers" : undefined
}

/** Whether two places of the claim fit better to each other's places in what was said than to their own. */
const isCrossed = (claim: ReadonlyArray<Word>, one: Bound, other: Bound): boolean => {
  if (one.text !== other.text || one.said.some((said) => other.said.includes(said))) return false
  if (!isKin({ number: one.number, words: claim }, { number: other.number, words: claim })) return false
  // `25 and 62 miles` says the same of both.
  const between = claim.slice(one.number.to, other.number.from)
  if (
    between.every(({ word }) => /^(?:and|or|to|through|dollars|percent)$/u.test(word)) &&
    !claim.some((word) =>
      /^(?:ris|rose|fall|fell|go|went|goes|chang|lower|rais|cut|drop|grow|grew|mov|increas|decreas|reduc)/u.test(
        word.word
      )
    )
  )
    return false
  const best = (a: Bound, b: Bound, to: Bound) =>
    Math.max(0, ...to.said.map((said) => affinity(claim, a.number, [b.number], to.text.places, said)))
  const straight = best(one, other, one) + best(other, one, other)
  const crossed = best(one, other, other) + best(other, one, one)
  if (Math.abs(straight - crossed) > 0.2 * Math.max(straight, crossed)) return crossed > straight
  // Words do not tell: then what was said first comes first.
  const first = Math.min(...one.said.map(({ from }) => from))
  const second = Math.min(...other.said.map(({ from }) => from))
  return one.number.from < other.number.from !== first < second
}
