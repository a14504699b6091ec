import { commonWords } from "./street-words.ts"

/** A word of a transcript as the rules see it, and its place. */
export interface Token {
  /** In lower case, without accents, apostrophes and periods: `St.` is `st`, `Peña` is `pena`. */
  readonly word: string
  /** In lower case, as written. */
  readonly raw: string
  /** Its segment, and its range of characters in the segment's text. */
  readonly segment: number
  readonly start: number
  readonly end: number
  /** Followed by an at sign. */
  readonly at: boolean
  /** Capitalized, which many recognizers never do; in a line of capitals, any word that may be a name. */
  readonly capital: boolean
  /** An amount of money or a percentage, which is never part of an address. */
  readonly amount: boolean
  /** The unit that ends after it: a clause (a comma), a sentence, or nothing. */
  readonly breaks: "" | "clause" | "sentence"
}

const words = /\d+\/\d+|\d{1,3}(?:,\d{3})+|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’.][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu

/** Abbreviations, whose period ends no sentence. */
const abbreviations = new Set(
  "st ave av rd dr blvd ln ct cir pl hwy pkwy apt mt mr mrs ms jr sr no n s e w ne nw se sw".split(" ")
)

const plain = (text: string): string =>
  text
    // The half in a house number is not one of its digits.
    .replace(/(\d)[¼½¾]/gu, "$1")
    .normalize("NFKD")
    .replace(/[\p{M}'’.]/gu, "")
    .toLowerCase()

const breakAfter = (word: string, between: string, next: string | undefined): Token["breaks"] => {
  if (/[!?…]|\n/u.test(between)) return "sentence"
  if (between.includes(".")) {
    return abbreviations.has(word) ? "" : next === undefined || /^[\p{Lu}\p{N}]/u.test(next) ? "sentence" : ""
  }
  return /[,;:()–—]/u.test(between) ? "clause" : ""
}

/** Whether a line is written in capitals, as live captions are. */
const isShouted = (text: string): boolean => /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text)

/** The words of one segment. */
export const tokensOf = (text: string, segment: number): ReadonlyArray<Token> => {
  const found = [...text.matchAll(words)]
  const shouted = isShouted(text)
  return found.map((match, at) => {
    const start = match.index
    const end = start + match[0].length
    const next = found[at + 1]
    const between = text.slice(end, next?.index ?? text.length)
    const word = plain(match[0])
    return {
      word,
      raw: match[0].toLowerCase(),
      segment,
      start,
      end,
      at: /^\s*@/u.test(between),
      capital: /^\p{Lu}/u.test(match[0]) && !(shouted && commonWords.has(word)),
      amount: /[$€£]\s*$/u.test(text.slice(Math.max(0, start - 3), start)) || /^\s*%/u.test(between),
      breaks: breakAfter(word, between, next?.[0])
    }
  })
}
