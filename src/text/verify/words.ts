/** A word of a claim or of what was said, and its place in the text. */
export interface Word {
  /** In lower case, without accents and apostrophes. */
  readonly word: string
  readonly start: number
  readonly end: number
  readonly capital: boolean
  /** Whether it begins a sentence. */
  readonly first: boolean
  /** `$` before it, or `%` after it. */
  readonly sign: "" | "$" | "%"
  /** Whether a hyphen or dash joins it to the word before: `5-2`. */
  readonly tied: boolean
}

/**
 * Part of what was said, by one speaker if known, such as a segment of a transcript. Times are seconds into the
 * recording.
 */
export interface Utterance {
  readonly text: string
  readonly speaker?: string | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  /** The agenda item it was said under, as a number of one's own; undefined where nobody knows when items began. */
  readonly item?: number | undefined
}

const pattern =
  /\d{1,2}:\d{2}(?!\d)|(?:\d[\d,]*|(?<![\p{L}\d])(?=\.\d))(?:\.\d+)?(?:st|nd|rd|th|[kKmM]\b)?|[\p{L}][\p{L}\p{M}\p{N}]*(?:['’.][\p{L}\p{M}]+)*/gu

/** Abbreviations whose period does not end a sentence. */
const abbreviation = /\b(?:mr|mrs|ms|dr|st|jr|sr)\.\s*$/iu
const numberSign = /\bno\.\s*$/iu

/** Removes case, accents and marks, so that `Peña` and `pena` are the same name. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}'’.]/gu, "")
    .toLowerCase()

export const wordsOf = (text: string): ReadonlyArray<Word> => {
  let last = 0
  let opened = true
  return [...text.matchAll(pattern)].map((match) => {
    const start = match.index
    const end = start + match[0].length
    const between = text.slice(last, start)
    const before = text.slice(Math.max(0, start - 6), start)
    const number = /^[.\d]/u.test(match[0])
    const isShort = abbreviation.test(before) || (number && numberSign.test(before))
    const ends = /[.!?…]["”’)]*\s|\n/u.test(between) && !isShort
    const first = opened || ends
    const tied = last > 0 && /^\s?[-–—‐]\s?$/u.test(between)
    last = end
    opened = false
    return {
      word: number ? match[0].replace(/,/gu, "").replace(/^\./u, "0.").toLowerCase() : folded(match[0]),
      start,
      end,
      capital: /^\p{Lu}/u.test(match[0]),
      first,
      sign: /\$\s?$/u.test(between) ? "$" : /^\s?%/u.test(text.slice(end, end + 2)) ? "%" : "",
      tied
    }
  })
}

/** Where a run of words occurs among others, as its start and end; undefined if it does not. */
export const runIn = (
  words: ReadonlyArray<Word>,
  wanted: ReadonlyArray<Word>
): readonly [number, number] | undefined => {
  if (wanted.length === 0) return undefined
  for (let from = 0; from + wanted.length <= words.length; from++) {
    let same = 0
    while (same < wanted.length && words[from + same]?.word === wanted[same]?.word) same++
    if (same === wanted.length) return [from, from + same]
  }
  return undefined
}

/** Words that carry little meaning. */
const stopWords = new Set(
  `a an the and or but if then than as at by for from in into of off on onto over to up with about that this these those it
  its is are was were be been being am has have had do does did will would shall should can could may might must there here
  i you he she we they me him her us them my your his our their who whom which what when where why how so just also very
  not no never none nobody cannot without dont doesnt didnt wont wouldnt isnt arent wasnt werent cant couldnt shouldnt hasnt havent
  said says say saying told asked asks added noted argued uh um`.split(/\s+/u)
)

/** A crude stem, enough for `approve`, `approved` and `approves` to compare as equal. */
const stem = (word: string): string => (word.length <= 4 ? word : word.replace(/(?:ing|ed|es|s|e|ly)$/u, ""))

/** The stems of the words that carry meaning. */
export const contentOf = (words: ReadonlyArray<Word>): ReadonlySet<string> =>
  new Set(words.filter(({ word }) => !stopWords.has(word)).map(({ word }) => stem(word)))

/** The share of `wanted` that is among `found`, 0 to 1. */
export const shareIn = (wanted: ReadonlySet<string>, found: ReadonlySet<string>): number =>
  wanted.size === 0 ? 0 : [...wanted].filter((word) => found.has(word)).length / wanted.size

/** The sentences of a text, as runs of its words. */
export const sentencesOf = <W extends Word>(words: ReadonlyArray<W>): ReadonlyArray<ReadonlyArray<W>> => {
  const sentences: Array<Array<W>> = []
  for (const word of words) {
    if (word.first || sentences.length === 0) sentences.push([])
    sentences.at(-1)?.push(word)
  }
  return sentences
}

const negators = new Set(
  "not never no none nothing nobody cannot without neither nor dont doesnt didnt wont wouldnt isnt arent wasnt werent cant couldnt shouldnt hasnt havent".split(
    " "
  )
)

/** The number of words that deny something; `not to exceed` only compares. */
export const negatorsIn = (words: ReadonlyArray<Word>): number =>
  words.filter(
    ({ word }, at) =>
      negators.has(word) && !/^exceed/u.test(words[at + (words[at + 1]?.word === "to" ? 2 : 1)]?.word ?? "")
  ).length

/** Whether some words deny something, and do not deny it twice. */
export const isNegative = (words: ReadonlyArray<Word>): boolean => negatorsIn(words) % 2 === 1

/** Whether a word carries meaning by itself. */
export const isContent = ({ word }: Pick<Word, "word">): boolean => !stopWords.has(word)
