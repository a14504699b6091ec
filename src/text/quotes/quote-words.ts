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
  ...["against", "oppose", "opposed", "opposes", "deny", "denied", "reject", "rejected", "refuse", "refused", "unless"]
])

/** What is written as one word and said as several. `wont` and `cant` are words, too, but hardly ever meant. */
const severally: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  [
    ...["cant:can not", "cannot:can not", "wont:will not", "shant:shall not", "aint:is not"],
    ...["gonna:going to", "wanna:want to", "gotta:got to", "alright:all right", "yall:you all", "ok:okay"]
  ].map((one) => {
    const [written = "", said = ""] = one.split(":")
    return [written, said.split(" ")]
  })
)
/** `dont` as captions write it. */
const negated = /^(do|does|did|is|was|are|were|could|should|would|have|has|had|must|need)nt$/u
/** Not where the apostrophe may be a genitive's, nor without one where it would be another word, such as `were`. */
const contractions = [
  /^(\p{L}+)['’](re|ve|ll|m)$/u,
  /^(he|here|how|it|she|that|there|what|where|who)['’](s)$/u,
  /^(that|there|what)(s)$/u,
  /^(i)(m|ve)$/u,
  /^(they|you)(re|ve|ll)$/u,
  /^(we)(ve)$/u
]
const ends: Readonly<Record<string, string>> = { re: "are", ve: "have", ll: "will", m: "am", s: "is" }

/** A word as several, if it is a contraction. */
const inFull = (part: string, key: string): ReadonlyArray<string> | undefined => {
  const base = negated.exec(key)?.[1]
  if (base !== undefined) return [base, "not"]
  const written = part.toLowerCase().replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "")
  for (const contraction of contractions) {
    const [, who, end] = contraction.exec(written) ?? []
    if (who !== undefined && end !== undefined) return [keyOf(who), ends[end] ?? end]
  }
  return severally.get(key)
}

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
      const full = inFull(part, key)
      if (full !== undefined) return full
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

/** Numbers in words become digits: `two hundred thousand` is 200000, `twenty five` is 25, `a hundred` is 100. */
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
    } else if (scale !== undefined) {
      if (!isOpen) {
        at = read.at(-1)?.key === "a" ? (read.pop()?.at ?? part.at) : part.at
        ;[current, isOpen] = [1, true]
      }
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

/** Before a name, and after one: a name in small letters, or where all are capitals, is known by them. */
const titles = new Set(
  "mr mrs ms dr mayor commissioner councilman councilwoman councilmember alderman supervisor senator judge sheriff director chairman chairwoman reverend".split(
    " "
  )
)
const roads = new Set("street avenue road drive lane pike highway boulevard parkway county".split(" "))

/** Words that say little, which may come and go. */
export const small: ReadonlySet<string> = new Set(
  "a an the and or but so of to in on at by for from with that this it its is are was were be been i we you they he she as if then well just very really also our your their there here have has had do does did will would can".split(
    " "
  )
)

const isCapital = (text: string): boolean => /^[^\p{L}\p{N}]*\p{Lu}/u.test(text) && !/^\W*I\b/u.test(text)

/** Whether a word begins a sentence, by the one before it. A title's full stop does not end one. */
const beginsAfter = (before: string | undefined): boolean =>
  before === undefined || (/[.?!:>\]]["”')]*$/u.test(before) && !titles.has(keyOf(before)))

const hasCase = (texts: ReadonlyArray<string>): boolean =>
  texts.filter((text) => /\p{Ll}/u.test(text)).length * 2 > texts.length

/** The keys of words that have a capital within a sentence, and are never written small. */
export const namesAmong = (texts: ReadonlyArray<string>): ReadonlySet<string> => {
  if (!hasCase(texts)) return new Set()
  const names = new Set<string>()
  const others = new Set<string>()
  for (const [at, text] of texts.entries()) {
    if (!isCapital(text)) others.add(keyOf(text))
    else if (!beginsAfter(texts[at - 1])) names.add(keyOf(text))
  }
  return new Set([...names].filter((name) => !others.has(name)))
}

/**
 * The words of a text or of a transcript in order, without fillers. A capital makes a name, unless it begins a sentence
 * or everything is in capitals; so does a title before it or a road after it, or a place among `names`, which has the
 * keys of names that are known.
 */
export const quoteWords = (
  texts: ReadonlyArray<string>,
  names: ReadonlySet<string> = new Set()
): ReadonlyArray<QuoteWord> => {
  const isTelling = hasCase(texts)
  const parts = withNumbers(texts.flatMap((text, at) => keysOf(text).map((key) => ({ key, at }))))
  return parts.map(({ key, at }, place) => {
    const text = texts[at] ?? ""
    const isNamed = titles.has(parts[place - 1]?.key ?? "") || roads.has(parts[place + 1]?.key ?? "")
    const isName =
      names.has(key) || (isNamed && !small.has(key)) || (isTelling && !beginsAfter(texts[at - 1]) && isCapital(text))
    return { key, text, at, matters: /^\d/u.test(key) || negations.has(key) || isName }
  })
}
