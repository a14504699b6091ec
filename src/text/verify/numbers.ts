import { agrees, isWorkedOut, sameKind } from "./agreement.ts"
import { type Quantity, quantitiesOf } from "./quantities.ts"
import { type Heard, type Quote, quotesOf, type Said } from "./said.ts"
import { contentOf, shareIn, type Word } from "./words.ts"

/** A spoken number, and its place. */
interface Mention {
  readonly number: Quantity
  readonly words: ReadonlyArray<Heard>
}

/** The refutation of a claim: the numbers that were said instead; empty if its own number is merely missing. */
export type Refuted = { readonly quotes: ReadonlyArray<Quote> } | undefined

/** Words that announce a derived number. */
const workedOut =
  /^(?:together|total|totals?|combined|altogether|sum|difference|gap|cheaper|dearer|dropp?(?:ed|s)?|fell|falls|fall|rose|rises|rise|cut|cuts|increased?|decreased?|reduced|reduction|saves?|saved|savings|fewer|more|less|later|after|before|earlier|longer|shorter|older|younger|apart)$/u

const up =
  /^(?:increas(?:e|es|ed|ing)|ris(?:e|es|ing)|rose|gr(?:ow|ows|ew|owth)|gain(?:s|ed)?|rais(?:e|es|ed)|climb(?:s|ed)?|higher)$/u
const down =
  /^(?:decreas(?:e|es|ed|ing)|reduc(?:e|es|ed|tion|ing)|fall(?:s|ing)?|fell|drop(?:s|ped)?|declin(?:e|es|ed)|cut(?:s)?|lower(?:ed)?|shr(?:ink|ank|unk))$/u

/** Whether the words around a number speak of a rise (1), a fall (-1), or neither or both (0). */
const direction = (words: ReadonlyArray<Word>, { from, to }: Quantity): number => {
  const near = words.slice(Math.max(0, from - 3), to + 3)
  return Number(near.some(({ word }) => up.test(word))) - Number(near.some(({ word }) => down.test(word)))
}

const mentionsIn = (all: ReadonlyArray<Said>): ReadonlyArray<Mention> =>
  all.flatMap(({ words }) => quantitiesOf(words).map((number) => ({ number, words })))

const quotesFor = (mentions: ReadonlyArray<Mention>): ReadonlyArray<Quote> =>
  mentions.flatMap(({ number, words }) => quotesOf(words.slice(number.from, number.to)))

/**
 * Looks for a number in a claim that nobody said, in the evidence or `around` it. It is contradicted by other spoken
 * numbers of the same kind about the same thing, and by the same percentage in the other direction.
 */
export const refuteNumbers = (
  claim: ReadonlyArray<Word>,
  numbers: ReadonlyArray<Quantity>,
  all: ReadonlyArray<Said>,
  around: ReadonlyArray<Said>
): Refuted => {
  const mentions = mentionsIn(all)
  const amounts = mentions.map(({ number }) => number)
  const near = mentionsIn(around).map(({ number }) => number)
  const isDerived = claim.some(({ word }) => workedOut.test(word))
  for (const claimed of numbers) {
    const said = mentions.filter(({ number }) => agrees(claimed, number))
    const way = direction(claim, claimed)
    if (claimed.unit === "percent" && way !== 0 && said.length > 0) {
      if (said.every(({ number, words }) => direction(words, number) === -way)) return { quotes: quotesFor(said) }
    }
    if (said.length > 0 || near.some((number) => agrees(claimed, number))) continue
    if ((isDerived || claimed.relative) && isWorkedOut(claimed, amounts)) continue
    // `six million and three` is three million.
    if (
      claimed.loose &&
      amounts.some(({ values }) =>
        values.some((value) => claimed.values.some((small) => value === small * 1e3 || value === small * 1e6))
      )
    )
      continue
    // `next Tuesday` is a date too, and code cannot tell which.
    if (claimed.month !== undefined && !amounts.some(({ month }) => month !== undefined)) continue
    const about = contentOf(
      claim.slice(Math.max(0, claimed.from - 3), claimed.to + 3).filter(({ word }) => !/\d/u.test(word))
    )
    const others = mentions.filter(
      ({ number, words }) =>
        sameKind(claimed, number) &&
        about.size >= (claimed.loose ? 2 : 1) &&
        // A reference such as "the last two" cannot be compared.
        !(claimed.loose && /^(?:last|past|next|first)$/u.test(claim[claimed.from - 1]?.word ?? "")) &&
        shareIn(about, contentOf(words.slice(Math.max(0, number.from - 4), number.to + 4))) >= 0.5
    )
    if (others.length > 0) return { quotes: quotesFor(others) }
    if (!claimed.loose) return { quotes: [] }
  }
  return undefined
}
