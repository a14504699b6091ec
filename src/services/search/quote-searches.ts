import type { Conjunction, SearchQuery } from "../../../schema/search-query.ts"

const nothing: Conjunction = { words: [], phrases: [], notWords: [], notPhrases: [], scopes: [] }

const ofWords = (words: ReadonlyArray<string>): Conjunction => ({ ...nothing, words })

/** The most words of a phrase: stretches of a transcript overlap by more. */
const longestPhrase = 8

/** The words of a quote by which it can be found, each once: plain ones, of some length. */
export const wordsToFind = (text: string): ReadonlyArray<string> => [
  ...new Set(
    (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+(?:['’.,-][\p{L}\p{N}]+)*/gu) ?? []).filter((word) =>
      /^(?:\p{L}{3,}|\d+)$/u.test(word)
    )
  )
]

/** The meetings in which a whole quote was said, as phrases that follow each other. */
export const phrasesOf = (text: string): SearchQuery => {
  const words = text.match(/[^\s"]*[\p{L}\p{N}][^\s"]*/gu) ?? []
  const starts = words.flatMap((_, at) => (at % longestPhrase === 0 ? [at] : []))
  const phrases = starts.map((at) => words.slice(at, at + longestPhrase).join(" "))
  return { either: [{ ...nothing, phrases }] }
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
