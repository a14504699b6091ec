import type { Conjunction, SearchQuery } from "../../../../schema/search-query.ts"

const nothing: Conjunction = { words: [], phrases: [], notWords: [], notPhrases: [], scopes: [] }

const ofWords = (words: ReadonlyArray<string>): Conjunction => ({ ...nothing, words })

/** The most words of a phrase: stretches of a transcript overlap by more. */
const longestPhrase = 8
/** The most words of a phrase of which one may be missing, and the most of these. */
const longestOfSome = 6
const mostPhrases = 6

/** The words of a quote by which it can be found, each once: plain ones, of some length. */
export const wordsToFind = (text: string): ReadonlyArray<string> => [
  ...new Set(
    (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu) ?? []).filter((word) =>
      /^(?:\p{L}{3,}|\d+)$/u.test(word)
    )
  )
]

/**
 * A quote in pieces of at most so many words, of equal length, without those that have none of the words that can be
 * found: a phrase of stop words alone is found nowhere.
 */
const piecesOf = (text: string, most: number, found: ReadonlySet<string>): ReadonlyArray<string> => {
  const words = text.match(/[^\s"]*[\p{L}\p{N}][^\s"]*/gu) ?? []
  const length = Math.ceil(words.length / Math.ceil(words.length / most))
  return words
    .flatMap((_, at) => (at % length === 0 ? [words.slice(at, at + length).join(" ")] : []))
    .filter((piece) => wordsToFind(piece).some((word) => found.has(word)))
}

/** The meetings in which a whole quote was said, as phrases that follow each other. */
export const phrasesOf = (text: string, found: ReadonlySet<string>): SearchQuery => {
  const phrases = piecesOf(text, longestPhrase, found)
  return { either: phrases.length === 0 ? [] : [{ ...nothing, phrases }] }
}

/** The same but for one of shorter phrases, in which a word may have been misheard or left out. */
export const phrasesButOne = (text: string, found: ReadonlySet<string>): SearchQuery => {
  const phrases = piecesOf(text, longestOfSome, found).slice(0, mostPhrases)
  if (phrases.length < 2) return { either: [] }
  return { either: phrases.map((one) => ({ ...nothing, phrases: phrases.filter((other) => other !== one) })) }
}

/** Four of the five rarest words, which come first: one may have been misheard. */
export const allButOne = (rarest: ReadonlyArray<string>): SearchQuery => {
  const five = rarest.slice(0, 5)
  if (five.length < 4) return { either: [] }
  return { either: five.map((word) => ofWords(five.filter((other) => other !== word))) }
}

/** Any three of the six rarest words; all of them if there are fewer. */
export const triplesOf = (rarest: ReadonlyArray<string>): SearchQuery => {
  const six = rarest.slice(0, 6)
  if (six.length < 3) return { either: six.length === 0 ? [] : [ofWords(six)] }
  return {
    either: six.flatMap((a, i) =>
      six.slice(i + 1).flatMap((b, j) => six.slice(i + j + 2).map((c) => ofWords([a, b, c])))
    )
  }
}
