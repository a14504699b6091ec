/** Marks a found word in a stretch of transcript; no text on record contains it. */
export const mark = "\u0001"

const folded = (word: string): string =>
  word
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase()

/** English inflects words at their end, so forms of one word share their beginning. */
const stemLength = 3

/** A word as search spells it, with whether it is a form of some word of the query. */
interface Piece {
  readonly text: string
  readonly found: boolean
  /** The index of the word, as it was said, that it is a piece of: `24-117` has two. */
  readonly word: number
}

const wordsOf = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter((word) => folded(word) !== "")

/** Where a word or phrase begins in a stretch, as indices of its pieces. */
const occurrences = (stretch: ReadonlyArray<Piece>, term: string): ReadonlyArray<number> => {
  const words = wordsOf(term).map(folded)
  if (words.length === 0) return []
  return [...stretch.keys()].filter((at) =>
    words.every((word, offset) => {
      const said = stretch[at + offset]
      return (
        said !== undefined &&
        (said.text === word || (said.found && said.text.slice(0, stemLength) === word.slice(0, stemLength)))
      )
    })
  )
}

/**
 * The index of the word at which a query is said in a stretch whose found words are marked: where the phrase or word
 * begins or, of several, where the shortest passage that has them all begins. The stretch has a line per word, and both
 * it and the terms are spelled as search spells them (`search_text`). Undefined if no word is marked.
 */
export const momentIn = (marked: string, terms: ReadonlyArray<string>): number | undefined => {
  const stretch = marked
    .split("\n")
    .flatMap((line, word) => wordsOf(line).map((text) => ({ text: folded(text), found: text.includes(mark), word })))
  const found = terms.map((term) => occurrences(stretch, term)).filter((starts) => starts.length > 0)
  const passages = found.flat().map((from) => {
    const firsts = found.map((starts) => starts.find((at) => at >= from) ?? Number.POSITIVE_INFINITY)
    return { from, length: Math.max(...firsts) - from }
  })
  const [best] = passages.toSorted((a, b) => a.length - b.length || a.from - b.from)
  return best === undefined ? stretch.find((piece) => piece.found)?.word : stretch[best.from]?.word
}
