import { ordinals, scales, tens, units } from "../language/number-words.ts"
import { keyOf } from "../language/spoken-words.ts"

/** A word of a quote or of a transcript, as quotes are compared by it. */
export interface QuoteWord {
  /** In lower case; a number in digits, whether it was written in digits or in words. */
  readonly key: string
  /** As it stands. */
  readonly text: string
  /** Its place among the words given. */
  readonly at: number
  /** A number, a negation or a name: to change it changes what was said. */
  readonly matters: boolean
}

const fillers = new Set(["um", "uh", "er", "erm", "ah", "hm", "hmm", "mm", "mhm"])
const negations = new Set([
  ...["not", "no", "never", "none", "nor", "neither", "nobody", "nothing", "nowhere", "without"],
  ...["against", "oppose", "opposed", "opposes", "deny", "denied", "reject", "rejected"]
])
const irregular: ReadonlyMap<string, string> = new Map([
  ["cant", "can"],
  ["cannot", "can"],
  ["wont", "will"],
  ["shant", "shall"],
  ["aint", "is"]
])
/** `dont` as captions write it; `wont` and `cant` are words, too, but hardly ever meant. */
const negated = /^(do|does|did|is|was|are|were|could|should|would|have|has|had|must|need)nt$/u

const ordinal = /^(\d+)(st|nd|rd|th)$/u
const digits = /^\d+(?:\.\d+)?$/u

/** The keys of a written word: `don't` is `do not`, `$1,250` is 1250, `5%` is `5 percent`. */
const keysOf = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(/(?<=\d),(?=\d{3})/gu, "")
    .replaceAll("%", " percent ")
    .split(/[-\u2010-\u2015/\s]+|(?<!\d)\.(?!\d)/u)
    .flatMap((part) => {
      const number = /\d+(?:\.\d+)?/u.exec(part)?.[0]
      const key = keyOf(part)
      if (number !== undefined && keyOf(number) === key) return [number]
      const base = irregular.get(key) ?? negated.exec(key)?.[1]
      if (base !== undefined) return [base, "not"]
      const nth = ordinals.get(key)
      return key === "" || fillers.has(key) ? [] : [nth === undefined ? key : `${nth}th`]
    })
    .map((key) => key.replace(ordinal, "$1th"))

const numberOf = (key: string): number | undefined =>
  digits.test(key) ? Number(key) : (units.get(key) ?? tens.get(key))

interface Part {
  readonly key: string
  readonly at: number
}

/** Numbers in words become digits: `two hundred thousand` is 200000, `twenty five` is 25. */
const withNumbers = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const read: Array<Part> = []
  let [total, current, at, isOpen] = [0, 0, 0, false]
  const close = () => {
    if (isOpen) read.push({ key: String(total + current), at })
    ;[total, current, isOpen] = [0, 0, false]
  }
  for (const part of parts) {
    const value = numberOf(part.key)
    const scale = scales.get(part.key)
    if (value !== undefined) {
      const continues = isOpen && (current % 100 === 0 || (current % 10 === 0 && value < 10 && current % 100 >= 20))
      if (!continues) close()
      if (!isOpen) at = part.at
      current += value
      isOpen = true
    } else if (scale !== undefined && isOpen) {
      if (scale === 100) current *= scale
      else [total, current] = [total + current * scale, 0]
    } else {
      close()
      read.push(part)
    }
  }
  close()
  return read
}

const isCapital = (text: string): boolean => /^[^\p{L}\p{N}]*\p{Lu}/u.test(text) && !/^\W*I\b/u.test(text)

/**
 * The words of a text or of a transcript in order, without fillers. A capital makes a name, unless it begins a sentence
 * or everything is in capitals; so does a place among `names`, which has the keys of names that are known.
 */
export const quoteWords = (
  texts: ReadonlyArray<string>,
  names: ReadonlySet<string> = new Set()
): ReadonlyArray<QuoteWord> => {
  const lower = texts.filter((text) => /\p{Ll}/u.test(text)).length
  const hasCase = lower * 2 > texts.length
  const parts = withNumbers(texts.flatMap((text, at) => keysOf(text).map((key) => ({ key, at }))))
  return parts.map(({ key, at }) => {
    const text = texts[at] ?? ""
    const before = texts[at - 1]
    const begins = before === undefined || /[.?!:>\]]["”')]*$/u.test(before)
    const isName = names.has(key) || (hasCase && !begins && isCapital(text))
    return { key, text, at, matters: /^\d/u.test(key) || negations.has(key) || isName }
  })
}
