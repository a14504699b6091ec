/** Marks a found word in a stretch of transcript; no text on record contains it. */
export const mark = "\u0001"

const folded = (word: string): string =>
  word
    .normalize("NFD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase()

/** English inflects words at their end, so forms of one word share their beginning. */
const stemLength = 3

/** The words of a stretch, each with whether it is a form of some word of the query. */
interface Word {
  readonly text: string
  readonly found: boolean
}

/** Where a word or phrase begins in a stretch, as indices of its words. */
const occurrences = (stretch: ReadonlyArray<Word>, term: string): ReadonlyArray<number> => {
  const words = term
    .split(/\s+/)
    .map(folded)
    .filter((word) => word !== "")
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
 * begins or, of several, where the shortest passage that has them all begins. Undefined if no word is marked.
 */
export const momentIn = (marked: string, terms: ReadonlyArray<string>): number | undefined => {
  const stretch = marked
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => ({ text: folded(word), found: word.includes(mark) }))
  const found = terms.map((term) => occurrences(stretch, term)).filter((starts) => starts.length > 0)
  const passages = found.flat().map((from) => {
    const firsts = found.map((starts) => starts.find((at) => at >= from) ?? Number.POSITIVE_INFINITY)
    return { from, length: Math.max(...firsts) - from }
  })
  const [best] = passages.toSorted((a, b) => a.length - b.length || a.from - b.from)
  if (best !== undefined) return best.from
  const first = stretch.findIndex((word) => word.found)
  return first === -1 ? undefined : first
}
