import { type Places, placesOf } from "../senses.ts"
import { isContent, type Word } from "../words.ts"

/** A place of interest in a text, such as a number: the words `from` up to but not including `to`. */
export interface Span {
  readonly from: number
  readonly to: number
}

const gap = ({ from, to }: Span, at: number): number => (at < from ? from - at : at >= to ? at - to + 1 : 0)

/** How much a word this far away says about a number or a name. */
const weight = (words: number): number => 1 / (1 + words / 4)

/** The farthest that a word is read as said of a number or a name. */
const farthest = 25

/**
 * How well the words around a place in the claim agree with the words around a place in what was said, closer ones
 * counting more. Words of other spans of the claim do not count.
 */
export const affinity = (
  claim: ReadonlyArray<Word>,
  span: Span,
  others: ReadonlyArray<Span>,
  places: Places,
  said: Span
): number => {
  let sum = 0
  for (const [at, word] of claim.entries()) {
    if (!isContent(word) || gap(span, at) === 0 || others.some((other) => gap(other, at) === 0)) continue
    let nearest = Number.POSITIVE_INFINITY
    for (const place of placesOf(word.word, places)) {
      const far = gap(said, place)
      if (far > 0 && far < nearest) nearest = far
    }
    if (nearest <= farthest) sum += weight(gap(span, at)) * weight(nearest)
  }
  return sum
}
