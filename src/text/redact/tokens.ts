import { commonWords, joiningWords } from "./common-words.ts"
import { marks } from "./marks.ts"

/** A word of a transcript as the rules see it, and its place. */
export interface Token {
  /** In lower case, without accents, apostrophes and periods: `St.` is `st`, `Peña` is `pena`. Empty for a mark. */
  readonly word: string
  /** In lower case, as written: `st.`, `#3`. */
  readonly raw: string
  /** Its segment, and its range of characters in the segment's text. */
  readonly segment: number
  readonly start: number
  readonly end: number
  /** Followed by an at sign. */
  readonly at: boolean
  /** Joined to the next word by a hyphen, an underscore or a plus sign alone. */
  readonly tied: boolean
  /** Capitalized; where the text has only one case, any word that may be a name. */
  readonly capital: boolean
  /** Written where capitals tell names from other words. */
  readonly cased: boolean
  /** May be (a part of) a name: of a person or of a street. */
  readonly name: boolean
  /** An amount of money, a percentage, a time or a decimal, which is never part of an address. */
  readonly amount: boolean
  /** The unit that ends after it: a clause (a comma), a sentence, or nothing. */
  readonly breaks: "" | "clause" | "sentence"
  /** Followed by a question mark. */
  readonly asks: boolean
  /** Written after `>>`, by which live captions tell that somebody else speaks. */
  readonly turns: boolean
}

export type Tokens = ReadonlyArray<Token>

/** A range of tokens; `to` is exclusive. */
export interface TokenSpan {
  readonly from: number
  readonly to: number
}

/** The word of a token; empty for a mark and past either end. */
export const wordAt = (tokens: Tokens, at: number): string => tokens[at]?.word ?? ""

/** These tokens' words, one blank apart; a range may begin or end past the ends. */
export const wordsIn = (tokens: Tokens, from: number, to: number): string =>
  tokens
    .slice(Math.max(0, from), to)
    .map(({ word }) => word)
    .join(" ")

const literal = (text: string) => text.replace(/[[\].]/gu, "\\$&")
const words = new RegExp(
  [
    ...Object.values(marks).map(literal),
    String.raw`#\s?(?:\d[\p{L}\p{N}]*|\p{L}\d*(?!\p{L}))|(?!\d{3}\/\d{3})\d+\/\d+|\d{1,3}(?:,\d{3})+|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’.][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*`
  ].join("|"),
  "gu"
)

/** Abbreviations, whose period ends no sentence. */
const abbreviations = new Set(
  "st ave av rd dr blvd ln ct cir pl hwy pkwy apt mt mr mrs ms jr sr no n s e w ne nw se sw po".split(" ")
)

const plain = (text: string): string =>
  text
    // The half in a house number is not one of its digits.
    .replace(/(\d)[¼½¾]/gu, "$1")
    .normalize("NFKD")
    .replace(/[\p{M}'’.#\s]/gu, "")
    .toLowerCase()

const breakAfter = (word: string, between: string, next: string | undefined): Token["breaks"] => {
  if (/[!?…]|>>|\n/u.test(between)) return "sentence"
  if (between.includes(".")) {
    return abbreviations.has(word) ? "" : next === undefined || /^[\p{Lu}\p{N}[]/u.test(next) ? "sentence" : ""
  }
  return /[,;:()–—]| - /u.test(between) ? "clause" : ""
}

const anyMark = new RegExp(Object.values(marks).map(literal).join("|"), "gu")

/** How a text writes names: by capitals, or not at all as in lines of capitals and in many recognizers' words. */
type Case = "mixed" | "upper" | "lower"

const caseOf = (marked: string): Case => {
  const text = marked.replaceAll(anyMark, "")
  return /\p{Lu}{2}/u.test(text) && !/\p{Ll}{2}/u.test(text)
    ? "upper"
    : /(?:^|[^\p{L}])(?!I(?:[^\p{L}]|$))\p{Lu}/u.test(text)
      ? "mixed"
      : "lower"
}

/** The words of one segment. */
export const tokensOf = (text: string, segment: number, isLower = true): Tokens => {
  const found = [...text.matchAll(words)]
  const own = caseOf(text)
  const isMixed = own === "mixed" || (own === "lower" && !isLower)
  return found.map((match, at) => {
    const start = match.index
    // `(865) 555-0142`, `+1 865 555 0142`
    const isLed = /^(?:\+\d|\(\d{3}\))/u.test(text.slice(Math.max(0, start - 1), start + 4))
    const end = start + match[0].length
    const isMark = match[0].startsWith("[")
    const next = found[at + 1]
    const before = text.slice(found[at - 1] === undefined ? 0 : (found[at - 1]?.index ?? 0), start)
    const between = text.slice(end, next?.index ?? text.length)
    const word = isMark ? "" : plain(match[0])
    const isCapital = /^\p{Lu}/u.test(match[0])
    const isWord = /^\p{L}[\p{L}\p{N}]*$/u.test(word)
    const name = isWord && (isMixed ? isCapital && !joiningWords.has(word) : !commonWords.has(word))
    return {
      word,
      raw: match[0].toLowerCase(),
      segment,
      start: isLed ? start - 1 : start,
      end,
      at: /^\s*@/u.test(between),
      tied: /^[-_+]$/u.test(between),
      capital: !isMark && (isMixed ? isCapital : name),
      cased: isMixed,
      name,
      amount:
        /[$€£]\s*$/u.test(text.slice(Math.max(0, start - 3), start)) ||
        /^\s*%|^:\d\d(?!\d)/u.test(between + (next?.[0] ?? "")) ||
        /\d:$/u.test(text.slice(Math.max(0, start - 2), start)) ||
        /^\d+\.\d{1,2}$/u.test(match[0]),
      breaks: breakAfter(word, between, next?.[0]),
      asks: /^[^\p{L}\p{N}]*\?/u.test(between),
      turns: />>[\s>]*$/u.test(before)
    }
  })
}

/** The words of all segments. A transcript of lower case alone names nothing by capitals. */
export const tokensIn = (texts: ReadonlyArray<string>): Tokens => {
  const cases = texts.map(caseOf)
  const isLower = cases.filter((of) => of === "mixed").length < cases.filter((of) => of === "lower").length
  return texts.flatMap((text, at) => tokensOf(text, at, isLower))
}
