import { stateAtEnd } from "../../geocoder/read-text.ts"
import { fold } from "../../text/fold.ts"

/** A text typed to find a place or a body. */
export interface PlaceText {
  /** Its words in lower case, without accents, punctuation and a ZIP code at the end. */
  readonly words: ReadonlyArray<string>
  /** The ZIP code at the end. */
  readonly zip?: string
  /** The state at the end of the words, and the words before it. */
  readonly inState?: { readonly state: string; readonly words: ReadonlyArray<string> }
}

/** No name of a place has more words. */
const longestName = 6

const zipAtEnd = /(?<![\p{L}\p{N}])(\d{5})(?:-\d{4})?\s*$/u

export const readPlaceText = (text: string): PlaceText => {
  const zip = zipAtEnd.exec(text)?.[1]
  const words = fold(text.replace(zipAtEnd, ""))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
  const ending = stateAtEnd(words)
  return {
    words,
    ...(zip === undefined ? {} : { zip }),
    ...(ending === undefined || ending.words === words.length
      ? {}
      : { inState: { state: ending.state, words: words.slice(0, -ending.words) } })
  }
}

/** Possible place names at the end of a text, longest first. */
export const namesAtEnd = ({ words, inState }: PlaceText): ReadonlyArray<string> => {
  const named = inState?.words ?? words
  const counts = Array.from({ length: Math.min(longestName, named.length) }, (_, at) => at + 1)
  return counts.toReversed().map((count) => named.slice(-count).join(" "))
}
